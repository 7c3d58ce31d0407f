"""The questions of the training exhibits: real numbers, and nothing that was not asked properly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer import exhibits
from explorer.card import FOLDER
from explorer.exchange.payload import build, training
from explorer.exchange.reply import answer
from explorer.models import Models
from model.explain import Explainer

EXHIBITS = exhibits.load()

TEXT = "Tom asked his teacher."
QUESTIONS = {name: one for exhibit in EXHIBITS for name, one in exhibit.questions.items()}


def ask(models: Models, name: str, **arguments: object) -> dict[str, Any]:
    request = {"text": TEXT, "settings": {}, "shown": 0, "question": name, "arguments": arguments}
    return json.loads(answer(models, request, QUESTIONS))


def test_the_points_of_a_training_come_with_each_record(explainer: Explainer) -> None:
    found = build(explainer.explain(TEXT), explainer)["model"]["training"]
    assert found == {"shares": [1.0], "updates": None}
    names = (path.name.removesuffix(".safetensors.gz") for path in (FOLDER / "snapshots").iterdir())
    last = json.loads((FOLDER / "curves.jsonl").read_text("utf-8").splitlines()[-1])
    wanted = {"shares": [*sorted(map(float, names)), 1.0], "updates": last["updates"]}
    assert training(Explainer.load(FOLDER)) == wanted


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("smoothing", {"step": -1}),
        ("smoothing", {"step": 10_000}),
        ("smoothing", {}),
        ("dropout", {"source": 99}),
    ],
)
def test_what_does_not_exist_is_refused(
    models: Models, name: str, arguments: dict[str, object]
) -> None:
    reply = ask(models, name, **arguments)
    assert "could not be understood" in reply["message"]["en"]
    assert "payload" not in reply
