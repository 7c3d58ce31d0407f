"""Processor time of a page's main thread, which other load on the machine hardly affects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]


def processor_time(page: Any, work: Callable[[], object]) -> float:
    """Milliseconds of the thread that runs the page's code, layout and painting, during `work`."""
    browser = page.context.browser
    browser.start_tracing(page=page, categories=CATEGORIES)
    work()
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
    return max(spent.values()) / 1000
