"""The memory of a GPU is full: a sentence, and the CPU goes on. The GPU is played by the CPU."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from explorer.api import Api
from explorer.exchange.reply import answer
from explorer.models import Listed, Models
from explorer.words import WORDS
from model.explain import Explainer
from tests import tiny

FULL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
TEXT = tiny.ENGLISH[0]


def full(explainer: Explainer, error: Exception = FULL, device: str = "cuda") -> Explainer:
    """An Explainer on a GPU on which every pass fails."""

    def fails(*_: Any, **__: Any) -> None:
        raise error

    playing = explainer.on_cpu()
    playing.device = device
    playing._passes.search = fails  # type: ignore[method-assign, assignment]
    return playing


def asked(models: Models, **changes: Any) -> dict[str, Any]:
    request = {"number": 1, "text": TEXT, "settings": {"beam_size": 2}, **changes}
    questions = {"count": lambda e, wish, _: {"n": count(e, wish)}}
    reply: dict[str, Any] = json.loads(answer(models, request, questions))
    return reply


def count(explainer: Any, wish: Any) -> int:
    return len(explainer.explain(wish.text, wish.config).search.steps)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"question": "count", "arguments": {}}])
@pytest.mark.parametrize("key", ["a", "b"])
def test_the_cpu_goes_on(explainer: Explainer, key: str, changes: dict[str, Any]) -> None:
    """The browser asks again by itself when it is told to wait."""
    models = Models(
        [Listed("a", "A", lambda: full(explainer)), Listed("b", "B", lambda: full(explainer))]
    )
    expected = asked(Models([Listed("a", "A", explainer.on_cpu)]), **changes)["payload"]
    while (first := asked(models, model=key, **changes))["waiting"] == told("model.loading", "B"):
        pass
    assert first["waiting"] == told("model.gpu_full")
    second = asked(models, model=key, **changes)["payload"]
    if changes:
        assert second == expected
        return
    assert second["model"]["device"] == "cpu"
    assert second["translation"] == expected["translation"]
    assert second["hypotheses"] == expected["hypotheses"]


def told(key: str, name: str = "") -> dict[str, str]:
    word = WORDS[key]
    return {"en": word.en.format(name=name), "zh": word.zh.format(name=name)}


def test_two_who_meet_it_make_one_copy(explainer: Explainer) -> None:
    models = tiny.only(lambda: full(explainer))
    assert asked(models)["waiting"]
    copy = models.get()
    models.fall_back(models.first)
    assert models.get() is copy


@pytest.mark.parametrize(
    ("error", "device"), [(FULL, "cpu"), (RuntimeError("an illegal memory access"), "cuda")]
)
def test_anything_else_is_no_full_gpu(explainer: Explainer, error: Exception, device: str) -> None:
    """A page that was told to wait would ask for ever."""
    models = tiny.only(lambda: full(explainer, error, device))
    for _ in range(2):
        assert asked(models)["message"] == told("error.unexpected")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["a", "b"])
def test_programs_get_their_answer_at_once(explainer: Explainer, key: str) -> None:
    expected = Api(tiny.only(lambda: explainer)).translate(TEXT)
    models = Models(
        [Listed("a", "A", lambda: full(explainer)), Listed("b", "B", lambda: full(explainer))]
    )
    call = {"endpoint": "translate", "arguments": {"text": TEXT, "model": key}}
    kind, body = Api(models).answer(call)
    assert (kind, json.loads(body)) == ("payload", expected)
