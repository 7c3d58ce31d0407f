"""Inside a layer: the residual stream, what each sub-layer adds, LayerNorm, the ReLUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments
from explorer.request import Request
from explorer.wish import granted

if TYPE_CHECKING:
    from model.anatomy import Stack, SubLayerParts
    from model.explain import Explainer

TEMPLATE = """
<div class="hl-stream">
  <div class="hl-stream-top">
    <fieldset class="hl-choice" id="hl-stream-stack">
      <legend data-t="stream.stack"></legend>
    </fieldset>
    <p class="hl-stream-at" id="hl-stream-at"></p>
  </div>
  <div class="hl-stream-side"><section>
    <h2 data-t="stream.norms"></h2>
    <p class="hl-note" data-t="stream.norms.note"></p>
    <div class="hl-stream-norms" id="hl-stream-norms" role="group"></div>
  </section></div>
  <div class="hl-stream-side"><section>
    <h2 id="hl-stream-name"></h2>
    <div class="hl-stream-strips" id="hl-stream-strips"></div>
    <p id="hl-stream-formula" class="hl-stream-formula"></p>
    <label class="hl-stream-dim"><span data-t="stream.dim"></span>
      <input type="range" id="hl-stream-dim" min="1" max="1" value="1"></label>
    <h3 data-t="stream.relu"></h3>
    <p id="hl-stream-fired"></p>
    <canvas class="hl-stream-cells" id="hl-stream-relu" role="img"></canvas>
  </section>
  <section>
    <h2 data-t="stream.batch"></h2>
    <p class="hl-note" data-t="stream.batch.note"></p>
    <div class="hl-stream-pair" id="hl-stream-batch"></div>
    <p id="hl-stream-batch-numbers"></p>
  </section></div>
</div>
"""


def layout() -> None:
    """Norms along the stack, the chosen sub-layer's norm in numbers, LayerNorm and BatchNorm."""
    panel("stream", TEMPLATE)


def stream(explainer: Explains, wish: Request, arguments: Arguments) -> dict[str, Any]:
    """Every sub-layer of one stack: lengths at all positions; of layer `layer` all the numbers."""
    from model.anatomy import dissect  # torch comes in with the first question

    stack = cast("Stack", arguments.choice("stack", ("encoder", "decoder")))
    trace = granted(explainer, wish).trace
    states = trace.encoder_states if stack == "encoder" else trace.decoder_states
    layer = arguments.whole("layer", 0, len(states) - 2)
    layers = [
        dissect(cast("Explainer", explainer), trace, stack, i) for i in range(len(states) - 1)
    ]
    config = cast("Explainer", explainer).model.config
    chosen = layers[layer]
    hidden = [cast("np.ndarray", parts[-1].hidden) for parts in layers]
    off = max(float(np.abs(p[-1].after - states[i + 1]).max()) for i, p in enumerate(layers))
    return {
        "stack": stack,
        "layer": layer,
        "norm": config.norm,
        "activation": config.activation,
        "positions": states.shape[1],
        "deviation": off,
        "lengths": [[_lengths(part) for part in parts] for parts in layers],
        "fired": [pack((units > 0).mean(-1).astype("f4")) for units in hidden],
        "parts": [_numbers(part) for part in chosen],
        "hidden": pack(hidden[layer]),
    }


def _lengths(part: SubLayerParts) -> dict[str, str]:
    """The Euclidean length of each position's vector."""
    vectors = {"before": part.before, "adds": part.adds, "total": part.total, "after": part.after}
    return {"name": part.name} | {n: pack(np.linalg.norm(v, axis=-1)) for n, v in vectors.items()}


def _numbers(part: SubLayerParts) -> dict[str, str]:
    names = ("before", "inside", "adds", "total", "after", "gamma", "beta")
    return {"name": part.name} | {name: pack(getattr(part, name)) for name in names}


STREAM = Exhibit("stream", "layers", layout, {"stream": stream})
