"""A limit on the computing time of one request, so that it cannot hold up the others.

    with deadline.within(5.0):
        explainer.explain(text)

Code that works in steps (a search, a ranking of heads, chunks of a large table) calls `check`
between them. Without a limit, as in a notebook, `check` does nothing. The limit is on the processor
time of the thread: on a busy machine a request takes longer, but uses no more of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from model.errors import InputError

_limit: ContextVar[tuple[float, float] | None] = ContextVar("limit", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limit this thread's computing time in the block; a nested limit can only be earlier."""
    end, outer = time.thread_time() + seconds, _limit.get()
    token = _limit.set((end, seconds) if outer is None or end < outer[0] else outer)
    try:
        yield
    finally:
        _limit.reset(token)


def is_limited() -> bool:
    """Whether somebody waits for the end of a request."""
    return _limit.get() is not None


def check() -> None:
    """Raise an error if the time is up.

    Raises:
        InputError: the time is up.
    """
    limit = _limit.get()
    if limit is not None and time.thread_time() > limit[0]:
        raise InputError(
            f"This took longer than the {limit[1]:g} seconds allowed for one request, and was "
            "stopped. Try a shorter text, fewer beams or fewer changes.",
            key="deadline", seconds=f"{limit[1]:g}",
        )  # fmt: skip
