"""A least-recently-used cache of results, bounded in bytes."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class ResultCache:
    """Keeps the last results, up to `max_bytes` in total. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> Any:
        """The value of `key`; None if it is not cached."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of `key`, made now if it is not cached. Two threads may both make it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                kept: T = self._kept[key][0]
                return kept
        value = make()
        size = size_of(value)
        if size > self.max_bytes:  # it would evict everything else and still not fit
            return value
        with self._lock:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = (value, size)
            self._bytes += size - before
            while self._bytes > self.max_bytes:
                _, (_, oldest) = self._kept.popitem(last=False)
                self._bytes -= oldest
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    @property
    def n_bytes(self) -> int:
        """The number of bytes kept."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._kept)


def size_of(value: Any) -> int:
    """The bytes of a record: its arrays and tensors, with an estimate for everything else.

    Data that two records share counts in both, so a sum is never too small.
    """
    if isinstance(value, str):
        return 50 + 2 * len(value)
    if hasattr(value, "nbytes"):  # an array, or a tensor
        return 100 + int(value.nbytes)
    if dataclasses.is_dataclass(value):
        return 100 + sum(map(size_of, vars(value).values()))
    if isinstance(value, dict):
        return 50 + sum(map(size_of, value.values()))
    if isinstance(value, (tuple, list)):
        if value and isinstance(value[0], (str, int)):  # pieces, fates and small ids are shared
            return 50 + 8 * len(value) + (28 * len(value) if isinstance(value[0], int) else 0)
        if value and isinstance(value[0], tuple):  # cells, layers: all of one size
            return 50 + len(value) * size_of(value[0])
        return 50 + sum(map(size_of, value))
    return 50
