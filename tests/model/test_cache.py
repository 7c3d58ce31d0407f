"""The memory of results: its bound, its order, and what a record is said to take."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.cache import ResultCache, size_of
from model.config import Interventions
from model.trace import Tokens


def test_what_was_not_used_for_longest_goes_first() -> None:
    memory = ResultCache(3_000)
    made: list[str] = []

    def get(key: str) -> np.ndarray:
        return memory.get(key, lambda: made.append(key) or np.zeros(900, np.uint8))  # type: ignore[func-returns-value]

    for key in "abcab":
        get(key)
    assert made == ["a", "b", "c"]
    get("d")  # c goes
    for key in "abd":
        get(key)
    assert made == ["a", "b", "c", "d"]
    get("c")
    assert made[-1] == "c" and memory.n_bytes <= memory.max_bytes
    assert memory.find("b") is not None  # which is a use: it is d that goes
    get("e")
    assert memory.find("b") is not None and memory.find("d") is None


def test_what_is_too_large_is_not_kept() -> None:
    memory = ResultCache(1_000)
    memory.get("small", lambda: 5)
    assert len(memory.get("a", lambda: np.zeros(5_000, np.uint8))) == 5_000
    assert len(memory) == 1
    assert memory.get("small", lambda: 6) == 5


@pytest.mark.parametrize("sizes", [(900, 900), (900, 100), (100, 900), (900, 5_000)])
def test_what_two_threads_make_at_once_counts_once(sizes: tuple[int, int]) -> None:
    """Counted twice, a few of them would fill the memory with nothing."""
    memory = ResultCache(3_000)
    first, second = (np.zeros(size, np.uint8) for size in sizes)

    def made_meanwhile() -> np.ndarray:
        memory.get("a", lambda: first)
        return second

    memory.get("a", made_meanwhile)
    kept = memory.get("a", lambda: np.zeros(0))
    assert len(memory) == 1
    assert memory.n_bytes == size_of(kept)


def test_an_error_leaves_nothing_behind() -> None:
    memory = ResultCache(1_000)
    with pytest.raises(ZeroDivisionError):
        memory.get("a", lambda: 1 / 0)
    assert len(memory) == 0
    assert memory.get("a", lambda: 5) == 5


def test_records_take_at_least_their_arrays() -> None:
    ids = np.arange(500)
    tokens = Tokens("x", ids, ("x",) * 500, np.zeros((500, 2), dtype=np.int64))
    assert 12_000 <= size_of(tokens) <= 20_000
    layers = ((torch.zeros(1, 8, 50), torch.zeros(1, 8, 50)),) * 6
    assert 6 * 2 * 1_600 <= size_of(layers) <= 6 * 2 * 2_000
    cells = Interventions(cells=tuple(("cross", q, k, True) for q in range(50) for k in range(50)))
    assert size_of(cells) > 50 * 50 * 50
