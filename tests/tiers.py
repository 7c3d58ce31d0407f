"""The two tiers: `make test` runs the same tests and cases every time, `make test-long` all.

Which tier a test or a case belongs to stands at the test, as the mark `long`; nothing else decides.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

IS_LONG = os.environ.get("HEADLIGHT_TESTS") == "long"


def spread(cases: Sequence[T], count: int) -> tuple[T, ...]:
    """As many of the cases as `count`, evenly spread, in their order: always the same."""
    return tuple(cases[i * len(cases) // count] for i in range(count))


def some(cases: Sequence[T], count: int) -> tuple[T, ...]:
    """The cases that a test goes through: as many as `count`; in the long tier all."""
    return tuple(cases) if IS_LONG else spread(cases, count)


def turns(cases: Sequence[T], count: int) -> list[tuple[T, ...]]:
    """For each of as many as `count`: one of the cases in turn; in the long tier all."""
    return [tuple(cases) if IS_LONG else (cases[i % len(cases)],) for i in range(count)]


def each(
    names: str | tuple[str, ...], cases: Sequence[Any], count: int, **options: Any
) -> pytest.MarkDecorator:
    """Parametrise a test with cases of which as many as `count` always run, the others long."""
    always = {i * len(cases) // count for i in range(count)}
    marked = [
        pytest.param(
            *(case if isinstance(names, tuple) else (case,)),
            marks=() if i in always else pytest.mark.long,
        )
        for i, case in enumerate(cases)
    ]
    return pytest.mark.parametrize(names, marked, **options)
