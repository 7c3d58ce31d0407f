"""The questions of the toy and of the side-by-side view, asked in Python."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from explorer.exchange import turns
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.compare import DRAWS, ORDER, methods, seeds, times
from explorer.exhibits.toy import toy, toy_table
from explorer.labels import labels
from model.config import METHODS, DecodeConfig
from model.explain import Explainer
from model.labs.toy import EXAMPLE, greedy_loses

TEXT = "I am a small frog."
DRAWN: dict[str, Any] = {"temperature": 1.5, "top_k": 30, "top_p": 0.9, "seed": 3, "first": 0}
DRAWING = {name: value for name, value in DRAWN.items() if name != "first"}
WISH = Request(TEXT, DecodeConfig(beam_size=3, max_length=12), shown=2)
TABLE = [list(row) for row in EXAMPLE]


@pytest.fixture(autouse=True)
def _answers_in_one_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is."""
    monkeypatch.setattr(turns, "ENOUGH", math.inf)


def test_each_method_is_explained_with_the_same_settings(explainer: Explainer) -> None:
    found = methods(explainer, WISH, Arguments(DRAWN))["outcomes"]
    assert [one["method"] for one in found] == list(ORDER) and set(ORDER) == set(METHODS)
    for one in found:
        config = dataclasses.replace(WISH.config, method=one["method"], **DRAWING)
        best = explainer.explain(TEXT, config).search.hypotheses[0]
        assert (one["log_prob"], one["score"]) == (best.log_prob, best.score)
        ids = [*best.ids, *([explainer.rules.end_id] if best.finished else [])]
        written = labels(explainer.tokenizer.target_tokens(ids))
        assert [token["text"] for token in one["tokens"]] == [label.text for label in written]
        assert one["length"] == len(ids) and one["text"] == best.text


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


def test_in_turns_the_answer_is_the_same(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [q(explainer, WISH, Arguments(DRAWN)) for q in (methods, seeds)]
    monkeypatch.setattr(turns, "ENOUGH", 0.0)
    for question, at_once in zip((methods, seeds), whole, strict=True):
        name = next(iter(at_once))
        found, first = [], 0
        while first is not None:
            answer = question(explainer, WISH, Arguments({**DRAWN, "first": first}))
            assert len(answer[name]) == 1
            found, first = found + answer[name], answer["next"]
        assert found == at_once[name] and len(found) == len(at_once[name]) > 1


def test_a_method_that_draws_nothing_is_not_searched_again(explainer: Explainer) -> None:
    """Another temperature is another search for those methods that draw, and for them alone."""
    methods(explainer, WISH, Arguments(DRAWN))
    before = explainer.explain(TEXT, dataclasses.replace(WISH.config, method="greedy"))
    methods(explainer, WISH, Arguments({**DRAWN, "temperature": 0.7}))
    after = explainer.explain(TEXT, dataclasses.replace(WISH.config, method="greedy"))
    assert after is before


def test_other_seeds(explainer: Explainer) -> None:
    last = {**DRAWN, "seed": 2**32 - 2}
    drawn = seeds(explainer, WISH, Arguments(last))["drawn"]
    assert [one["seed"] for one in drawn] == [2**32 - 2, 2**32 - 1, 0, 1, 2] and DRAWS == 5
    for one in drawn:
        config = dataclasses.replace(
            WISH.config, method="sampling", **{**DRAWING, "seed": one["seed"]}
        )
        assert one["text"] == explainer.explain(TEXT, config).search.hypotheses[0].text


@pytest.mark.parametrize(
    "wrong", [{"temperature": 0}, {"top_p": 1.1}, {"top_k": 0.5}, {"seed": -1}, {"first": 4}]
)
def test_drawing_outside_its_bounds_is_refused(explainer: Explainer, wrong: dict[str, Any]) -> None:
    with pytest.raises(PageError):
        methods(explainer, WISH, Arguments({**DRAWN, **wrong}))


def test_the_toy_answers_with_search_greedy_and_all(explainer: Explainer) -> None:
    answer = toy(explainer, WISH, Arguments({"table": TABLE, "beam": 2, "length": 3}))
    assert answer["search"]["counts"] == [4, 8, 8]
    assert [one["text"] for one in answer["hypotheses"]] == ["ABA", "BAB"]
    assert answer["greedy"]["text"] == "ABA"
    assert math.exp(answer["greedy"]["log_prob"]) == pytest.approx(0.08)
    assert answer["all"][0] == ["ACA", pytest.approx(0.108)]


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


def test_a_table_in_which_greedy_loses(explainer: Explainer) -> None:
    answer = toy_table(explainer, WISH, Arguments({"seed": 5, "length": 3}))
    assert tuple(map(tuple, answer["table"])) == greedy_loses(5, 3).table
    assert answer["beam_wins"]
