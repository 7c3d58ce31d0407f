"""Asynchronous work in a thread of its own: the browser's tests leave a loop in the main one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `asyncio.run` would give, wherever it is called."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, work).result()
