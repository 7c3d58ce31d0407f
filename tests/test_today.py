"""Tests that rest on some days have their turn."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from tests.today import resting

DAYS = [f"2026-12-{day:02}" for day in range(27, 32)] + ["2027-01-01", "2027-01-02"]


@dataclass(frozen=True)
class Item:
    """What is asked of a collected test."""

    name: str
    marks: tuple[pytest.Mark, ...] = ()
    path: Path = Path("tests/test_x.py")

    @property
    def nodeid(self) -> str:
        return f"{self.path}::{self.name}"

    @property
    def originalname(self) -> str:
        return self.name.partition("[")[0]

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((mark for mark in self.marks if mark.name == name), None)


def run(items: list[Item], day: str) -> set[str]:
    left_out = resting(cast(Any, items), day)
    return {item.name for item in items} - {item.name for item in left_out}


@pytest.mark.parametrize("count", [2, 3, 4])
def test_each_runs_once_in_n_days_and_what_has_no_mark_always(count: int) -> None:
    days, cases = pytest.mark.days(count).mark, pytest.mark.cases(count).mark
    together = pytest.mark.days(count, "together").mark
    items = [Item(f"test_n{i}", (days,)) for i in range(5)]
    items += [Item(f"test_c[{i}]", (cases,)) for i in range(7)]
    items += [Item("test_p", (together,)), Item("test_q", (together,)), Item("test_always")]
    by_day = [run(random.sample(items, len(items)), day) for day in DAYS]  # in any order
    for i in range(len(DAYS) - count + 1):
        assert sum(map(len, by_day[i : i + count])) == len(items) - 1 + count
        assert set().union(*by_day[i : i + count]) == {item.name for item in items}
    for ran in by_day:
        assert ("test_p" in ran) == ("test_q" in ran)
        for kind, of in (("test_c", 7), ("test_n", 5)):  # no day has many
            assert of // count <= len([name for name in ran if kind in name]) <= -(-of // count)
