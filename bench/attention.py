"""The time to draw all heads of a long text, and the response to the pointer.

Times are processor time of the page's main thread, from the browser's own trace: they are valid on
a busy machine too. Wall-clock time is given beside the first of them.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from typing import Any

from bench.page import server
from tests.chromium import FLAGS, find

RUNS = 5
POINTS = 40
LONG = (
    "Yesterday morning the old teacher told all of the students in the small school near the "
    "river that they had to write a long letter about their favourite book, and that the best of "
    "these letters would be read to the parents on Friday evening, although nobody knew yet who "
    "would choose them, or what the others would get. "
)
PREFIX = 100  # tokens of a forced prefix, so that the translation is long too
CATEGORIES = ["toplevel", "devtools.timeline", "blink.user_timing"]


def measure() -> Iterator[tuple[str, str]]:
    """Measure payload, time from reply to last tile, longest task, and moves of the pointer."""
    from playwright.sync_api import sync_playwright

    from model.explain import Explainer

    start = Explainer.load(None, device="cpu").tokenizer.encode_target("他说").ids.tolist()
    prefix = ".".join(map(str, (start * PREFIX)[:PREFIX]))
    found: dict[str, list[float]] = {"clock": [], "paint": [], "task": [], "map": [], "lines": []}
    with sync_playwright() as playwright, server() as (address, *_):
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for _ in range(RUNS):
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.add_init_script(_WATCH)
            browser.start_tracing(page=page, categories=CATEGORIES)
            page.goto(
                f"{address}?view=attention&text={LONG.replace(' ', '+')}&prefix={prefix}&heads=map"
            )
            page.wait_for_function("document.body.dataset.ready === 'live'", timeout=120_000)
            page.wait_for_timeout(3_000)
            page.evaluate(_POINT, [".hl-attention .hl-map .hl-field", POINTS, "map"])
            page.check(".hl-attention .hl-field-view [value=lines]")
            page.wait_for_timeout(1_000)
            page.evaluate(_POINT, [".hl-lines .hl-end", POINTS, "lines"])
            events = json.loads(browser.stop_tracing())["traceEvents"]
            shape = page.evaluate(
                "['#hl-src', '#hl-tgt'].map((s) => document.querySelector(s).children.length)"
            )
            size = page.evaluate("window.seen.size")
            _read(events, found)
            page.close()
        browser.close()
    yield f"payload of {shape[0]} x {shape[1]} tokens, all of it", f"{size / 1e3:.0f} kB"
    yield "  from the reply to the last of 72 heads painted, on the clock", _ms(found["clock"])
    yield "  the same in processor time", _ms(found["paint"])
    yield "  the longest task of it", _ms(found["task"])
    yield "  the work for a move of the pointer over the map", _ms(found["map"])
    yield "  the work for a move from token to token of the lines", _ms(found["lines"])


def _read(events: list[dict[str, Any]], found: dict[str, list[float]]) -> None:
    """Add the milliseconds of one visit; `hl-` marks delimit the parts."""
    threads = {
        (e["pid"], e["tid"])
        for e in events
        if e.get("name") == "thread_name" and e["args"].get("name") == "CrRendererMain"
    }
    marks: dict[str, list[float]] = {}
    for e in events:
        if str(e.get("name", "")).startswith("hl-") and (e["pid"], e["tid"]) in threads:
            marks.setdefault(e["name"], []).append(e["ts"])
    tasks = [
        (e["ts"], e.get("tdur", 0) / 1e3)
        for e in events
        if e.get("name") == "ThreadControllerImpl::RunTask" and (e["pid"], e["tid"]) in threads
    ]

    def within(first: float, last: float) -> list[float]:
        return [time for ts, time in tasks if first <= ts <= last]

    reply, last = max(marks["hl-reply"]), max(marks["hl-painted"])
    found["clock"].append((last - reply) / 1e3)
    found["paint"].append(sum(within(reply - 1e3, last)))
    found["task"].append(max(within(reply - 1e3, last)))
    for part in ("map", "lines"):
        moves, painted = sorted(marks[f"hl-{part}"]), sorted(marks[f"hl-{part}-painted"])
        found[part] += [sum(within(a, b)) for a, b in zip(moves, painted, strict=True)]


def _ms(found: list[float]) -> str:
    worst = sorted(found)[int((len(found) - 1) * 0.95)]
    return f"median {statistics.median(found):.1f} ms, 95 of 100 within {worst:.1f}, {len(found)} x"


# Marks the largest reply, and each painted tile after it.
_WATCH = """
window.seen = { size: 0 };
const parse = JSON.parse;
JSON.parse = (text, ...more) => {
    if (typeof text === "string" && text.length > 300_000 && text.length > window.seen.size) {
        performance.mark("hl-reply");
        window.seen.size = text.length;
    }
    return parse(text, ...more);
};
const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
Object.defineProperty(HTMLImageElement.prototype, "src", { set(address) {
    set.call(this, address);
    if (this.closest(".hl-tile") === null || window.seen.size === 0) return;
    this.decode().then(() => {
        requestAnimationFrame(() => setTimeout(() => { performance.mark("hl-painted"); }));
    });
} });
"""

# Moves the pointer, one place after the other: a mark before each, and one when it is painted.
_POINT = """async ([selector, count, name]) => {
    for (let i = 0; i <= count; i++) {
        const all = document.querySelectorAll(selector);
        const target = all[all.length > 1 ? (i * 7) % all.length : 0];
        const box = target.getBoundingClientRect();
        await new Promise((done) => setTimeout(done, 150));
        performance.mark(`hl-${name}`);
        await new Promise((done) => setTimeout(done, 1));
        const at = { bubbles: true, pointerType: "mouse",
            clientX: box.left + ((i * 37) % 97) / 97 * box.width,
            clientY: box.top + ((i * 53) % 89) / 89 * box.height };
        target.dispatchEvent(new PointerEvent("pointermove", at));
        target.dispatchEvent(new PointerEvent("pointerover", at));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        performance.mark(`hl-${name}-painted`);
    }
}"""
