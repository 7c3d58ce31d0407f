"""The view of the whole model: its cost per frame while it plays and zooms."""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness import Row, Site, opened, processor_time

FRAMES = 200
# Fifteen tokens of the source, twelve of the translation.
QUERY = "?view=figure&step=8&text=When+I+got+home,+the+cat+was+sleeping+on+my+bed."


def measure(site: Site) -> Iterator[Row]:
    """Measure a played decoding step, then zooms."""
    with opened(site, QUERY) as page:
        page.wait_for_selector("[data-block='decoder.2.layer']")
        for name, start in (("plays", _PLAY), ("zooms", _ZOOM)):
            times: list[float] = []
            script = f"() => {{ {start}; return bench.frames({FRAMES}); }}"
            spent = processor_time(page, lambda: times.extend(page.evaluate(script)))  # noqa: B023
            yield Row(f"from one frame to the next while it {name}", times)
            each = spent / FRAMES
            yield Row(f"  processor time of the main thread a frame that {name}", [each])


_PLAY = "document.querySelector('#panel-figure .hl-play').click()"
# A layer is opened and closed again, twice a second.
_ZOOM = """setInterval(() => {
    const [layer, whole] = ["[data-block='decoder.1.layer']", ".hl-figure-crumbs button"];
    const next = document.querySelector(whole) ?? document.querySelector(layer);
    next.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}, 500)"""
