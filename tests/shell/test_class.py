"""The class on a page whose server does not know it."""

from __future__ import annotations

from collections.abc import Callable

from explorer.words import WORDS
from tests.stage import Stage


def test_a_class_that_is_gone_says_so_and_the_page_stays(open_stage: Callable[..., Stage]) -> None:
    page = open_stage("?text=Hello.&lang=en&class=BCDFG")
    assert page.inner_text(".hl-class p") == WORDS["class.error.none"].en
    assert page.inner_text("#hl-src .hl-token >> nth=0").startswith("Hello")
    page.click(".hl-class button")
    assert "class=" not in page.evaluate("location.search")
