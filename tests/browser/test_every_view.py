"""Each view in every window, for every eye: one walk through all views for what is alike in them.

A view is opened once and the window takes one size after another; that costs a tenth of opening
the page anew for each size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page

from explorer.exhibits import NAMES
from explorer.words import WORDS
from tests.browsing import ROOT, Watched, at_rest, drawn, show, unfold
from tests.npm import FOLDER
from tests.tiers import IS_LONG, some, turns

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Watched]

# A walk through all views would take longer than a test may: each takes a part of them.
PARTS = tuple(NAMES[i::4] for i in range(4))
LONG = "?text=I+met+him+at+the+station+yesterday+and+we+talked+about+old+times."
DECLARED = {
    name
    for name in NAMES
    if "kit/exhibit.js" in (ROOT / "explorer/exhibits" / name / "view.js").read_text("utf-8")
}
BARS = {"steps", "sampling", "dropout", "scaling", "compare"}  # of elements with a colour each
SWITCHES = {"experiments"}  # those of all heads stand below its picture, whose rows scroll
MAX_EMPTY = 0.15  # of a picture's height, below the last thing drawn in it
MAX_FINDING = 20  # words
MAX_WORDS = 60  # on the first screen, outside the picture

# window, projector size: px from where a view begins to the window's end; of its picture in sight
LAPTOP = ((1366, 768), False)
WIDE = {
    LAPTOP: (640, 530),
    ((1280, 720), True): (500, 0),
    ((1000, 700), False): (590, 470),
    ((683, 384), False): (154, 0),  # a laptop at 200 %
}
if IS_LONG:  # windows between those
    WIDE |= {((1280, 720), False): (590, 490), ((1920, 1080), True): (750, 0)}
PHONES = {((390, 844), False): (506, 400), ((320, 640), False): (280, 0)}
# All views are seen on a laptop each day, half of them in one more window or phone, in Chinese and
# in few colours; in `make test-long` all in all.
OTHERS = {**dict(list(WIDE.items())[1:]), **PHONES}
TURNED = some(NAMES, len(NAMES) // 2)
TODAY = {
    name: dict(others) if name in TURNED else {}
    for name, others in zip(NAMES, turns(tuple(OTHERS.items()), len(NAMES)), strict=True)
}

MEASURE = """() => {
    window.scrollTo(0, 0);
    const panel = document.querySelector('.hl-panel:not([hidden])');
    const scrolls = (one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY);
    const hidden = [...panel.querySelectorAll('*')].filter((one) =>
        one.clientHeight > 0 && one.scrollHeight - one.clientHeight > 20 && scrolls(one));
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    // What stands beyond the window, and what is cut, though the page does not scroll.
    const parts = '.hl-view, .hl-view > *, .hl-first > *, .hl-said > *';
    const frames = [...panel.querySelectorAll(parts)];
    const beyond = frames.filter((one) => one.getBoundingClientRect().right > innerWidth + 1
        || (one.matches('h2, p') && (one.scrollWidth > one.clientWidth + 1
            || (getComputedStyle(one).overflowY !== 'visible'
                && one.scrollHeight > one.clientHeight + 3))));
    const { top } = panel.getBoundingClientRect();
    window.scrollTo(300, 0);
    const sideways = window.scrollX;
    window.scrollTo(0, 0);
    return { room: window.innerHeight - top, wide, sideways,
        beyond: beyond.map(({ className }) => className),
        hidden: hidden.map((one) => `${one.className} ${one.scrollHeight - one.clientHeight}`) };
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
        return box.width > 1 && box.height > 1 && box.bottom > end + 1 && one.checkVisibility()
            && !isCut(one);
    }).map((one) => `${one.tagName} ${one.className}`);
}"""

# The visible height of the picture, and the words around it, on the first screen.
FIRST_SIGHT = """(name) => {
    const view = document.querySelector(`#panel-${name} .hl-view`);
    const picture = view.querySelector('[data-part=picture]');
    const { top, bottom } = picture.getBoundingClientRect();
    const seen = [...view.querySelectorAll('*')].filter((one) => !picture.contains(one)
        && !one.closest('.hl-experiments-heads') && one.checkVisibility()
        && one.getBoundingClientRect().top < innerHeight);
    const texts = seen.flatMap((one) => [...one.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data));
    return {
        height: Math.min(bottom, innerHeight) - Math.max(0, top),
        words: texts.join(' ').split(/\\s+/).filter(Boolean).length,
        finding: view.querySelector('[data-part=finding]').textContent,
    };
}"""

# The share of a picture's height that is empty below the last thing drawn in it.
EMPTY = """(name) => {
    const picture = document.querySelector(`#panel-${name} [data-part=picture]`);
    const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
    const isDrawn = (one) => one.matches('canvas, img, path, rect, circle, line, input')
        || [...one.childNodes].some(isText);
    const ends = [...picture.querySelectorAll('*')]
        .filter((one) => one.checkVisibility() && isDrawn(one))
        .map((one) => one.getBoundingClientRect().bottom);
    const { bottom, height } = picture.getBoundingClientRect();
    return Math.max(0, bottom - Math.max(...ends)) / height;
}"""


# Letters of a view that a class cannot read from its last row; exponents may be smaller.
TINY = """() => {
    const panel = document.querySelector('.hl-panel:not([hidden])');
    const isRead = (one) => one.checkVisibility() && !one.closest('msup > :nth-child(2), msub')
        && [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
        && one.getBoundingClientRect().top < innerHeight && one.getBoundingClientRect().width > 1;
    const sizeOf = (one) => {
        const { b = 0, d = 1 } = one.ownerSVGElement ? one.getScreenCTM() : {};
        return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(b, d);
    };
    return [...panel.querySelectorAll('*')].filter((one) => isRead(one) && sizeOf(one) < 15.9)
        .map((one) => `${one.tagName} ${one.getAttribute('class')} ${sizeOf(one).toFixed(1)}`);
}"""


def resize(page: Page, window: tuple[int, int], is_projector: bool) -> None:
    size = "'projector'" if is_projector else "''"
    page.evaluate(f"document.documentElement.dataset.size = {size}")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    drawn(page)  # the frame that is told of its new size
    drawn(page)  # and the one that draws for it


# Columns of a picture that are longer than their place, so that they lie over what is below.
OVER = """() => [...document.querySelectorAll('.hl-panel:not([hidden]) .hl-pair > *')]
    .filter((one) => one.scrollHeight > one.clientHeight + 3
        && getComputedStyle(one).overflowY === 'visible')
    .map(({ className, scrollHeight, clientHeight }) =>
        `${className} ${scrollHeight - clientHeight}`)"""
# The button of a part alone in its row; sliders on a phone that a finger cannot set exactly.
AWKWARD = """() => {
    const panel = document.querySelector('.hl-panel:not([hidden])');
    const seen = (all) => [...panel.querySelectorAll(all)].filter((one) => one.checkVisibility());
    const boxes = seen('.hl-controls-row > *, .hl-folds > *').map((one) => [one,
        one.getBoundingClientRect()]);
    const alone = boxes.filter(([one, { top, bottom }]) => one.matches('.hl-fold-adjust')
        && !boxes.some(([other, box]) => other !== one && box.top < bottom && top < box.bottom));
    const short = innerWidth > 640 ? [] : seen('.hl-first input[type=range]')
        .filter((one) => one.clientWidth < 150);
    return [...alone.map(() => 'Adjust is alone'),
        ...short.map((one) => `${one.clientWidth} px: ${one.labels[0].textContent.trim()}`)];
}"""
PROJECTED = "document.documentElement.dataset.size === 'projector'"


def small(page: Page, name: str, room: int, picture: int) -> dict[str, Any]:
    """What a view lacks in the window as it is."""
    found = page.evaluate(MEASURE)
    faults = {
        "room": found["room"] if found["room"] < room else None,
        "wider than the window by": found["wide"] if found["wide"] > 0 else None,
        "scrolls sideways by": found["sideways"] or None,
        "cut": found["beyond"] or None,
        "ends below the page": page.evaluate(BEYOND) or None,
        "over what is below": page.evaluate(OVER) or None,
        "awkward": page.evaluate(AWKWARD) or None,
        "tiny": (page.evaluate(PROJECTED) and page.evaluate(TINY)) or None,
    }
    if picture and name in DECLARED and name not in SWITCHES:
        height = page.evaluate(FIRST_SIGHT, name)["height"]
        faults["picture"] = height if height < picture else None
    return {what: value for what, value in faults.items() if value is not None}


# Entries of the menu that are wider than it, or take a second line.
CUT = """() => {
    const end = document.querySelector('.hl-way').getBoundingClientRect().right;
    return [...document.querySelectorAll('.hl-entry, .hl-menu-tabs button')]
        .filter((one) => one.getBoundingClientRect().right > end || one.clientHeight > 30)
        .map((one) => one.textContent);
}"""


def faults_of_words(page: Page, name: str) -> dict[str, list[str]]:
    """Entries of the menu that are cut, in both languages; English that is left in the Chinese."""
    cut = page.evaluate(CUT)
    page.evaluate("headlight.page.language.set('zh')")
    drawn(page)
    visible = page.locator(f"#panel-{name}").inner_text()
    cut += page.evaluate(CUT)
    page.evaluate("headlight.page.language.set('en')")
    drawn(page)
    faults = {"cut": cut, "English": [en for en in ENGLISH if en in visible]}
    return {what: found for what, found in faults.items() if found}


# --------------------------------------------------- axe-core finds nothing serious in any view

AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
AXED = some(NAMES, len(NAMES) // 4)  # the views that its rules are held against
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules that a theme can break

ENGLISH = [en for en, zh in WORDS.values() if len(en) > 12 and en != zh]  # none of it in Chinese

# Gradio's own footer is left out, and two things that the rules do not fit:
# - a block of Figure 1 is a picture with words in it; its name begins with its title;
# - the tree's nodes are as close as the search has them; keys reach them, and it can be zoomed.
FIND = """async ([within, runOnly, without]) => {
    const isLeftOut = (id, element) => element.closest('footer')
        || (id === 'label-content-name-mismatch' && element.closest('.hl-figure-svg'))
        || (id === 'target-size' && element.closest('[data-node]'));
    // The rules look at all of the document for each view; those that are hidden they pass over.
    const away = [...document.querySelectorAll('.hl-panel[hidden]')].map((panel) => {
        const kept = document.createDocumentFragment();
        kept.append(...panel.childNodes);
        return () => panel.append(kept);
    });
    const { violations } = await axe.run(within, {
        elementRef: true,
        resultTypes: ['violations'],
        runOnly,
        rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])),
    });
    for (const restore of away) restore();
    const isSerious = ({ impact }) => ['serious', 'critical'].includes(impact);
    return violations.filter(isSerious).flatMap(({ id, nodes }) => nodes
        .filter(({ element }) => !isLeftOut(id, element))
        .map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`));
}"""


def violations(
    page: Page, within: str, rules: list[str] = RULES, without: list[str] | None = None
) -> list[str]:
    return list(page.evaluate(FIND, [within, rules, without or []]))


def looked_over(page: Page, rules: list[str]) -> dict[str, list[str]]:
    """What is amiss on the page and in each of its views."""
    found = {"page": violations(page, "body", rules)}
    for name in NAMES:
        show(page, name)
        at_rest(page, name)
        found[name] = violations(page, f"#panel-{name}", rules)
    return {name: told for name, told in found.items() if told}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_view_shuts_anybody_out(open_page: Open, language: str) -> None:
    """All rules in the light, the colours in the dark too. In `make test`: in the light alone,
    by the walk through every window."""
    page = open_page(locale=language, color_scheme="light", reduced_motion="reduce").page
    page.add_script_tag(path=AXE)
    assert looked_over(page, RULES) == {}
    page.click("#hl-theme")
    page.wait_for_selector("body.dark")
    assert looked_over(page, COLOURS) == {}


@pytest.mark.long
def test_what_is_amiss_is_found(open_page: Open) -> None:
    """The check sees a text too pale to read and a button without a name."""
    page = open_page().page
    page.add_script_tag(path=AXE)
    page.evaluate(
        """() => {
            const amiss = '<p style="color: #ddd; background: #fff">pale</p><button></button>';
            const panel = document.querySelector('.hl-panel:not([hidden])');
            panel.insertAdjacentHTML('beforeend', amiss);
        }"""
    )

    def rules(*given: list[str]) -> list[str]:
        return [told.split(":")[0] for told in violations(page, "body", *given)]

    assert rules() == ["button-name", "color-contrast"]
    assert rules(COLOURS) == ["color-contrast"]
    assert rules(RULES, COLOURS) == ["button-name"]


# ------------------------------------------------------------------------ words that are not cut


def test_the_sentence_below_a_head_is_whole_in_a_frame(open_page: Open) -> None:
    page = open_page(f"{LONG}&view=attention", viewport={"width": 1000, "height": 700}).page
    over = "(one) => one.scrollHeight - one.clientHeight"
    assert page.locator(".hl-attention .hl-readout").evaluate(over) <= 1
    page.add_style_tag(content=".hl-attention .hl-how { display: inline !important; }")
    assert page.locator(".hl-attention .hl-readout").evaluate(over) > 1


# -------------------------------------------------------- the first sight of a view, on a laptop

# Bars and swatches: what has no text and a colour of its own, which would be gone otherwise.
COLOURED = """() => {
    const isColour = (one) => one.namespaceURI.endsWith('xhtml') && one.textContent.trim() === ''
        && one.clientWidth > 1 && one.clientHeight > 1 && one.matches('i, span, div')
        && getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)';
    const panel = document.querySelector('.hl-panel:not([hidden])');
    window.coloured ??= [...panel.querySelectorAll('*')].filter(isColour);
    return window.coloured.map((one) => [one.className, one.parentElement.className,
        getComputedStyle(one).backgroundColor].join(' | '));
}"""


def lost_colours(page: Page) -> list[str]:
    """What a display with few colours of its own takes from the view on show."""
    page.evaluate("delete window.coloured")
    before = page.evaluate(COLOURED)
    page.emulate_media(forced_colors="active")
    after = page.evaluate(COLOURED)
    page.emulate_media(forced_colors="none")
    return sorted({one for one, other in zip(before, after, strict=True) if one != other})


def long_winded(page: Page, name: str) -> dict[str, Any]:
    """What is too long on the first screen, and what hides in a scroller within the view."""
    hidden = [] if name in SWITCHES else page.evaluate(MEASURE)["hidden"]
    faults: dict[str, Any] = {"hidden": hidden}
    if name in DECLARED:
        seen = page.evaluate(FIRST_SIGHT, name)
        empty = page.evaluate(EMPTY, name)
        faults["empty"] = empty if empty > MAX_EMPTY else None
        faults["words"] = seen["words"] if seen["words"] > MAX_WORDS else None
        finding = seen["finding"]
        faults["finding"] = finding if len(finding.split()) > MAX_FINDING else None
    return {what: value for what, value in faults.items() if value}


# The fields at whose touch iOS would zoom the page in.
SMALL_FIELDS = """() => [...document.querySelectorAll('input, select, textarea')]
    .filter((one) => !['range', 'radio', 'checkbox', 'file'].includes(one.type)
        && parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.outerHTML.slice(0, 80))"""


def small_on_phones(page: Page, touch: CDPSession, name: str) -> dict[Any, Any]:
    """What a view lacks on a phone, in both languages; another phone each day."""
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    faults: dict[Any, Any] = {}
    for window, least in TODAY[name].items() & PHONES.items():
        resize(page, *window)
        faults[window] = small(page, name, *least)
    fields = page.evaluate(SMALL_FIELDS)
    faults["fields"] = {"below 16 px": fields} if fields else {}
    if name in TURNED:
        page.evaluate("headlight.page.language.set('zh')")
        drawn(page)
        wide = page.evaluate(MEASURE)["wide"]
        faults["zh"] = {"wider than the window by": wide} if wide > 0 else {}
        page.evaluate("headlight.page.language.set('en')")
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    return faults


@pytest.mark.parametrize("names", PARTS, ids=list("abcd"))
def test_every_view_has_room_in_every_window_and_shuts_nobody_out(
    open_page: Open, names: tuple[str, ...]
) -> None:
    """Nor is a rule of axe-core broken in the light, or a colour lost on a display with few."""
    # The German model has no decoder that cheats; with it a part of them is seen in Chinese.
    query = f"{LONG}&model=en-zh" if "cheat" in names else LONG
    watched = open_page(query, color_scheme="light", reduced_motion="reduce")
    page, faults = watched.page, {}
    page.add_script_tag(path=AXE)
    touch = page.context.new_cdp_session(page)
    for name in names:
        resize(page, *LAPTOP)
        show(page, name)
        at_rest(page, name)
        faults[name, LAPTOP] = small(page, name, *WIDE[LAPTOP]) | long_winded(page, name)
        faults[name, "words"] = faults_of_words(page, name)
        if name in AXED:
            faults[name, "axe"] = violations(page, f"#panel-{name}")
        if name in TURNED:
            faults[name, "colours"] = lost_colours(page)
            assert name not in BARS or len(page.evaluate("window.coloured")) > 5, name
        for window, least in TODAY[name].items() - PHONES.items():
            resize(page, *window)
            faults[name, window] = small(page, name, *least)
        faults |= {(name, place): one for place, one in small_on_phones(page, touch, name).items()}
    assert {place: found for place, found in faults.items() if found} == {}
    assert watched.errors == []


@pytest.mark.long
def test_what_is_amiss_in_a_view_is_found(open_page: Open) -> None:
    """The twin of the walk: a menu that is too narrow, an empty picture, a colour that goes."""
    page = open_page("?view=steps", color_scheme="light", reduced_motion="reduce").page
    at_rest(page, "steps")
    page.add_script_tag(path=AXE)
    assert violations(page, "body") == []
    assert (page.evaluate(CUT), long_winded(page, "steps"), lost_colours(page)) == ([], {}, [])
    page.add_style_tag(content=".hl-way { width: 8em !important; }")
    assert page.evaluate(CUT) != []
    page.add_style_tag(content=".hl-steps .hl-lanes { height: 40% !important; }")
    assert page.evaluate(EMPTY, "steps") > MAX_EMPTY
    page.add_style_tag(content=".hl-bar-track i { forced-color-adjust: auto !important; }")
    assert lost_colours(page) != []
    page.add_style_tag(content=".hl-steps { min-width: 1500px !important; }")
    assert {"wider than the window by", "cut"} <= small(page, "steps", 0, 0).keys()
    resize(page, (1280, 720), True)
    page.add_style_tag(content=".hl-steps-bars { min-height: 60em !important; }")
    assert "over what is below" in small(page, "steps", 0, 0)
    page.add_style_tag(content=".hl-steps-bars { min-height: 6em !important; }")
    page.add_style_tag(content=".hl-steps b { font-size: 12px !important; }")
    assert "tiny" in small(page, "steps", 0, 0)
    resize(page, *LAPTOP)
    page.add_style_tag(content=".hl-finding { white-space: nowrap !important; overflow: hidden; }")
    page.add_style_tag(
        content=".hl-steps { min-width: 0 !important; max-width: 200px !important; }"
    )
    assert small(page, "steps", 0, 0).keys() == {"cut"}


@pytest.mark.long
def test_what_css_decides_in_single_views(open_page: Open) -> None:
    """Chosen words underlined, nothing beside the tree over its edge, no column cut."""
    page = open_page(LONG).page
    show(page, "compare")
    at_rest(page, "compare")
    lines = page.locator(".hl-compare-token").evaluate_all(
        "(all) => all.map((one) => [one.classList.contains('hl-other'),"
        " getComputedStyle(one.firstElementChild).textDecorationLine === 'underline'])"
    )
    assert [is_other for is_other, _ in lines] == [is_underlined for _, is_underlined in lines]
    assert any(is_other for is_other, _ in lines)
    resize(page, (1366, 900), False)
    show(page, "cost")
    unfold(page, "cost", "numbers")
    for part in (".hl-pair > :last-child .hl-plot", ".hl-cost-seconds"):
        box = page.locator(part).first.bounding_box()
        assert box is not None and box["x"] + box["width"] <= 1366, part
    resize(page, (1280, 720), True)
    show(page, "tree")
    at_rest(page, "tree")
    over = """() => {
        const side = document.querySelector('.hl-tree-side');
        const edge = side.getBoundingClientRect().right + 0.5;
        return [...side.querySelectorAll('*')]
            .filter((one) => one.getBoundingClientRect().right > edge).map((one) => one.className);
    }"""
    for language in ("en", "zh"):
        page.evaluate("(to) => headlight.page.language.set(to)", language)
        drawn(page)
        assert page.evaluate(over) == [], language
    field = page.locator(".hl-tree-field").bounding_box()
    assert field is not None and field["height"] >= 330


def test_what_is_chosen_is_framed_in_forced_colours(open_page: Open) -> None:
    page = open_page(forced_colors="active").page
    for chosen in ("#hl-tgt .hl-here", ".hl-entry[aria-current='true']"):
        style = page.locator(chosen).first.evaluate(
            "(one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineWidth]"
        )
        assert style == ["solid", "2px"], chosen
