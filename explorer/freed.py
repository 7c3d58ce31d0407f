"""Freed memory, returned to the system.

The C library keeps freed memory for the thread that freed it. A server with several threads would
hold hundreds of megabytes of free memory after some thousand explanations (docs/decisions.md, 86).
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

ANSWERS = 50  # calls between two trims, which take some milliseconds
QUIET = 5.0  # seconds after an answer, or after replies were dropped
A = TypeVar("A")
R = TypeVar("R")


def trim_memory_every(n: int, answer: Callable[[A], R]) -> Callable[[A], R]:
    """The same function, also returning freed memory after every `n` calls, and soon after each."""
    trim = trimmer()
    if trim is None:
        return answer
    calls, later = itertools.count(1), Later(trim)

    @wraps(answer)
    def answering(asked: A) -> R:
        try:
            return answer(asked)
        finally:
            later.start()
            if next(calls) % n == 0:
                trim()

    return answering


class Later:
    """Does some work once, `seconds` after `start`, even if that is called several times."""

    def __init__(self, work: Callable[[], object], seconds: float = QUIET) -> None:
        self._work, self._seconds = work, seconds
        self._lock, self._is_started = threading.Lock(), False

    def start(self) -> None:
        with self._lock:
            if self._is_started:
                return
            self._is_started = True
        timer = threading.Timer(self._seconds, self._run)
        timer.daemon = True
        timer.start()

    def _run(self) -> None:
        self._is_started = False
        self._work()


def trimmer() -> Callable[[], object] | None:
    """malloc_trim(0) of glibc; other C libraries have none."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # TypeError: Windows wants a name
        return None
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    return lambda: trim(0)
