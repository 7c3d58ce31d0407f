"""Which cases of a large set are run: a fixed part, or all of them.

HEADLIGHT_TESTS=long tests all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

IS_LONG = os.environ.get("HEADLIGHT_TESTS") == "long"


def some(cases: Sequence[T], count: int) -> tuple[T, ...]:
    """As many of the cases as `count`, evenly spread, in their order."""
    return tuple(cases) if IS_LONG else tuple(cases[i * len(cases) // count] for i in range(count))


def turns(cases: Sequence[T], count: int) -> list[tuple[T, ...]]:
    """For each of as many as `count`: one of the cases in turn, or all of them."""
    if IS_LONG:
        return [tuple(cases)] * count
    return [(cases[i % len(cases)],) for i in range(count)]
