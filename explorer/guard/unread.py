"""Unread replies: dropped after a while, or at once if there are too many.

Gradio keeps the messages to a session until a stream of that session takes them, possibly forever,
and still computes its pending requests. Here a session that takes nothing for `PATIENCE` seconds is
dropped: its messages, its waiting events, and its stream if one is open.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any

import anyio
from gradio.queueing import Queue
from gradio.route_utils import API_PREFIX
from gradio.server_messages import EventMessage, ProcessCompletedMessage
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.freed import Later, trimmer

PATIENCE = 30.0  # seconds; a browser may suspend a page for a while
MAX_BYTES = 32_000_000  # bytes of all undelivered messages
PART = 65_536  # bytes sent at once; a visitor who takes them is still connected
MESSAGE = 1_000  # overhead of a message in bytes
SOON = 2.0  # seconds within which a visitor opens a stream after asking
STREAMS = (f"{API_PREFIX}/queue/data", f"{API_PREFIX}/call/")


class Mailbox(asyncio.Queue[EventMessage]):
    """The messages to one session; replaces Gradio's queue.

    heard   when the session last took a message, or had none to take
    bytes   size of the undelivered messages
    stream  the open stream that delivers them, if any
    """

    _queue: deque[tuple[EventMessage, int]]  # asyncio.Queue of messages with their size in bytes

    def __init__(self, session: str, boxes: Mailboxes) -> None:
        super().__init__()
        self.session, self.heard, self.bytes = session, time.monotonic(), 0
        self.stream: Stream | None = None
        self.is_forgotten = False
        self._boxes = boxes
        self._readers = 0  # waiting events
        self._on_its_way = 0  # bytes of the last message taken

    async def get(self) -> EventMessage:
        self._delivered()
        self.stream = _STREAM.get()
        if self.stream is not None:
            self.stream.mailbox = self
        self._readers += 1
        try:
            return await super().get()
        finally:
            self._readers -= 1
            self.heard = time.monotonic()

    def quiet(self) -> float:
        """Seconds since a message was last taken; 0 while a visitor waits for one."""
        return 0.0 if self._readers else time.monotonic() - self.heard

    def leave(self) -> None:
        """The stream has ended."""
        self._delivered()
        self.stream = None

    def drop(self) -> None:
        """Drop all messages."""
        self._queue.clear()
        self._on_its_way = 0
        self._add(-self.bytes)

    def _put(self, item: EventMessage) -> None:
        if self.bytes == 0:
            self.heard = time.monotonic()
        size = _size(item)
        self._queue.append((item, size))
        self._add(size)
        self._boxes.make_room()

    def _get(self) -> EventMessage:
        message, self._on_its_way = self._queue.popleft()
        return message

    def _delivered(self) -> None:
        self.heard = time.monotonic()
        self._add(-self._on_its_way)
        self._on_its_way = 0

    def _add(self, size: int) -> None:
        self.bytes += size
        self._boxes.bytes += size


class Mailboxes(dict[str, Mailbox]):
    """The mailbox of each session; replaces Gradio's dictionary."""

    def __init__(
        self, queue: Queue, patience: float = PATIENCE, max_bytes: int = MAX_BYTES
    ) -> None:
        super().__init__()
        self.bytes = 0
        self._queue, self._patience, self._max_bytes = queue, patience, max_bytes
        trim = trimmer()
        self._trim = None if trim is None else Later(trim)
        self._tasks: set[asyncio.Task[None]] = set()

    def __setitem__(self, session: str, _: object) -> None:
        """Open a mailbox; Gradio's own queue is ignored."""
        box = Mailbox(session, self)
        super().__setitem__(session, box)
        self._start(self._watch(box))

    def __delitem__(self, session: str) -> None:
        box = self.pop(session, None)
        if box is not None:
            box.drop()

    def __missing__(self, _: str) -> asyncio.Queue[EventMessage]:
        """Accept a message that arrives after its session was dropped."""
        return asyncio.Queue()

    def is_delivering(self) -> bool:
        """True while a connected visitor has messages to take."""
        boxes = [box for box in list(self.values()) if box.bytes]
        return any(box.stream is not None or box.quiet() < SOON for box in boxes)

    def make_room(self) -> None:
        """Drop the mailboxes idle for longest, until the rest is within the limit."""
        while self.bytes > self._max_bytes:
            self._forget(max((box for box in self.values() if box.bytes), key=Mailbox.quiet))

    def _forget(self, box: Mailbox) -> None:
        box.is_forgotten = True
        box.drop()
        self._start(self._clean(box))
        if self._trim is not None:
            self._trim.start()

    async def _watch(self, box: Mailbox) -> None:
        """Drop a session that has taken nothing for too long."""
        while self.get(box.session) is box and not box.is_forgotten:
            left = self._patience - box.quiet()
            if left > 0:
                await asyncio.sleep(left)
            else:
                self._forget(box)

    async def _clean(self, box: Mailbox) -> None:
        """Make Gradio drop a session too: its waiting events and its stream."""
        await self._queue.clean_events(session_hash=box.session)
        if self.get(box.session) is box:
            del self[box.session]
        if box.stream is not None:
            await box.stream.cut()
        if box.session not in self:
            self._queue.pending_event_ids_session.pop(box.session, None)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Stream:
    """An open stream of messages to a visitor: sends them in parts and can be closed."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._is_cut, self._scope = False, anyio.CancelScope()
        self._ended = asyncio.Event()
        self.mailbox: Mailbox | None = None

    async def receive(self) -> Message:
        """The visitor's messages; once the stream is cut, a disconnect."""
        return {"type": "http.disconnect"} if self._is_cut else await self._receive()

    async def send(self, message: Message) -> None:
        body, more = message.get("body", b""), message.get("more_body", False)
        while len(body) > PART:
            await self._send_part({**message, "body": body[:PART], "more_body": True})
            body = body[PART:]
        await self._send_part({**message, "body": body, "more_body": more} if body else message)

    async def _send_part(self, message: Message) -> None:
        with anyio.CancelScope() as self._scope:
            if not self._is_cut:
                await self._send(message)
        if self.mailbox is not None:
            self.mailbox.heard = time.monotonic()

    async def cut(self) -> None:
        """Stop sending and wait for the end: Gradio then sees a disconnected visitor."""
        self._is_cut = True
        self._scope.cancel()
        await self._ended.wait()

    def end(self) -> None:
        self._ended.set()
        if self.mailbox is not None:
            self.mailbox.leave()


class Streams:
    """ASGI middleware that makes a `Stream` of each request for a session's messages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if not is_get or not any(path in scope["path"] for path in STREAMS):
            await self._app(scope, receive, send)
            return
        stream = Stream(receive, send)
        token = _STREAM.set(stream)
        try:
            await self._app(scope, stream.receive, stream.send)
        finally:
            _STREAM.reset(token)
            stream.end()


_STREAM: ContextVar[Stream | None] = ContextVar("stream", default=None)


def _size(message: EventMessage) -> int:
    """Bytes of memory."""
    output = message.output if isinstance(message, ProcessCompletedMessage) else None
    return MESSAGE + _memory(output)


def _memory(value: object) -> int:
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(map(_memory, value.values()))
    if isinstance(value, list):
        return sys.getsizeof(value) + sum(map(_memory, value))
    return sys.getsizeof(value)
