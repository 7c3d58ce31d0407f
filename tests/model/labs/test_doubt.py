"""Doubt: the signs say what the explanation holds, and the thresholds what they promise."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint import SHIPPED
from model.config import THRESHOLDS, DecodeConfig, Thresholds
from model.errors import CheckpointError
from model.explain import Explainer
from model.labs import doubt, doubting
from model.labs.contribution import rolled
from model.labs.doubt import Signs
from model.text.copied import added, missing
from model.trace import Explanation, Trace
from tests import tiny

LAX = Thresholds(-1e6, 10**9, 0.0, 12.0, 1.0, 1.0, 0, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_own(tmp_path_factory.mktemp("model") / "own")


@pytest.fixture(scope="module")
def explainer(folder: Path) -> Explainer:
    return Explainer.load(folder, device="cpu")


@pytest.fixture(scope="module")
def explanation(explainer: Explainer) -> Explanation:
    config = DecodeConfig(method="greedy", max_length=12, no_repeat=3)
    return explainer.explain("How many books?", config)


def with_cross(trace: Trace, weights: np.ndarray) -> Trace:
    return dataclasses.replace(trace, cross=dataclasses.replace(trace.cross, weights=weights))


def test_the_signs_are_those_of_the_explanation(
    explainer: Explainer, explanation: Explanation
) -> None:
    found = doubt.signs(explainer, explanation.trace)
    assert found.log_prob == pytest.approx(explanation.trace.log_prob.mean())
    assert found.repeats == 0  # the guard saw to it
    weights = np.zeros_like(explanation.trace.cross.weights)
    weights[..., -1] = 1.0  # all heads look at the end token, always
    assert doubt.signs(explainer, with_cross(explanation.trace, weights)).read == 0
    weights[1, :, 0, 0] = 0.2  # but for one step of one layer
    n_words = len(explanation.trace.src) - 1
    assert doubt.signs(explainer, with_cross(explanation.trace, weights)).read == pytest.approx(
        1 / n_words
    )


def test_a_run_that_comes_again_is_counted(explainer: Explainer) -> None:
    config = DecodeConfig(method="greedy", max_length=12)
    prefix = [30, 31, 32, 33, 30, 31, 32, 33, 30, 31, 32, 33]
    strict = dataclasses.replace(LAX, repeats=6)
    repeating = explainer.explain("How many?", config, prefix=prefix).trace
    found = doubt.judge(explainer, repeating, strict)
    assert found.signs.repeats == 6  # runs end at ten places, four of them are new
    assert found.reasons == ("repeats",)


def test_each_sign_has_its_reason(explainer: Explainer, explanation: Explanation) -> None:
    found = doubt.signs(explainer, explanation.trace)
    assert doubt.judge(explainer, explanation.trace, LAX) == (found, (), (), ())
    strict = dataclasses.replace(LAX, log_prob=found.log_prob / 2, read=1.0)
    weights = np.zeros_like(explanation.trace.cross.weights)
    reasons = doubt.judge(explainer, with_cross(explanation.trace, weights), strict).reasons
    assert reasons == ("unlikely", "unread")


def test_what_was_not_copied_is_a_doubt(explainer: Explainer) -> None:
    explanation = explainer.explain("Gate B12 at 18:20")
    found = doubt.judge(explainer, explanation.trace, LAX)
    assert found.added == added("Gate B12 at 18:20", explanation.trace.tgt_out.text)
    assert found.missing == missing("Gate B12 at 18:20", explanation.trace.tgt_out.text)
    assert found.missing and found.reasons == ("missing",)


@pytest.mark.slow
def test_what_comes_from_the_source_is_a_sign() -> None:
    """Of a model that has learnt to read it; random weights have no such share."""
    shipped = Explainer.load(SHIPPED, device="cpu")
    explanation = shipped.explain("I am a student.")
    share = rolled(shipped.model, explanation.trace).source_share.mean()
    assert 0.3 < share < 0.95
    for limit, reasons in ((share + 0.01, ("unsourced",)), (share - 0.01, ())):
        found = doubt.judge(
            shipped, explanation.trace, dataclasses.replace(LAX, source=float(limit))
        )
        assert found.signs.source == pytest.approx(share) and found.reasons == reasons


def test_a_model_that_cannot_be_taken_apart_is_not_doubted_for_it(tmp_path: Path) -> None:
    folder = tiny.write_own(tmp_path / "plain", residual=False)
    plain = Explainer.load(folder, device="cpu")
    limits = dataclasses.replace(LAX, source=1.0)
    found = doubt.judge(plain, plain.explain("How many?").trace, limits)
    assert found.signs.source == 1.0 and found.reasons == ()


def test_thresholds_keep_their_promise() -> None:
    """Poor outputs are unlikely ones here; how much is read says nothing."""
    rng = np.random.default_rng(1)
    scores = rng.uniform(0, 60, 600)
    found = [Signs(-2.0 + s / 40 + rng.normal(0, 0.1), 0, rng.uniform(), 0.7) for s in scores]
    chosen = doubting.choose(found, scores.tolist(), 12.0, 0.8)
    assert chosen.read == 0.0
    below = np.array([s.log_prob < chosen.log_prob for s in found])
    assert chosen.doubted == below.sum() >= 10
    assert (scores[below] < 12).mean() == pytest.approx(chosen.precision, abs=1e-3)
    assert chosen.precision >= 0.8 and chosen.recall > 0.5
    stricter = doubting.choose(found, scores.tolist(), 12.0, 0.95)
    assert stricter.log_prob <= chosen.log_prob and stricter.recall <= chosen.recall


def test_signs_that_say_nothing_doubt_nothing() -> None:
    found = [Signs(-1.0, 0, 0.5, 0.7)] * 50
    chosen = doubting.choose(found, [50.0] * 50, 12.0, 0.7)
    assert (chosen.doubted, chosen.log_prob, chosen.read) == (0, -1e6, 0.0)
    assert chosen.source == 0.0
    assert chosen.repeats > 10**8


def test_little_from_the_source_is_a_doubt() -> None:
    """Where the poor ones come from what was written before."""
    found = [Signs(-1.0, 0, 0.5, 0.4 + 0.005 * i) for i in range(80)]
    scores = [5.0 if s.source < 0.5 else 50.0 for s in found]
    chosen = doubting.choose(found, scores, 12.0, 0.9)
    assert 0.5 <= chosen.source <= 0.52 and chosen.recall == 1.0 and chosen.precision >= 0.9
    harmless = doubting.choose(found, [50.0] * 80, 12.0, 0.9)
    assert harmless.source == 0.0  # the twin


def test_enough_repeats_are_a_doubt() -> None:
    """One run again is harmless here, three are not."""
    found = [Signs(-1.0, i % 4, 0.5, 0.7) for i in range(80)]
    scores = [5.0 if s.repeats == 3 else 50.0 for s in found]
    chosen = doubting.choose(found, scores, 12.0, 0.9)
    assert (chosen.repeats, chosen.doubted, chosen.precision, chosen.recall) == (3, 20, 1.0, 1.0)


@pytest.mark.slow
def test_the_command_writes_what_load_reads(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "dev.tsv"
    rows = zip(tiny.ENGLISH, tiny.CHINESE, strict=True)
    file.write_text("".join(f"{e}\t{c}\n" for e, c in rows), "utf-8")
    out = tmp_path / THRESHOLDS
    assert doubting.main(["--model", str(folder), "--data", str(file), "--out", str(out)]) == 0
    thresholds = Thresholds.load(tmp_path)
    assert thresholds is not None and thresholds.sentences == len(tiny.ENGLISH)
    assert Thresholds.load(folder) is None and Thresholds.load(None) is None
    out.write_text('{"log_prob": 3}')
    with pytest.raises(CheckpointError, match=r"doubt\.json cannot be used"):
        Thresholds.load(tmp_path)
