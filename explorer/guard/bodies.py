"""The bodies of requests: read whole, up to a limit, before anything parses them.

docs/scale.md has the size of the page's largest request.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from gradio import Blocks
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.guard import events
from explorer.words import WORDS
from model.errors import InputError

log = logging.getLogger(__name__)

IS_LARGE = "headlight.is_large"  # marks the scope of a large request


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a request, and on the number of large ones."""

    size: int = 2_000_000  # bytes
    values: int = 250_000  # values, counted by their commas
    groups: int = 60_000  # lists and objects, counted by their opening brackets
    seconds: float = 60.0  # seconds for all of it to arrive
    large: int = 65_536  # bytes; larger requests count as large
    at_once: int = 8  # large requests that are arriving, waiting or running


LIMITS = Limits()


class Refusal(Exception):
    """A request that is not passed on: its status and a message."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Bodies:
    """ASGI middleware that passes on requests that are small enough and can be answered."""

    def __init__(self, app: ASGIApp, limits: Limits = LIMITS) -> None:
        self._app, self._limits = app, limits
        self._arriving = 0  # number of large requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        is_answered = False

        async def answer(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            body = await self._body(scope, receive)
            body = events.checked(scope["path"], body, scope["app"].get_blocks())
            await self._app(scope, _again(body, receive), answer)
        except ClientDisconnect:
            return
        except Exception as error:
            if is_answered:
                raise
            refusal = _refusal(error)
            response = JSONResponse({"detail": str(refusal)}, refusal.status)
            await response(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Read the whole body.

        Raises:
            Refusal: it is too large or too slow, or there are too many large requests.
            ClientDisconnect: the rest of it never comes.
        """
        limits = self._limits
        self._check_size(int(Headers(scope=scope).get("content-length", 0)))
        try:
            body = await asyncio.wait_for(self._read(scope, receive), limits.seconds)
        except asyncio.TimeoutError:
            sentence = f"The request did not arrive within {limits.seconds:g} seconds."
            raise Refusal(408, sentence) from None
        finally:
            self._arriving -= IS_LARGE in scope
        groups = body.count(b"[") + body.count(b"{")
        if body.count(b",") > limits.values or groups > limits.groups:
            raise Refusal(
                413,
                f"The request has too many values; expected at most {limits.values:,}, in no more "
                f"than {limits.groups:,} lists and objects.",
            )
        return body

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False)
            self._check_size(len(body))
            if len(body) > self._limits.large and IS_LARGE not in scope:
                self._check_room(scope["app"].get_blocks())
                scope[IS_LARGE] = True
                self._arriving += 1
        return bytes(body)

    def _check_size(self, size: int) -> None:
        limit = self._limits.size
        if size > limit:
            raise Refusal(413, f"The request has more than {limit:,} bytes; send a shorter one.")

    def _check_room(self, blocks: Blocks) -> None:
        held = blocks._queue.event_ids_to_events.values()  # waiting or running
        large = sum(IS_LARGE in event.request.scope for event in held)
        if self._arriving + large >= self._limits.at_once:
            raise Refusal(503, "Too many large requests are waiting; try again in a minute.")


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the whole body first."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, InputError):
        return Refusal(400, str(error))
    log.error("A request could not be answered.", exc_info=error)
    return Refusal(500, WORDS["error.unexpected"].en)
