"""The search tree's response to its slider: a made-up search of ten beams over forty steps."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from bench.page import server
from tests.chromium import FLAGS, find

BEAMS, STEPS = 10, 40


def measure() -> Iterator[tuple[str, str]]:
    """Measure a slider's move to the task after its paint, pruned candidates folded or not."""
    from playwright.sync_api import sync_playwright

    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
        page.goto(f"{address}?view=tree")
        page.wait_for_function(
            "document.body.dataset.ready === 'live' && document.body.dataset.busy === undefined",
            timeout=90_000,
        )
        page.wait_for_selector(".hl-tree-table tr")
        page.evaluate(_MADE_UP, [BEAMS, STEPS])
        for name, unfolded, size in (
            ("readable, folded", False, 3),
            ("whole, folded", False, 2),
            ("whole, all unfolded", True, 2),
        ):
            page.set_checked(".hl-tree-all input", unfolded)
            page.click(f".hl-tree .hl-zoom button:nth-child({size})")
            times = sorted(page.evaluate(_SCRUB))
            worst = times[int(len(times) * 0.95)]
            yield (
                f"search step painted, {BEAMS} beams x {STEPS} steps, {name}, ms",
                f"median {statistics.median(times):.1f}, p95 {worst:.1f}",
            )
        browser.close()


# Put a search of that size into the current record: 20 candidates per beam, 10 continue.
_MADE_UP = """async ([beams, steps]) => {
    const { record } = window.headlight.page;
    const shown = record.get();
    const long = (list) => Array.from({ length: steps }, (_, i) => list[i % list.length]);
    const ids = Object.keys(shown.search.labels).map(Number);
    const made = Array.from({ length: steps }, (_, t) => {
        const count = (t === 0 ? 1 : beams) * 2 * beams;
        const each = (make) => Array.from({ length: count }, (_, c) => make(c));
        const last = t === steps - 1;
        return {
            count, parents: each((c) => (t === 0 ? -1 : (c * 7 + t) % beams)),
            ids: each((c) => ids[(c * 31 + t * 17) % ids.length]),
            log_probs: each((c) => -0.1 - c / 10), totals: each((c) => -t - c / 10),
            fates: each((c) => (c >= beams ? "pruned" : last ? "finished" : "kept")),
            forced: each(() => 0),
        };
    });
    const path = [0];
    for (let t = steps - 1; t > 0; t -= 1) path.unshift(made[t].parents[path[0]]);
    record.set({
        ...shown, text: "made up", path, search: { ...shown.search, steps: made },
        tgt_in: long(shown.tgt_in), tgt_out: long(shown.tgt_out), steps: long(shown.steps),
        hypotheses: [{ ...shown.hypotheses[0], path, length: steps }],
    });
    await new Promise((done) => setTimeout(done, 500));
}"""

# Moves the slider over all steps and back; each time until the task after the next paint.
_SCRUB = """async () => {
    const slider = document.querySelector(".hl-tree-bar input[type=range]");
    const steps = Array.from({ length: Number(slider.max) }, (_, i) => i + 1);
    const times = [];
    for (const step of [...steps, ...steps.toReversed()]) {
        const start = performance.now();
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
    }
    return times;
}"""
