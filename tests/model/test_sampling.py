"""Drawing a token: numbers worked by hand, JavaScript's numbers, and `transformers`' warpers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.sampling import Mulberry32, draw, warp


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
