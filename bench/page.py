"""Time to load the page."""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness import Row, Site, opened

# Of the recorded example, which is drawn before the first reply.
DRAWN = "document.querySelector('#hl-src :is(button, [role=button])') !== null"
FIGURE = "document.querySelector('.hl-figure-svg') !== null"


def measure(site: Site) -> Iterator[Row]:
    """Measure the first page, the first paint, the recorded example and the figure."""
    yield Row("process start to first page", [site.seconds], "s")
    with opened(site, until=DRAWN) as page:
        yield Row("first byte to the recorded example drawn", [page.evaluate(_SINCE)])
        yield Row("first byte to first paint", [page.evaluate(_PAINTED)])
    with opened(site, "?view=figure", until=FIGURE) as page:
        yield Row("first byte to the figure in the document", [page.evaluate(_SINCE)])


_START = "const { responseStart } = performance.getEntriesByType('navigation')[0];"
_SINCE = f"() => {{ {_START} return performance.now() - responseStart; }}"  # an upper bound
_PAINTED = f"""async () => {{
    {_START}
    const paint = () => performance.getEntriesByName("first-contentful-paint")[0];
    while (paint() === undefined) await bench.frame();
    return paint().startTime - responseStart;
}}"""
