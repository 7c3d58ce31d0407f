"""Where the parts of a declared view that fold (assets/kit/layout.js) stand and move to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browsing import Watched, show

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_a_fold_stays_under_the_pointer_when_the_answer_comes(open_page: Open) -> None:
    """The menu of files comes with the answer: it moved the folds between press and release."""
    watched = open_page("?view=tree", keep=False)
    page = watched.page
    held: list[Route] = []
    page.route("**/queue/join*", lambda route: held.append(route))
    show(page, "dropout")
    fold = page.locator("#panel-dropout .hl-fold-numbers")
    page.wait_for_selector("#panel-dropout .hl-pending")
    box = fold.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 3, box["y"] + 5)
    page.mouse.down()
    while held:
        held.pop().continue_()
    page.unroute("**/queue/join*")
    page.wait_for_selector("#panel-dropout .hl-download > summary")
    page.mouse.up()
    page.wait_for_selector("#panel-dropout .hl-numbers table")
    assert fold.bounding_box()["x"] == box["x"]  # type: ignore[index]


# The part is in sight, as much of it as there is room for, and some of the picture above it.
SCROLLED = """(part) => {
    const boxOf = (name) => document.querySelector(`#panel-tree [data-part=${name}]`)
        .getBoundingClientRect();
    const { top, bottom } = boxOf(part);
    const isSeen = bottom < innerHeight + 1 || top < innerHeight * 0.6 + 1;
    return bottom > top && isSeen && boxOf("picture").bottom > innerHeight * 0.4;
}"""


def test_what_is_opened_below_the_window_is_scrolled_to(open_page: Open) -> None:
    page = open_page("?view=tree").page
    for part in ("adjust", "reading"):
        fold = page.locator(f"#panel-tree .hl-fold-{part}")
        fold.click()
        page.wait_for_function(SCROLLED, arg=part)
        fold.click()
        page.wait_for_selector(f"#panel-tree [data-part={part}]", state="hidden")
        page.evaluate("window.scrollTo(0, 0)")
