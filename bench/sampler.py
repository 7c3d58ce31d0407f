"""The sampler's response to a slider, with the vocabulary of the model and with a large one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.engines import write
from bench.harness import Row, Site, opened, processor_time, served

LARGE = 65_000  # tokens of a random model, as many as Marian models have
MOVES = 60
QUERY = "?view=sampling&step=2&top_p=0.95&text=I+am+a+cat"


def measure(site: Site) -> Iterator[Row]:
    """Measure the shipped model's vocabulary, then a large one."""
    yield from _moves(site, "the model's tokens")
    with tempfile.TemporaryDirectory() as room:
        folder = write(Path(room), 64, 1, LARGE)
        with served(site.folder, "--model", str(folder)) as large:
            yield from _moves(large, f"{LARGE:,} tokens")


def _moves(site: Site, tokens: str) -> Iterator[Row]:
    with opened(site, QUERY) as page:
        page.wait_for_selector(".hl-sampling-bars button", timeout=60_000)
        page.wait_for_timeout(1_000)
        times: list[float] = []
        spent = processor_time(page, lambda: times.extend(page.evaluate(_SLIDE, MOVES)))
        yield Row(f"sampler, {tokens}: slider event to painted frame", times)
        yield Row(f"  processor time of the main thread a frame, {tokens}", [spent / MOVES])


_SLIDE = """(moves) => {
    const slider = document.querySelector(".hl-sampling-temperature [type=range]");
    slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    return bench.slide(slider, moves);
}"""
