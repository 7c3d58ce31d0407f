"""Scaling: why the scores are divided by sqrt(d_k), with drawn vectors."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-scaling">
  <form class="hl-scaling-controls" id="hl-scaling-controls"></form>
  <div>
    <h2 data-t="scaling.spread"></h2>
    <div class="hl-scaling-plot" id="hl-scaling-spread"></div>
    <p id="hl-scaling-spread-said" aria-live="polite"></p>
  </div>
  <div>
    <h2 data-t="scaling.growth"></h2>
    <div class="hl-scaling-plot" id="hl-scaling-growth"></div>
    <div id="hl-scaling-growth-names"></div>
  </div>
  <div class="hl-scaling-weights">
    <div id="hl-scaling-raw"></div>
    <div id="hl-scaling-scaled"></div>
    <table class="hl-scaling-table" id="hl-scaling-table"></table>
    <p class="hl-note" data-t="scaling.why"></p>
  </div>
</div>
"""


def layout() -> None:
    """Sliders, the spread of the products, its growth with d, and the softmax of one query."""
    panel("scaling", TEMPLATE)


SCALING = Exhibit("scaling", "hand", layout)
