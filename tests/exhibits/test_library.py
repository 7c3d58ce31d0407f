"""The librarian and the red cup in a browser."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browsing import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_what_is_sought_and_what_is_needed(open_page: Open) -> None:
    watched = open_page("?view=library")
    page = watched.page
    page.wait_for_selector(".hl-library-sought input", timeout=60_000)
    page.check(".hl-library-sought input[value=read]")
    expect(page.locator("tr.hl-library-book")).to_contain_text("87.5")
    # Nothing in particular: a fifth of each book. Then only the sea, by the slider.
    page.check(".hl-library-need input[value=any]")
    expect(page.locator("tr.hl-library-fish")).to_contain_text("20.0 %")
    page.fill(".hl-library-sliders .hl-typed >> nth=0", "2")
    page.keyboard.press("Enter")
    scores = [4, 2, 0, 0, 4]
    share = math.exp(2) / sum(math.exp(score) for score in scores)
    expect(page.locator("tr.hl-library-fish")).to_contain_text(f"{100 * share:.1f} %")
    assert page.is_checked(".hl-library-need input[value=sea]")
    assert watched.errors == []
