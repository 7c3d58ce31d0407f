"""Drawing a token: numbers worked by hand, JavaScript's numbers, and `transformers`' warpers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.sampling import Doubles, Mulberry32, draw, warp


class Given(Mulberry32):
    """Gives the numbers that a test chose."""

    def __init__(self, numbers: Sequence[float]) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def uniform(self) -> float:
        return self.numbers.pop(0)


# ------------------------------------------------------------------------------------ generator

# Numerators over 2**32, by the docstring's four lines in Node 20: the first five, the thousandth.
JAVASCRIPT = {
    0: ([1144304738, 1416247, 958946056, 627933444, 2007157716], 1408654823),
    1: ([2693262067, 11749833, 2265367787, 4213581821, 4159151403], 531143739),
    42: ([2581720956, 1925393290, 3661312704, 2876485805, 750819978], 2759564329),
    4294967295: ([3850105811, 813802916, 3073704848, 4054706436, 3630262831], 1702224771),
}


@pytest.mark.parametrize("seed", JAVASCRIPT)
def test_the_generator_gives_what_javascript_gives(seed: int) -> None:
    first, thousandth = JAVASCRIPT[seed]
    generator = Mulberry32(seed)
    numbers = [generator.uniform() for _ in range(1000)]
    assert numbers[:5] == [n / 2**32 for n in first]
    assert numbers[999] == thousandth / 2**32
    assert all(0.0 <= u < 1.0 for u in numbers)


# ---------------------------------------------------------------------------------------- warping


@pytest.mark.parametrize(
    ("probabilities", "settings", "expected"),
    [
        ([0.5, 0.3, 0.2], {}, [0.5, 0.3, 0.2]),
        # Half the temperature squares the odds: 25, 9 and 4 of 38.
        ([0.5, 0.3, 0.2], {"temperature": 0.5}, [25 / 38, 9 / 38, 4 / 38]),
        ([0.5, 0.3, 0.2], {"top_k": 2}, [0.625, 0.375, 0.0]),
        ([0.5, 0.3, 0.2], {"top_k": 7}, [0.5, 0.3, 0.2]),
        ([0.5, 0.3, 0.2], {"top_p": 0.7}, [0.625, 0.375, 0.0]),
        ([0.5, 0.3, 0.2], {"top_p": 1e-6}, [1.0, 0.0, 0.0]),
        ([0.5, 0.3, 0.2], {"top_p": 0.0}, [1.0, 0.0, 0.0]),
        # All that tie with the k-th stay.
        ([0.25, 0.5, 0.25], {"top_k": 2}, [0.25, 0.5, 0.25]),
        # Half of the mass: two of four equals stay, the lower ids.
        ([0.25] * 4, {"top_p": 0.5}, [0.5, 0.5, 0.0, 0.0]),
        ([0.2, 0.4, 0.2, 0.2], {"top_p": 0.75}, [0.25, 0.5, 0.25, 0.0]),
        # k first leaves 4/7 and 3/7, and 3/7 is within 1 - .5; p first would have kept both.
        ([0.4, 0.3, 0.2, 0.1], {"top_k": 2, "top_p": 0.5}, [1.0, 0.0, 0.0, 0.0]),
        # Temperature first leaves 16, 9, 4, 1 of 30, and 14/30 is beyond .4; .3 would be within.
        ([0.4, 0.3, 0.2, 0.1], {"temperature": 0.5, "top_p": 0.6}, [0.64, 0.36, 0.0, 0.0]),
        # What is forbidden stays so.
        ([0.5, 0.0, 0.5], {"temperature": 2.0, "top_k": 3, "top_p": 0.99}, [0.5, 0.0, 0.5]),
        ([0.0, 0.0], {}, [0.0, 0.0]),
    ],
)
def test_numbers_worked_by_hand(
    probabilities: list[float], settings: dict[str, float], expected: list[float]
) -> None:
    with np.errstate(divide="ignore"):
        log_probs = np.log(np.array(probabilities))
    found = warp(log_probs, **settings)  # type: ignore[arg-type]
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert ((found == 0) == (np.array(expected) == 0)).all()


def reference(
    log_probs: Doubles, temperature: float, top_k: int, top_p: float, *, p_first: bool = False
) -> Doubles:
    """The warpers of `transformers` in the order of its `generate`, which leaves out idle ones."""
    process = pytest.importorskip("transformers.generation.logits_process")
    warpers = [process.TemperatureLogitsWarper(temperature)]
    if top_k:
        warpers.append(process.TopKLogitsWarper(top_k))
    if top_p < 1.0:
        warpers.insert(1 if p_first else len(warpers), process.TopPLogitsWarper(top_p))
    scores = torch.from_numpy(log_probs)[None]
    for warper in warpers:
        scores = warper(None, scores)
    return scores.softmax(-1)[0].numpy()


RANDOM = np.random.default_rng(5)
SMOOTH = RANDOM.normal(size=50) * 3
DISTINCT = {
    "smooth": SMOOTH,
    "banned": np.where(np.arange(50) % 7 == 0, -np.inf, SMOOTH),
    "steep": np.array([0.0, -40.0, -80.0, -81.0, -500.0]),
    "large": RANDOM.normal(size=6000) * 2,
}
TIED = {
    "four values": RANDOM.integers(-3, 1, size=50).astype(np.float64),
    "all equal": np.zeros(8),
    "a tied tail": np.array([0.0, -1.0, -2.0, -2.0, -2.0]),
}
GRID = list(product((0.1, 0.7, 1.0, 2.5), (0, 1, 2, 5, 40, 10_000), (0.05, 0.5, 0.9, 0.999, 1.0)))


@pytest.mark.parametrize("name", DISTINCT)
def test_equals_transformers_over_a_grid(name: str) -> None:
    table = DISTINCT[name]
    for settings in GRID:
        found, expected = warp(table, *settings), reference(table, *settings)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
        assert ((found > 0) == (expected > 0)).all(), settings


@pytest.mark.parametrize("name", TIED)
def test_equals_transformers_with_ties(name: str) -> None:
    """As many of equal tokens are kept, with equal probabilities; which ones is its chance."""
    table = TIED[name]
    for settings in GRID:
        found, expected = warp(table, *settings), reference(table, *settings)
        for score in np.unique(table):
            a, b = np.sort(found[table == score]), np.sort(expected[table == score])
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-6)
            assert ((a > 0) == (b > 0)).all(), settings
            kept = found[table == score] > 0
            assert (np.diff(kept.astype(int)) <= 0).all(), "a lower id goes before a higher one"


@given(
    st.lists(st.floats(-30, 0), min_size=1, max_size=12),
    st.floats(0.05, 10),
    st.integers(0, 15),
    st.floats(1e-6, 1.0),
)
def test_what_is_kept_sums_to_one_and_has_the_best(
    scores: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    found = warp(np.array(scores), temperature, top_k, top_p)
    assert math.isclose(found.sum(), 1.0, rel_tol=1e-12)
    kept = np.array(scores)[found > 0]
    assert kept.max() == max(scores)
    # Nothing that was cut is more probable than something kept.
    cut = np.array(scores)[found == 0]
    assert not len(cut) or cut.max() <= kept.min()


def test_logits_and_the_callers_array_are_left_as_they_are() -> None:
    log_probs = np.log(np.array([0.5, 0.3, 0.2]))
    before = log_probs.copy()
    found = warp(log_probs + 17.0, 1.0, 0, 0.7)
    warp(log_probs, 1.0, 2, 0.5)
    np.testing.assert_allclose(found, [0.625, 0.375, 0.0], atol=1e-12)
    assert (log_probs == before).all()


# ---------------------------------------------------------------------------------------- drawing


@pytest.mark.parametrize(
    ("u", "token"),
    [(0.0, 1), (0.2499, 1), (0.25, 3), (0.7499, 3), (0.75, 4), (1 - 2**-32, 4)],
)
def test_the_token_is_the_first_whose_sum_passes_u(u: float, token: int) -> None:
    assert draw(np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0]), Given([u])) == [token]


def test_weights_need_not_sum_to_one() -> None:
    assert draw(np.array([1.0, 2.0, 1.0]), Given([0.74])) == [1]
    assert draw(np.array([1.0, 2.0, 1.0]), Given([0.75])) == [2]


def test_without_replacement_by_hand() -> None:
    """.6 of 4 is 2.4: id 1. Left 1, 0, 1; .6 of 2 is 1.2: id 2. Left id 0, whatever comes."""
    weights = np.array([1.0, 2.0, 1.0])
    assert draw(weights, Given([0.6, 0.6, 0.9]), 3) == [1, 2, 0]
    assert draw(weights, Given([0.6, 0.6, 0.9]), 5) == [1, 2, 0]
    assert weights.tolist() == [1.0, 2.0, 1.0]
    assert draw(np.zeros(3), Given([]), 2) == []


def test_subnormal_weights_are_drawn_too() -> None:
    assert draw(np.array([0.0, 5e-324, 0.0]), Given([1 - 2**-32])) == [1]


@pytest.mark.slow
def test_frequencies_are_the_probabilities() -> None:
    """20000 draws: the standard deviation of a share is at most .0036."""
    probabilities = np.array([0.1, 0.0, 0.6, 0.3])
    generator = Mulberry32(9)
    drawn = [draw(probabilities, generator)[0] for _ in range(20_000)]
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    np.testing.assert_allclose(shares, probabilities, atol=0.015)
    assert shares[1] == 0


def test_the_same_seed_draws_the_same() -> None:
    weights = np.array([0.2, 0.3, 0.5])
    runs = []
    for seed in (4, 4, 5):
        generator = Mulberry32(seed)
        runs.append([draw(weights, generator)[0] for _ in range(30)])
    assert runs[0] == runs[1] != runs[2]
