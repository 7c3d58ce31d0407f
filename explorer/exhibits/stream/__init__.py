"""The residual stream: the output of each sub-layer, LayerNorm in numbers, the ReLUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.config import Stack
    from model.explain import Explainer
    from model.labs.dissect import FeedForwardSubLayer, SubLayer


def stream(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """Every sub-layer of one stack: lengths at all positions, and all numbers of layer `layer`."""
    from model.labs.dissect import sub_layers  # torch is imported with the first question

    stack = cast("Stack", arguments.choice("stack", ("encoder", "decoder")))
    trace = explain(explainer, request).trace
    states = trace.encoder_states if stack == "encoder" else trace.decoder_states
    layer = arguments.whole("layer", 0, len(states) - 2)
    layers = [list(sub_layers(explainer.model, trace, stack, i)) for i in range(len(states) - 1)]
    model = explainer.model
    chosen = layers[layer]
    hidden = [cast("FeedForwardSubLayer", parts[-1]).hidden for parts in layers]
    off = max(float(np.abs(p[-1].after - states[i + 1]).max()) for i, p in enumerate(layers))
    return {
        "stack": stack,
        "layer": layer,
        "norm": model.config.norm,
        "eps": chosen[0].eps,
        "rms": chosen[0].rms,
        "gated": model.config.gated,
        "activation": model.config.activation,
        "positions": states.shape[1],
        "deviation": off,
        "lengths": [[_lengths(part) for part in parts] for parts in layers],
        "fired": [pack((units > 0).mean(-1).astype("f4")) for units in hidden],
        "parts": [_numbers(part) for part in chosen],
        "hidden": pack(hidden[layer].astype("f4")),
    }


def _lengths(part: SubLayer) -> dict[str, str]:
    """The Euclidean length of each position's vector."""
    vectors = {"before": part.before, "adds": part.output, "total": part.total, "after": part.after}
    return {"name": part.name} | {
        n: pack(np.linalg.norm(v, axis=-1).astype("f4")) for n, v in vectors.items()
    }


def _numbers(part: SubLayer) -> dict[str, str]:
    names = {"inside": "x", "adds": "output"}
    names |= {n: n for n in ("before", "total", "after", "gamma", "beta")}
    arrays = {name: getattr(part, field).astype("f4") for name, field in names.items()}
    return {"name": part.name} | {name: pack(array) for name, array in arrays.items()}


EXHIBIT = Exhibit(
    "stream",
    {"stream": stream},
    opener=effects.ANY,
)
