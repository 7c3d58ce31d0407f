"""The room that every view gets in seven windows; nothing hides in an inner scroller."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from explorer.exhibits import NAMES
from tests.browsing import AT_REST, Watched, choose_exhibit, drawn, show, unfold

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
LONG = "?text=I+met+him+at+the+station+yesterday+and+we+talked+about+old+times."
PROJECTOR = "localStorage.setItem('headlight.size', 'projector')"

# (window, projector size, px from where the view begins to the window's end)
ROOM = [
    ((1366, 768), False, 560),
    ((1280, 720), False, 510),
    ((1280, 720), True, 400),
    ((1920, 1080), True, 750),
    ((1000, 700), False, 480),
    ((390, 844), False, 506),
    ((320, 640), False, 280),
]

MEASURE = """() => {
    window.scrollTo(0, 0);
    const panel = document.querySelector('.hl-panel:not([hidden])');
    const hidden = [...panel.querySelectorAll('*')].filter((one) =>
        ['auto', 'scroll'].includes(getComputedStyle(one).overflowY)
        && one.clientHeight > 0 && one.scrollHeight - one.clientHeight > 20);
    return { top: panel.getBoundingClientRect().top, left: window.innerHeight,
        wide: document.documentElement.scrollWidth - window.innerWidth,
        hidden: hidden.map((one) =>
            `${one.className} ${one.scrollHeight - one.clientHeight}`) };
}"""


# What of a view ends below the page.
BEYOND = """() => {
    const panel = document.querySelector('.hl-panel:not([hidden])');
    const end = document.querySelector('footer').getBoundingClientRect().top;
    const isOut = (one) => ['absolute', 'fixed'].includes(getComputedStyle(one).position);
    const isCut = (one) => { // by a box that scrolls, or laid over the page
        if (isOut(one)) return true;
        for (let up = one.parentElement; up !== panel; up = up.parentElement)
            if (getComputedStyle(up).overflowY !== 'visible' || isOut(up)) return true;
        return false;
    };
    return [...panel.querySelectorAll('*')].filter((one) => {
        const box = one.getBoundingClientRect();
        return one.checkVisibility() && box.width > 1 && box.height > 1 && box.bottom > end + 1
            && !isCut(one);
    }).map((one) => `${one.tagName} ${one.className}`);
}"""


def measured(page: Page, name: str) -> tuple[float, int, list[str]]:
    show(page, name)
    page.wait_for_timeout(250)
    page.wait_for_function(AT_REST)  # what a view shows of the sentence before is still there
    drawn(page)
    found = page.evaluate(MEASURE)
    return found["left"] - found["top"], found["wide"], found["hidden"]


@pytest.mark.parametrize(("window", "is_projector", "least"), ROOM)
def test_every_view_has_room(
    open_page: Open, window: tuple[int, int], is_projector: bool, least: int
) -> None:
    size = {"width": window[0], "height": window[1]}
    is_phone = window[0] < 400
    watched = open_page(
        LONG if window[0] > 1200 or is_phone else "", viewport=size, has_touch=is_phone
    )
    page = watched.page
    if is_projector:
        page.evaluate(PROJECTOR)
        page.reload()
        watched.settle()
    small = {}
    for name in NAMES:
        height, wide, _ = measured(page, name)
        beyond = page.evaluate(BEYOND)
        page.evaluate("window.scrollTo(300, 0)")
        if height < least or wide > 0 or beyond or page.evaluate("window.scrollX"):
            small[name] = (height, wide, beyond)
    assert small == {}
    assert watched.errors == []


def test_nothing_hides_in_an_inner_scroller(open_page: Open) -> None:
    page = open_page("?text=Why+do+we+work%3F").page
    found = {name: measured(page, name)[2] for name in NAMES}
    assert {name: hidden for name, hidden in found.items() if hidden} == {}


@pytest.mark.parametrize("size", [(1366, 768), (1000, 700), (390, 844)])
def test_all_candidates_of_a_step_stand_on_the_page(open_page: Open, size: tuple[int, int]) -> None:
    """Below one another, however many; beside the tree of a wide window the scores may scroll."""
    window = {"width": size[0], "height": size[1]}
    page = open_page("?view=tree", viewport=window).page
    unfold(page, "tree", "adjust", "numbers")
    page.fill(".hl-tree-bar input[type=range]", "2")
    page.wait_for_selector("#panel-tree h3:has-text('Step 2:')")
    expect(page.locator(".hl-tree-table tbody tr")).to_have_count(32)
    hidden = page.evaluate(MEASURE)["hidden"]
    if size[0] > 640:
        hidden = [one for one in hidden if not one.startswith("hl-tree-side")]
    assert hidden == []


def at_projector(open_page: Open, query: str = LONG, window: tuple[int, int] = (1280, 720)) -> Page:
    watched = open_page(query, viewport={"width": window[0], "height": window[1]})
    watched.page.evaluate(PROJECTOR)
    watched.page.reload()
    return watched.settle()


@pytest.mark.parametrize("text", ["", LONG])
def test_the_header_takes_three_rows_at_projector_size(open_page: Open, text: str) -> None:
    page = at_projector(open_page, text)
    assert page.evaluate(MEASURE)["top"] <= 180
    for one in ("#hl-more", "#hl-settings", "#hl-translate", "#hl-size", "#hl-hypotheses"):
        box = page.locator(one).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 1280, one


# Parts of the heads that overlap, and those that hold more than their width.
APART = """() => {
    const parts = (of) => [...document.querySelectorAll(`.hl-attention ${of} > *`)]
        .filter((one) => one.getBoundingClientRect().height > 1);
    const meet = (one, other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    };
    const groups = ['.hl-attention-all', '.hl-one', '.hl-caption', '.hl-controls-row', '.hl-folds'];
    return groups.flatMap((of) => {
        const all = parts(of);
        const over = all.filter((one, i) => all.some((other, j) => i < j && meet(one, other)));
        const wide = all.filter((one) => getComputedStyle(one).overflowX === 'visible'
            && one.scrollWidth > one.clientWidth + 4 && one.clientWidth > 0); // less: an outline
        return [...over, ...wide].map((one) => `${of} ${one.className}`);
    });
}"""


@pytest.mark.parametrize("seen", ["map", "lines"])
@pytest.mark.parametrize("window", [(1280, 720), (1024, 768)])
def test_the_heads_keep_apart_at_projector_size(
    open_page: Open, window: tuple[int, int], seen: str
) -> None:
    page = at_projector(open_page, LONG + "&view=attention", window)
    page.check(f".hl-attention .hl-field-view [value={seen}]")
    drawn(page)
    assert page.evaluate(APART) == []
    picture = page.locator(".hl-drawn > :not([hidden])").bounding_box()
    assert picture and picture["width"] > 500 and picture["height"] > 250


def test_a_phone_has_no_projector_size(open_page: Open) -> None:
    page = at_projector(open_page, "", (390, 844))
    letters = "getComputedStyle(document.querySelector('#hl-top')).fontSize"
    assert page.is_hidden("#hl-size") and page.evaluate(letters) == "14px"
    page.set_viewport_size({"width": 1024, "height": 768})  # what was chosen is not forgotten
    page.wait_for_function(f"{letters} === '22px'")
    assert page.is_visible("#hl-size")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"{letters} === '14px'")


INDEX = """() => {
    const sheet = document.querySelector('#hl-index .hl-sheet');
    const box = sheet.getBoundingClientRect();
    const isOut = (one) => {
        one.scrollIntoView({ block: 'nearest' });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isWithin = left >= box.left && right <= box.right
            && top >= box.top - 1 && bottom <= box.bottom + 1;
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return !isWithin || !one.contains(hit);
    };
    const out = [...sheet.querySelectorAll('button')].filter(isOut);
    return { out: out.map((one) => one.dataset.exhibit),
        wide: sheet.scrollWidth - sheet.clientWidth,
        below: box.bottom - innerHeight, page: window.scrollY,
        count: sheet.querySelectorAll('button').length };
}"""


@pytest.mark.parametrize(
    ("window", "is_projector"), [((1280, 720), True), ((1000, 700), False), ((390, 844), False)]
)
def test_every_entry_of_the_sheet_of_views_can_be_reached(
    open_page: Open, window: tuple[int, int], is_projector: bool
) -> None:
    page = open_page(viewport={"width": window[0], "height": window[1]}).page
    if is_projector:
        page.evaluate("document.documentElement.dataset.size = 'projector'")
        drawn(page)
    page.click("#hl-index > summary")
    found = page.evaluate(INDEX)
    assert found["count"] == len(NAMES)
    assert found["out"] == [] and found["wide"] <= 0 and found["below"] < 0
    sheet = page.locator("#hl-index .hl-sheet")
    assert sheet.evaluate("(one) => getComputedStyle(one).overscrollBehaviorY") == "contain"
    sheet.hover(position={"x": 40, "y": 40})
    for _ in range(3):  # to its end and on
        page.mouse.wheel(0, 3000)
        drawn(page)
    assert page.evaluate("window.scrollY") == found["page"]


def test_a_view_chosen_further_down_begins_below_the_strip(open_page: Open) -> None:
    page = open_page("?view=microscope").page
    page.evaluate("headlight.page.folds.merge({ numbers: true })")  # long tables below
    page.wait_for_function("document.scrollingElement.scrollHeight > innerHeight + 200")
    choose_exhibit(page, "flow")
    page.wait_for_function("document.scrollingElement.scrollHeight > innerHeight + 200")
    assert page.evaluate("window.scrollY") == 0  # what was in sight stays where it was
    page.evaluate("window.scrollTo(0, 200)")
    page.evaluate("window.headlight.page.selection.merge({ exhibit: 'microscope' })")
    drawn(page)
    below = page.evaluate(
        """document.querySelector('#panel-microscope').getBoundingClientRect().top
            - document.querySelector('.hl-sentence').getBoundingClientRect().bottom"""
    )
    assert -1 < below < 60


def test_the_strips_share_a_line_and_stay_in_sight(open_page: Open) -> None:
    long = LONG + "+She+said+that+she+could+not+come+because+of+the+rain."
    page = open_page(long + "&view=flow").page
    page.evaluate("headlight.page.folds.merge({ numbers: true })")
    strip = "document.querySelector('.hl-sentence').getBoundingClientRect()"
    assert page.evaluate(f"{strip}.height") < 50 and page.evaluate(f"{strip}.top") > 50
    page.wait_for_function("document.scrollingElement.scrollHeight > innerHeight + 500")
    page.mouse.wheel(0, 500)
    page.wait_for_function(f"{strip}.height < 50 && {strip}.top < 2")


@pytest.mark.parametrize("width", [1366, 390])
def test_the_footer_has_nothing_foreign(open_page: Open, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 844}).page
    assert page.locator("footer[aria-label]").inner_text().strip() in ("Use via API", "")
