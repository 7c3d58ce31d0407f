"""The time to draw all heads of a long text, and the response to the pointer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bench.harness import Row, Site, opened, processor_time
from tests.browsing import GO

if TYPE_CHECKING:
    from playwright.sync_api import Page

POINTS = 40
LONG = (
    "Yesterday morning the old teacher told all of the students in the small school near the "
    "river that they had to write a long letter about their favourite book, and that the best of "
    "these letters would be read to the parents on Friday evening, although nobody knew yet who "
    "would choose them, or what the others would get. "
)
PREFIX = 100  # tokens of a forced prefix, so that the translation is long too
VIEW = {"view": "attention", "attention.view": "map"}


def measure(site: Site) -> Iterator[Row]:
    """Measure the reply's size, the time from it to the last tile, and moves of the pointer."""
    with opened(site, f"?{urlencode(VIEW)}") as page:
        yield Row("arrow key to the next head painted", page.evaluate(_HEADS))
        token = page.evaluate("window.headlight.page.record.get().tgt_out[0].id")
        prefix = ".".join([str(token)] * PREFIX)
        query = f"?{urlencode({**VIEW, 'text': LONG, 'prefix': prefix})}"
        page.evaluate(_WATCH)
        work = processor_time(page, lambda: _draw(page, query))
        size, clock = page.evaluate("[seen.size / 1e3, seen.painted - seen.reply]")
        yield Row(f"reply of 94 x {PREFIX} tokens or more", [size], "kB")
        yield Row("  from the reply to the last of 72 heads painted", [clock])
        yield Row("  processor time of the main thread from the request on", [work])
        yield from _moves(page, "the map", ".hl-attention .hl-map .hl-field")
        page.check(".hl-attention .hl-field-view [value=lines]")
        page.wait_for_timeout(1_000)
        yield from _moves(page, "the lines", ".hl-lines .hl-end")


def _draw(page: Page, query: str) -> None:
    page.evaluate(GO, query)
    page.wait_for_function("seen.painted > 0", timeout=120_000)
    page.wait_for_timeout(3_000)


def _moves(page: Page, where: str, selector: str) -> Iterator[Row]:
    times: list[float] = []
    work = processor_time(page, lambda: times.extend(page.evaluate(_POINT, [selector, POINTS])))
    yield Row(f"  a move of the pointer over {where}, painted", times)
    yield Row(f"    processor time of a move over {where}", [work / POINTS])


_HEADS = """() => {
    document.querySelector(".hl-attention .hl-heads [tabindex='0']").focus();
    return bench.painted(30, (i) => {
        const key = i % 2 ? "ArrowLeft" : "ArrowRight";
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });
}"""

# When the large reply was read, and when the last tile after it was painted.
_WATCH = """() => {
    window.seen = { size: 0, reply: 0, painted: 0 };
    const parse = JSON.parse;
    JSON.parse = (text, ...more) => {
        if (typeof text === "string" && text.length > 300_000 && text.length > seen.size) {
            Object.assign(seen, { size: text.length, reply: performance.now() });
        }
        return parse(text, ...more);
    };
    const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
    Object.defineProperty(HTMLImageElement.prototype, "src", { set(address) {
        set.call(this, address);
        if (this.closest(".hl-tile") === null || seen.size === 0) return;
        this.decode().then(bench.frame).then(() => { seen.painted = performance.now(); });
    } });
}"""

# Moves the pointer, one place after the other.
_POINT = """([selector, count]) => bench.painted(count, (i) => {
    const all = document.querySelectorAll(selector);
    const target = all[all.length > 1 ? (i * 7) % all.length : 0];
    const box = target.getBoundingClientRect();
    const at = { bubbles: true, pointerType: "mouse",
        clientX: box.left + ((i * 37) % 97) / 97 * box.width,
        clientY: box.top + ((i * 53) % 89) / 89 * box.height };
    target.dispatchEvent(new PointerEvent("pointermove", at));
    target.dispatchEvent(new PointerEvent("pointerover", at));
})"""
