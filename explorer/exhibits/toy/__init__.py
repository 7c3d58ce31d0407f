"""Toy: beam search on a table of five letters, with every possible text beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.payload import packed_search
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.labs.letters import EXAMPLE, LETTERS, TOLERANCE
from model.trace import Search

if TYPE_CHECKING:
    from model.explain import Explainer

BEAM, LENGTH = (1, 5), (2, 4)  # lowest and highest


def toy(_explainer: Explainer, _request: Request, arguments: Arguments) -> Payload:
    """The search on a table, greedy's text, and all texts: {search, hypotheses, greedy, all}."""
    from model.labs.toy import ToyVocabulary, exhaustive, toy_search  # imports torch

    table = arguments.table("table", len(LETTERS) + 1, len(LETTERS), 0.0, 1.0)
    beam = arguments.whole("beam", *BEAM)
    length = arguments.whole("length", *LENGTH)
    _check_sums(table)
    found = toy_search(table, beam, length)
    names = ToyVocabulary()
    return {
        "search": packed_search(found, lambda i: {"text": names.piece(i), "kind": "word"}),
        "hypotheses": _texts(found),
        "greedy": _texts(toy_search(table, 1, length, method="greedy"))[0],
        "all": [list(text) for text in exhaustive(table, length)],
    }


def toy_table(_explainer: Explainer, _request: Request, arguments: Arguments) -> Payload:
    """A table in which greedy loses: {table, beam_wins}."""
    from model.labs.toy import greedy_loses

    length = arguments.whole("length", *LENGTH)
    table, beam_wins = greedy_loses(arguments.whole("seed", 0, 2**31), length)
    return {"table": [list(row) for row in table], "beam_wins": beam_wins}


def _check_sums(table: list[list[float]]) -> None:
    from model.labs.toy import wrong_row

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


EXHIBIT = Exhibit(
    "toy",
    {"toy": toy, "toy_table": toy_table},
    facts={
        "letters": LETTERS,
        "example": EXAMPLE,
        "start": {"beam": 2, "length": 3},
        "limits": {"beam": BEAM, "length": LENGTH},
        "tolerance": TOLERANCE,
    },
    header=(),
    opener=effects.View(lambda _: [{"toy.beam": "4"}], effects.greedy_loses),
)
