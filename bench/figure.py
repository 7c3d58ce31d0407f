"""The view of the whole model: time to first paint, and cost per frame while it plays and zooms."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench.page import server
from bench.tracing import processor_time
from tests.chromium import FLAGS, find

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPENED = 5  # times
FRAMES = 200
# Fifteen tokens of the source, twelve of the translation.
TEXT = "When+I+got+home,+the+cat+was+sleeping+on+my+bed."


def measure() -> Iterator[tuple[str, str]]:
    """Measure first paint with the recorded example, then a played decoding step, then zooms."""
    from playwright.sync_api import sync_playwright

    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        paints, drawn = [], []
        for _ in range(OPENED):
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(address + "?view=figure")
            page.wait_for_selector(".hl-figure-svg", timeout=60_000)
            first, figure = page.evaluate(_PAINTED)
            paints.append(first)
            drawn.append(figure)
            if len(paints) < OPENED:
                page.close()
        yield "first byte to first paint, ms", _spread(paints)
        yield "first byte to the figure in the document, ms", _spread(drawn)
        page.goto(f"{address}?view=figure&step=8&text={TEXT}")
        page.wait_for_function("document.body.dataset.ready === 'live'", timeout=60_000)
        page.wait_for_selector("[data-block='decoder.2.layer']")
        for name, start in (("plays", _PLAY), ("zooms", _ZOOM)):
            yield from _frames(page, name, _FRAMES.format(start=start, count=FRAMES))
        browser.close()


def _frames(page: Page, name: str, script: str) -> Iterator[tuple[str, str]]:
    times: list[float] = []
    spent = processor_time(page, lambda: times.extend(page.evaluate(script)))
    yield f"from one frame to the next while it {name}, ms", _spread(times)
    each = spent / len(times)
    yield "  processor time of the page's main thread a frame, ms", f"{each:.1f}"


def _spread(found: list[float]) -> str:
    return f"median {statistics.median(found):.1f}, worst {max(found):.1f} of {len(found)}"


# Milliseconds after the first byte; the figure's time is taken now, so it is an upper bound.
_PAINTED = """() => {
    const { responseStart } = performance.getEntriesByType("navigation")[0];
    const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    return [first - responseStart, performance.now() - responseStart];
}"""

_PLAY = "document.querySelector('#panel-figure .hl-play').click()"
# A layer is opened and closed again, twice a second.
_ZOOM = """setInterval(() => {
    const [layer, whole] = ["[data-block='decoder.1.layer']", ".hl-figure-crumbs button"];
    const next = document.querySelector(whole) ?? document.querySelector(layer);
    next.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}, 500)"""
_FRAMES = """async () => {{
    {start};
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    while (times.length < {count}) {{
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }}
    return times;
}}"""
