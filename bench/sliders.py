"""The page's response to every slider of every exhibit, and whether it asks the server."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from bench.page import server
from explorer import exhibits
from tests.chromium import FLAGS, find

EXHIBITS = exhibits.load()

MOVES = 30
ADDRESS = "?text=The+dog+bit+the+man.&view="


def measure() -> Iterator[tuple[str, str]]:
    """Measure from the input event to the task after the frame that shows it, by the clock."""
    from playwright.sync_api import sync_playwright

    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        for exhibit in EXHIBITS:
            page.goto(address + ADDRESS + exhibit.name)
            page.wait_for_function("document.body.dataset.ready === 'live'", timeout=60_000)
            page.wait_for_timeout(2_500)  # the exhibit's requests when it is opened
            menu = f"#panel-{exhibit.name} .hl-positions .hl-field-view select"
            views = page.locator(f"{menu} option")
            for view in range(max(1, views.count())):
                if views.count():
                    page.select_option(menu, index=view)
                    page.wait_for_timeout(1_000)
                count = page.evaluate(_FIND, exhibit.name)
                for slider in range(count):
                    requests.clear()
                    name, times = page.evaluate(_MOVE, [slider, MOVES])
                    late = statistics.quantiles(times, n=20)[-1]
                    sent = [one for one in requests if not one.startswith(("data:", "blob:"))]
                    yield (
                        f"{exhibit.name}{f', view {view + 1}' if views.count() else ''}: {name}",
                        f"median {statistics.median(times):.1f} ms, p95 {late:.1f}, "
                        f"requests {len(sent)}",
                    )
        browser.close()


_FIND = """(name) => {
    window.sliders = [...document.querySelectorAll(`#panel-${name} input[type=range]`)]
        .filter((one) => one.checkVisibility() && !one.disabled);
    return window.sliders.length;
}"""

# Random places of the slider, one after the other; then it returns to its original place.
_MOVE = """async ([at, moves]) => {
    const slider = window.sliders[at];
    const [least, most, before] = [slider.min, slider.max, slider.value].map(Number);
    const step = Number(slider.step) || 1;
    const places = Math.max(1, Math.round((most - least) / step));
    const put = (value) => {
        slider.value = value;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const times = [];
    for (let i = 0; i < moves; i++) {
        await new Promise((done) => setTimeout(done, 10 + 13 * Math.random()));
        const start = performance.now();
        put(least + step * ((i * 37 + 1) % (places + 1)));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
    }
    put(before);
    const label = slider.closest("label")?.querySelector("span");
    return [label?.textContent || slider.id || slider.name, times];
}"""
