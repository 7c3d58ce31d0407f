"""Summaries of many heads, said to be summaries, beside a measure that is not attention.

The summaries are computed in the browser (`assets/exhibits/summaries_maths.js`); Python is asked
for the occlusion, which runs the model once without each source token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.wish import granted

if TYPE_CHECKING:
    from model.explain import Explainer

TEMPLATE = """
<div class="hl-summaries">
  <section class="hl-summary">
    <div class="hl-caption">
      <h2><i class="hl-dot" id="hl-summary-dot"></i><span data-t="summaries.name"></span></h2>
      <details class="hl-pop hl-end">
        <summary data-t="measure.how"></summary>
        <div class="hl-sheet" id="hl-summary-how"></div>
      </details>
      <div class="hl-summary-choice">
        <select id="hl-summary-kind" data-t-name="summaries.kind"></select>
        <select id="hl-summary-way" data-t-name="summaries.way"></select>
        <select id="hl-summary-layer" data-t-name="summaries.layer"></select>
      </div>
    </div>
    <p class="hl-axes" id="hl-summary-axes"></p>
    <div class="hl-map" id="hl-summary-map"></div>
    <div class="hl-legend" id="hl-summary-legend"></div>
    <p class="hl-note" id="hl-summary-says"></p>
  </section>
  <section class="hl-summary">
    <div class="hl-caption"><h2 data-t="summaries.occlusion"></h2></div>
    <p class="hl-axes" data-t="summaries.occlusion.axes"></p>
    <div class="hl-map" id="hl-occlusion-map"></div>
    <div class="hl-legend" id="hl-occlusion-legend"></div>
    <p class="hl-note" id="hl-occlusion-says"></p>
  </section>
  <aside class="hl-aside">
    <div class="hl-readout" id="hl-summary-readout" aria-live="polite"></div>
    <div>
      <h3 data-t="summaries.agree"></h3>
      <dl class="hl-agree" id="hl-agree"></dl>
      <p class="hl-note" id="hl-agree-says"></p>
    </div>
    <div>
      <h3 data-t="summaries.proof"></h3>
      <p class="hl-note" data-t="summaries.proof.jain"></p>
      <p class="hl-note" data-t="summaries.proof.wiegreffe"></p>
      <p class="hl-note" data-t="summaries.proof.occlusion"></p>
    </div>
  </aside>
</div>
"""


def layout() -> None:
    """A summary at the left, the occlusion in the middle, how far they agree at the right."""
    panel("summaries", TEMPLATE)


def occlusion(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The change of each output token's log-prob without each source token.

    `changes` holds (rows, columns) float32: row s goes without `src[s]`, column t is `tgt_out[t]`.

    Raises:
        HeadlightError: the wish cannot be granted, or mask cells of the source are painted.
    """
    # Brings torch, which the page itself starts without; the model that is asked has loaded it.
    from model.experiments import occlusion as measure

    found = measure(cast("Explainer", explainer), granted(explainer, wish))
    rows, columns = found.changes.shape
    return {"rows": rows, "columns": columns, "changes": pack(found.changes)}


SUMMARIES = Exhibit("summaries", "attention", layout, {"occlusion": occlusion})
