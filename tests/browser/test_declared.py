"""Declared views (assets/kit/exhibit.js): what the kit does, the same for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browsing import Watched, show

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_parts_stay_open_from_view_to_view(open_page: Open) -> None:
    page = open_page("?view=smoothing").page
    page.click("#panel-smoothing .hl-fold-numbers")
    page.wait_for_selector("#panel-smoothing .hl-numbers table")
    show(page, "dropout")
    page.wait_for_selector("#panel-dropout .hl-numbers table")
    page.reload()
    page.wait_for_selector("#panel-dropout .hl-numbers table")
