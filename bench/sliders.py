"""The page's response to every slider of every exhibit, and whether it asks the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench.harness import LIVE, Row, Site, opened
from explorer.exhibits import NAMES

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOVES = 30


def measure(site: Site) -> Iterator[Row]:
    """Measure from the input event to the task after the frame that shows it."""
    with opened(site) as page:
        for name in NAMES:
            page.goto(f"{site.url}?text=The+dog+bit+the+man.&view={name}")
            page.wait_for_function(LIVE, timeout=60_000)
            page.wait_for_timeout(2_500)  # the exhibit's requests when it is opened
            menu = f"#panel-{name} .hl-positions .hl-field-view select"
            views = page.locator(f"{menu} option").count()
            for view in range(max(1, views)):
                if views:
                    page.select_option(menu, index=view)
                    page.wait_for_timeout(1_000)
                yield from _sliders(page, name, f"{name} {view + 1}" if views else name)


def _sliders(page: Page, name: str, where: str) -> Iterator[Row]:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for i in range(page.evaluate(_FIND, name)):
        requests.clear()
        label, times = page.evaluate(_MOVE, [i, MOVES])
        sent = [url for url in requests if not url.startswith(("data:", "blob:"))]
        yield Row(f"{where}, slider {i + 1}: {label}", times)
        if sent:
            yield Row("  requests", f"{len(sent)}, such as {sent[0]}")


_FIND = """(name) => {
    window.sliders = [...document.querySelectorAll(`#panel-${name} input[type=range]`)]
        .filter((slider) => slider.checkVisibility() && !slider.disabled);
    return window.sliders.length;
}"""
_MOVE = """async ([at, moves]) => {
    const slider = window.sliders[at];
    const label = slider.closest("label")?.querySelector("span");
    const times = await bench.slide(slider, moves);
    return [label?.textContent || slider.id || slider.name, times];
}"""
