"""A view with nothing to see offers a sentence for which there is; nothing moves unasked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.card import FOLDER
from explorer.openers import load
from tests.stage import Stage

PLAIN = "Good morning."


@pytest.mark.parametrize(
    ("view", "query"),
    [
        ("experiments", "&experiments.draft={%22positions%22:%22none%22}"),
        ("tree", ""),
        ("bleu", "&bleu.preset=free&bleu.typed=[%22a b c d%22,%22a b c d%22,%22%22,%22%22]"),
    ],
)
def test_where_nothing_happens_one_press_shows_where_it_does(
    open_stage: Callable[..., Stage], view: str, query: str
) -> None:
    page = open_stage(f"?view={view}&text={PLAIN}{query}")
    openers = load(FOLDER)
    assert openers is not None
    (own,) = [one for one in openers.views if one.view == view]
    button = page.locator(f"#panel-{view} .hl-opener")
    assert page.evaluate("headlight.page.record.get().text") == PLAIN
    before = page.inner_text(f"#panel-{view} .hl-finding")
    assert button.inner_text() == "Show me another sentence where it matters"
    page.pass_time(1_000)  # the next entry of the history is one of its own
    button.click()
    assert page.evaluate("headlight.page.record.get().text") == own.text
    assert button.count() == 0
    assert page.inner_text(f"#panel-{view} .hl-finding") != before
    assert page.input_value("#hl-text") == own.text
    if "draft" in query:  # what one was trying stays
        assert page.input_value(".hl-experiments-starts select") == "unordered"
    page.go_back()  # the visitor's own sentence is one step back
    assert page.evaluate("headlight.page.record.get().text") == PLAIN
    assert page.errors == []
