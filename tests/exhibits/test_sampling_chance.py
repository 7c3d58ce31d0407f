"""Chance goes as far as the page says: honest draws are as often so far off, wrong ones more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.stage import Node

DRAWS = 200
SEEDS = 2000
COUNTED = 100  # seeds of which the draws themselves come back too
LEVELS = (0.05, 0.2, 0.5)

# For each seed: what the page reckons of its draws, and the draws themselves.
SIMULATED = """async ([weights, drawnWith, draws, seeds, counted]) => {
    const { chiSquare } = await module('explorer/exhibits/sampling/chance.js');
    const { drawer, uniformAt } = await module('assets/kit/sampling.js');
    const order = weights.map((_, id) => id).sort((a, b) => weights[b] - weights[a] || a - b);
    const pick = drawer(drawnWith);
    return Array.from({ length: seeds }, (_, seed) => {
        const counts = new Array(weights.length).fill(0);
        for (let i = 0; i < draws; i += 1) counts[pick(uniformAt(seed * 7919, i))] += 1;
        const found = chiSquare(counts, weights, order, draws);
        return { ...found, counts: seed < counted ? counts : null };
    });
}"""


class Judged(NamedTuple):
    """One array over the seeds for each number; counts (COUNTED, V)."""

    chi: NDArray[np.float64]
    df: NDArray[np.float64]
    p: NDArray[np.float64]
    counts: NDArray[np.int64]


def zipf(n: int) -> NDArray[np.float64]:
    return 1 / np.arange(1, n + 1)


DISTRIBUTIONS = {
    "even": np.ones(30),
    "zipf": zipf(500),
    "peaked": np.concatenate(([68.0, 22.0, 2.0], np.full(400, 0.02))),
    "cut": np.concatenate((zipf(12), np.zeros(20))),
}


def simulated(node: Node, weights: NDArray[np.float64], drawn_with: NDArray[np.float64]) -> Judged:
    weights, drawn_with = weights / weights.sum(), drawn_with / drawn_with.sum()
    found = node.run(SIMULATED, [weights.tolist(), drawn_with.tolist(), DRAWS, SEEDS, COUNTED])
    numbers = (np.array([one[name] for one in found]) for name in ("chi", "df", "p"))
    return Judged(*numbers, np.array([one["counts"] for one in found[:COUNTED]]))


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_chance_goes_as_far_as_often_as_is_said(node: Node, name: str) -> None:
    from scipy import stats  # takes a second: where it is needed

    weights = DISTRIBUTIONS[name]
    honest = simulated(node, weights, weights)
    np.testing.assert_allclose(honest.p, stats.chi2.sf(honest.chi, honest.df), rtol=1e-9)
    for level in LEVELS:
        share = (honest.p <= level).mean()
        error = 4 * np.sqrt(level * (1 - level) / SEEDS)  # of a share of so many seeds
        assert abs(share - level) < error + 0.1 * level, f"{share:.3f} for {level}"


def test_scipy_finds_the_same_of_the_same_draws(node: Node) -> None:
    from scipy import stats

    weights = DISTRIBUTIONS["even"]  # every token is a group of its own
    honest = simulated(node, weights, weights)
    expected = np.full(len(weights), DRAWS / len(weights))
    for i in range(COUNTED):
        found = stats.chisquare(honest.counts[i], expected)
        assert honest.chi[i] == pytest.approx(found.statistic, rel=1e-9)
        assert honest.p[i] == pytest.approx(found.pvalue, rel=1e-9)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_sampler_of_another_temperature_is_noticed(node: Node, name: str) -> None:
    weights = DISTRIBUTIONS[name]
    hotter = weights**0.7 if name != "even" else zipf(len(weights)) ** 0.3
    wrong = simulated(node, weights, hotter)
    assert (wrong.p <= 0.05).mean() > 0.5


def test_the_deviation_of_one_token_would_not_do(node: Node) -> None:
    """The furthest of many is further off than one standard deviation far more often than the
    third of all draws in which a single token is."""
    weights = DISTRIBUTIONS["zipf"] / DISTRIBUTIONS["zipf"].sum()
    honest = simulated(node, weights, weights)
    off = np.abs(honest.counts / DRAWS - weights)
    furthest = off.argmax(axis=1)
    sigma = np.sqrt(weights * (1 - weights) / DRAWS)[furthest]
    assert (off.max(axis=1) > sigma).mean() > 0.5
