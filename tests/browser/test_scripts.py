"""The pure functions of assets/*.js, run where the page runs them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "tests" / "scripts").glob("*.test.mjs"))

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    """The repository's files, served to the browser."""
    handler = functools.partial(Quiet, directory=str(ROOT))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.name.removesuffix(".test.mjs"))
def test_script(script: Path, files: str, blank: Page) -> None:
    blank.goto(f"{files}/assets/shell/lesson.html")  # an HTML document, for templates
    folder = f"{files}/tests/scripts"
    results = blank.evaluate(
        "async ([test, check]) => { await import(test); return (await import(check)).run(); }",
        [f"{folder}/{script.name}", f"{folder}/check.mjs"],
    )
    assert results, "no tests were found"
    failed = [f"{r['name']}: {r['error']}" for r in results if r["error"]]
    assert not failed, "\n".join(failed)
