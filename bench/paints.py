"""Time to first paint of each view after pressing its tab, and the work for it.

Wall-clock time: from the press to the first frame with content of the view. Work: processor time of
the page's main thread in the second after the press. A view that works longer (the proof) is
allowed to finish, so that it does not affect the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench.harness import Row, Site, opened, processor_time
from tests.browsing import AT_REST

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUERY = "?text=I+met+him+at+the+station+yesterday+and+we+talked+about+old+times."


def measure(site: Site) -> Iterator[Row]:
    """Measure each view in the order of the tabs, in a page that has shown the ones before it."""
    with opened(site, QUERY, reduced_motion="reduce") as page:
        page.wait_for_timeout(2_000)
        for name in page.evaluate(_NAMES):
            shown: list[float] = []
            work = processor_time(page, lambda: _open(page, name, shown))  # noqa: B023 - at once
            yield Row(f"{name}: on show", shown)
            yield Row("  its work in the first second: " + name, [work])
            page.wait_for_function(AT_REST, timeout=60_000)
            page.wait_for_timeout(1_500)


def _open(page: Page, name: str, shown: list[float]) -> None:
    shown.append(page.evaluate(_OPEN, name))
    page.wait_for_timeout(1_000)


_NAMES = """() => [...document.querySelectorAll("[id^='tab-']")]
    .map((tab) => tab.id.slice("tab-".length))"""

# The frame after the first one with content in the panel has been painted.
_OPEN = """async (name) => {
    const start = performance.now();
    window.headlight.page.choose({ exhibit: name });
    const panel = document.querySelector(`#panel-${name}`);
    do await bench.frame();
    while (panel.hidden || panel.querySelector("canvas, svg, table, input, button, p") === null);
    return performance.now() - start;
}"""
