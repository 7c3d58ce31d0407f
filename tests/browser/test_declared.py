"""Declared views (assets/kit/exhibit.js): what the kit does, the same for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browsing import Watched, show, unfold

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_parts_stay_open_from_view_to_view(open_page: Open) -> None:
    page = open_page("?view=smoothing").page
    unfold(page, "smoothing", "numbers")
    page.wait_for_selector("#panel-smoothing .hl-numbers table")
    show(page, "dropout")
    page.wait_for_selector("#panel-dropout .hl-numbers table")
    page.reload()
    page.wait_for_selector("#panel-dropout .hl-numbers table")


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


@pytest.mark.parametrize("part", ["adjust", "reading"])
def test_what_is_opened_below_the_window_is_scrolled_to(open_page: Open, part: str) -> None:
    page = open_page("?view=tree").page
    page.click(f"#panel-tree .hl-fold-{part}")
    page.wait_for_function(
        """(part) => {
            const { top, bottom } = document.querySelector(`#panel-tree [data-part=${part}]`)
                .getBoundingClientRect();
            const picture = document.querySelector('#panel-tree [data-part=picture]')
                .getBoundingClientRect();
            const isSeen = bottom < innerHeight + 1 || top < innerHeight * 0.6 + 1;
            return bottom > top && isSeen && picture.bottom > innerHeight * 0.4;
        }""",
        arg=part,
    )
