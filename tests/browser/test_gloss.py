"""With words under its tokens each view keeps its picture, and no label crosses another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.exhibits import NAMES
from tests.browsing import Watched, at_rest, drawn
from tests.tiers import turns

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Watched]
LEAST = 0.9  # of a picture's height without them
WINDOWS = (
    ((1366, 768), "en"), ((390, 844), "zh"), ((390, 844), "en"), ((1366, 768), "zh"),
)  # fmt: skip
# Each view in one window and language a day.
TODAY = dict(zip(NAMES, turns(WINDOWS, len(NAMES)), strict=True))

HEIGHT = """() => [...document.querySelectorAll('.hl-panel:not([hidden]) [data-part="picture"]')]
    .map((one) => one.clientHeight)[0] ?? 0"""

# Texts of a drawing that lie on one another, of which one at least is a gloss; turned ones are
# beside each other by their lines, which boxes do not tell.
CROSSED = """() => {
    const texts = [...document.querySelectorAll('.hl-panel:not([hidden]) svg text')]
        .filter((one) => one.textContent.trim() && !one.closest('[transform*=rotate]'))
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0);
    const isGloss = ({ one }) => one.classList.contains('hl-gloss');
    const crosses = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const chips = [...document.querySelectorAll('.hl-strip .hl-token, .hl-end')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent);
    return [...chips, ...texts.filter(isGloss).flatMap((mine) => texts
        .filter((other) => other !== mine && crosses(mine.box, other.box))
        .map((other) => `${mine.one.textContent} on ${other.one.textContent}`))];
}"""


def walk(watched: Watched, views: tuple[str, ...]) -> list[str]:
    """What is wrong in these views: labels that cross, and pictures that lost too much."""
    wrong = []
    for view in views:
        page = watched.go(f"?view={view}")
        heights = {}
        for is_on in (False, True):
            page.evaluate("(on) => headlight.page.gloss.set(on)", is_on)
            at_rest(page, view)
            drawn(page)
            heights[is_on] = page.evaluate(HEIGHT)
        if heights[True] < LEAST * heights[False]:
            wrong.append(f"{view}: {heights}")
        wrong += [f"{view}: {one}" for one in page.evaluate(CROSSED)]
    return wrong


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize(("size", "language"), WINDOWS)
def test_glosses_have_room(
    open_page: Open, size: tuple[int, int], language: str, half: int
) -> None:
    width, height = size
    views = tuple(name for name in NAMES if (size, language) in TODAY[name])[half::2]
    assert views
    watched = open_page(f"?lang={language}", viewport={"width": width, "height": height})
    assert walk(watched, views) == []
