"""Differences of texts and of tokens: by hand, and what must hold for any two."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.labs.differences import text_difference, token_changes


def test_a_difference_by_hand() -> None:
    assert text_difference("a cat", "a hat") == [
        ("both", "a "), ("first", "c"), ("second", "h"), ("both", "at"),
    ]  # fmt: skip
    assert text_difference("我是🐸。", "我是🐸。") == [("both", "我是🐸。")]
    assert text_difference("", "") == []
    assert text_difference("", "青蛙") == [("second", "青蛙")]


@given(st.text("abc 我", max_size=30), st.text("abc 我", max_size=30))
def test_the_parts_make_both_texts(first: str, second: str) -> None:
    parts = text_difference(first, second)
    assert "".join(part.text for part in parts if part.where != "second") == first
    assert "".join(part.text for part in parts if part.where != "first") == second
    assert all(part.text for part in parts)
    places = [part.where for part in parts]
    assert all(a != b for a, b in itertools.pairwise(places))


def test_changes_of_tokens_by_hand() -> None:
    changes = token_changes([1, 9, 3, 5], [1, 2, 3, 4, 5, 6])
    assert changes.is_new == (False, True, False, False)
    assert changes.is_gap == (False, False, False, True, True)  # 4 before 5, and 6 at the end
    assert token_changes([1, 2], [1, 2]) == ((False, False), (False, False, False))
    assert token_changes([], [7]) == ((), (True,))


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_tokens_that_stay_stand_in_both(tokens: list[int], before: list[int]) -> None:
    changes = token_changes(tokens, before)
    stay = [t for t, new in zip(tokens, changes.is_new, strict=True) if not new]
    rest = iter(before)
    assert all(token in rest for token in stay)  # in this order
    assert len(changes.is_gap) == len(tokens) + 1


@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [
        ("狗咬人", "人咬狗", None),
        ("abc", "abc", [("abc", "both")]),
        ("", "🐱", [("🐱", "second")]),
        ("kitten", "sitting", None),
        ("猫抓住了老鼠。", "老鼠抓住了猫。", None),
    ],
)
def test_two_texts_are_compared_letter_by_letter(
    first: str, second: str, parts: list[tuple[str, str]] | None
) -> None:
    found = [(part.text, part.where) for part in text_difference(first, second)]
    for own, text in (("first", first), ("second", second)):
        assert "".join(part for part, where in found if where in ("both", own)) == text
    if parts is None:
        assert {"both", "first", "second"} <= {where for _, where in found}
    else:
        assert found == parts
