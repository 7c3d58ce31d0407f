"""Unread replies: dropped after a while, or at once if there are too many.

Gradio keeps the messages to a session until a stream of that session takes them, for ever if need
be, and still computes what such a session waits for. Here a session that takes nothing for
`PATIENCE` seconds is forgotten: its messages, its waiting events, and its stream if one is open.
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

PATIENCE = 30.0  # seconds; a browser may put a page to sleep for some
MAX_BYTES = 32_000_000  # of all messages that are not yet delivered
PART = 65_536  # bytes sent at once; a visitor who takes them is still connected
MESSAGE = 1_000  # bytes that a message takes beside its reply
SOON = 2.0  # seconds in which a visitor who has just asked opens a stream
STREAMS = (f"{API_PREFIX}/queue/data", f"{API_PREFIX}/call/")


class Mailbox(asyncio.Queue[EventMessage]):
    """The messages to one session, in the place of Gradio's own queue.

    heard   when the session last took something, or had nothing to take
    bytes   of the messages that are not yet delivered
    stream  the stream that takes them, where one is open
    """

    _queue: deque[tuple[EventMessage, int]]  # of asyncio.Queue: messages, and their bytes

    def __init__(self, session: str, boxes: Mailboxes) -> None:
        super().__init__()
        self.session, self.heard, self.bytes = session, time.monotonic(), 0
        self.stream: Stream | None = None
        self.is_forgotten = False
        self._boxes = boxes
        self._readers = 0  # that wait
        self._on_its_way = 0  # bytes of the message that was taken last

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
        """Forget all messages."""
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
    """The mailbox of each session, in the place of Gradio's own dictionary."""

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
        """Open a mailbox; Gradio brings a queue of its own, which is not needed."""
        box = Mailbox(session, self)
        super().__setitem__(session, box)
        self._start(self._watch(box))

    def __delitem__(self, session: str) -> None:
        box = self.pop(session, None)
        if box is not None:
            box.drop()

    def __missing__(self, _: str) -> asyncio.Queue[EventMessage]:
        """Takes a message that comes after its session has been forgotten."""
        return asyncio.Queue()

    def is_delivering(self) -> bool:
        """True while a connected visitor has messages to take."""
        boxes = [box for box in list(self.values()) if box.bytes]
        return any(box.stream is not None or box.quiet() < SOON for box in boxes)

    def make_room(self) -> None:
        """Drop the mailboxes that were idle longest, until the rest is within the limit."""
        while self.bytes > self._max_bytes:
            self._forget(max((box for box in self.values() if box.bytes), key=Mailbox.quiet))

    def _forget(self, box: Mailbox) -> None:
        box.is_forgotten = True
        box.drop()
        self._start(self._clean(box))
        if self._trim is not None:
            self._trim.start()

    async def _watch(self, box: Mailbox) -> None:
        """Forget a session that has taken nothing for long."""
        while self.get(box.session) is box and not box.is_forgotten:
            left = self._patience - box.quiet()
            if left > 0:
                await asyncio.sleep(left)
            else:
                self._forget(box)

    async def _clean(self, box: Mailbox) -> None:
        """Let Gradio forget a session too: its waiting events, and its stream."""
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
    """An open stream of messages to a visitor: sends them in parts, and can be cut."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._is_cut, self._scope = False, anyio.CancelScope()
        self._ended = asyncio.Event()
        self.mailbox: Mailbox | None = None

    async def receive(self) -> Message:
        """What the visitor sends; once the stream is cut, that the visitor has gone."""
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
        """Send no more, and wait for the end: Gradio finds that the visitor has gone."""
        self._is_cut = True
        self._scope.cancel()
        await self._ended.wait()

    def end(self) -> None:
        self._ended.set()
        if self.mailbox is not None:
            self.mailbox.leave()


class Streams:
    """ASGI middleware: makes a `Stream` of each request for the messages to a session."""

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
