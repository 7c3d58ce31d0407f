"""The lane of the reader's lines: one call works, the others wait and take turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from explorer.guard.turns import Served
from explorer.origin import Origin

MAX_WAITING = 64  # calls; the next one is refused
MAX_OF_ONE = 32  # of one address, which may be a class behind a router
AGED = 10.0  # seconds of waiting after which a call is as small as any


class Full(Exception):
    """Too many calls wait."""


class Lane:
    """Addresses take turns, as in the queue of sentences. At one address, which may be a class, the
    smallest call is next, so that the one line of a translation never waits behind those of a tree;
    of equals, browsers take turns.
    """

    def __init__(self) -> None:
        self._served = Served()
        self._is_busy = False
        self._waiting: dict[asyncio.Future[None], tuple[Origin, int, float]] = {}

    @asynccontextmanager
    async def turn(self, where: Origin, size: int) -> AsyncIterator[None]:
        """Wait for the turn of a call of so many bytes.

        Raises:
            Full: too many wait already.
        """
        if self._is_busy:
            await self._wait(where, size)
        self._is_busy = True
        self._served.serve(_clients(where))
        try:
            yield
        finally:
            self._next()

    async def _wait(self, where: Origin, size: int) -> None:
        of_one = sum(other.address == where.address for other, *_ in self._waiting.values())
        if len(self._waiting) >= MAX_WAITING or of_one >= MAX_OF_ONE:
            raise Full
        mine = asyncio.get_running_loop().create_future()
        self._waiting[mine] = (where, size, time.monotonic() + AGED)
        try:
            await mine
        except asyncio.CancelledError:
            if self._waiting.pop(mine, None) is None:
                self._next()  # it was its turn already
            raise

    def _next(self) -> None:
        """Pass the turn on; the lane stays busy meanwhile, so that nobody comes between."""
        now = time.monotonic()

        def place(waiting: asyncio.Future[None]) -> tuple[int, ...]:
            where, size, aged = self._waiting[waiting]
            of_address, of_browser = self._served.place(_clients(where))
            return of_address, size if now < aged else 0, of_browser

        chosen = min(self._waiting, key=place, default=None)  # the first of equals
        self._is_busy = chosen is not None
        if chosen is not None:
            del self._waiting[chosen]
            chosen.set_result(None)


def _clients(where: Origin) -> list[tuple[str, ...]]:
    return [(where.address,), (where.address, where.browser)]
