"""Starting the page: from the command line, with and without a model that works."""

from __future__ import annotations

import asyncio
import functools
import os
import runpy
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
from playwright.sync_api import Browser

from bench import visitors
from explorer import deploy, openers
from explorer.card import FOLDER
from explorer.models import Listed, Models
from explorer.page import build
from explorer.serving import launch_settings
from explorer.words import WORDS
from model.errors import CheckpointError
from model.explain import Explainer
from model.shipped import FIRST
from tests.browsing import LAPTOP, ROOT, Server, Watched, free_port
from tests.tiny import only

pytestmark = pytest.mark.browser


Refuse = Callable[..., str]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refuse:
    """What `app.py` says when it ends with 2."""

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["app.py", *arguments])
        monkeypatch.setattr(os, "environ", os.environ.copy())  # it writes settings of Gradio
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
        assert ended.value.code == 2
        return capsys.readouterr().err.strip()

    return run


def test_a_model_that_is_not_there(refused: Refuse, tmp_path: Path) -> None:
    said = refused("--model", str(tmp_path / "nothing"))
    assert "nothing" in said and "\n" not in said


def test_the_environment_lists_models_with_blanks(
    refused: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_MODELS", "en-zh ./nothing")
    assert "en-zh" not in refused("--host=127.0.0.1")


def test_a_model_that_is_broken(refused: Refuse, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{", "utf-8")
    assert "\n" not in refused("--model", str(tmp_path))


def test_a_port_that_is_taken(refused: Refuse) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("--host=127.0.0.1", f"--port={port}")
    assert str(port) in said and "\n" not in said
    assert "65535" in refused("--port=70000")


def ask(
    server: Server, body: dict[str, object], begun: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """One request over the protocol that the page's scripts use; in a thread without a loop."""

    async def run() -> dict[str, Any]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            known = await visitors.channels(client)
            return await visitors.Visitor(client, known, begun=begun).ask(body)

    return asyncio.run(run())


def launched(models: Models) -> tuple[gr.Blocks, str]:
    demo = build(models)
    port = free_port()
    demo.launch(
        server_name="127.0.0.1",
        server_port=port,
        prevent_thread_lock=True,
        quiet=True,
        **launch_settings(models),
    )
    return demo, f"http://127.0.0.1:{port}/"


@pytest.fixture
def broken() -> Iterator[str]:
    """A page whose model cannot be loaded."""

    def load() -> Explainer:
        raise CheckpointError("There is no model.safetensors.")

    demo, url = launched(Models([Listed(FIRST, FIRST, load, openers.load(FOLDER))]))
    yield url
    demo.close()


@pytest.mark.long
def test_a_page_without_a_model_says_so_and_stays(browser: Browser, broken: str) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{broken}?view=attention")
    page.wait_for_selector(".hl-trouble", timeout=30_000)
    assert "There is no model.safetensors." in page.locator("#hl-message").text_content()
    assert page.locator(".hl-tile").count() > 0, "the recorded example is gone"
    page.click("#hl-language")
    page.wait_for_function(
        "() => document.querySelector('#hl-message').textContent.startsWith('模型')"
    )
    context.close()


def test_programs_can_ask_too(explainer: Explainer) -> None:
    from gradio_client import Client

    demo, url = launched(only(lambda: explainer))
    try:
        client = Client(url, verbose=False)
        found = client.predict("I am a student.", api_name="/translate")
        assert (
            found["translation"] == explainer.explain("I am a student.").search.hypotheses[0].text
        )
        with pytest.raises(Exception, match=WORDS["error.model.empty"].en):
            client.predict(" ", api_name="/translate")
    finally:
        demo.close()


SPACES = """
import sys
assert "torch" not in sys.modules, "spaces asks to be imported first"
marked = []
def GPU(function):
    marked.append(function)
    return function
"""


def framed(browser: Browser, url: str, folder: Path) -> None:
    """The page in a frame of another origin, as the Hub shows it, translates."""
    folder.mkdir()
    frame = f"<iframe src='{url}?view=masks' width='1000' height='700'></iframe>"
    (folder / "index.html").write_text(f"<!doctype html><title>Hub</title>{frame}")
    handler = functools.partial(SimpleHTTPRequestHandler, directory=folder)
    outer = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=outer.serve_forever, daemon=True).start()
    try:
        with browser.new_context(locale="en-GB", viewport={"width": 1040, "height": 760}) as own:
            page = own.new_page()
            page.goto(f"http://localhost:{outer.server_port}/", wait_until="domcontentloaded")
            inside = page.frame_locator("iframe")
            inside.locator("body[data-ready='live']").wait_for(timeout=90_000)
            assert inside.locator("#panel-masks").is_visible()
            inside.locator("#hl-text").fill("I am a student.")
            inside.locator("#hl-translate").click()
            inside.locator("#hl-tgt .hl-token").first.wait_for(timeout=60_000)
            assert "cpu" in inside.locator("#hl-status").text_content()
    finally:
        outer.shutdown()


def ended(server: Server) -> None:
    """Told to stop, it ends what it has begun: here sixteen beams."""
    text = "The old man who lives next door gave my sister a red umbrella."
    wide = {"text": text, "settings": {"method": "beam", "beam_size": 16}}
    health = httpx.get(f"{server.url}health").json()
    assert health == {"status": "ready", "model": "en-zh", "models": ["en-zh", "zh-en"]}
    begun = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(ask, server, wide, begun.set)
        assert begun.wait(60)
        server.process.terminate()
        assert "payload" in pending.result()
    assert server.process.wait(20) == 0


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Server]:
    """The folder that is deployed, with a stand-in for the package of ZeroGPU."""
    deploy.build(tmp_path / "space")
    (tmp_path / "space" / "spaces.py").write_text(SPACES)
    running = Server(
        tmp_path / "log.txt", folder=tmp_path / "space", environment={"SPACES_ZERO_GPU": "true"}
    )
    try:
        running.wait()
        yield running
    finally:
        running.stop()


@pytest.mark.long
def test_a_space_tells_its_health_works_in_a_frame_and_ends_what_it_has_begun(
    browser: Browser, space: Server, tmp_path: Path
) -> None:
    health = httpx.get(f"{space.url}health")
    assert (health.status_code, health.json()["status"]) in [(503, "loading"), (200, "ready")]
    framed(browser, space.url, tmp_path / "outer")
    ended(space)


class Proxy(BaseHTTPRequestHandler):
    """Shows a page below /lab/demo/, and takes that path off each request.

    The page closes its stream of replies when nothing is pending. Here the news of that arrives
    late, `late` times: the next request is made before it, and nobody listens for its reply.
    """

    client: httpx.Client  # of the page
    late = 0
    protocol_version = "HTTP/1.0"  # a reply ends with its connection
    path_outside = "/lab/demo"

    def pass_on(self) -> None:
        if self.path == "/favicon.ico":  # the host's own, for which a Chromium with windows asks
            self.send_response(204)
            self.end_headers()
            return
        if not self.path.startswith(f"{self.path_outside}/"):
            self.send_error(404)
            return
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        url = self.path.removeprefix(self.path_outside)
        headers = {**self.headers, "x-forwarded-host": self.headers["host"]}
        with self.client.stream(self.command, url, headers=headers, content=body) as reply:
            self.send_response(reply.status_code)
            for name in {"content-type", "content-encoding", "etag"} & set(reply.headers):
                self.send_header(name, reply.headers[name])
            self.end_headers()
            for part in reply.iter_raw():
                if b'"close_stream"' in part and type(self).late > 0:
                    type(self).late -= 1
                    time.sleep(0.5)
                self.wfile.write(part)

    do_GET = do_POST = do_HEAD = pass_on

    def log_message(self, *_: object) -> None:
        """Nothing: the tests have their own log."""


@pytest.mark.long
def test_below_a_path_that_the_proxy_takes_off_the_page_works(
    browser: Browser, explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADIO_ROOT_PATH", Proxy.path_outside)
    demo, inside = launched(only(lambda: explainer))
    client = httpx.Client(base_url=inside, timeout=None, verify=False)
    handler = type("Handler", (Proxy,), {"client": client})
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    outside = f"http://127.0.0.1:{proxy.server_port}{Proxy.path_outside}/"
    try:
        with browser.new_context(**LAPTOP) as context:
            watched = Watched(context.new_page())
            page = watched.page
            page.goto(f"{outside}?view=proof")
            watched.settle()
            assert page.evaluate("document.fonts.check('16px Inter')")
            watched.translate("Where is the station?")
            page.click(".hl-proof-run")  # a worker, with the model's own files
            page.wait_for_selector(".hl-proof [data-compared]", timeout=60_000)
            handler.late = 1
            with page.expect_download(timeout=60_000) as saved:
                page.click("#hl-save > summary")
            assert (saved.value.failure(), handler.late) == (None, 0)
            outer = [url for url in watched.urls if not url.startswith((outside, "blob:", "data:"))]
            assert (outer, watched.errors) == ([], [])
    finally:
        proxy.shutdown()
        client.close()
        demo.close()
