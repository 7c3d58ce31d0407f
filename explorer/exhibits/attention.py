"""Attention: all heads of the three kinds at once, and one of them large, as a map or as lines.

Everything here is computed in the browser from the weights of the payload:
`assets/exhibits/attention_measures.js` holds what a head is marked and sorted by,
`attention_view.js` what words, hidden tokens and the strongest part do to the weights.
With w the weights of a head, Q its rows and K its columns:

    entropy      -(1/Q) sum_ij w_ij ln w_ij, in nats
    diagonal     (1/Q) sum_i w_ii; in cross-attention 1 - (1/Q) sum_ij w_ij |i/(Q-1) - j/(K-1)|
    previous     (1/(Q-1)) sum_{i>0} w_i,i-1; cross-attention has none
    end          (1/Q) sum_i w_ie, e the end token; in decoder self-attention the start token
    effect       the change of the output's log-prob without the head, where it was measured
"""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-attention">
  <div class="hl-overview">
    <div class="hl-sorting" role="group" data-t-label="heads.sorting">
      <select id="hl-measure" data-t-name="measure.name"></select>
      <label><input type="checkbox" id="hl-sort"><span data-t="heads.sort"></span></label>
      <details class="hl-pop">
        <summary data-t="measure.how"></summary>
        <div class="hl-sheet"><dl id="hl-defined"></dl>
          <p class="hl-note" data-t="measure.raw"></p></div>
      </details>
      <label class="hl-least" data-t-title="heads.least">
        <span class="hl-unseen" data-t="heads.least"></span>
        <input type="range" id="hl-least" min="0" max="100" step="1" value="0">
        <output id="hl-least-value"></output></label>
    </div>
    <div class="hl-heads" id="hl-heads"></div>
  </div>
  <div class="hl-one" id="hl-one">
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
    <div class="hl-options" role="group" data-t-label="options.name">
      <span class="hl-views" role="group" data-t-label="options.view">
        <button type="button" data-view="map" data-t="options.view.map"></button>
        <button type="button" data-view="lines" data-t="options.view.lines"></button>
        <button type="button" data-view="both" data-t="options.view.both"></button>
      </span>
      <label data-t-title="options.mass.hint"><span data-t="options.mass"></span>
        <input type="range" id="hl-mass" min="5" max="100" step="5" value="100">
        <output id="hl-mass-value"></output></label>
      <label data-t-title="options.hide.hint"><input type="checkbox" id="hl-specials">
        <span data-t="options.hide"></span></label>
      <label data-t-title="options.words.hint"><input type="checkbox" id="hl-words">
        <span data-t="options.words"></span></label>
      <label data-t-title="options.own.hint"><input type="checkbox" id="hl-own">
        <span data-t="options.own"></span></label>
    </div>
    <div class="hl-chips" id="hl-chips" role="group" data-t-label="several.name" hidden></div>
    <p class="hl-axes" id="hl-axes"></p>
    <p class="hl-note" id="hl-options-note" hidden></p>
    <div class="hl-drawn">
      <div class="hl-map" id="hl-map"></div>
      <div class="hl-lines" id="hl-lines" hidden></div>
    </div>
  </div>
  <aside class="hl-aside" id="hl-aside">
    <div class="hl-readout" id="hl-readout" aria-live="polite"></div>
    <dl class="hl-measures" id="hl-measures"></dl>
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
