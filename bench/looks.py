"""From a press to its picture: *Why it looks there* beside *One head in numbers*.

Each press opens the view at a head that was not asked for yet, first one view, then the other; and
each then goes to the next head within the view. With the server, and with the engine in the browser
of a published folder.
"""

from __future__ import annotations

import functools
import http.server
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bench.harness import Row, Site, opened
from explorer import publish
from model.config import KINDS
from model.shipped import FIRST
from tests.browsing import AT_REST

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXTS = {  # by their tokens
    12: "I met him at the station and we talked about old times.",
    50: "When I came home from the station yesterday evening, my sister was still sitting in the "
    "kitchen and reading the long letter that our father had written to us from the hospital a "
    "few weeks ago, before he had heard the good news.",
}
VIEWS = {"looks": "Why it looks there", "microscope": "One head in numbers"}
HEADS = [(layer, head) for layer in (2, 1, 0) for head in range(8)]  # of the shipped models


def measure(site: Site) -> Iterator[Row]:
    """Measure with the server, then with the engine."""
    yield from _presses(site, "server")
    with tempfile.TemporaryDirectory() as folder:
        publish.build(Path(folder) / "site", [FIRST])
        with _static(Path(folder) / "site") as url:
            yield from _presses(Site(site.folder, url, 0, 0), "engine")


def _presses(site: Site, where: str) -> Iterator[Row]:
    for tokens, text in TEXTS.items():
        for kind in KINDS:
            query = f"?text={quote(text)}&view=steps"
            # A published page's own policy would not let Playwright wait for anything.
            with opened(site, query, bypass_csp=True) as page:
                page.wait_for_function(AT_REST, timeout=60_000)
                times = _of_a_kind(page, kind)
            for sort, by_view in times.items():
                own, *others = by_view.values()
                peers = dict(zip([*VIEWS.values()][1:], others, strict=True))
                yield Row(f"{where}, {tokens} tokens, {kind}: {sort}", own, peers=peers)


def _of_a_kind(page: Page, kind: str) -> dict[str, dict[str, list[float]]]:
    """Milliseconds by sort of press and view; the first press of a view also fetches its scripts,
    and is not counted.
    """
    times: dict[str, dict[str, list[float]]] = {
        sort: {name: [] for name in VIEWS} for sort in ("opened", "next head")
    }
    places: list[dict[str, Any]] = [
        {"kind": kind, "layer": layer, "head": head} for layer, head in HEADS
    ]
    for first, second in zip(places[::2], places[1::2], strict=True):
        for name in VIEWS:
            for sort, place in (("opened", first), ("next head", second)):
                took = page.evaluate(_PRESS, [name, {"exhibit": name, **place}])
                times[sort][name].append(took)
    counted = {s: {v: ms[1:] for v, ms in by_view.items()} for s, by_view in times.items()}
    return counted


@contextmanager
def _static(folder: Path) -> Iterator[str]:
    """A folder behind a plain file server."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # a page was closed while it fetched for later
            super().handle()


# Until the frame in which the picture of the new answer has been painted.
_PRESS = """async ([name, place]) => {
    const { body } = document;
    let isAsked = false;
    const watch = new MutationObserver(() => { isAsked ||= "asking" in body.dataset; });
    watch.observe(body, { attributeFilter: ["data-asking"] });
    const panel = document.querySelector(`#panel-${name}`);
    const start = performance.now();
    headlight.page.choose(place);
    do await bench.frame();
    while (!isAsked || "asking" in body.dataset || panel.querySelector(".hl-pending"));
    await bench.frame();
    watch.disconnect();
    return performance.now() - start;
}"""
