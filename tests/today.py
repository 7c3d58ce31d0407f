"""Which tests and cases are run today: a part, by the date; all of them when asked.

HEADLIGHT_TESTS=long tests all. HEADLIGHT_DAY=2026-11-24 draws what that day drew.
"""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timezone
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest

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


def resting(items: Sequence[pytest.Item], day: str = DAY) -> list[pytest.Item]:
    """Tests of one day in n whose day is another, and cases of which one in n runs a day.

    Among any n days in a row each has one, and those of a file take turns, so that the days are
    alike. Tests that are given one name have the same days.
    """
    found, cases = [], Counter[tuple[Path, str]]()
    tests: defaultdict[tuple[Path, int], dict[str, int]] = defaultdict(dict)
    for item in sorted(items, key=lambda item: item.nodeid):  # they come in any order
        name = getattr(item, "originalname", item.name)
        by_test, by_case = item.get_closest_marker("days"), item.get_closest_marker("cases")
        cases[item.path, name] += 1
        if by_test:
            count, *together = by_test.args
            others = tests[item.path, count]
            first, place = item.nodeid.partition("::")[0], others.setdefault(name, len(others))
            first, place = (together[0], 0) if together else (first, place)
        elif by_case:
            count, first, place = by_case.args[0], name, cases[item.path, name]
        else:
            continue
        if (date.fromisoformat(day).toordinal() + crc32(first.encode()) + place) % count:
            found.append(item)
    return found
