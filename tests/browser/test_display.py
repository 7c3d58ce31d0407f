"""Forced colours keep what tells a value; at 200 % zoom a view is in sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from explorer.exhibits import NAMES
from tests.browsing import AT_REST, Watched, choose_exhibit, drawn, show

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
LAPTOP_AT_200 = {"width": 683, "height": 384}

# Bars and swatches: what has no text and a colour of its own, which would be gone otherwise.
COLOURS = """() => {
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
    before = page.evaluate(COLOURS)
    page.emulate_media(forced_colors="active")
    after = page.evaluate(COLOURS)
    page.emulate_media(forced_colors="none")
    return sorted({one for one, other in zip(before, after, strict=True) if one != other})


def test_forced_colours_keep_bars_and_swatches(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce").page
    lost, seen = {}, 0
    for name in NAMES:
        show(page, name)
        page.wait_for_timeout(300)
        page.wait_for_function(AT_REST)
        drawn(page)
        lost[name] = lost_colours(page)
        seen += len(page.evaluate("window.coloured"))
    assert {name: found for name, found in lost.items() if found} == {}
    assert seen > 50
    choose_exhibit(page, "steps")
    page.add_style_tag(content=".hl-bar-track i { forced-color-adjust: auto !important; }")
    assert lost_colours(page) != []


def test_what_is_chosen_is_framed_in_forced_colours(open_page: Open) -> None:
    page = open_page(forced_colors="active").page
    for chosen in ("#hl-tgt .hl-here", ".hl-entry[aria-current='true']"):
        style = page.locator(chosen).first.evaluate(
            "(one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineWidth]"
        )
        assert style == ["solid", "2px"], chosen


def test_a_view_is_in_sight_at_200_percent(open_page: Open) -> None:
    """683 x 384: sentence and view together, and nothing wider than the window."""
    page = open_page(viewport=LAPTOP_AT_200).page
    found = {}
    for name in NAMES:
        show(page, name)
        page.wait_for_timeout(150)
        drawn(page)
        top, wider = page.evaluate(
            """() => { window.scrollTo(0, 0); return [
                document.querySelector('.hl-panel:not([hidden]) .hl-exhibit')
                    .getBoundingClientRect().top,
                document.documentElement.scrollWidth - window.innerWidth]; }"""
        )
        if top > 230 or wider > 0:
            found[name] = (top, wider)
    assert found == {}
