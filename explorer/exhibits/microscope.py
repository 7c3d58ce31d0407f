"""The microscope: one query and one head, every number from q and k to the sub-layer's output."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.sublayer import packed_layer, packed_projections
from explorer.wish import granted
from model.config import KINDS

TEMPLATE = """
<div class="hl-microscope">
  <form class="hl-micro-bar" id="hl-micro-bar"></form>
  <div class="hl-micro-chain" id="hl-micro-chain"></div>
  <aside class="hl-micro-aside">
    <div class="hl-micro-number" id="hl-micro-number" aria-live="polite"></div>
    <p class="hl-micro-check" id="hl-micro-check" role="status"></p>
    <div class="hl-micro-python">
      <h3 data-t="microscope.python"></h3>
      <button type="button" id="hl-micro-copy" data-t="microscope.copy"></button>
      <p class="hl-note" data-t="microscope.python.note"></p>
      <pre id="hl-micro-code" tabindex="0" data-t-label="microscope.python"></pre>
    </div>
  </aside>
</div>
"""


def layout() -> None:
    """The choice on top, the chain below it, and the number that was clicked beside it."""
    panel("microscope", TEMPLATE)


def head(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The numbers of one sub-layer, with the matrices of one of its heads.

    Arguments: kind, layer, head; `matrix`, whether W_o is sent too.
    """
    trace = granted(explainer, wish).trace
    kind = arguments.choice("kind", KINDS)
    layers, heads = trace.attention(kind).weights.shape[:2]
    layer, chosen = arguments.whole("layer", 0, layers - 1), arguments.whole("head", 0, heads - 1)
    found = explainer.inside(trace, kind, layer)
    packed = packed_layer(found, matrix=arguments.flag("matrix"))
    return packed | packed_projections(found, chosen)


MICROSCOPE = Exhibit("microscope", "attention", layout, {"microscope_head": head})
