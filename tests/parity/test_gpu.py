"""The GPU's numbers against the CPU's. Runs wherever torch finds a GPU: `pytest -m gpu`.

float32 on both, sums in another order: 1e-4 is far above rounding. What is written must be equal.
Answers to the views' questions are compared as those of the engine are: 3e-4 of the largest.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from explorer import exhibits
from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from tests import tiny
from tests.parity.test_answers import CASES, HEAD, differences, sent

NEAR = 1e-4
MAKES = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
FOUND = [name for name, is_there in MAKES.items() if is_there()]
TEXTS = (*tiny.ENGLISH, "I met him at the station yesterday.")

# Questions that are not in CASES, because the engine leaves them to the server or is asked apart.
MORE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("beside", {**HEAD, "measure": "contribution"}, {}),
    ("gold", {"pair": 0, "label": "read", "method": "weight", "layer": 2, "head": 1}, {}),
    ("why", {"step": 2, "rival": 100}, {}),
    ("why_off", {"step": 2, "rival": 100}, {}),
]  # fmt: skip

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not FOUND, reason="torch finds no GPU on this machine"),
]


@pytest.fixture(scope="module", params=FOUND or ["none"])
def pair(request: pytest.FixtureRequest) -> tuple[Explainer, Explainer]:
    """The shipped model on the CPU, and on a GPU."""
    return Explainer.load(device="cpu"), Explainer.load(device=request.param)


@pytest.mark.parametrize("method", ["greedy", "beam"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_gpu_gives_the_cpus_record(
    pair: tuple[Explainer, Explainer], text: str, method: str
) -> None:
    config = DecodeConfig(method=method)  # type: ignore[arg-type]
    expected, found = (one.explain(text, config) for one in pair)
    assert found.trace.tgt_out.text == expected.trace.tgt_out.text
    for kind in KINDS:
        ours, theirs = found.trace.attention(kind), expected.trace.attention(kind)
        np.testing.assert_allclose(ours.weights, theirs.weights, atol=NEAR)
    np.testing.assert_allclose(found.trace.log_prob, expected.trace.log_prob, atol=NEAR)
    scores = [[one.score for one in record.search.hypotheses] for record in (found, expected)]
    np.testing.assert_allclose(*scores, atol=NEAR)


def test_another_text_is_noticed(pair: tuple[Explainer, Explainer]) -> None:
    """The twin: records of two texts as long as each other differ by more than rounding."""
    cpu, gpu = pair
    expected, found = cpu.explain("I like cats."), gpu.explain("I like dogs.")
    assert np.abs(found.trace.entropy[:1] - expected.trace.entropy[:1]).max() > NEAR


@pytest.mark.parametrize("case", [*CASES, *MORE], ids=lambda case: case[0])
def test_a_gpu_answers_every_view_as_the_cpu_does(
    pair: tuple[Explainer, Explainer], case: tuple[str, dict[str, Any], dict[str, Any]]
) -> None:
    ask = {name: ask for one in exhibits.load() for name, ask in one.questions.items()}[case[0]]
    raw = sent(TEXTS[0], case)
    request, arguments = parse(raw, pair[0].defaults), Arguments(raw["arguments"])
    cpu, gpu = (json.loads(json.dumps(ask(one, request, arguments))) for one in pair)
    assert list(differences(cpu, gpu, case[0])) == []
