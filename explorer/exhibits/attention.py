"""Attention: all heads of the three kinds at once, and one of them large."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-attention">
  <div class="hl-heads" id="hl-heads"></div>
  <div class="hl-one">
    <div class="hl-caption">
      <h2 id="hl-head-name"></h2>
      <fieldset class="hl-choice" id="hl-labels">
        <legend data-t="attention.labels"></legend>
      </fieldset>
      <div class="hl-zoom" role="group" data-t-label="zoom.name">
        <button type="button" data-zoom="out" data-t-name="zoom.out">−</button>
        <button type="button" data-zoom="fit" data-t="zoom.fit"></button>
        <button type="button" data-zoom="in" data-t-name="zoom.in">+</button>
      </div>
    </div>
    <p class="hl-axes" id="hl-axes"></p>
    <div class="hl-map" id="hl-map"></div>
  </div>
  <aside class="hl-aside" id="hl-aside">
    <div class="hl-readout" id="hl-readout" aria-live="polite"></div>
    <div>
      <h3 data-t="attention.strongest"></h3>
      <ol class="hl-links" id="hl-links"></ol>
    </div>
    <div class="hl-legend" id="hl-legend"></div>
    <div class="hl-take" id="hl-take"><span data-t="take.name"></span></div>
  </aside>
</div>
"""


def layout() -> None:
    """Overview on the left, the chosen head in the middle, its numbers on the right."""
    panel("attention", TEMPLATE)


ATTENTION = Exhibit("attention", "attention", layout)
