"""How soon the sampler follows a slider: from the input event to the painted frame, and how many
frames a drag of one second paints."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator

from bench.page import server
from tests.chromium import FLAGS, find

LARGE = 65_000  # tokens of a made-up vocabulary, as large as those of Marian models
MOVES = 120
DRAGS = 3
TRACED = 60  # moves
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
ADDRESS = "?view=sampling&step=2&top_p=0.95&text="


def measure() -> Iterator[tuple[str, str]]:
    """The shipped model's vocabulary, then a large one, drawn by the same modules."""
    from playwright.sync_api import sync_playwright

    with server() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(address + ADDRESS + "I%20am%20a%20student.")
        page.wait_for_selector("#hl-sampling-bars button", timeout=60_000)
        page.wait_for_timeout(1_000)
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.evaluate(_SHIPPED)
        yield from _figures(page, "the shipped model")
        yield "  requests sent meanwhile", str(len(requests))
        page.evaluate(_MADE_UP, LARGE)
        yield from _figures(page, f"{LARGE:,} tokens")
        browser.close()


def _figures(page, tokens: str) -> Iterator[tuple[str, str]]:  # type: ignore[no-untyped-def]
    times = page.evaluate(_MOVES, MOVES)
    late = statistics.quantiles(times, n=20)[-1]
    yield (
        f"sampler, {tokens}: slider event to painted frame, ms",
        f"median {statistics.median(times):.1f}, p95 {late:.1f}",
    )
    yield "  processor time of the page's main thread a frame, ms", f"{_processor_time(page):.1f}"
    frames = [page.evaluate(_DRAG) for _ in range(DRAGS)]
    yield "  frames painted in a drag of 1 s", ", ".join(map(str, frames))


def _processor_time(page) -> float:  # type: ignore[no-untyped-def]
    """Milliseconds of the thread that runs the page's code, layout and painting, for each move.

    Other work on the machine hardly changes it, unlike the times by the clock.
    """
    browser = page.context.browser
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate(_MOVES, TRACED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    spent: dict[tuple[int, int], float] = dict.fromkeys(threads, 0.0)
    for event in events:
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in threads:
            spent[event["pid"], event["tid"]] += event.get("tdur", 0)
    return max(spent.values()) / 1000 / TRACED


# `move(value)` is one event of the temperature's slider.
_SHIPPED = """async () => {
    const slider = document.querySelector("#hl-sampling-temperature");
    slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    window.move = (value) => {
        slider.value = value;
        slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
}"""

# The same picture with random log-probs of any number of tokens, in place of the exhibit's own.
_MADE_UP = """async (size) => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const from = loaded.find((name) => name.endsWith("/exhibits/sampling.js")).replace(".js", "");
    const { createPicture } = await import(`${from}_picture.js`);
    const { distribution } = await import(`${from}_source.js`);
    const { stops } = await import(`${from}_controls.js`);
    const { eachFrame } = await import(`${from.replace("exhibits/sampling", "elements")}.js`);
    const logits = Float32Array.from({ length: size }, (_, i) => 3 * Math.sin(i * i) - i / size);
    const found = distribution("made up", logits);
    const names = { label: (id) => ({ id, text: `${id}`, piece: `${id}`, kind: "word" }) };
    const root = document.querySelector("#panel-sampling").parentElement;
    const picture = createPicture(root, { onChoose() {}, onSize() {} });
    const view = {
        found, names, over: null, trouble: null, writing: false, dragging: true, chosen: null,
        index: 0, draws: 200, walk: { base: [], added: [], taken: 1 },
        shown: { model: { vocabulary: size } },
    };
    const settings = { top_k: 0, top_p: 0.95, seed: 0 };
    const redraw = eachFrame(() => picture.draw({ ...view, settings }));
    const temperatures = stops("temperature", size);
    window.move = (value) => {
        settings.temperature = temperatures[value];
        redraw();
    };
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

# An event in every frame for a second; a frame counts where the entropy that it shows is new.
_DRAG = """async () => {
    const shown = document.querySelector("#hl-sampling-numbers tbody td:nth-child(3)");
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
