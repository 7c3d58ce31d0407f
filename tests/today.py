"""Which cases of a large set are tested today: a few, drawn by the date; all of them when asked.

HEADLIGHT_TESTS=long tests all. HEADLIGHT_DAY=2026-11-24 draws what that day drew.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TypeVar

T = TypeVar("T")

IS_LONG = os.environ.get("HEADLIGHT_TESTS") == "long"
# Kept in the environment: workers that begin after midnight must collect the same tests.
DAY = os.environ.setdefault("HEADLIGHT_DAY", datetime.now(timezone.utc).date().isoformat())


def some(cases: Sequence[T], count: int) -> tuple[T, ...]:
    """As many of the cases as `count`, in their order; every day others."""
    if IS_LONG:
        return tuple(cases)
    places = random.Random(f"{DAY} {len(cases)}").sample(range(len(cases)), count)
    return tuple(cases[i] for i in sorted(places))


def turns(cases: Sequence[T], count: int) -> list[tuple[T, ...]]:
    """For each of as many as `count`: one of the cases, another one each day, or all of them."""
    if IS_LONG:
        return [tuple(cases)] * count
    first = random.Random(DAY).randrange(len(cases))
    return [(cases[(first + i) % len(cases)],) for i in range(count)]
