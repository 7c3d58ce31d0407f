"""Training on the page: frames received and painted, and the effect on visitors who translate."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from bench.classroom import Visitor, about, functions, sentence
from bench.page import server
from explorer.static import assets_path
from tests.chromium import FLAGS, find

ROUNDS, SENTENCES = 4, 40  # without and with a run in parallel, alternately
FOLLOW_EVERY = 0.25  # seconds, as a slow browser does


def measure() -> Iterator[tuple[str, str]]:
    """Measure the visitor who trains, then the visitors who translate meanwhile."""
    yield from _watched()
    with server() as (address, _, _):
        quiet, beside = asyncio.run(_translated(address))
    yield f"a sentence, {len(quiet)} of them, nobody trains", _spread(quiet)
    yield f"a sentence, {len(beside)} of them, beside a run", _spread(beside)
    yield "  p95 beside a run, as a ratio to without", f"{_p95(beside) / _p95(quiet):.2f}"


def _watched() -> Iterator[tuple[str, str]]:
    from playwright.sync_api import sync_playwright

    with server() as (address, *_), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(f"{address}?view=playground")
        page.wait_for_selector(".hl-play-examples li", timeout=60_000)
        page.click(".hl-play-presets button:last-child")
        page.click(".hl-play-train")
        page.wait_for_selector(".hl-play-status[data-state=running]", timeout=60_000)
        found = page.evaluate(_FRAMES)
        browser.close()
    seconds = found["seconds"]
    yield (
        f"frames of the training that arrive a second, over {seconds:.1f} s",
        f"{found['arrived'] / seconds:.1f}",
    )
    yield (
        "frames that the page paints a second meanwhile",
        f"{found['painted'] / seconds:.1f}, the longest pause {found['pause']:.0f} ms",
    )


async def _translated(address: str) -> tuple[list[float], list[float]]:
    """Seconds of each sentence: without a run, and during one."""
    found: tuple[list[float], list[float]] = ([], [])
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        known = functions((await client.get("config")).json())
        path = assets_path()
        visitor, chance = Visitor(client, known), random.Random(1)
        await visitor.ask(about("Hello."))  # the model is loaded
        for turn in range(ROUNDS):
            found[0].extend(await _sentences(visitor, chance))
            running = asyncio.Event()
            run = asyncio.create_task(_follow(client, path, turn + 1, running.set))
            await running.wait()
            found[1].extend(await _sentences(visitor, chance))
            run.cancel()
            await client.post(f"{path}call/playground_leave", json={"visitor": "bench"})
            await asyncio.sleep(2.5)  # the worker is idle again
    return found


async def _sentences(visitor: Visitor, chance: random.Random) -> list[float]:
    seconds = []
    for _ in range(SENTENCES):
        begun = time.perf_counter()
        reply = await visitor.ask(about(sentence(chance)))
        if "payload" not in reply:
            raise RuntimeError(f"no record in the reply {str(reply)[:200]}")
        seconds.append(time.perf_counter() - begun)
    return seconds


async def _follow(
    client: httpx.AsyncClient, path: str, seed: int, running: Callable[[], Any]
) -> None:
    """Follow one visitor's run like the page, until cancelled."""
    since = 0
    while True:
        settings = {"task": "sort", "updates": 5000, "seed": seed}
        asked = {"visitor": "bench", "settings": settings, "since": since, "paused": False}
        reply = (await client.post(f"{path}call/playground_follow", json=asked)).json()["payload"]
        since += len(reply["frames"])
        if reply["state"] == "running":
            running()
        await asyncio.sleep(FOLLOW_EVERY)


def _p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def _spread(seconds: list[float]) -> str:
    return f"median {statistics.median(seconds):.3f} s, p95 {_p95(seconds):.3f}"


# From here to the end of the run: the updates shown on the page, and the frames painted.
_FRAMES = """async () => {
    const status = () => document.querySelector(".hl-play-status");
    const updates = new Set();
    const begun = performance.now();
    let [painted, pause, last] = [0, 0, begun];
    while (status().dataset.state === "running") {
        const now = await new Promise(requestAnimationFrame);
        updates.add(status().textContent);
        painted += 1;
        pause = Math.max(pause, now - last);
        last = now;
    }
    return { arrived: updates.size, painted, pause, seconds: (last - begun) / 1000 };
}"""
