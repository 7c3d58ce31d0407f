"""A server under abuse: unread replies, oversized bodies, greedy clients, killed workers.

Each attack comes over the network, like a stranger's; meanwhile another client polls `/health`.
docs/scale.md has the limits that these meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx

from bench.harness import Row, Site
from bench.visitors import Trainee, Visitor, about, channels, resident, sentence

UNREAD = 2_000  # replies
FORGOTTEN = 60.0  # seconds after which they must be gone
BODY, BODIES = 40_000_000, 10
GREEDY, KILLED = 31, 10
LONG = {"task": "sort", "updates": 5000}  # a run of many seconds
QUICK = {"task": "copy", "length": 4, "updates": 20}
HONEST = "127.0.0.2"  # the address of the client that is not greedy


def measure(site: Site) -> Iterator[Row]:
    """Measure the effect of the limits in docs/scale.md."""
    for part in (unread, bodies, greedy, killed):
        yield from asyncio.run(_attacked(part, site))


async def _attacked(
    attack: Callable[[httpx.AsyncClient, Site], Awaitable[list[Row]]], site: Site
) -> list[Row]:
    async with httpx.AsyncClient(base_url=site.url, timeout=120) as client:
        await Visitor(client, await channels(client)).ask(about("Hello."))  # the model is loaded
        async with health(site.url) as seconds:
            rows = await attack(client, site)
        return [*rows, Row(f"  /health during “{attack.__name__}”", seconds, "s")]


@contextlib.asynccontextmanager
async def health(url: str) -> AsyncIterator[list[float]]:
    """The seconds of each poll of `/health` meanwhile, from a separate client."""
    seconds: list[float] = []

    async def poll() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            while True:
                begun = time.perf_counter()
                assert (await client.get("health")).status_code == 200
                seconds.append(time.perf_counter() - begun)
                await asyncio.sleep(0.1)

    task = asyncio.create_task(poll())
    try:
        yield seconds
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def processor_seconds(process: int) -> float:
    """The processor time used by a process (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    """The child processes of a process (Linux)."""
    return [
        int(number)
        for task in Path(f"/proc/{process}/task").iterdir()
        for number in (task / "children").read_text().split()
    ]


async def unread(client: httpx.AsyncClient, site: Site) -> list[Row]:
    """Run long searches for two thousand sessions that nobody reads."""
    known = await channels(client)
    before = most = resident(site.process)
    posted = refused = 0
    chance = random.Random(7)
    while posted < UNREAD:
        words = " ".join(sentence(chance) for _ in range(10))
        body = {"text": words, "settings": {"beam_size": 16}, "number": 1}
        event = {"fn_index": known["explanation"], "session_hash": uuid.uuid4().hex, "data": [body]}
        answer = await client.post("gradio_api/queue/join", json=event)
        posted += answer.status_code == 200
        refused += answer.status_code != 200
        if answer.status_code != 200:
            await asyncio.sleep(0.1)
        most = max(most, resident(site.process))
    end = time.monotonic() + FORGOTTEN
    while time.monotonic() < end:
        most = max(most, resident(site.process))
        await asyncio.sleep(0.5)
    return [
        Row(f"{UNREAD} unread replies: most memory", [(most - before) / 1e6], "MB"),
        Row("  a minute later", [(resident(site.process) - before) / 1e6], "MB"),
        Row("  refused, the queue full", str(refused)),
    ]


async def bodies(client: httpx.AsyncClient, site: Site) -> list[Row]:
    """Send forty megabytes, ten times."""
    prefix = b"1, " * (BODY // 3) + b"1"
    content = b'{"data": [{"prefix": [' + prefix + b']}], "fn_index": 0, "session_hash": "x"}'
    before, memory = processor_seconds(site.process), resident(site.process)
    statuses = set()
    for _ in range(BODIES):
        with contextlib.suppress(httpx.WriteError):  # refused before all of it was sent
            headers = {"content-type": "application/json"}
            answer = await client.post("gradio_api/queue/join", content=content, headers=headers)
            statuses.add(answer.status_code)
    seconds = (processor_seconds(site.process) - before) / BODIES
    return [
        Row(f"a body of 40 MB ({BODIES} of them): answers", str(sorted(statuses))),
        Row("  processor time of each", [seconds], "s"),
        Row("  memory afterwards", [(resident(site.process) - memory) / 1e6], "MB"),
    ]


async def greedy(client: httpx.AsyncClient, site: Site) -> list[Row]:
    """One address with 31 names requests long runs; another client requests a short one."""
    crowd = [Trainee(client, {**LONG, "seed": i}) for i in range(GREEDY)]
    transport = httpx.AsyncHTTPTransport(local_address=HONEST)
    async with httpx.AsyncClient(base_url=site.url, transport=transport, timeout=60) as own:
        for trainee in crowd:
            await trainee.look()
        everyone = asyncio.gather(*(trainee.until("none", seconds=1e9) for trainee in crowd))
        honest = Trainee(own, QUICK)
        waited = await honest.until("running", "done", "failed")
        total = waited + await honest.until("done", "failed")
        states = dict(Counter(trainee.state for trainee in crowd))
        everyone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await everyone
    for trainee in crowd:
        await trainee.leave()
    return [
        Row(f"{GREEDY} greedy names at one address: an honest visitor waits", [waited], "s"),
        Row(f"  has “{honest.state}” after; the crowd's states: {states}", [total], "s"),
    ]


async def killed(client: httpx.AsyncClient, site: Site) -> list[Row]:
    """Kill a worker in the middle of a run, ten times; each time another run is started."""
    known = await channels(client)
    translated = 0
    for i in range(KILLED):
        trainee = Trainee(client, {**LONG, "seed": 100 + i})
        await trainee.until("running")
        for process in children(site.process):
            if "worker" in command(process):
                os.kill(process, signal.SIGKILL)
        await trainee.until("failed", seconds=30)
        translated += "payload" in await Visitor(client, known).ask(about("I am a student."))
    again = Trainee(client, {**LONG, "seed": 100, "updates": 20})
    await again.until("done", "failed")
    return [Row(f"{KILLED} killed workers: translations; next run", f"{translated}; {again.state}")]


def command(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    return ""
