"""Curves: the shipped model's own training, epoch by epoch, and its scores."""

from __future__ import annotations

import dataclasses
import json

from explorer import card
from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.words import LANGUAGES, WORDS

TEMPLATE = """
<div class="hl-curves">
  <div class="hl-curves-figure" id="hl-curves-figure" role="img"
    data-t-label="curves.alternative"></div>
  <aside class="hl-curves-side">
    <p class="hl-curves-now" id="hl-curves-now" aria-live="polite"></p>
    <dl id="hl-curves-means"></dl>
    <h3 data-t="curves.scores"></h3>
    <table class="hl-table" id="hl-curves-scores"></table>
    <p class="hl-note" data-t="curves.scores.note"></p>
    <details open>
      <summary data-t="curves.epochs"></summary>
      <div class="hl-scroll" tabindex="0" role="region" data-t-label="curves.epochs">
        <table class="hl-table" id="hl-curves-table"></table>
      </div>
    </details>
  </aside>
</div>
"""

NAMES = (
    "train_loss", "dev_loss", "bleu", "chrf", "updates", "loss", "score", "epoch",
)  # fmt: skip


def layout() -> None:
    """The figure at the left; what each line is, scores and all numbers at the right."""
    panel("curves", TEMPLATE)


def lines(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """{lines, scores, figures: {language: Plotly figure}} of the shipped model's training."""
    from explorer.figures.curves import curves  # brings plotly, which the first page does not need

    found = card.curves()
    figures = {}
    for language in LANGUAGES:
        words = {name: getattr(WORDS[f"curves.{name}"], language) for name in NAMES}
        figures[language] = json.loads(curves(found, words).to_json())
    scores = [dataclasses.asdict(score) for score in card.scores()]
    return {"lines": found, "scores": scores, "figures": figures}


CURVES = Exhibit("curves", "training", layout, {"curves": lines})
