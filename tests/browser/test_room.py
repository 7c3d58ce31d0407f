"""The room of single parts in windows of several sizes; that of all views: test_every_view.py."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from explorer.exhibits import NAMES
from tests.browser.test_every_view import LONG, MEASURE, resize
from tests.browsing import Pages, Server, Watched, at_rest, choose_exhibit, drawn, unfold

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
Go = Callable[[str], Watched]
COUNTRY = "?model=en-de&text=He+seems+to+have+left+the+country."


@pytest.fixture(scope="module")
def shared(pages: Pages, server: Server) -> Iterator[Watched]:
    with pages.lend(server.url) as watched:
        yield watched


@pytest.fixture
def go(shared: Watched) -> Go:
    """Go to an address in the page of this file, in a window of its usual size."""

    def gone(query: str) -> Watched:
        resize(shared.page, (1366, 768), False)
        shared.go(query)
        return shared

    return gone


def test_all_candidates_of_a_step_stand_on_the_page(open_page: Open) -> None:
    """Below one another, however many; beside the tree of a wide window the scores may scroll."""
    page = open_page("?view=tree").page
    unfold(page, "tree", "adjust", "numbers")
    page.fill(".hl-tree-bar input[type=range]", "2")
    page.wait_for_selector("#panel-tree h3:has-text('Step 2:')")
    for window in ((1366, 768), (1000, 700), (390, 844)):
        resize(page, window, False)
        expect(page.locator(".hl-tree-table tbody tr")).to_have_count(32)
        hidden = page.evaluate(MEASURE)["hidden"]
        if window[0] > 640:
            hidden = [one for one in hidden if not one.startswith("hl-tree-side")]
        assert hidden == [], window


PROJECTOR = ((1280, 720), True)


def test_the_header_takes_three_rows_at_projector_size(open_page: Open) -> None:
    watched = open_page()
    page = watched.page
    resize(page, *PROJECTOR)
    for text in ("", LONG):
        if text:
            watched.translate(parse_qs(text[1:])["text"][0])
        assert 720 - page.evaluate(MEASURE)["room"] <= 195  # with a line of glosses
        for one in ("#hl-more", "#hl-settings", "#hl-translate", "#hl-size", "#hl-hypotheses"):
            box = page.locator(one).bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= 1280, (one, text)


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


def test_the_heads_keep_apart_at_projector_size(go: Go) -> None:
    page = go(LONG + "&model=en-de&view=attention").page
    for window in ((1280, 720), (1024, 768)):
        resize(page, window, True)
        for seen in ("map", "lines"):
            page.check(f".hl-attention .hl-field-view [value={seen}]")
            drawn(page)
            assert page.evaluate(APART) == [], (window, seen)
            picture = page.locator(".hl-drawn > :not([hidden])").bounding_box()
            assert picture and picture["width"] > 500 and picture["height"] > 250, (window, seen)


def test_the_list_of_heads_scrolls_to_the_chosen_one(open_page: Open) -> None:
    """As with a model whose heads have no room in it."""
    page = open_page("?view=attention&kind=encoder_self&layer=1&head=1").page
    page.add_style_tag(content=".hl-attention .hl-heads { max-height: 9em !important; }")
    page.evaluate("headlight.page.choose({ kind: 'cross', layer: 2, head: 7 })")
    drawn(page)
    out = """() => {
        const [list, tile] = ['.hl-heads', '.hl-heads [aria-pressed=true]'].map((one) =>
            document.querySelector(`.hl-attention ${one}`).getBoundingClientRect());
        return tile.top < list.top || tile.bottom > list.bottom;
    }"""
    assert page.evaluate(out) is False


# The share of the line that each strip has; whether its chosen token and those beside it are seen.
THIRDS = """() => [...document.querySelectorAll('.hl-strip')].map((one) =>
    one.clientWidth / one.closest('.hl-sentence').clientWidth)"""
AROUND = """() => [...document.querySelectorAll('.hl-strip .hl-here')].flatMap((one) => {
    const box = one.closest('.hl-strip').getBoundingClientRect();
    return [one.previousSibling, one, one.nextSibling].filter((near) => near instanceof Element)
        .map((near) => near.getBoundingClientRect())
        .map(({ left, right }) => left >= box.left - 1 && right <= box.right + 1);
})"""


def test_the_strips_take_a_second_line_before_they_scroll(go: Go) -> None:
    watched = go("?model=en-de&text=The+two+musicians+played+until+nobody+was+left+in+the+hall.")
    cut = """() => [...document.querySelectorAll('.hl-strip')]
        .filter((one) => one.scrollWidth > one.clientWidth).map(({ id }) => id)"""
    high = "document.querySelector('#hl-middle').offsetHeight"
    for window in (((1366, 768), False), ((1280, 720), True)):
        resize(watched.page, *window)
        assert watched.page.evaluate(cut) == [], window
    long = watched.page.evaluate(high)
    watched.translate("It rains.")
    assert watched.page.evaluate(high) < long
    watched.translate(" ".join(["a dog and"] * 20))
    assert watched.page.evaluate(high) < long and "hl-src" in watched.page.evaluate(cut)
    third, around = watched.page.evaluate(THIRDS), watched.page.evaluate(AROUND)
    assert min(third) > 0.32 and [one for one in around if not one] == [], (third, around)
    for name in watched.page.evaluate(cut):
        strip = f"document.querySelector('#{name}')"
        watched.page.evaluate(f"{strip}.scrollLeft = 0")
        watched.page.hover(f"#{name}")
        watched.page.mouse.wheel(200, 0)
        watched.page.wait_for_function(f"{strip}.scrollLeft > 0")


def test_tokens_move_closer_before_they_take_a_second_line(go: Go) -> None:
    page = go(COUNTRY).page
    ways = """() => [...document.querySelectorAll('.hl-strip')].map((one) =>
        one.scrollWidth > one.clientWidth + 1 ? 'cut'
            : ['hl-wraps', 'hl-tight'].find((name) => one.classList.contains(name)) ?? 'free')"""
    seen = []
    for width in range(1700, 1251, -25):  # below, the bar beside them has fewer words
        resize(page, (width, 768), False)
        seen += page.evaluate(ways)
    assert list(dict.fromkeys(seen)) == ["free", "hl-tight", "hl-wraps"]


def test_a_picture_keeps_its_height_while_the_page_is_scrolled(go: Go) -> None:
    """The strips then share a line, and are lower than at the top; nothing moves under the eye."""
    text = "We+are+waiting+for+him+to+make+another+decision."
    page = go(f"?model=en-de&view=tree&text={text}").page
    high = """() => ['#hl-middle', '#panel-tree .hl-first'].map((one) =>
        document.querySelector(one).getBoundingClientRect().height)"""
    strips, first = page.evaluate(high)
    unfold(page, "tree", "numbers")
    page.evaluate("window.scrollTo(0, 400)")
    page.wait_for_selector("body[data-scrolled]")
    page.wait_for_function(f"(before) => ({high})()[0] < before", arg=strips)
    drawn(page)
    assert page.evaluate(high)[1] == first


def test_a_map_has_the_width_of_its_box(open_page: Open) -> None:
    """Columns that were meant for the map of all views cut it to a third."""
    page = open_page("?view=truth").page
    page.wait_for_selector(".hl-truth-map .hl-cells")
    cut = """() => [...document.querySelectorAll('.hl-panel:not([hidden]) .hl-matrix')]
        .map((one) => Math.min(one.scrollWidth, one.parentElement.clientWidth) - one.clientWidth)"""
    drawn(page)
    cuts = page.evaluate(cut)
    assert cuts and max(cuts) <= 1


def test_a_phone_has_no_projector_size(open_page: Open) -> None:
    watched = open_page(viewport={"width": 390, "height": 844})
    page = watched.page
    page.evaluate("localStorage.setItem('headlight.size', 'projector')")
    page.reload()
    watched.settle()
    letters = "getComputedStyle(document.querySelector('#hl-top')).fontSize"
    assert page.is_hidden("#hl-size") and page.evaluate(letters) == "13px"
    page.set_viewport_size({"width": 1024, "height": 768})  # what was chosen is not forgotten
    page.wait_for_function(f"{letters} === '22px'")
    assert page.is_visible("#hl-size")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"{letters} === '13px'")


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


def test_every_entry_of_the_sheet_of_views_can_be_reached(go: Go) -> None:
    page = go(COUNTRY).page
    for window in (PROJECTOR, ((1366, 768), False), ((1000, 700), False), ((390, 844), False)):
        resize(page, *window)
        page.click("#hl-index > summary")
        found = page.evaluate(INDEX)
        assert found["count"] == len(NAMES) + 1  # the lesson for whoever is new
        assert found["out"] == [] and found["wide"] <= 0 and found["below"] < 0, window
        sheet = page.locator("#hl-index .hl-sheet")
        assert sheet.evaluate("(one) => getComputedStyle(one).overscrollBehaviorY") == "contain"
        sheet.hover(position={"x": 40, "y": 40})
        for _ in range(3):  # to its end and on
            page.mouse.wheel(0, 3000)
            drawn(page)
        assert page.evaluate("window.scrollY") == found["page"]
        page.keyboard.press("Escape")


# What of the front door is out of sight, covered, or laid over what stands beside it.
DOOR = """() => {
    const seen = (of) => [...document.querySelectorAll(of)].filter((one) => one.checkVisibility());
    const box = (one) => one.getBoundingClientRect();
    const parts = seen('#hl-index > summary, .hl-door > *');
    const out = parts.filter((one) => {
        const { left, right, top, bottom } = box(one);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || right > innerWidth || bottom > innerHeight || !one.contains(hit);
    });
    const beside = seen('.hl-said, .hl-turn, .hl-said-line, .hl-links, #hl-index > summary');
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const over = seen('.hl-door').flatMap((door) =>
        beside.filter((one) => meet(box(door), box(one))));
    return [...out, ...over].map((one) => `${one.tagName} ${one.className}`);
}"""


def test_the_front_door_stands_in_every_window_and_covers_nothing(open_page: Open) -> None:
    page = open_page(keep=False).page
    page.click(".hl-figure-body button")  # the translation is told, and what it says
    page.wait_for_selector(".hl-said-line .hl-readers-line")
    windows = (PROJECTOR, ((1366, 768), False), ((1280, 720), False), ((700, 500), False))
    for window in (*windows, ((390, 844), False)):
        resize(page, *window)
        for language in ("en", "zh"):
            page.evaluate(f"headlight.page.language.set('{language}')")
            drawn(page)
            assert page.locator(".hl-door-lesson").is_visible(), (window, language)
            assert page.evaluate(DOOR) == [], (window, language)
    page.focus(".hl-door-lesson")
    page.keyboard.press("Enter")
    expect(page.locator(".hl-lesson")).to_be_focused()  # its button is gone


def test_a_view_chosen_further_down_begins_below_the_strip(go: Go) -> None:
    page = go(f"{COUNTRY}&view=microscope").page
    page.evaluate("headlight.page.folds.merge({ numbers: true })")  # long tables below
    page.wait_for_function("document.scrollingElement.scrollHeight > innerHeight + 200")
    choose_exhibit(page, "figure")
    page.evaluate("headlight.page.folds.merge({ numbers: true })")
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


def test_the_strips_share_a_line_and_stay_in_sight(go: Go) -> None:
    long = LONG + "+She+said+that+she+could+not+come+because+of+the+rain."
    page = go(long + "&model=en-de&view=figure").page
    page.evaluate("headlight.page.folds.merge({ numbers: true })")
    strip = "document.querySelector('.hl-sentence').getBoundingClientRect()"
    bar = "document.querySelector('.hl-bar').getBoundingClientRect().bottom"
    assert page.evaluate(f"{strip}.height") < 50
    assert page.evaluate(f"{strip}.top") >= page.evaluate(bar) > 30
    page.wait_for_function("document.scrollingElement.scrollHeight > innerHeight + 500")
    page.mouse.wheel(0, 500)
    page.wait_for_function(f"{strip}.height < 50 && {strip}.top < 2")


def test_the_footer_has_nothing_foreign(go: Go) -> None:
    page = go(COUNTRY).page
    for width in (1366, 390):
        page.set_viewport_size({"width": width, "height": 844})
        drawn(page)
        assert page.locator("footer[aria-label]").inner_text().strip() in ("Use via API", "")


LEFT_OUT = (
    "#hl-top", "#hl-stepper", ".hl-way", "#panel-attention .hl-foot",
    "#panel-attention .hl-adjust", "footer",
)  # fmt: skip
PRINTED = ("#hl-src", "#hl-tgt", ".hl-finding", ".hl-picture", ".hl-reading")


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"color_scheme": "dark"}, "&size=projector"),
        ({"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}, "&lang=zh"),
    ],
    ids=["laptop", "phone"],
)
def test_a_printed_page_is_the_view_alone_in_light_colours(
    open_page: Open, options: dict[str, object], size: str
) -> None:
    page = open_page(f"?view=attention{size}", keep=False, **options).page
    at_rest(page, "attention")
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert len(pages) == 1 or "viewport" in options, "the view is not on one sheet"
    unfold(page, "attention", "adjust", "reading")
    page.emulate_media(media="print")
    assert [one for one in LEFT_OUT if page.locator(one).first.is_visible()] == []
    shown = [f"#panel-attention {one}" if one.startswith(".") else one for one in PRINTED]
    assert [one for one in shown if not page.locator(one).first.is_visible()] == []
    assert page.evaluate(BRIGHT, base64.b64encode(page.screenshot()).decode()) > 0.8
    strip = "(one) => one.scrollWidth - one.clientWidth"
    assert page.eval_on_selector("#hl-tgt", strip) <= 1, "tokens are cut"


# The mean brightness of a picture.
BRIGHT = """async (png) => {
    const reply = await fetch(`data:image/png;base64,${png}`);
    const image = await createImageBitmap(await reply.blob());
    const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
    brush.drawImage(image, 0, 0);
    const { data } = brush.getImageData(0, 0, image.width, image.height);
    return data.reduce((sum, one) => sum + one, 0) / data.length / 255;
}"""


BOXES = """() => [...document.querySelectorAll(
    ".hl-panel:not([hidden]) :is(svg, canvas, table, [data-part='finding'])")]
    .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 40)
    .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))"""
TOLD = """() => [...document.querySelectorAll("[data-part='line']:not(:empty)")]
    .filter((one) => !one.closest(".hl-panel[hidden]")).length"""
# From now on lines come as `tell` says, and no reply that is on its way is among them.
HELD = """() => {
    const { lines } = headlight.page;
    window.tell = lines.set;
    lines.set = () => {};
    return lines.get();
}"""


@pytest.mark.parametrize("view", ["attention", "tree", "compare", "learn", "experiments"])
def test_lines_that_come_move_no_picture(go: Go, view: str) -> None:
    page = go(f"?model=en-de&text=The+old+man+lives+near+the+station.&view={view}").page
    at_rest(page, view)
    page.wait_for_function(TOLD)
    page.wait_for_timeout(200)  # more lines of the view, if they take no longer
    told = page.evaluate(HELD)
    for window in ((1366, 768), (390, 844)):
        resize(page, window, False)
        page.evaluate("tell({})")
        drawn(page)
        assert page.evaluate(TOLD) == 0
        before = page.evaluate(BOXES)
        page.evaluate("told => tell(told)", told)
        drawn(page)
        assert page.evaluate(TOLD) > 0 and before == page.evaluate(BOXES) != [], window
    page.evaluate("() => { headlight.page.lines.set = tell; }")
