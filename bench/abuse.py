"""A server under abuse: unread replies, oversized bodies, greedy clients, killed workers.

Each attack comes over the network, like a stranger's; meanwhile another client polls `/health`.
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
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from bench.classroom import Visitor, about, functions, resident, sentence
from bench.page import server
from explorer.static import assets_path

UNREAD = 2_000  # replies
FORGOTTEN = 60.0  # seconds after which they must be gone
BODY, BODIES = 40_000_000, 10
GREEDY, KILLED = 31, 10
FOLLOW_EVERY = 0.25  # seconds, as a slow browser does
LONG = {"task": "sort", "updates": 5000}  # a run of many seconds
QUICK = {"task": "copy", "length": 4, "updates": 20}
HONEST = "127.0.0.2"  # the address of the client that is not greedy
Row = tuple[str, str]


class Watch:
    """Polls `/health` from a separate address."""

    def __init__(self, address: str) -> None:
        self._address, self.worst = address, 0.0

    async def run(self) -> None:
        async with httpx.AsyncClient(base_url=self._address, timeout=60) as client:
            while True:
                begun = time.perf_counter()
                assert (await client.get("health")).status_code == 200
                self.worst = max(self.worst, time.perf_counter() - begun)
                await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def watched(address: str) -> AsyncIterator[Watch]:
    watch = Watch(address)
    task = asyncio.create_task(watch.run())
    try:
        yield watch
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


async def unread(client: httpx.AsyncClient, process: int) -> list[Row]:
    """Run long searches for two thousand sessions that nobody reads."""
    known = functions((await client.get("config")).json())
    before = most = resident(process)
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
        most = max(most, resident(process))
    end = time.monotonic() + FORGOTTEN
    while time.monotonic() < end:
        most = max(most, resident(process))
        await asyncio.sleep(0.5)
    grown = (resident(process) - before) / 1e6
    return [
        (f"{UNREAD} unread replies: most memory, MB", f"{(most - before) / 1e6:.0f}"),
        ("  a minute later, MB; refused, the queue full", f"{grown:.0f}; {refused}"),
    ]


async def bodies(client: httpx.AsyncClient, process: int) -> list[Row]:
    """Send forty megabytes, ten times."""
    prefix = b"1, " * (BODY // 3) + b"1"
    content = b'{"data": [{"prefix": [' + prefix + b']}], "fn_index": 0, "session_hash": "x"}'
    before, memory, found = processor_seconds(process), resident(process), set()
    for _ in range(BODIES):
        with contextlib.suppress(httpx.WriteError):  # refused before all of it was sent
            headers = {"content-type": "application/json"}
            answer = await client.post("gradio_api/queue/join", content=content, headers=headers)
            found.add(answer.status_code)
    seconds = (processor_seconds(process) - before) / BODIES
    grown = (resident(process) - memory) / 1e6
    return [
        (f"a body of 40 MB: processor time, s ({BODIES} of them)", f"{seconds:.3f}"),
        ("  answers; memory afterwards, MB", f"{sorted(found)}; {grown:.0f}"),
    ]


class Trainee:
    """A visitor of the playground, as its page behaves."""

    def __init__(self, client: httpx.AsyncClient, settings: dict[str, Any]) -> None:
        self._client, self.settings, self.name = client, settings, uuid.uuid4().hex
        self.state = "none"

    async def look(self) -> str:
        """Poll the run once; the first call starts it."""
        asked = {"visitor": self.name, "settings": self.settings, "since": 0, "paused": False}
        answer = await self._client.post(f"{assets_path()}call/playground_follow", json=asked)
        reply = answer.json()
        self.state = reply["payload"]["state"] if "payload" in reply else "refused"
        return self.state

    async def until(self, *states: str, seconds: float = 300.0) -> float:
        """Follow the run until it has one of these states; return the seconds."""
        begun = time.monotonic()
        while await self.look() not in states:
            if time.monotonic() - begun > seconds:
                raise TimeoutError(f"still {self.state} after {seconds:.0f} s")
            await asyncio.sleep(FOLLOW_EVERY)
        return time.monotonic() - begun


async def greedy(client: httpx.AsyncClient, process: int, address: str) -> list[Row]:
    """One address with 31 names requests long runs; another client requests a short one."""
    crowd = [Trainee(client, {**LONG, "seed": i}) for i in range(GREEDY)]
    transport = httpx.AsyncHTTPTransport(local_address=HONEST)
    async with httpx.AsyncClient(base_url=address, transport=transport, timeout=60) as own:
        for one in crowd:
            await one.look()
        everyone = asyncio.gather(*(one.until("none", seconds=1e9) for one in crowd))
        honest = Trainee(own, QUICK)
        waited = await honest.until("running", "done", "failed")
        total = waited + await honest.until("done", "failed")
        states = dict(Counter(one.state for one in crowd))
        everyone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await everyone
    for one in crowd:
        await client.post(f"{assets_path()}call/playground_leave", json={"visitor": one.name})
    return [
        (f"{GREEDY} greedy names at one address: an honest visitor waits, s", f"{waited:.1f}"),
        (
            "  is over after; state; the crowd's",
            f"{total:.1f}; {honest.state}; {states}",
        ),
    ]


async def killed(client: httpx.AsyncClient, process: int) -> list[Row]:
    """Kill a worker in the middle of a run, ten times; each time another run is started."""
    known = functions((await client.get("config")).json())
    translated = 0
    for i in range(KILLED):
        trainee = Trainee(client, {**LONG, "seed": 100 + i})
        await trainee.until("running")
        for one in children(process):
            if "worker" in command(one):
                os.kill(one, signal.SIGKILL)
        await trainee.until("failed", seconds=30)
        translated += "payload" in await Visitor(client, known).ask(about("I am a student."))
    again = Trainee(client, {**LONG, "seed": 100, "updates": 20})
    await again.until("done", "failed")
    return [(f"{KILLED} killed workers: translations; next run", f"{translated}; {again.state}")]


def command(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    return ""


async def _all(address: str, process: int) -> AsyncIterator[Row]:
    attacks: tuple[Callable[[httpx.AsyncClient, int], Awaitable[list[Row]]], ...]
    attacks = (unread, bodies, partial(greedy, address=address), killed)
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        known = functions((await client.get("config")).json())
        await Visitor(client, known).ask(about("Hello."))  # the model is loaded
        for attack in attacks:
            async with watched(address) as watch:
                for row in await attack(client, process):
                    yield row
            yield "  /health meanwhile, at worst", f"{watch.worst:.2f} s"


def measure() -> Iterator[Row]:
    """Measure the effect of the limits in docs/scale.md."""
    with server() as (address, _, process):
        rows, loop = _all(address, process), asyncio.new_event_loop()
        while True:
            try:
                yield loop.run_until_complete(anext(rows))
            except StopAsyncIteration:
                break
        loop.close()
