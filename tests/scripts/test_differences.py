"""How two lists of letters or of tokens differ, beside Python's difflib."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parity.node import Script


@pytest.fixture(scope="module")
def script() -> Iterator[Script]:
    with Script(Path(__file__).with_name("differences.mjs")) as running:
        yield running


@given(st.text("ab 我🐸", max_size=20), st.text("ab 我🐸", max_size=20))
def test_texts(script: Script, first: str, second: str) -> None:
    parts = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    assert script.ask([first, second]) == [
        {"isSame": what == "equal", "first": [a, b], "second": [c, d]} for what, a, b, c, d in parts
    ]


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_tokens(script: Script, before: list[int], tokens: list[int]) -> None:
    parts = SequenceMatcher(None, before, tokens, autojunk=False).get_opcodes()
    new = {i for what, _, _, c, d in parts if what != "equal" for i in range(c, d)}
    gaps = [c for what, _, _, c, _ in parts if what == "delete"]
    found = script.ask([before, tokens])
    assert found == {"isNew": [i in new for i in range(len(tokens))], "gaps": gaps}


def test_by_hand(script: Script) -> None:
    found = script.ask(["a cat", "a hat"])
    assert [tuple(one.values()) for one in found] == [
        (True, [0, 2], [0, 2]), (False, [2, 3], [2, 3]), (True, [3, 5], [3, 5]),
    ]  # fmt: skip
    found = script.ask([[1, 2, 3, 4, 5, 6], [1, 9, 3, 5]])
    assert found == {"isNew": [False, True, False, False], "gaps": [3, 4]}  # 4 is lost, then 6
