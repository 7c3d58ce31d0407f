"""One user with many long searches does not slow a class: turns, and short work before long."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.guard.turns import AGED, Turns, is_long
from explorer.page import build
from model.explain import Explainer
from tests.tiny import only

SHORT, LONG = "I am a student.", "I am a student. " * 30


class Line:
    """Gradio's queue as `Turns` sees it."""

    def __init__(self, limit: int | None = 2) -> None:
        self.line = SimpleNamespace(queue=[], concurrency_limit=limit, current_concurrency=0)
        self.active_jobs: list[Any] = [None] * 9
        self.event_queue_per_concurrency_id = {"model": self.line}
        self.at_once = limit or 0
        self.turns = Turns(self, lambda: self.at_once)  # type: ignore[arg-type]

    def add(self, where: str, text: str = SHORT, age: float = 0.0) -> None:
        """An event: `where` is its address, browser and page, as "class firefox ann"."""
        self.line.queue.append(event(where, [{"text": text}], age))

    def run(self) -> str:
        """The page of the next event, which goes on running; "" if none may run."""
        chosen = self.turns.next()
        if chosen is None:
            return ""
        ((one,), _, _) = chosen
        self.active_jobs[self.active_jobs.index(None)] = [one]
        self.line.current_concurrency += 1
        return one.session_hash

    def served(self, n: int) -> list[str]:
        """The pages of the next events, each of which ends before the next begins."""
        found = []
        for _ in range(n):
            found.append(self.run())
            self.active_jobs, self.line.current_concurrency = [None] * 9, 0
        return found


def event(where: str, data: list[Any], age: float = 0.0) -> Any:
    address, browser, page = where.split()
    headers = {"user-agent": browser}
    return SimpleNamespace(
        request=SimpleNamespace(client=SimpleNamespace(host=address), headers=headers),
        session_hash=page,
        data=SimpleNamespace(data=data),
        enqueue_time=time.monotonic() - age,
    )


def test_addresses_take_turns_then_browsers_then_pages() -> None:
    line = Line()
    for page in ("a1", "a2", "a3"):
        line.add(f"greedy script {page}")
    for where in ("class firefox b1", "class firefox b2", "class chrome c1", "home safari d1"):
        line.add(where)
    assert line.served(7) == ["a1", "b1", "d1", "a2", "c1", "a3", "b2"]
    assert line.served(1) == [""]


def test_who_has_just_been_served_waits_behind_others() -> None:
    line = Line()
    line.add("greedy script a")
    line.served(1)
    for where in ("greedy script a", "greedy script a", "class firefox b"):
        line.add(where)
    assert line.served(3) == ["b", "a", "a"]


def test_short_work_goes_before_long_and_long_work_is_not_forgotten() -> None:
    line = Line()
    line.add("greedy script long", LONG)
    line.add("class firefox b")
    line.add("class firefox c")
    assert line.served(3) == ["b", "c", "long"]
    line.add("other script late", LONG, AGED + 1)
    line.add("class firefox b")
    assert line.served(2) == ["late", "b"]


def test_long_work_leaves_a_place() -> None:
    line = Line()
    for i in range(8):
        line.add(f"greedy script long{i}", LONG, AGED + 1)
    assert [line.run(), line.run()] == ["long0", ""]
    line.add("class firefox b")
    assert [line.run(), line.run()] == ["b", ""]


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (None, 3)], ids=["one place", "stopping"])
def test_one_place_or_no_limit_holds_no_long_work_back(limit: int | None, count: int) -> None:
    line = Line(limit)
    for i in range(3):
        line.add(f"greedy script long{i}", LONG)
    assert len([page for page in (line.run() for _ in range(4)) if page]) == count


@pytest.mark.parametrize(
    ("data", "long"),
    [
        ([{"text": SHORT}], False),
        ([{"text": LONG}], True),
        ([{"text": "x" * 200, "settings": {"beam_size": 4}}], False),
        ([{"text": "x" * 200, "settings": {"beam_size": 16}}], True),
        ([{"text": "x" * 200, "settings": {"beam_size": -5}}], False),
        ([{"text": 3, "settings": []}], False),
        ([LONG, 4], True),  # of the API
        ([], False),
        ([None], False),
    ],
)
def test_the_length_of_a_search_is_known_from_its_request(data: list[Any], long: bool) -> None:
    assert is_long(event("a b c", data)) is long


@pytest.mark.slow
def test_the_page_has_these_turns(explainer: Explainer) -> None:
    queue = build(only(lambda: explainer))._queue
    assert queue.get_events.__func__ is Turns.next


def test_the_places_follow_the_workers() -> None:
    line = Line(1)
    for page in ("ann", "bob", "cat"):
        line.add(f"class firefox {page}")
    assert [line.run(), line.run()] == ["ann", ""]
    line.at_once = 2  # another machine has joined
    assert [line.run(), line.run()] == ["bob", ""]
    line.line.concurrency_limit = None  # the server stops: nobody waits for a place
    assert line.run() == "cat"
