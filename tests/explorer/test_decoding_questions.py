"""The questions of the toy and of the side-by-side view, asked in Python."""

from __future__ import annotations

import math
from typing import Any

import pytest

from explorer.exchange import turns
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.compare import ORDER, times
from explorer.exhibits.toy import toy
from model.config import DecodeConfig
from model.explain import Explainer
from model.labs.toy import EXAMPLE

TEXT = "I am a small frog."
DRAWN: dict[str, Any] = {"temperature": 1.5, "top_k": 30, "top_p": 0.9, "seed": 3, "first": 0}
WISH = Request(TEXT, DecodeConfig(beam_size=3, max_length=12), shown=2)
TABLE = [list(row) for row in EXAMPLE]


@pytest.fixture(autouse=True)
def _answers_in_one_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is."""
    monkeypatch.setattr(turns, "ENOUGH", math.inf)


def test_the_time_is_that_of_a_search_of_its_own(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered would take no time: the search must be done again."""
    times(explainer, WISH, Arguments(DRAWN))
    done: list[str] = []
    search = explainer._passes.search_again

    def counted(src: Any, config: DecodeConfig, *more: Any) -> Any:
        done.append(config.method)
        return search(src, config, *more)

    monkeypatch.setattr(explainer._passes, "search_again", counted)
    times(explainer, WISH, Arguments(DRAWN))
    assert done == list(ORDER)
    monkeypatch.setattr(explainer, "search_seconds", lambda *_args, **_more: 1.25)
    assert times(explainer, WISH, Arguments(DRAWN))["seconds"] == [1.25] * 4


@pytest.mark.parametrize(
    "wrong", [{"temperature": 0}, {"top_p": 1.1}, {"top_k": 0.5}, {"seed": -1}, {"first": 4}]
)
def test_drawing_outside_its_bounds_is_refused(explainer: Explainer, wrong: dict[str, Any]) -> None:
    with pytest.raises(PageError):
        times(explainer, WISH, Arguments({**DRAWN, **wrong}))


@pytest.mark.parametrize(("row", "key"), [(0, "toy.refused.start"), (4, "toy.refused.after")])
def test_a_row_that_does_not_sum_to_1_is_named(explainer: Explainer, row: int, key: str) -> None:
    table = [list(cells) for cells in TABLE]
    table[row] = [0.5, 0.25, 0.0, 0.0, 0.0]
    with pytest.raises(PageError) as refused:
        toy(explainer, WISH, Arguments({"table": table, "beam": 2, "length": 3}))
    assert refused.value.key == key and refused.value.values["sum"] == "0.75"
    assert refused.value.values.get("letter") == (None if row == 0 else "D")


@pytest.mark.parametrize("wrong", [{"beam": 6}, {"beam": 0}, {"length": 5}, {"table": TABLE[:5]}])
def test_a_toy_outside_its_bounds_is_refused(explainer: Explainer, wrong: dict[str, Any]) -> None:
    with pytest.raises(PageError):
        toy(explainer, WISH, Arguments({"table": TABLE, "beam": 2, "length": 3, **wrong}))
