"""Time to first paint of each view after pressing its tab, and the work for it.

Wall-clock time: from the press to the first frame with content of the view. Work: processor time of
the page's main thread in the second after the press. A view that works longer (the proof) is
allowed to finish, so that it does not affect the next one.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from bench.page import server
from tests.chromium import FLAGS, find

RUNS = 5
ADDRESS = "?text=I+met+him+at+the+station+yesterday+and+we+talked+about+old+times."
AT_REST = "!('busy' in document.body.dataset) && !('asking' in document.body.dataset)"


def measure() -> Iterator[tuple[str, str]]:
    """Measure each view in the order of the tabs, in a page that has shown the ones before it."""
    from playwright.sync_api import Page, sync_playwright

    soon: dict[str, list[float]] = {}
    work: dict[str, list[float]] = {}
    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))

        def look(page: Page) -> None:
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

            def worked() -> float:
                found = devtools.send("Performance.getMetrics")["metrics"]
                return float(next(m["value"] for m in found if m["name"] == "TaskDuration"))

            for name in page.evaluate(_NAMES):
                before = worked()
                soon.setdefault(name, []).append(page.evaluate(_OPEN, name))
                page.wait_for_timeout(1_000)
                work.setdefault(name, []).append((worked() - before) * 1e3)
                page.wait_for_function(AT_REST, timeout=60_000)
                page.wait_for_timeout(1_500)

        for _ in range(RUNS):
            page = browser.new_page(
                viewport={"width": 1366, "height": 768}, reduced_motion="reduce"
            )
            page.goto(address + ADDRESS)
            page.wait_for_function("document.body.dataset.ready === 'live'", timeout=60_000)
            page.wait_for_timeout(2_000)
            look(page)
            page.close()
        browser.close()
    for name, times in soon.items():
        yield (
            f"{name}: on show",
            f"median {statistics.median(times):.0f} ms, work "
            f"{statistics.median(work[name]):.0f} ms, {len(times)} x",
        )


_NAMES = """() => [...document.querySelectorAll("[id^='tab-']")]
    .map((tab) => tab.id.slice("tab-".length))"""

# The frame after the first one with content in the panel has been painted.
_OPEN = """async (name) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const start = performance.now();
    window.headlight.page.choose({ exhibit: name });
    const panel = document.querySelector(`#panel-${name}`);
    do await frame();
    while (panel.hidden || panel.querySelector("canvas, svg, table, input, button, p") === null);
    return performance.now() - start;
}"""
