"""Replies that nobody reads cost little memory and are gone soon; who listens gets the reply."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import threading
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import gradio as gr
import httpx
import pytest
from gradio.queueing import Event
from gradio.routes import App
from gradio.server_messages import ProcessCompletedMessage
from starlette.middleware import Middleware

from explorer.freed import QUIET
from explorer.guard.unread import MAX_BYTES, PART, PATIENCE, Mailboxes, Streams
from explorer.models import Models
from explorer.page import build
from explorer.serving import launch_settings
from tests import loops

pytestmark = pytest.mark.slow

JOIN, DATA = "gradio_api/queue/join", "/gradio_api/queue/data"
Test = Callable[["Server"], Coroutine[Any, Any, None]]


class Server:
    """A Gradio queue with one function, and what stands before it, without a network."""

    def __init__(self, function: Callable[[int], str], patience: float, max_bytes: int) -> None:
        with gr.Blocks() as self.demo:
            gr.api(function, api_name="function")
        self.demo.queue(max_size=10_000, default_concurrency_limit=2)
        self.queue = self.demo._queue
        self.boxes = Mailboxes(self.queue, patience=patience, max_bytes=max_bytes)
        self.queue.pending_messages_per_session = self.boxes
        self.app = App.create_app(self.demo, app_kwargs={"middleware": [Middleware(Streams)]})

    async def post(self, session: str, value: int = 1) -> None:
        event = {"fn_index": 0, "session_hash": session, "data": [value]}
        assert (await self.client.post(JOIN, json=event)).status_code == 200

    async def read(self, session: str) -> list[dict[str, Any]]:
        """All messages of a stream, to its end."""
        found = await self.client.get(DATA, params={"session_hash": session})
        lines = [line for line in found.text.splitlines() if line.startswith("data:")]
        return [json.loads(line.removeprefix("data:")) for line in lines]

    async def open(self, session: str, send: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        """A stream of a visitor who takes messages as `send` does, until it ends."""
        scope = {
            "type": "http", "method": "GET", "path": DATA, "headers": [], "root_path": "",
            "query_string": f"session_hash={session}".encode(), "scheme": "http",
            "http_version": "1.1", "server": ("test", 80), "asgi": {"spec_version": "2.3"},
        }  # fmt: skip
        await self.app(scope, asyncio.Event().wait, send)

    async def until(self, holds: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end
            await asyncio.sleep(0.01)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self.demo.run_startup_events()
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as self.client:
            yield
        self.demo.is_running = False
        self.queue.close()


def text(size: int) -> str:
    return "学" * size  # two bytes a character


def run(
    test: Test,
    function: Callable[[int], str] = text,
    patience: float = PATIENCE,
    max_bytes: int = MAX_BYTES,
) -> None:
    async def whole() -> None:
        server = Server(function, patience, max_bytes)
        async with server.running():
            await test(server)

    loops.run(whole())


def reply(messages: list[dict[str, Any]]) -> str:
    """The reply in the messages of a stream, which then ends as it should."""
    *_, completed, closed = [one for one in messages if one["msg"] != "heartbeat"]
    assert (completed["msg"], closed["msg"]) == ("process_completed", "close_stream")
    return completed["output"]["data"][0]


def grown(max_bytes: int, forgets: bool = True) -> float:
    """Megabytes that are held while 500 sessions do not read 400 kB each.

    As Python counts them: a process that has held more before does not grow. Unless it `forgets`,
    however long they take on a busy machine.
    """
    found = 0.0

    async def test(server: Server) -> None:
        nonlocal found
        before, _ = tracemalloc.get_traced_memory()
        for i in range(500):
            session = f"session{i}"
            server.boxes[session] = None
            server.queue.pending_event_ids_session[session] = {session}
            event = Event(session, server.demo.fns[0], None, None)
            output = {"data": [text(200_000)]}
            server.queue.send_message(event, ProcessCompletedMessage(output=output, success=True))
            await asyncio.sleep(0)
        assert server.boxes.bytes <= max_bytes
        held, _ = tracemalloc.get_traced_memory()
        found = (held - before) / 1e6
        if forgets:
            pending = server.queue.pending_event_ids_session
            await server.until(lambda: not server.boxes and not pending)
            assert server.boxes.bytes == 0

    tracemalloc.start()
    try:
        run(test, patience=1.0 if forgets else 300.0, max_bytes=max_bytes)
    finally:
        tracemalloc.stop()
    return found


@pytest.mark.long
def test_hundreds_of_unread_replies_cost_little_and_are_gone_soon() -> None:
    assert PATIENCE + QUIET < 60
    assert grown(MAX_BYTES) < 100
    without = grown(10 * MAX_BYTES, forgets=False)
    assert without > 150, "the twin: without the limit they would cost 200 MB"


def test_what_nobody_listens_for_is_not_computed() -> None:
    begun: list[int] = []
    released = threading.Event()

    def slow(value: int) -> str:
        begun.append(value)
        assert released.wait(10)
        return str(value)

    async def test(server: Server) -> None:
        for i in range(8):
            await server.post("nobody", i)
        await server.post("somebody", 100)
        listening = asyncio.create_task(server.read("somebody"))
        await server.until(lambda: "nobody" not in server.boxes)
        released.set()
        assert reply(await listening) == "100"
        assert sorted(begun) == [0, 1, 100], "only the two that were at work when time was up"

    run(test, slow, patience=0.5)


def test_who_comes_late_or_waits_long_gets_the_reply() -> None:
    def slow(value: int) -> str:
        time.sleep(value / 10)
        return str(value)

    async def test(server: Server) -> None:
        await server.post("late", 0)
        await server.until(lambda: not server.queue.event_ids_to_events)  # it is there, unread
        assert reply(await server.read("late")) == "0"
        await server.post("late", 10)  # longer than the patience, but somebody listens
        assert reply(await server.read("late")) == "10"
        await server.post("too late", 0)
        await server.until(lambda: "too late" not in server.boxes)
        *_, last = await server.read("too late")
        assert last["session_not_found"]

    run(test, slow, patience=0.8)


def test_too_many_unread_replies_drop_the_oldest() -> None:
    async def test(server: Server) -> None:
        for session in ("first", "second", "third"):
            await server.post(session, 20_000)  # 40 kB
            await server.until(lambda: not server.queue.event_ids_to_events)
        await server.until(lambda: "first" not in server.boxes)
        assert reply(await server.read("second")) == text(20_000)
        assert reply(await server.read("third")) == text(20_000)
        assert server.boxes.bytes == 0

    run(test, max_bytes=100_000)


def test_a_slow_visitor_gets_all_of_it() -> None:
    """More slowly than the patience, but every part is taken within it."""
    parts: list[bytes] = []

    async def send(message: dict[str, Any]) -> None:
        await asyncio.sleep(0.08)
        parts.append(message.get("body", b""))

    async def test(server: Server) -> None:
        await server.post("slow", 300_000)
        started = time.monotonic()
        await server.open("slow", send)
        assert time.monotonic() - started > 2 * 0.5
        assert max(map(len, parts)) == PART
        assert b"".join(parts).decode().count("学") == 300_000 and b"close_stream" in parts[-2]

    run(test, patience=0.5)


def test_a_visitor_who_takes_nothing_is_cut() -> None:
    parts: list[bytes] = []

    async def send(message: dict[str, Any]) -> None:
        parts.append(message.get("body", b""))
        if len(parts[-1]) == PART:
            await asyncio.Event().wait()

    async def test(server: Server) -> None:
        await server.post("stalled", 300_000)
        await server.post("stalled", 300_000)  # and what comes after it
        opened = asyncio.create_task(server.open("stalled", send))
        await server.until(lambda: len(parts) > 0 and len(parts[-1]) == PART)
        assert server.boxes.is_delivering()
        await asyncio.wait_for(opened, 5)
        assert sum(map(len, parts)) < 2 * PART
        await server.until(lambda: not server.boxes and not server.queue.pending_event_ids_session)
        assert server.boxes.bytes == 0 and not server.boxes.is_delivering()

    run(test, patience=2.0)  # longer than a busy machine takes to post twice


def test_gradio_uses_the_mailboxes(models: Models) -> None:
    queue = build(models)._queue
    assert isinstance(queue.pending_messages_per_session, Mailboxes)
    assert "pending_messages_per_session[" in inspect.getsource(type(queue).push)
    assert Streams in [one.cls for one in launch_settings(models)["app_kwargs"]["middleware"]]
