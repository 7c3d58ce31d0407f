"""A class before model workers, one of which is killed while it works: `app.py --workers`.

In processes of this machine, and as actors of Ray where it is installed.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx

from bench.classroom import SECONDS, VISITORS, gathered, lesson
from bench.harness import Row, served
from bench.visitors import Visitor, about, channels
from tests.browsing import ROOT

MARKS = ("explorer.workers", "ray::Answering")  # in the command line of a worker
KILLED_AFTER = SECONDS / 3


def measure() -> Iterator[Row]:
    """Errors, waiting times and the page's own share of a core."""
    for flag in ("2", "ray") if find_spec("ray") else ("2",):
        with served(ROOT, "--workers", flag) as site:
            yield from asyncio.run(_class(site.url, site.process, flag))
    if not find_spec("ray"):
        yield Row("--workers ray", 'not measured: pip install "ray[default]"')


async def _class(url: str, page: int, flag: str) -> list[Row]:
    seconds: dict[str, list[float]] = {"sentence": [], "lines": [], "click": []}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        known = await channels(client)
        await Visitor(client, known).ask(about("Hello."))
        begun, used = time.perf_counter(), processor_time(page)
        pupils = [
            lesson(Visitor(client, known), random.Random(i), seconds, True) for i in range(VISITORS)
        ]
        killed = asyncio.create_task(_kill_one())
        errors = await gathered(list(pupils))
        share = (processor_time(page) - used) / (time.perf_counter() - begun)
        rows = [Row(f"  {kind}", times, "s") for kind, times in seconds.items()]
        what = f"--workers {flag}, {VISITORS} visitors, {await killed}: errors"
        return [Row(what, errors), *rows, Row("  the page's own process", [share], "of a core")]


async def _kill_one() -> str:
    await asyncio.sleep(KILLED_AFTER)
    workers = [int(one.name) for one in Path("/proc").iterdir() if _is_worker(one)]
    os.kill(max(workers), signal.SIGKILL)
    return f"one of {len(workers)} workers killed after {KILLED_AFTER:.0f} s"


def _is_worker(process: Path) -> bool:
    try:
        command = (process / "cmdline").read_text()
    except OSError:
        return False
    return any(mark in command for mark in MARKS)


def processor_time(process: int) -> float:
    """Seconds of processor time of a process, without its children (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
