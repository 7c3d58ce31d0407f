"""Doubt: the signs say what the explanation holds, and the thresholds what they promise."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint.loading import THRESHOLDS, load_thresholds
from model.config import DecodeConfig, Thresholds
from model.errors import CheckpointError
from model.explain import Explainer
from model.labs import doubt, doubting
from model.labs.doubt import Signs
from model.trace import Explanation
from tests import tiny

LAX = Thresholds(-1e6, 10**9, 0.0, 12.0, 1.0, 1.0, 0, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_own(tmp_path_factory.mktemp("model") / "own")


@pytest.fixture(scope="module")
def explanation(folder: Path) -> Explanation:
    config = DecodeConfig(method="greedy", max_length=12, no_repeat=3)
    return Explainer.load(folder, device="cpu").explain("How many books?", config)


def with_cross(explanation: Explanation, weights: np.ndarray) -> Explanation:
    cross = dataclasses.replace(explanation.trace.cross, weights=weights)
    return dataclasses.replace(
        explanation, trace=dataclasses.replace(explanation.trace, cross=cross)
    )


def test_the_signs_are_those_of_the_explanation(explanation: Explanation) -> None:
    found = doubt.signs(explanation)
    assert found.log_prob == pytest.approx(explanation.trace.log_prob.mean())
    assert found.repeats == 0  # the guard saw to it
    weights = np.zeros_like(explanation.trace.cross.weights)
    weights[..., -1] = 1.0  # all heads look at the end token, always
    assert doubt.signs(with_cross(explanation, weights)).read == 0
    weights[1, :, 0, 0] = 0.2  # but for one step of one layer
    n_words = len(explanation.trace.src) - 1
    assert doubt.signs(with_cross(explanation, weights)).read == pytest.approx(1 / n_words)


def test_a_run_that_comes_again_is_counted(folder: Path) -> None:
    config = DecodeConfig(method="greedy", max_length=12)
    explainer = Explainer.load(folder, device="cpu")
    prefix = [30, 31, 32, 33, 30, 31, 32, 33, 30, 31, 32, 33]
    strict = dataclasses.replace(LAX, repeats=6)
    found = doubt.judge(explainer.explain("How many?", config, prefix=prefix), strict)
    assert found.signs.repeats == 6  # runs end at ten places, four of them are new
    assert found.reasons == ("repeats",)


def test_each_sign_has_its_reason(explanation: Explanation) -> None:
    found = doubt.signs(explanation)
    assert doubt.judge(explanation, LAX) == (found, ())
    strict = dataclasses.replace(LAX, log_prob=found.log_prob / 2, read=1.0)
    weights = np.zeros_like(explanation.trace.cross.weights)
    reasons = doubt.judge(with_cross(explanation, weights), strict).reasons
    assert reasons == ("unlikely", "unread")


def test_thresholds_keep_their_promise() -> None:
    """Poor outputs are unlikely ones here; how much is read says nothing."""
    rng = np.random.default_rng(1)
    scores = rng.uniform(0, 60, 600)
    found = [Signs(-2.0 + s / 40 + rng.normal(0, 0.1), 0, rng.uniform()) for s in scores]
    chosen = doubting.choose(found, scores.tolist(), 12.0, 0.8)
    assert chosen.read == 0.0
    below = np.array([s.log_prob < chosen.log_prob for s in found])
    assert chosen.doubted == below.sum() >= 10
    assert (scores[below] < 12).mean() == pytest.approx(chosen.precision, abs=1e-3)
    assert chosen.precision >= 0.8 and chosen.recall > 0.5
    stricter = doubting.choose(found, scores.tolist(), 12.0, 0.95)
    assert stricter.log_prob <= chosen.log_prob and stricter.recall <= chosen.recall


def test_signs_that_say_nothing_doubt_nothing() -> None:
    found = [Signs(-1.0, 0, 0.5)] * 50
    chosen = doubting.choose(found, [50.0] * 50, 12.0, 0.7)
    assert (chosen.doubted, chosen.log_prob, chosen.read) == (0, -1e6, 0.0)
    assert chosen.repeats > 10**8


def test_enough_repeats_are_a_doubt() -> None:
    """One run again is harmless here, three are not."""
    found = [Signs(-1.0, i % 4, 0.5) for i in range(80)]
    scores = [5.0 if s.repeats == 3 else 50.0 for s in found]
    chosen = doubting.choose(found, scores, 12.0, 0.9)
    assert (chosen.repeats, chosen.doubted, chosen.precision, chosen.recall) == (3, 20, 1.0, 1.0)


def test_the_command_writes_what_load_reads(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "dev.tsv"
    rows = zip(tiny.ENGLISH, tiny.CHINESE, strict=True)
    file.write_text("".join(f"{e}\t{c}\n" for e, c in rows), "utf-8")
    out = tmp_path / THRESHOLDS
    assert doubting.main(["--model", str(folder), "--data", str(file), "--out", str(out)]) == 0
    thresholds = load_thresholds(tmp_path)
    assert thresholds is not None and thresholds.sentences == len(tiny.ENGLISH)
    assert load_thresholds(folder) is None and load_thresholds(None) is None
    out.write_text('{"log_prob": 3}')
    with pytest.raises(CheckpointError, match=r"doubt\.json cannot be used"):
        load_thresholds(tmp_path)
