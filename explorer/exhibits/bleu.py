"""BLEU by hand: a candidate, its references, and every count of the score."""

from __future__ import annotations

import dataclasses

from explorer import card
from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request

TEMPLATE = """
<div class="hl-bleu">
  <div class="hl-bleu-texts">
    <div class="hl-bleu-presets" id="hl-bleu-presets" role="group" data-t-label="bleu.presets">
      <span data-t="bleu.presets"></span>
    </div>
    <form id="hl-bleu-form"></form>
    <div class="hl-bleu-lines" id="hl-bleu-lines"></div>
    <p class="hl-note" id="hl-bleu-note"></p>
    <p class="hl-note" id="hl-bleu-card"></p>
  </div>
  <div class="hl-bleu-counts">
    <fieldset class="hl-choice" id="hl-bleu-order"><legend data-t="bleu.order"></legend></fieldset>
    <p class="hl-note" data-t="bleu.counts.note"></p>
    <div class="hl-scroll"><table class="hl-table" id="hl-bleu-counts"></table></div>
  </div>
  <div class="hl-bleu-score">
    <div id="hl-bleu-sum" aria-live="polite"></div>
  </div>
</div>
"""


def layout() -> None:
    """Texts and their tokens at the left, the counts of one order, the score at the right."""
    panel("bleu", TEMPLATE)


def scores(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """{scores}: what the shipped model's card says of its held-out test part."""
    return {"scores": [dataclasses.asdict(score) for score in card.scores()]}


BLEU = Exhibit("bleu", "training", layout, {"scores": scores})
