"""Summaries of many heads: by hand, by numpy, and against scipy where it is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.config import DecodeConfig
from model.explain import Explainer
from model.labs.summaries import attention_rollout, pooled_attention, rank_correlation
from model.trace import Trace
from tests.tiny import write_own


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    folder: Path = tmp_path_factory.mktemp("model") / "own"
    explainer = Explainer.load(write_own(folder), device="cpu")
    return explainer.explain("I am a frog.", DecodeConfig("sampling", seed=3, max_length=6)).trace


def test_pooled_attention_is_mean_and_maximum(trace: Trace) -> None:
    weights = trace.cross.weights
    np.testing.assert_allclose(pooled_attention(trace.cross, "mean", 1), weights[1].mean(0))
    expected = weights.reshape(-1, *weights.shape[2:]).max(0)
    np.testing.assert_array_equal(pooled_attention(trace.cross, "max"), expected)


def test_rollout_of_the_first_layer_is_half_attention_half_residual(trace: Trace) -> None:
    first = trace.encoder_self.weights[0].mean(0)
    expected = first / 2 + np.eye(len(first)) / 2
    np.testing.assert_allclose(attention_rollout(trace, "encoder_self", 0), expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self"])
def test_rollout_is_the_sum_over_all_paths(trace: Trace, kind: str) -> None:
    """From every query down to every key, each layer either attends or passes by."""
    maps = trace.attention(kind)  # type: ignore[arg-type]
    means = maps.weights.astype(np.float64).mean(1)
    n = means.shape[1]

    def paths(query: int, key: int, layer: int) -> float:
        if layer < 0:
            return float(query == key)
        attends = sum(means[layer, query, k] * paths(k, key, layer - 1) for k in range(n))
        return float(attends + paths(query, key, layer - 1)) / 2

    rolled = attention_rollout(trace, kind)  # type: ignore[arg-type]
    np.testing.assert_allclose(rolled.sum(1), 1, atol=1e-6)
    for query, key in ((n - 1, 0), (n // 2, 1)):
        assert rolled[query, key] == pytest.approx(paths(query, key, len(means) - 1), abs=1e-9)
    if kind == "decoder_self":
        assert np.abs(np.triu(rolled, 1)).max() == 0


@pytest.mark.slow
def test_cross_rollout_adds_up(trace: Trace) -> None:
    for layer in range(len(trace.cross.weights)):
        rolled = attention_rollout(trace, "cross", layer)
        assert rolled.shape == (len(trace.tgt_in), len(trace.src))
        np.testing.assert_allclose(rolled.sum(1), 1 - 2.0 ** -(layer + 1), atol=1e-6)
    first = trace.cross.weights[0].mean(0) @ attention_rollout(trace, "encoder_self") / 2
    np.testing.assert_allclose(attention_rollout(trace, "cross", 0), first, atol=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "rho"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 50], 1.0),
        ([1, 2, 3, 4], [9, 7, 5, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 1, 2], [1, 2, 3], np.sqrt(3) / 2),  # ranks 1.5, 1.5, 3 and 1, 2, 3
        ([1, np.nan, 2, 3], [1, 5, 2, 3], 1.0),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [2], None),
        ([np.nan, 1], [2, 2], None),
    ],
)
def test_rank_correlation_by_hand(first: list[float], second: list[float], rho: float) -> None:
    found = rank_correlation(first, second)
    assert found == (rho if rho is None else pytest.approx(rho))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40))
def test_rank_correlation_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    from scipy import stats  # takes a second: where it is needed

    first, second = (list(column) for column in zip(*pairs, strict=True))
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert rank_correlation(first, second) is None
    else:
        expected = stats.spearmanr(first, second).statistic
        assert rank_correlation(first, second) == pytest.approx(expected, abs=1e-12)
