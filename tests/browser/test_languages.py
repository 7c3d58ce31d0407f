"""Which model opens and which reads a text, as a visitor meets it."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from explorer.words import WORDS
from tests.browsing import Watched

pytestmark = pytest.mark.browser


def shown(watched: Watched, key: str, text: str) -> None:
    """Wait until a model shows a text, and the address says so."""
    watched.page.wait_for_function(
        """([key, text]) => {
            const { record } = headlight.page;
            const query = new URLSearchParams(location.search);
            return record.get()?.model.key === key && record.get().text === text
                && query.get("model") === key && query.get("text") === text;
        }""",
        arg=[key, text],
        timeout=120_000,
    )


def test_every_text_comes_to_a_model_that_reads_it(open_page: Callable[..., Watched]) -> None:
    """Addresses of all kinds: tests/shell/test_languages.py."""
    watched = open_page(f"?{urlencode({'lang': 'zh', 'text': 'Wo ist der Bahnhof?'})}")
    shown(watched, "de-en", "Wo ist der Bahnhof?")
    page = watched.page
    page.goto(f"{page.url.partition('?')[0]}?lang=en&model=en-zh&text=Hello.")
    watched.settle()
    for text, key in (("Das ist gut.", "de-en"), ("我是学生。", "zh-en"), ("It is good.", "en-zh")):
        watched.translate(text)
        shown(watched, key, text)
    watched.translate("Das ist gut.")
    shown(watched, "de-en", "Das ist gut.")
    page.click(f"text={WORDS['model.instead'].en.format(name='English → Chinese')}")
    shown(watched, "en-zh", "Das ist gut.")
    assert watched.errors == []
