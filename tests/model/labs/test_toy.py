"""The toy: numbers worked by hand, every text by itertools, and the search that is the real one."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import ConfigError
from model.labs import toy
from model.labs.toy import EXAMPLE, LETTERS, exhaustive, greedy_loses, toy_search, wrong_row
from model.trace import Search

Table = tuple[tuple[float, ...], ...]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Rows in steps of .05 that sum to 1, some of them with zeros."""
    rows = []
    for _ in range(6):
        cuts = sorted(draw(st.lists(st.integers(0, 20), min_size=4, max_size=4)))
        parts = np.diff([0, *cuts, 20])
        rows.append(tuple(float(n) / 20 for n in parts))
    return tuple(rows)


def random_tables(n: int) -> list[Table]:
    random = np.random.default_rng(7)
    return [
        tuple(tuple(float(p) for p in row) for row in random.dirichlet(np.ones(5), 6))
        for _ in range(n)
    ]


def product(table: Table, text: str) -> float:
    """The probability of a text, letter by letter."""
    rows = [0, *(LETTERS.index(letter) + 1 for letter in text)]
    return math.prod(table[r][LETTERS.index(c)] for r, c in zip(rows, text, strict=False))


def texts(search: Search) -> list[list[str]]:
    """The texts of all candidates, step by step."""
    found: list[list[str]] = []
    for step in search.steps:
        before = found[-1] if found else []
        found.append(
            [
                (before[parent] if parent >= 0 else "") + piece
                for parent, piece in zip(step.parents.tolist(), step.pieces, strict=True)
            ]
        )
    return found


def test_the_worked_example_of_the_lesson() -> None:
    search = toy_search(EXAMPLE, 2, 3)
    first, second = search.steps[:2]
    assert texts(search)[0] == ["A", "B", "C", "D"]  # E has probability 0
    np.testing.assert_allclose(np.exp(first.totals), [0.4, 0.3, 0.2, 0.1], rtol=1e-6)
    assert first.fates == ("kept", "kept", "pruned", "pruned")
    # .4 * (.1 .4 .3 .2) and .3 * (.5 .2 .1 .2), of each the best 4 that are not 0
    by_hand = {
        "AB": 0.16, "BA": 0.15, "AC": 0.12, "AD": 0.08, "BB": 0.06, "BD": 0.06, "AA": 0.04,
        "BC": 0.03,
    }  # fmt: skip
    assert texts(search)[1] == list(by_hand)
    np.testing.assert_allclose(np.exp(second.totals), list(by_hand.values()), rtol=1e-6)
    kept = [t for t, fate in zip(by_hand, second.fates, strict=True) if fate == "kept"]
    assert kept == ["AB", "BA"]


def test_what_beam_search_finds_and_misses_in_the_example() -> None:
    # ABA = .4 * .4 * .5 = .08 and BAB = .3 * .5 * .4 = .06; ACA = .4 * .3 * .9 = .108
    found = [(h.text, round(math.exp(h.log_prob), 9)) for h in toy_search(EXAMPLE, 2, 3).hypotheses]
    assert found == [("ABA", 0.08), ("BAB", 0.06)]
    assert toy_search(EXAMPLE, 1, 3, method="greedy").hypotheses[0].text == "ABA"
    best = exhaustive(EXAMPLE, 3)[0]
    assert best.text == "ACA" and best.probability == pytest.approx(0.108)
    assert toy_search(EXAMPLE, 4, 3).hypotheses[0].text == "ACA"
    # Two letters: CA = .2 * .9 = .18 is more than AB = .16.
    assert [text.text for text in exhaustive(EXAMPLE, 2)[:3]] == ["CA", "AB", "BA"]


def test_all_end_at_the_length_and_the_penalty_only_scales() -> None:
    for length in (2, 3, 4):
        for beam in range(1, 6):
            search = toy_search(EXAMPLE, beam, length)
            assert len(search.steps) == length
            assert all(len(h.text) == length and not h.finished for h in search.hypotheses)
    plain, scaled = toy_search(EXAMPLE, 3, 4), toy_search(EXAMPLE, 3, 4, alpha=0.5)
    for one, other in zip(plain.hypotheses, scaled.hypotheses, strict=True):
        assert other.score == pytest.approx(one.score / 2.0)  # 4 ** .5


