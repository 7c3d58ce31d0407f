"""Training on the page: frames received and painted, and the effect on visitors who translate."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator

import httpx

from bench.harness import Row, Site, opened
from bench.visitors import Trainee, Visitor, about, channels, sentence

ROUNDS, SENTENCES = 4, 40  # without and with a run in parallel, alternately


def measure(site: Site) -> Iterator[Row]:
    """Measure the visitor who trains, then the visitors who translate meanwhile."""
    with opened(site, "?view=playground") as page:
        page.click(".hl-play-train")
        page.wait_for_selector(".hl-play-status[data-state=running]", timeout=60_000)
        arrived, painted = page.evaluate(_FRAMES)
    seconds = sum(painted) / 1e3
    yield Row("updates of the training that the page shows", [arrived / seconds], "a second")
    yield Row("from one frame of the page to the next meanwhile", painted)
    quiet, beside = asyncio.run(_translated(site.url))
    yield Row("a sentence beside a run", beside, "s", {"nobody trains": quiet})


async def _translated(url: str) -> tuple[list[float], list[float]]:
    """Seconds of each sentence: without a run, and during one."""
    quiet: list[float] = []
    beside: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        visitor, chance = Visitor(client, await channels(client)), random.Random(1)
        await visitor.ask(about("Hello."))  # the model is loaded
        for turn in range(ROUNDS):
            quiet += await _sentences(visitor, chance)
            trainee = Trainee(client, {"task": "sort", "updates": 5000, "seed": turn + 1})
            await trainee.until("running")
            run = asyncio.create_task(trainee.until("done"))
            beside += await _sentences(visitor, chance)
            run.cancel()
            await trainee.leave()
            await asyncio.sleep(2.5)  # the worker is idle again
    return quiet, beside


async def _sentences(visitor: Visitor, chance: random.Random) -> list[float]:
    seconds = []
    for _ in range(SENTENCES):
        begun = time.perf_counter()
        reply = await visitor.ask(about(sentence(chance)))
        if "payload" not in reply:
            raise RuntimeError(f"no record in the reply {str(reply)[:200]}")
        seconds.append(time.perf_counter() - begun)
    return seconds


# From here to the end of the run: the number of updates shown, and the time of each frame.
_FRAMES = """async () => {
    const status = () => document.querySelector(".hl-play-status");
    const updates = new Set();
    const painted = [];
    while (status().dataset.state === "running") {
        painted.push(...await bench.frames(1));
        updates.add(status().textContent);
    }
    return [updates.size, painted];
}"""
