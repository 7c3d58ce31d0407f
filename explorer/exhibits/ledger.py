"""Ledger: how log-probs, length and penalty make the score of each hypothesis, and its rank."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-ledger">
  <div class="hl-ledger-left">
    <div class="hl-ledger-controls" id="hl-ledger-controls"></div>
    <div class="hl-ledger-scroll">
      <table class="hl-ledger-table" id="hl-ledger-table"></table>
    </div>
    <p class="hl-ledger-honest" id="hl-ledger-honest"></p>
    <p class="hl-ledger-outcome" id="hl-ledger-outcome" role="status"></p>
  </div>
  <div class="hl-ledger-right">
    <h2 data-t="ledger.plot"></h2>
    <div class="hl-ledger-plot" id="hl-ledger-plot"></div>
    <p class="hl-note" data-t="ledger.plot.note"></p>
    <ul class="hl-ledger-reigns" id="hl-ledger-reigns"></ul>
  </div>
  <div class="hl-ledger-one">
    <h2 id="hl-ledger-name"></h2>
    <div class="hl-ledger-steps" id="hl-ledger-steps"></div>
    <p class="hl-ledger-formula" id="hl-ledger-formula"></p>
  </div>
</div>
"""


def layout() -> None:
    """The hypotheses at the left, their scores over alpha at the right, one written out below."""
    panel("ledger", TEMPLATE)


LEDGER = Exhibit("ledger", "decoding", layout)
