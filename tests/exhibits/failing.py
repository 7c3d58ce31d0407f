"""A server that fails while an exhibit asks: the view says so, and its retry works."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable

from playwright.sync_api import Error, Page, Route

from tests.browsing import AT_REST, Watched, choose_exhibit, show

JOIN, DATA = "**/gradio_api/queue/join*", "**/gradio_api/queue/data*"
CLOSED = '{"msg": "close_stream"}'  # Gradio's end of a stream of replies
SILENCE = 21_000  # ms: more than a channel waits for a reply
WORKING = "'asking' in document.body.dataset || 'busy' in document.body.dataset"
START = "steps"  # a view that asks nothing
PATIENCE = 30_000  # ms for a busy machine


def refuse(route: Route) -> None:
    route.fulfill(status=503, body="{}")


def cut(route: Route) -> None:
    """Let the reply through with its second half missing."""
    lines = []
    with urllib.request.urlopen(route.request.url, timeout=20) as stream:
        for line in stream:
            event = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            if event.get("msg") != "process_completed":
                lines.append(line.decode())
                continue
            reply = event["output"]["data"]
            event["output"]["data"] = [text[: len(text) // 2] for text in reply]
            lines.append(f"data: {json.dumps(event)}\n\n")
            break
    route.fulfill(content_type="text/event-stream", body="".join(lines) + f"data: {CLOSED}\n\n")


def hold(route: Route) -> None:
    """Never reply."""


def check_failing(
    watched: Watched,
    exhibit: str,
    ready_selector: str,
    ask: Callable[[Page], None] | None = None,
) -> None:
    """Refused, cut short, silent: a sentence each time; then the server works and the retry too.

    `ready_selector` is there once the exhibit has its value; `ask` makes it ask, where that takes
    more than to open it. The page has a clock that can be put forward, and shows `START`.
    """
    page, thrown = watched.page, list[str]()

    def note(error: Error) -> None:
        thrown.append(error.stack or str(error))

    page.on("pageerror", note)
    try:
        _check(page, exhibit, ready_selector, ask)
    finally:
        page.remove_listener("pageerror", note)
        page.unroute_all(behavior="ignoreErrors")
        show(page, START)
    assert thrown == []


def _check(
    page: Page, exhibit: str, ready_selector: str, ask: Callable[[Page], None] | None
) -> None:
    page.route(JOIN, refuse)
    choose_exhibit(page, exhibit)
    if ask is not None:
        ask(page)
    failed = f"#panel-{exhibit} .hl-failed"
    page.wait_for_selector(failed, timeout=PATIENCE)
    page.wait_for_function(AT_REST, timeout=PATIENCE)  # a view may have asked more than once
    page.unroute(JOIN)

    for pattern, trouble in ((DATA, cut), (JOIN, hold)):
        page.route(pattern, trouble)
        retry(page, exhibit)
        if trouble is hold:
            page.wait_for_function(WORKING, timeout=PATIENCE)
            page.clock.fast_forward(SILENCE)
        page.wait_for_function(AT_REST, timeout=PATIENCE)
        page.wait_for_selector(failed, timeout=PATIENCE)
        assert page.locator(f"#panel-{exhibit}").locator(ready_selector).count() == 0
        page.unroute(pattern)

    while page.locator(failed).count() > 0:
        retry(page, exhibit)
        page.wait_for_function(AT_REST, timeout=PATIENCE)
    page.wait_for_selector(f"#panel-{exhibit} {ready_selector}", timeout=PATIENCE)


def retry(page: Page, exhibit: str) -> None:
    """Press the first retry of the view, by keyboard; its sentence goes at once."""
    notice = page.locator(f"#panel-{exhibit} .hl-failed").first.element_handle()
    notice.query_selector("button").press("Enter")
    page.wait_for_function("(notice) => !notice.isConnected", arg=notice, timeout=PATIENCE)
