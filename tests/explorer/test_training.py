"""The questions of the training exhibits: real numbers, and nothing that was not asked properly."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
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


def floats(text: str) -> np.ndarray:
    planes = zlib.decompress(base64.b64decode(text))
    count = len(planes) // 4
    return np.frombuffer(
        bytes(planes[p * count + i] for i in range(count) for p in range(4)), "<f4"
    )


def test_smoothing_tells_the_logits_of_the_step(models: Models, explainer: Explainer) -> None:
    trace = explainer.explain(TEXT).trace
    ids = trace.tgt_out.ids.tolist()
    for step in (0, len(ids) - 1):
        found = ask(models, "smoothing", step=step)["payload"]
        logits = floats(found["logits"])
        assert logits.shape == (explainer.model.config.vocab_size,)
        log_prob = logits[ids[step]] - np.logaddexp.reduce(logits.astype(np.float64))
        assert log_prob == pytest.approx(trace.log_prob[step], abs=1e-5)
        assert ids[step] in [one["id"] for one in found["top"]]
        assert found["top"][0]["id"] == int(trace.top_ids[step, 0]) == int(logits.argmax())
        told = [one["log_prob"] for one in found["steps"]]
        assert told == pytest.approx(trace.log_prob.tolist(), abs=1e-5)
        mean = (logits.astype(np.float64) - np.logaddexp.reduce(logits.astype(np.float64))).mean()
        assert found["steps"][step]["mean"] == pytest.approx(mean, abs=1e-5)


def test_dropout_tells_what_the_encoder_reads(models: Models, explainer: Explainer) -> None:
    states = explainer.explain(TEXT).trace.encoder_states
    found = ask(models, "dropout", source=1)["payload"]
    np.testing.assert_array_equal(floats(found["values"]), states[0, 1, :16])
    assert found["of"] == states.shape[2]


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
