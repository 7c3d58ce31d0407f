"""What exhibits ask Python: arguments are checked, answers are about the wish on show."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments
from explorer.exchange.reply import answer
from explorer.exchange.request import PageError, Request
from explorer.models import Models
from explorer.words import WORDS
from model.config import DecodeConfig
from model.errors import InputError
from model.explain import Explainer

TEXT = "Tom asked his teacher."
CONFIG = DecodeConfig(beam_size=2)


def echo(explainer: Explainer, wish: Request, arguments: Arguments) -> dict[str, Any]:
    found = explain(explainer, wish)
    return {"text": found.text, "beam": wish.config.beam_size, "n": arguments.whole("n", 1, 9)}


def refuses(explainer: Explainer, wish: Request, arguments: Arguments) -> dict[str, Any]:
    raise InputError("The table has no rows.")


QUESTIONS = {"echo": echo, "refuses": refuses}


def asked(models: Models, **changes: object) -> dict[str, Any]:
    raw = {"number": 3, "text": TEXT, "settings": {"beam_size": 2}, "shown": 0, **changes}
    reply: dict[str, Any] = json.loads(answer(models, raw, QUESTIONS))
    assert reply["number"] == 3
    return reply


def test_a_question_is_about_the_wish(models: Models) -> None:
    reply = asked(models, question="echo", arguments={"n": 4})
    assert reply["payload"] == {"text": TEXT, "beam": 2, "n": 4}


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "nothing"},
        {"question": 3},
        {"question": ["echo"]},
        {"question": "echo", "arguments": {"n": 10}},
        {"question": "echo", "arguments": {"n": True}},
        {"question": "echo", "arguments": {}},
        {"question": "echo", "arguments": [4]},
        {"question": "echo", "arguments": {"n": 4}, "text": None},
        {"node": [1]},
        {"node": [1, "2"]},
        {"node": 4},
        {"prefix": "abc"},
        {"prefix": [-1]},
        {"prefix": [2**40]},
        {"prefix": [5] * 129},
        {"begin": 7},
        {"interventions": [1]},
    ],
)
def test_what_was_not_offered_is_refused(models: Models, changes: dict[str, Any]) -> None:
    assert asked(models, **changes)["message"]["en"] == WORDS["error.request"].en


def test_a_refusal_keeps_its_words(models: Models) -> None:
    message = asked(models, question="refuses", arguments={})["message"]
    assert message["en"] == "The table has no rows."
    assert message["zh"].startswith("这段输入无法使用")


ARGUMENTS = {
    "whole": 3, "real": 0.5, "text": "我", "choice": "b", "flag": False, "list": [1, 2],
    "table": [[1, 2.5], [3, 4]], "nan": float("nan"), "long": "x" * 11, "huge": 10**400,
}  # fmt: skip


def test_arguments_are_read() -> None:
    given = Arguments(ARGUMENTS)
    assert given.whole("whole", 0, 3) == 3
    assert given.number("real", 0, 1) == 0.5
    assert given.text("text", 10) == "我"
    assert given.choice("choice", ("a", "b")) == "b"
    assert given.flag("flag") is False
    assert given.whole_list("list", 2, 0, 9) == [1, 2]
    assert given.table("table", 2, 2, 0, 9) == [[1.0, 2.5], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("whole", ("whole", 4, 9)),
        ("whole", ("real", 0, 9)),
        ("number", ("nan", 0, 1)),
        ("number", ("huge", 0, 1)),
        ("whole", ("huge", 0, 1)),
        ("number", ("text", 0, 1)),
        ("text", ("long", 10)),
        ("text", ("whole", 10)),
        ("choice", ("choice", ("a",))),
        ("choice", ("list", ("a",))),
        ("flag", ("whole",)),
        ("whole_list", ("list", 1, 0, 9)),
        ("whole_list", ("list", 2, 0, 1)),
        ("whole_list", ("absent", 2, 0, 1)),
        ("table", ("table", 3, 2, 0, 9)),
        ("table", ("table", 2, 3, 0, 9)),
        ("table", ("table", 2, 2, 0, 3)),
        ("table", ("list", 2, 1, 0, 9)),
    ],
)
def test_arguments_out_of_bounds_are_refused(method: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(PageError):
        getattr(Arguments(ARGUMENTS), method)(*arguments)


# ------------------------------------------------------------------- prefixes, nodes, beginnings


def test_a_node_of_the_tree_is_traced(models: Models, explainer: Explainer) -> None:
    search = explainer.explain(TEXT, CONFIG).search
    candidate = next(c for c, fate in enumerate(search.steps[2].fates) if fate == "pruned")
    sent = asked(models, node=[2, candidate])["payload"]
    path, ids = [], []
    at = candidate
    for step in reversed(search.steps[:3]):
        path.insert(0, at)
        ids.insert(0, int(step.token_ids[at]))
        at = int(step.parents[at])
    assert (sent["node"], sent["path"]) == ([2, candidate], path)
    assert [label["id"] for label in sent["tgt_out"]] == ids
    found = [step["log_prob"] for step in sent["steps"]]
    true = [search.steps[t].log_probs[c] for t, c in enumerate(path)]
    assert found == pytest.approx(true, abs=1e-4)


def test_a_beginning_is_forced_and_keeps_its_log_prob(models: Models, explainer: Explainer) -> None:
    ids = explainer.tokenizer.encode_target("我是").ids.tolist()
    free = explainer.next_log_probs(TEXT, [])
    sent = asked(models, begin="我是")["payload"]
    assert sent["prefix"] == ids and [label["id"] for label in sent["tgt_out"]][: len(ids)] == ids
    assert sent["steps"][0]["forced"] is True
    assert sent["steps"][0]["log_prob"] == pytest.approx(float(free[ids[0]]), abs=1e-4)
    total = sum(step["log_prob"] for step in sent["steps"])
    assert sent["hypotheses"][0]["log_prob"] == pytest.approx(total, abs=1e-3)
    again = asked(models, prefix=ids)["payload"]
    assert again["hypotheses"] == sent["hypotheses"]


def test_a_node_that_does_not_exist_gets_a_sentence(models: Models) -> None:
    assert "Candidate 1000" in asked(models, node=[0, 999])["message"]["en"]


def test_next_log_probs_are_those_of_the_search(explainer: Explainer) -> None:
    found = explainer.explain(TEXT, CONFIG)
    ids = [int(s.token_ids[c]) for s, c in zip(found.search.steps, found.path, strict=False)]
    for t in range(min(4, len(ids))):
        log_probs = explainer.next_log_probs(TEXT, ids[:t])
        # What the rules forbid is missing from the sum: banned tokens, and bytes that begin no
        # character (0x80 to 0xC1, 0xF5 to 0xFF).
        forbidden = sum(np.isneginf(log_probs))
        assert forbidden == len(explainer.rules.banned) + 66 + 11
        assert 0.9 < np.exp(log_probs.astype(np.float64)).sum() < 1.0 + 1e-5
        recorded = found.search.steps[t].log_probs[found.path[t]]
        assert log_probs[ids[t]] == pytest.approx(recorded, abs=1e-4)
    with pytest.raises(InputError, match="target ids"):
        explainer.next_log_probs(TEXT, [10**6])
