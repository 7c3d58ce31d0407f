"""What the measurements stand on: a running page, Chromium, runs taken in turn, one table.

A measurement is a function that gives rows. Most get a `Site` and can be taken beside another
checkout (`make bench ARGS="paints --beside ../before"`); read its ratio, not the milliseconds.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.browsing import ROOT, Server
from tests.chromium import FLAGS, find

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WINDOW = {"width": 1366, "height": 768}  # of a laptop
LIVE = "document.body.dataset.ready === 'live' && document.body.dataset.busy === undefined"


class Row(NamedTuple):
    """What was measured, each repeat of it, and repeats of what it is compared with."""

    what: str
    values: Sequence[float] | str
    unit: str = "ms"
    peers: Mapping[str, Sequence[float]] = {}

    def __str__(self) -> str:
        if isinstance(self.values, str):
            return f"{self.what:<66} {self.values}"
        middle, repeats = statistics.median(self.values), len(self.values)
        spread = ""
        if repeats >= 20:
            spread = f", p95 {statistics.quantiles(self.values, n=20)[-1]:.4g}"
        if repeats > 1:
            spread += f", worst {max(self.values):.4g} of {repeats}"
        beside = "".join(
            f"; {name} {statistics.median(values):.4g} ({statistics.median(values) / middle:.2f})"
            for name, values in self.peers.items()
        )
        return f"{self.what:<66} {middle:.4g} {self.unit}{spread}{beside}"


class Site(NamedTuple):
    """A running page."""

    folder: Path
    url: str
    seconds: float  # from the start of its process to its first page
    process: int


@contextmanager
def served(folder: Path = ROOT, *flags: str) -> Iterator[Site]:
    """The page of a checkout, in a process of its own."""
    with tempfile.TemporaryDirectory() as room:
        server = Server(Path(room) / "log.txt", *flags, folder=folder)
        try:
            yield Site(folder, server.url, server.wait(), server.process.pid)
        finally:
            server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def opened(site: Site, query: str = "", until: str = LIVE, **options: Any) -> Iterator[Page]:
    """The page in a window of a laptop, once `until` holds, with `window.bench`."""
    with chromium() as browser:
        page = browser.new_page(viewport=WINDOW, **options)
        page.add_init_script(_SCRIPT)
        page.goto(site.url + query)
        page.wait_for_function(until, timeout=120_000)
        yield page


def processor_time(page: Page, work: Callable[[], object]) -> float:
    """Milliseconds of the page's main thread for `work`, which other load hardly changes."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return 1e3 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    before = spent()
    work()
    return spent() - before


def in_turn(
    runs: Mapping[str, Callable[[], object]], repeats: int, seconds: float = float("inf")
) -> dict[str, list[float]]:
    """Milliseconds of each, one after the other, so that other load meets all of them alike.

    After `seconds` there are no further repeats than the third.
    """
    for run in runs.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in runs}
    end = time.perf_counter() + seconds
    for turn in range(repeats):
        if turn > 2 and time.perf_counter() > end:
            break
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            times[name].append((time.perf_counter() - started) * 1e3)
    return times


def rounds(
    measure: Callable[[Site], Iterable[Row]], count: int, other: Path | None
) -> Iterator[Row]:
    """The rows of `count` servers together; with another checkout, each in turn with one of its."""
    ours: dict[str, Row] = {}
    theirs: dict[str, list[float]] = {}
    for _ in range(count):
        with served() as site:
            for row in measure(site):
                before = ours.get(row.what)
                ours[row.what] = row if before is None else _joined(before, row)
        if other is not None:
            with served(other) as site:
                for row in measure(site):
                    if not isinstance(row.values, str):
                        theirs.setdefault(row.what, []).extend(row.values)
    for row in ours.values():
        beside = {str(other): theirs[row.what]} if row.what in theirs else {}
        yield row._replace(peers={**row.peers, **beside})


def _joined(before: Row, row: Row) -> Row:
    if isinstance(row.values, str):
        return row
    peers = {name: [*before.peers[name], *values] for name, values in row.peers.items()}
    return row._replace(values=[*before.values, *row.values], peers=peers)  # type: ignore[list-item]


_SCRIPT = """window.bench = {
    // Until the task after the next frame.
    frame: () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    // Milliseconds from each act to the task after the frame that shows it.
    async painted(count, act) {
        const times = [];
        for (let i = 0; i < count; i++) {
            await new Promise((done) => setTimeout(done, 10 + 13 * Math.random()));
            const start = performance.now();
            act(i);
            await bench.frame();
            times.push(performance.now() - start);
        }
        return times;
    },
    // The same for places of a slider in no order; then it returns to its own.
    async slide(slider, count) {
        const [least, most, before] = [slider.min, slider.max, slider.value].map(Number);
        const step = Number(slider.step) || 1;
        const places = Math.max(1, Math.round((most - least) / step));
        const put = (value) => {
            slider.value = value;
            slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
        };
        const times = await bench.painted(count, (i) =>
            put(least + step * ((i * 37 + 1) % (places + 1))));
        put(before);
        return times;
    },
    // From one frame to the next.
    async frames(count) {
        const times = [];
        let last = await new Promise(requestAnimationFrame);
        while (times.length < count) {
            const now = await new Promise(requestAnimationFrame);
            times.push(now - last);
            last = now;
        }
        return times;
    },
};"""
