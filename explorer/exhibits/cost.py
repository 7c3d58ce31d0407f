"""Cost: the multiply-adds of a layer as sentence and vectors grow, and measured times."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request

LENGTHS = (8, 16, 32, 64, 128, 256, 512)  # tokens; the longest takes some 10 ms

TEMPLATE = """
<div class="hl-cost">
  <form class="hl-cost-controls" id="hl-cost-controls"></form>
  <div class="hl-cost-counted">
    <h2 data-t="cost.counted"></h2>
    <div class="hl-cost-plot" id="hl-cost-plot"></div>
    <div id="hl-cost-names"></div>
    <p class="hl-note" id="hl-cost-crossing"></p>
    <table class="hl-cost-table" id="hl-cost-table"></table>
  </div>
  <div class="hl-cost-measured">
    <h2 data-t="cost.measured"></h2>
    <p class="hl-note" id="hl-cost-machine" role="status"></p>
    <div class="hl-cost-plot" id="hl-cost-times"></div>
    <div id="hl-cost-times-names"></div>
    <div class="hl-scroll"><table class="hl-cost-table" id="hl-cost-seconds"></table></div>
  </div>
</div>
"""

_measured: WeakKeyDictionary[Explains, Payload] = WeakKeyDictionary()
_one_at_a_time = threading.Lock()


def layout() -> None:
    """What is counted on the left, what was measured on the right."""
    panel("cost", TEMPLATE)


def cost(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """Times of one encoder layer, measured once for a model: a class does not ask thirty times."""
    with _one_at_a_time:
        if explainer not in _measured:
            times = explainer.layer_times(LENGTHS)
            _measured[explainer] = {**times._asdict(), "device": explainer.device}
        return _measured[explainer]


COST = Exhibit("cost", "hand", layout, {"cost": cost})
