"""Toy: beam search on a table of five letters, and every text beside it."""

from __future__ import annotations

import json

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.payload import packed_search
from explorer.question import Arguments, Payload
from explorer.request import PageError, Request
from model.toy import EXAMPLE, LETTERS, ToyNames, exhaustive, greedy_loses, toy_search, wrong_row
from model.trace import Search

MOST_BEAMS, LEAST_LENGTH, MOST_LENGTH = 5, 2, 4

TEMPLATE = """
<div class="hl-toy" data-example="EXAMPLE">
  <div class="hl-toy-left">
    <h2 id="hl-toy-table-name" data-t="toy.table"></h2>
    <table class="hl-toy-table" id="hl-toy-table" aria-labelledby="hl-toy-table-name"></table>
    <p class="hl-toy-trouble" id="hl-toy-trouble" role="status"></p>
    <div class="hl-toy-fields" id="hl-toy-fields"></div>
    <div class="hl-toy-buttons">
      <button type="button" id="hl-toy-random" data-t="toy.random"></button>
      <button type="button" id="hl-toy-reset" data-t="toy.reset"></button>
    </div>
    <p class="hl-note" id="hl-toy-found" role="status"></p>
  </div>
  <div class="hl-toy-middle">
    <h2 data-t="toy.search"></h2>
    <p class="hl-toy-said" id="hl-toy-said" aria-live="polite"></p>
    <div class="hl-toy-picture" id="hl-toy-picture"></div>
    <p class="hl-toy-node" id="hl-toy-node"></p>
    <ul class="hl-toy-legend" id="hl-toy-legend"></ul>
  </div>
  <div class="hl-toy-right">
    <h2 data-t="toy.all"></h2>
    <p class="hl-note" id="hl-toy-count"></p>
    <div class="hl-toy-list"><table id="hl-toy-all"></table></div>
  </div>
</div>
""".replace("EXAMPLE", json.dumps(EXAMPLE))


def layout() -> None:
    """The table at the left, the search in the middle, every text at the right."""
    panel("toy", TEMPLATE)


def toy(_explainer: Explains, _wish: Request, arguments: Arguments) -> Payload:
    """The search on a table, greedy's text, and all texts: {search, hypotheses, greedy, all}."""
    table = arguments.table("table", len(LETTERS) + 1, len(LETTERS), 0.0, 1.0)
    beam = arguments.whole("beam", 1, MOST_BEAMS)
    length = arguments.whole("length", LEAST_LENGTH, MOST_LENGTH)
    _check_sums(table)
    found = toy_search(table, beam, length)
    names = ToyNames()
    return {
        "search": packed_search(found, lambda i: {"text": names.piece(i), "kind": "word"}),
        "hypotheses": _texts(found),
        "greedy": _texts(toy_search(table, 1, length, method="greedy"))[0],
        "all": [list(text) for text in exhaustive(table, length)],
    }


def toy_table(_explainer: Explains, _wish: Request, arguments: Arguments) -> Payload:
    """A table in which greedy loses: {table, beam_wins}."""
    length = arguments.whole("length", LEAST_LENGTH, MOST_LENGTH)
    table, beam_wins = greedy_loses(arguments.whole("seed", 0, 2**31), length)
    return {"table": [list(row) for row in table], "beam_wins": beam_wins}


def _check_sums(table: list[list[float]]) -> None:
    if (wrong := wrong_row(table)) is None:
        return
    row, total = wrong
    if row == 0:
        raise PageError("toy.refused.start", sum=f"{total:.6g}")
    raise PageError("toy.refused.after", letter=LETTERS[row - 1], sum=f"{total:.6g}")


def _texts(found: Search) -> list[Payload]:
    return [
        {"text": one.text, "log_prob": one.log_prob, "path": list(one.path)}
        for one in found.hypotheses
    ]


TOY = Exhibit("toy", "decoding", layout, {"toy": toy, "toy_table": toy_table})
