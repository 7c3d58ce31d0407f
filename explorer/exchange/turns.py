"""Long answers in turns, each a separate reply, so that none holds up the others for long.

The page asks with `first`, 0 at the start, and continues with the `next` of each reply until that
is None (`inTurns` of `assets/kit/request.js`). The time limit decides how much goes into a reply:
everything if model and machine are fast.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

ENOUGH = 0.4  # seconds of processor time per reply; the rest goes into the next one


def turn(
    first: int, total: int, size: int, work: Callable[[range], T]
) -> tuple[list[T], int | None]:
    """Do the work of the numbers from `first` on, `size` at a time, until the time is up.

    At least one `work` is done. Returns the results and the number to continue with, or None.
    """
    started, found = time.thread_time(), []
    for start in range(first, total, size):
        stop = min(start + size, total)
        found.append(work(range(start, stop)))
        if stop < total and time.thread_time() - started > ENOUGH:
            return found, stop
    return found, None
