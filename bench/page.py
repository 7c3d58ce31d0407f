"""Time to load the page, size of a sentence's payload, time to draw a head."""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.exchange import payload
from explorer.exchange import reply as answer
from model.config import DecodeConfig
from model.explain import Explainer
from tests.chromium import FLAGS, find

ROOT = Path(__file__).parent.parent
STARTS = 3
TWENTY = "I told him that the old man with the dog had seen the red car near the school."


@contextmanager
def server(*flags: str) -> Iterator[tuple[str, float, int]]:
    """The real page in a separate process: address, seconds to the first answer, process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    command = [sys.executable, "app.py", "--host", "127.0.0.1", "--port", str(port), *flags]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    try:
        while True:
            try:
                urllib.request.urlopen(address, timeout=60).read()
                break
            except OSError:
                if process.poll() is not None or time.perf_counter() - started > 120:
                    raise
                time.sleep(0.02)
        yield address, time.perf_counter() - started, process.pid
    finally:
        process.terminate()
        process.wait()


def measure() -> Iterator[tuple[str, str]]:
    """Measure first page, first picture, payload, and choice of a head to picture."""
    from playwright.sync_api import sync_playwright

    first, drawn, heads = [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for _ in range(STARTS):
            with server() as (address, seconds, _):
                first.append(seconds)
                page = browser.new_page(viewport={"width": 1366, "height": 768})
                started = time.perf_counter()
                page.goto(address)
                page.locator("#hl-src button, #hl-src [role=button]").first.wait_for()
                drawn.append(seconds + time.perf_counter() - started)
                heads += page.evaluate(_HEADS)
                page.close()
        browser.close()
    yield "process start to first page, seconds", _seconds(first)
    yield "process start to the recorded example drawn, seconds", _seconds(drawn)
    yield "arrow key to the next head painted, ms", f"median {statistics.median(heads):.1f}"
    yield from _payload()


def _seconds(found: list[float]) -> str:
    return f"median {statistics.median(found):.2f}, worst {max(found):.2f} of {len(found)}"


def _payload() -> Iterator[tuple[str, str]]:
    explainer = Explainer.load(None, device="cpu")
    e = explainer.explain(TWENTY, DecodeConfig())
    built = payload.build(e, explainer)
    size = len(answer.to_json(built).encode())
    weights = len(answer.to_json(built["attention"]).encode())
    n = f"{len(e.trace.src)} x {len(e.trace.tgt_out)} tokens"
    yield f"payload of {n}, all heads of three kinds", f"{weights / 1e3:.0f} kB"
    yield "  with candidates, hypotheses and labels", f"{size / 1e3:.0f} kB"


# Presses an arrow key on the grid of heads and waits for the frame after the next paint.
_HEADS = """async () => {
    const target = document.querySelector(".hl-heads [tabindex='0']");
    const times = [];
    target.focus();
    for (let i = 0; i < 30; i++) {
        const key = i % 2 ? "ArrowLeft" : "ArrowRight";
        const start = performance.now();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
    }
    return times;
}"""
