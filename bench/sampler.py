"""The sampler's response to a slider: time to the painted frame, frames per second of dragging."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from bench.page import server
from bench.tracing import processor_time
from tests.chromium import FLAGS, find

LARGE = 65_000  # tokens of a made-up vocabulary, as large as those of Marian models
MOVES = 120
DRAGS = 3
TRACED = 60  # moves
ADDRESS = "?view=sampling&step=2&top_p=0.95&text="


def measure() -> Iterator[tuple[str, str]]:
    """Measure the shipped model's vocabulary, then a large one, drawn by the same modules."""
    from playwright.sync_api import sync_playwright

    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(address + ADDRESS + "I%20am%20a%20student.")
        page.wait_for_selector(".hl-sampling-bars button", timeout=60_000)
        page.wait_for_timeout(1_000)
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.evaluate(_SLIDER)
        yield from _figures(page, "the shipped model")
        yield "  requests sent meanwhile", str(len(requests))
        page.evaluate(_MADE_UP, LARGE)
        page.evaluate(_SLIDER)
        yield from _figures(page, f"{LARGE:,} tokens")
        browser.close()


def _figures(page, tokens: str) -> Iterator[tuple[str, str]]:  # type: ignore[no-untyped-def]
    times = page.evaluate(_MOVES, MOVES)
    late = statistics.quantiles(times, n=20)[-1]
    yield (
        f"sampler, {tokens}: slider event to painted frame, ms",
        f"median {statistics.median(times):.1f}, p95 {late:.1f}",
    )
    spent = processor_time(page, lambda: page.evaluate(_MOVES, TRACED))
    yield "  processor time of the page's main thread a frame, ms", f"{spent / TRACED:.1f}"
    frames = [page.evaluate(_DRAG) for _ in range(DRAGS)]
    yield "  frames painted in a drag of 1 s", ", ".join(map(str, frames))


# `move(value)` is one event of the temperature's slider.
_SLIDER = """() => {
    const slider = document.querySelector(".hl-sampling-temperature [type=range]");
    slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    window.move = (value) => {
        slider.value = value;
        slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
}"""

# Mount the exhibit on a page whose model has random log-probs for any number of tokens.
_MADE_UP = """async (size) => {
    const { page, mounted } = window.headlight;
    const path = "explorer/exhibits/sampling/view.js";
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const root = loaded.find((name) => name.endsWith(path)).replace(path, "");
    const view = await import(root + path);
    const { mountView } = await import(`${root}assets/kit/page.js`);
    const { createStore } = await import(`${root}assets/kit/store.js`);
    const logits = Float32Array.from({ length: size }, (_, i) => 3 * Math.sin(i * i) - i / size);
    const norm = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    const bytes = new Uint8Array(logits.map((logit) => logit - norm).buffer);
    const planes = Uint8Array.from(bytes, (_, i) => bytes[(i % size) * 4 + Math.floor(i / size)]);
    const deflate = new CompressionStream("deflate");
    const stream = new Blob([planes]).stream().pipeThrough(deflate);
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    const log_probs = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
    const texts = Array.from({ length: size }, (_, id) => String(id));
    const record = page.record.get();
    const made = Object.create(page);
    made.record = createStore({ ...record, model: { ...record.model, vocabulary: size } });
    made.ask = async (question) =>
        question === "vocabulary"
            ? { texts, pieces: texts, kinds: {}, longest: 128 }
            : { log_probs };
    mounted.get("sampling").end();
    const el = document.querySelector("#panel-sampling .hl-exhibit");
    mountView(view, el, made, "sampling");
    while (el.querySelector(".hl-sampling-many:enabled") === null)
        await new Promise(requestAnimationFrame);
    el.querySelector(".hl-sampling-one").click();
    el.querySelector(".hl-sampling-many").click();
    await new Promise((done) => setTimeout(done, 500));
}"""

# One event after the other, each until the task after the frame that shows it.
_MOVES = """async (count) => {
    const times = [];
    for (let i = 0; i < count; i++) {
        await new Promise((done) => setTimeout(done, 10 + 13 * Math.random()));
        const start = performance.now();
        move(60 + ((i * 37) % 120));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
    }
    return times;
}"""

# An event in every frame for a second; a frame counts if it shows a new entropy.
_DRAG = """async () => {
    const shown = document.querySelector(".hl-sampling-numbers tbody td:nth-child(3)");
    const start = performance.now();
    let [before, frames, i] = ["", 0, 0];
    while (performance.now() - start < 1000) {
        move(60 + ((i += 7) % 120));
        await new Promise(requestAnimationFrame);
        await new Promise((done) => setTimeout(done));
        if (shown.textContent !== before) frames += 1;
        before = shown.textContent;
    }
    return frames;
}"""
