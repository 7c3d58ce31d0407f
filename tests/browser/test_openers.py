"""A view with nothing to see offers a sentence for which there is; nothing moves unasked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.card import FOLDER
from explorer.openers import load
from tests.browsing import AT_REST, Watched

pytestmark = pytest.mark.browser

PLAIN = "Good morning."


@pytest.mark.parametrize(
    ("view", "query"),
    [
        ("order", ""),
        ("tree", ""),
        ("bleu", "&bleu.preset=free&bleu.typed=[%22a b c d%22,%22a b c d%22,%22%22,%22%22]"),
    ],
)
def test_where_nothing_happens_one_press_shows_where_it_does(
    open_page: Callable[..., Watched], view: str, query: str
) -> None:
    watched = open_page(f"?view={view}&text={PLAIN}{query}")
    page = watched.page
    openers = load(FOLDER)
    assert openers is not None
    (own,) = [one for one in openers.views if one.view == view]
    button = page.locator(f"#panel-{view} .hl-opener")
    button.wait_for()
    assert page.evaluate("headlight.page.record.get().text") == PLAIN
    before = page.inner_text(f"#panel-{view} .hl-finding")
    button.click()
    page.wait_for_function("(text) => headlight.page.record.get().text === text", arg=own.text)
    button.wait_for(state="detached")
    page.wait_for_function(AT_REST)
    assert page.inner_text(f"#panel-{view} .hl-finding") != before
    assert page.input_value("#hl-text") == own.text
    page.go_back()  # the visitor's own sentence is one step back
    page.wait_for_function("(text) => headlight.page.record.get().text === text", arg=PLAIN)
    assert watched.errors == []
