"""A server that is told to stop answers what it has begun, and says to the rest that it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from bench.classroom import Visitor, functions
from explorer.guard import stopping
from explorer.models import Models
from explorer.words import WORDS
from tests import loops
from tests.browsing import Server

SECONDS = 6.0  # of work; Gradio by itself waits five
SCRIPT = f"""
import sys, time
from explorer.exchange import reply
from explorer.models import Listed, Models
from explorer.page import build
from explorer.serving import serve

def work(models, raw):
    time.sleep({SECONDS})
    return {{"text": raw["text"]}}

reply.explanation_payload = work
models = Models([Listed("none", "none", lambda: None)])
sys.exit(serve(build(models), models, "127.0.0.1", int(sys.argv[2].partition("=")[2])))
"""


async def stopped(server: Server) -> tuple[list[dict[str, Any]], list[float], list[Any]]:
    """Five visitors, two of them begun; two signals; one visitor more. Replies and their times."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        known = functions((await client.get("config")).json())

        async def ask(name: str) -> tuple[dict[str, Any], float]:
            reply = await Visitor(client, known).ask({"text": name, "settings": {}})
            return reply, time.monotonic()

        asked = []
        for i in range(5):
            asked.append(asyncio.create_task(ask(str(i))))
            await asyncio.sleep(0.1)
        server.process.terminate()
        signalled = time.monotonic()
        await asyncio.sleep(0.3)
        server.process.terminate()
        asked.append(asyncio.create_task(ask("late")))
        health = await client.get("health")
        found = await asyncio.gather(*asked)
    return [one for one, _ in found], [at - signalled for _, at in found], health


@pytest.mark.slow
def test_what_has_begun_is_answered_and_what_waits_is_told(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.txt", command=("-c", SCRIPT))
    try:
        server.wait()
        replies, seconds, health = loops.run(stopped(server))
        assert server.process.wait(20) == 0
    finally:
        server.stop()
    assert [reply.get("payload") for reply in replies[:2]] == [{"text": "0"}, {"text": "1"}]
    word = WORDS["error.stopping"]
    for reply in replies[2:]:
        assert reply["message"] == {"en": word.en, "zh": word.zh}
    assert max(seconds[2:]) < SECONDS - 1 < min(seconds[:2]), "told at once, not when there is room"
    assert (health.status_code, health.json()) == (503, {"status": "stopping"})
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
