"""Chinese targets: simplified characters, full-width signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.text import chinese


def test_traditional_becomes_simplified_and_punctuation_wide() -> None:
    assert chinese.simplified("這很大, 不是嗎?") == "这很大，不是吗？"
    assert chinese.simplified("你好.") == "你好。"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("你 好 , 汤姆!!", "你好，汤姆！！"),
        ("你好 !", "你好！"),
        ("我 (和你) 去.", "我（和你）去。"),
        ("Tom 是 DJ.", "Tom是DJ."),
    ],
)
def test_chinese_form(text: str, form: str) -> None:
    assert chinese.chinese_form(text) == form


@given(text=st.text(alphabet="你好，。！,.!?:;() Aa1"))
def test_chinese_form_is_final(text: str) -> None:
    once = chinese.chinese_form(text)
    assert chinese.chinese_form(once) == once


def test_numbers_keep_their_point() -> None:
    assert chinese.chinese_form("圆周率是3.14,对吗?") == "圆周率是3.14,对吗？"
