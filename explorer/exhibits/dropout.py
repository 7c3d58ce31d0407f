"""Dropout at work: on the numbers that the encoder reads for one token of the sentence."""

from __future__ import annotations

from explorer import card
from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.wish import granted

SHOWN = 16  # numbers of the vector that are shown

TEMPLATE = """
<div class="hl-dropout">
  <div class="hl-dropout-one">
    <div class="hl-dropout-controls" id="hl-dropout-controls"></div>
    <h3 id="hl-dropout-name"></h3>
    <div class="hl-scroll" tabindex="0" role="region" aria-labelledby="hl-dropout-name">
      <table class="hl-table hl-dropout-numbers" id="hl-dropout-numbers"></table>
    </div>
    <p class="hl-note" data-t="dropout.where"></p>
  </div>
  <div class="hl-dropout-many">
    <h3 id="hl-dropout-title"></h3>
    <div id="hl-dropout-key"></div>
    <div class="hl-dropout-chart" id="hl-dropout-chart"></div>
    <p id="hl-dropout-means" aria-live="polite"></p>
  </div>
</div>
"""


def layout() -> None:
    """One draw in numbers at the left; the mean of many draws at the right."""
    panel("dropout", TEMPLATE)


def dropout(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """{values: packed float32 (n,), of, share}: the first numbers of a source token's input.

    Embedding plus position, which is where the paper's dropout first strikes; `of` says how many
    numbers there are, `share` what the shipped model was trained with.
    """
    states = granted(explainer, wish).trace.encoder_states  # (layer+1, S, D)
    source = arguments.whole("source", 0, states.shape[1] - 1)
    return {
        "values": pack(states[0, source, :SHOWN].astype("<f4")),
        "of": int(states.shape[2]),
        "share": card.config().dropout,
    }


DROPOUT = Exhibit("dropout", "training", layout, {"dropout": dropout})
