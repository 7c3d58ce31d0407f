"""A request may name other weights of its model, and the parts of the record that it needs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.exchange.reply import answer
from explorer.exchange.request import PARTS
from explorer.models import Listed, Models
from explorer.words import WORDS
from model.explain import Explainer
from model.labs.cheat import UNMASKED, cheater

TEXT = "Tom asked his teacher."


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    return Explainer.load(device="cpu")


@pytest.fixture(scope="module")
def server(shipped: Explainer) -> Models:
    models = Models([Listed("en-zh", "en-zh", lambda: shipped)])
    models.default.start()
    return models


def ask(server: Models, **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(server, {"text": TEXT, "settings": {}, **fields}))
    return found


def forced(explainer: Explainer, end: int | None = None) -> dict[str, Any]:
    ids = explainer.explain(TEXT).trace.tgt_out.ids.tolist()[:end]
    return {"prefix": ids, "longest": len(ids), "settings": {"method": "greedy"}}


@pytest.mark.parametrize("end", [None, -1, 2])
def test_forced_tokens_are_those_of_each_set_of_weights(
    server: Models, shipped: Explainer, end: int | None
) -> None:
    request = forced(shipped, end)
    for weights, interventions, made in (
        ("", {}, shipped),
        ("cheat", {"causal_mask": False}, cheater(shipped)),
        ("0.00", {}, shipped.at(0.0)),
    ):
        reply = ask(server, **request, weights=weights, interventions=interventions)["payload"]
        kind = UNMASKED if interventions else None
        wanted = made.trace(TEXT, request["prefix"], **({"interventions": kind} if kind else {}))
        told = [step["log_prob"] for step in reply["steps"]]
        assert told == pytest.approx(wanted.log_prob.tolist(), abs=1e-5)
        assert [one["id"] for one in reply["tgt_out"]] == request["prefix"]
        assert reply["model"].get("weights", "") == weights


@pytest.mark.parametrize(
    "name", ["1.00", "0.0", "0.99", "../0.00", "cheat.safetensors", "x" * 21, 0.25, None, ["cheat"]]
)
def test_other_weights_are_refused(server: Models, name: object) -> None:
    reply = ask(server, weights=name)
    known = isinstance(name, str) and len(name) <= 20
    wanted = WORDS["error.weights" if known else "error.request"].en
    assert reply["message"]["en"] == wanted.format(name="en-zh", weights=name)


def test_a_record_has_the_parts_that_were_asked_for(server: Models) -> None:
    whole = ask(server)["payload"]
    assert "parts" not in whole and set(PARTS) <= whole.keys()
    for parts in ([], ["steps"], ["doubt", "attention"], ["search"]):
        reply = ask(server, parts=parts)["payload"]
        assert reply["parts"] == [one for one in PARTS if one in parts]
        own = {name: whole[name] for name in whole.keys() - set(PARTS) | set(parts)}
        assert reply == own | {"parts": reply["parts"]}
    for wrong in (["states"], "steps", [["steps"]], None):
        assert ask(server, parts=wrong)["message"]["en"] == WORDS["error.request"].en


@pytest.mark.parametrize("longest", [0, 129, True, 2.0, "3", None])
def test_the_longest_translation_has_its_bounds(server: Models, longest: object) -> None:
    assert ask(server, longest=longest)["message"]["en"] == WORDS["error.request"].en
