"""Figure 1: how soon it is there, and what a frame of its animation costs."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from bench.page import server
from bench.tracing import processor_time
from tests.chromium import FLAGS, find

OPENED = 5  # times


def measure() -> Iterator[tuple[str, str]]:
    """First paint with the recorded example, then a decoding step played."""
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
        page.wait_for_function("document.body.dataset.ready === 'live'", timeout=60_000)
        times: list[float] = []
        spent = processor_time(page, lambda: times.extend(page.evaluate(_PLAY)))
        yield "from one frame to the next while it plays, ms", _spread(times)
        yield "  processor time of the page's main thread a frame, ms", f"{spent / len(times):.1f}"
        browser.close()


def _spread(found: list[float]) -> str:
    return f"median {statistics.median(found):.1f}, worst {max(found):.1f} of {len(found)}"


# Milliseconds after the first byte; the figure's own time is that of now, so at most too long.
_PAINTED = """() => {
    const { responseStart } = performance.getEntriesByType("navigation")[0];
    const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    return [first - responseStart, performance.now() - responseStart];
}"""

_PLAY = """async () => {
    document.querySelector(".hl-figure-play").click();
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    const end = last + 4000;
    while (last < end) {
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    return times;
}"""
