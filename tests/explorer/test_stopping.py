"""A server that is told to stop answers what it has begun, and says to the rest that it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from bench.visitors import Visitor, channels
from explorer.guard import stopping
from explorer.models import Models
from explorer.words import WORDS
from tests import loops
from tests.browsing import Server

SCRIPT = """
import sys, threading, time
from pathlib import Path
from explorer.exchange import reply
from explorer.models import Listed, Models
from explorer.page import build
from explorer.serving import serve

join = threading.Thread.join
# Gradio waits five seconds by itself, which would hide that nobody else waits.
threading.Thread.join = lambda self, timeout=None: join(self, timeout and min(timeout, 0.1))

def work(models, raw):
    print("begun", raw["text"], flush=True)
    while not Path(sys.argv[3]).exists():
        time.sleep(0.01)
    return {"text": raw["text"]}

reply.explanation_payload = work
models = Models([Listed("none", "none", lambda: None)])
sys.exit(serve(build(models), models, "127.0.0.1", int(sys.argv[2].partition("=")[2])))
"""


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    end = time.monotonic() + 60
    while not await holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


async def stopped(
    server: Server, release: Path
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two visitors whose work has begun; three who wait; two signals; one visitor more.

    Replies to the first two, whose work goes on until the others have theirs; and to the others.
    """
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        known = await channels(client)

        def ask(name: str) -> asyncio.Task[dict[str, Any]]:
            visitor = Visitor(client, known)
            return asyncio.create_task(visitor.ask({"text": name, "settings": {}}))

        async def have_begun() -> bool:
            return server.log.read_text("utf-8").count("begun") == 2

        async def are_waiting() -> bool:
            return (await client.get("gradio_api/queue/status")).json()["queue_size"] == 3

        async def is_stopping() -> bool:
            health = await client.get("health")
            return (health.status_code, health.json()) == (503, {"status": "stopping"})

        begun = [ask("0"), ask("1")]
        await until(have_begun)
        waiting = [ask(str(i)) for i in range(2, 5)]
        await until(are_waiting)
        server.process.terminate()
        await until(is_stopping)
        server.process.terminate()
        refused = await asyncio.gather(*waiting, ask("late"))
        assert not any(task.done() for task in begun)
        release.touch()
        return await asyncio.gather(*begun), refused


@pytest.mark.long
@pytest.mark.slow
def test_what_has_begun_is_answered_and_what_waits_is_told(tmp_path: Path) -> None:
    release = tmp_path / "release"
    server = Server(tmp_path / "log.txt", str(release), command=("-c", SCRIPT))
    try:
        server.wait()
        answered, refused = loops.run(stopped(server, release))
        assert server.process.wait(20) == 0
    finally:
        server.stop()
    assert [reply.get("payload") for reply in answered] == [{"text": "0"}, {"text": "1"}]
    word = WORDS["error.stopping"]
    for reply in refused:  # at once, not when there is room
        assert reply["message"] == {"en": word.en, "zh": word.zh}
    log = server.log.read_text("utf-8")
    assert not [word for word in ("Traceback", "Keyboard", "terminate called") if word in log], log


class Busy:
    """A server whose work never ends."""

    def __init__(self) -> None:
        self.fns: dict[int, Any] = {}
        self._queue = self
        self.event_queue_per_concurrency_id: dict[str, Any] = {}
        self.pending_messages_per_session = SimpleNamespace(is_delivering=lambda: False)
        self.is_running, self.is_closed = True, False

    def __len__(self) -> int:
        return 0

    def get_active_worker_count(self) -> int:
        return 1

    def close(self, verbose: bool) -> None:
        self.is_closed = True


def test_work_without_an_end_is_not_awaited_for_ever(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[int] = []
    monkeypatch.setattr(os, "_exit", ends.append)
    demo, idle = Busy(), Busy()
    stopping.stop(demo, models, grace=0.1)  # type: ignore[arg-type]
    assert demo.is_closed and models.is_stopping and ends == [0]
    monkeypatch.setattr(Busy, "get_active_worker_count", lambda _: 0)
    stopping.stop(idle, models, grace=10)  # type: ignore[arg-type]
    assert idle.is_closed and ends == [0], "the process ends by itself where nothing is at work"


@pytest.fixture
def handlers() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_is_enough(number: int, handlers: None) -> None:
    threading.Timer(0.2, os.kill, (os.getpid(), number)).start()
    stopping.wait_for_signal(Busy())  # type: ignore[arg-type]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN  # another one changes nothing
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # another one ends it, with no trace
