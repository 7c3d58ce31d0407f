"""The questions of the training exhibits: real numbers, and nothing that was not asked properly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer import exhibits
from explorer.exchange.reply import answer
from explorer.models import Models
from model.explain import Explainer

EXHIBITS = exhibits.load()

TEXT = "Tom asked his teacher."
QUESTIONS = {name: one for exhibit in EXHIBITS for name, one in exhibit.questions.items()}


def ask(models: Models, name: str, **arguments: object) -> dict[str, Any]:
    request = {"text": TEXT, "settings": {}, "shown": 0, "question": name, "arguments": arguments}
    return json.loads(answer(models, request, QUESTIONS))


@pytest.mark.slow
def test_a_model_without_checkpoints_shows_itself(models: Models, explainer: Explainer) -> None:
    found = ask(models, "learn", share=1)["payload"]
    assert found["shares"] == [1.0]
    assert found["updates"] is None
    wanted = explainer.explain(TEXT).trace.log_prob
    assert found["log_probs"] == pytest.approx(wanted.tolist(), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("smoothing", {"step": -1}),
        ("smoothing", {"step": 10_000}),
        ("smoothing", {}),
        ("dropout", {"source": 99}),
        ("learn", {"share": 0.5}),
        ("learn", {"share": "1"}),
        ("learn", {"share": float("nan")}),
    ],
)
def test_what_does_not_exist_is_refused(
    models: Models, name: str, arguments: dict[str, object]
) -> None:
    reply = ask(models, name, **arguments)
    assert "could not be understood" in reply["message"]["en"]
    assert "payload" not in reply
