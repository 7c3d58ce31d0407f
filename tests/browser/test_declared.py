"""Declared views (assets/kit/exhibit.js): what the kit does, the same for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from explorer.exhibits import NAMES
from tests.browsing import ROOT, Watched, show
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
DECLARED = [
    name
    for name in NAMES
    if "kit/exhibit.js" in (ROOT / "explorer/exhibits" / name / "view.js").read_text("utf-8")
]
MAX_FINDING = 20  # words
MAX_WORDS = 60  # on the first screen, outside the picture
# The visible height of the picture, and the words around it, on the first screen.
FIRST_SIGHT = """(name) => {
    const view = document.querySelector(`#panel-${name} .hl-view`);
    const picture = view.querySelector('[data-part=picture]');
    const { top, bottom } = picture.getBoundingClientRect();
    const seen = [...view.querySelectorAll('*')].filter((one) => !picture.contains(one)
        && one.checkVisibility() && one.getBoundingClientRect().top < innerHeight);
    const texts = seen.flatMap((one) => [...one.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data));
    return {
        height: Math.min(bottom, innerHeight) - Math.max(0, top),
        words: texts.join(' ').split(/\\s+/).filter(Boolean).length,
        finding: view.querySelector('[data-part=finding]').textContent,
    };
}"""


def ready(page: Page, name: str) -> dict[str, object]:
    show(page, name)
    page.wait_for_function(
        """(name) => {
            const part = document.querySelector(`#panel-${name} [data-part=picture]`);
            return part && part.children.length && !part.querySelector(':scope > .hl-pending');
        }""",
        arg=name,
        timeout=90_000,
    )
    return page.evaluate(FIRST_SIGHT, name)


@pytest.mark.parametrize(
    ("size", "least"),
    [((1366, 768), 520), ((1280, 720), 480), ((1000, 700), 430), ((390, 844), 400)],
)
def test_the_picture_has_the_room(open_page: Open, size: tuple[int, int], least: int) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]}).page
    found = {name: ready(page, name) for name in DECLARED}
    assert {name: one for name, one in found.items() if float(str(one["height"])) < least} == {}
    if size == (1366, 768):
        wordy = {name: one for name, one in found.items() if int(str(one["words"])) > MAX_WORDS}
        assert wordy == {}
        findings = {name: str(one["finding"]) for name, one in found.items()}
        assert {n: f for n, f in findings.items() if len(f.split()) > MAX_FINDING} == {}


def test_a_failing_server_is_told_and_asked_again(open_page: Open) -> None:
    check_failing(open_page, "dropout", "[data-part=picture] .hl-plot")


def test_parts_stay_open_from_view_to_view(open_page: Open) -> None:
    page = open_page("?view=smoothing").page
    page.click("#panel-smoothing .hl-fold-numbers")
    page.wait_for_selector("#panel-smoothing .hl-numbers table")
    show(page, "dropout")
    page.wait_for_selector("#panel-dropout .hl-numbers table")
    page.reload()
    page.wait_for_selector("#panel-dropout .hl-numbers table")