@given(tables(), st.integers(2, 4))
def test_every_text_is_there_once(table: Table, length: int) -> None:
    found = exhaustive(table, length)
    expected = {
        text: product(table, text)
        for text in map("".join, itertools.product(LETTERS, repeat=length))
    }
    assert {t.text: t.probability for t in found} == {t: p for t, p in expected.items() if p > 0}
    assert sum(t.probability for t in found) == pytest.approx(1.0)
    assert all(a.probability >= b.probability - 1e-12 for a, b in itertools.pairwise(found))


@given(tables(), st.integers(2, 3))
def test_with_room_for_all_beam_search_finds_the_best(table: Table, length: int) -> None:
    """There are 25 beginnings of two letters: beam 25 drops none before the third."""
    found = toy_search(table, 25, length).hypotheses[0]
    assert math.exp(found.log_prob) == pytest.approx(exhaustive(table, length)[0].probability)


@given(tables(), st.integers(1, 5), st.integers(2, 4))
def test_every_total_is_the_product(table: Table, beam: int, length: int) -> None:
    search = toy_search(table, beam, length)
    for step, names in zip(search.steps, texts(search), strict=True):
        expected = [product(table, name) for name in names]
        np.testing.assert_allclose(np.exp(step.totals), expected, rtol=1e-5)
        assert sorted(expected, reverse=True) == pytest.approx(expected)
        assert sum(fate != "pruned" for fate in step.fates) == min(beam, len(names))


def test_a_search_that_looks_at_the_wrong_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: a stepper that reads the start row after every letter."""
    start = toy.ToyStepper.start(EXAMPLE)
    broken = dataclasses.replace(start, log_probs=start.log_probs[[5] * 6])
    monkeypatch.setattr(toy.ToyStepper, "start", lambda _table: broken)
    with pytest.raises(AssertionError):
        test_the_worked_example_of_the_lesson()


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 3, 4])
def test_greedy_really_loses(length: int) -> None:
    for seed in range(20):
        table, beam_wins = greedy_loses(seed, length)
        assert all(round(p * 10, 9).is_integer() for row in table for p in row)
        assert wrong_row(table) is None
        best = max(
            product(table, "".join(text)) for text in itertools.product(LETTERS, repeat=length)
        )
        greedy = toy_search(table, 1, length, method="greedy").hypotheses[0]
        two = toy_search(table, 2, length).hypotheses[0]
        assert product(table, greedy.text) < best - 1e-6
        assert beam_wins == (product(table, two.text) > best - 1e-6)
        assert beam_wins, "a table in which two beams win is not rare"
    assert greedy_loses(3, length) == greedy_loses(3, length)
    assert greedy_loses(3, length) != greedy_loses(4, length)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:5], "6 rows"),
        (lambda rows: [*rows[:1], (0.5, 0.4, 0.2, 0.0, 0.0), *rows[2:]], "after A sum to 1.1"),
        (lambda rows: [(0.5, 0.4, 0.0, 0.0, 0.0), *rows[1:]], "after the start sum to 0.9"),
        (lambda rows: [(1.5, -0.5, 0.0, 0.0, 0.0), *rows[1:]], "not a probability"),
        (lambda rows: [(math.nan, 1.0, 0.0, 0.0, 0.0), *rows[1:]], "not a probability"),
    ],
)
def test_what_is_no_table_is_refused(change: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        toy_search(change(list(EXAMPLE)), 2, 2)  # type: ignore[operator]


def test_the_first_wrong_row_is_told() -> None:
    assert wrong_row(EXAMPLE) is None
    thirds = (1 / 3, 1 / 3, 1 / 3, 0.0, 0.0)
    assert wrong_row((thirds, *EXAMPLE[1:])) is None
    assert wrong_row((*EXAMPLE[:2], (0.5, 0.5, 0.5, 0.0, 0.0), *EXAMPLE[3:])) == (2, 1.5)
