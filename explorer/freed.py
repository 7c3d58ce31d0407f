"""Memory that nobody uses any more, given back to the system.

The C library keeps for each thread what that thread has freed. A server that explains in several
threads would hold hundreds of megabytes after some thousand explanations, with nothing in them
(docs/decisions.md, 86).
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

EVERY = 50  # answers; giving back takes some milliseconds
A = TypeVar("A")
R = TypeVar("R")


def given_back(answer: Callable[[A], R]) -> Callable[[A], R]:
    """The same function, which gives memory back after every so many calls."""
    trim = _trim()
    if trim is None:
        return answer
    calls = itertools.count(1)

    @wraps(answer)
    def answering(asked: A) -> R:
        try:
            return answer(asked)
        finally:
            if next(calls) % EVERY == 0:
                trim()

    return answering


def _trim() -> Callable[[], object] | None:
    """malloc_trim(0) of glibc; other C libraries have none."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # TypeError: Windows wants a name
        return None
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    return lambda: trim(0)
