"""Model workers: every request is answered once, also when a worker dies."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest
from gradio import Error

from explorer.exchange.reply import Reply
from explorer.loading import AT_ONCE
from explorer.models import Listed, Models
from explorer.page import build
from explorer.pool import Gone, Workers
from explorer.workers import Process, started
from model.errors import ConfigError
from model.explain import Explainer
from tests import tiny

TEXT = "I am a small frog."


def here(_: object) -> Reply:
    return Reply("payload", "here")


class Fragile:
    """Answers with its number; a text `die` ends it, `die 1` if it is number 1."""

    numbers = 0

    def __init__(self) -> None:
        type(self).numbers += 1
        self.number, self.is_over = type(self).numbers, False

    def ask(self, sent: object) -> Reply:
        assert isinstance(sent, dict)
        if self.is_over or sent["text"] in ("die", f"die {self.number}"):
            raise Gone("It died.")
        return Reply("payload", str(self.number))

    def is_there(self) -> bool:
        return not self.is_over

    def end(self) -> None:
        self.is_over = True


def pool_of(count: int, wanted: Callable[[int], int] | None = None) -> Workers:
    Fragile.numbers = 0
    ready = [Fragile() for _ in range(count)]
    return Workers(Fragile, wanted or (lambda _: count), here, ready)


@pytest.fixture
def workers() -> Iterator[Workers]:
    pool = pool_of(1)
    yield pool
    pool.end()


def test_a_worker_that_dies_costs_a_second_try(workers: Workers) -> None:
    assert workers.answer({"text": "die 1"}) == Reply("payload", "2")
    assert workers.answer({"text": "Hello."}) == Reply("payload", "2")


def test_a_request_that_ends_two_workers_is_told_and_not_tried_again(workers: Workers) -> None:
    reply = workers.answer({"text": "die"})
    assert reply.kind == "message" and set(json.loads(reply.body)) == {"en", "zh"}
    assert workers.answer({"text": "Hello."}) == Reply("payload", "3")


def test_a_request_is_not_charged_with_the_other_workers_of_a_lost_machine() -> None:
    """Of four workers three were on it; each would have cost a try."""
    pool = pool_of(4)
    lost = [pool._free.get() for _ in range(3)]
    for worker in lost:
        worker.end()
        pool._free.put(worker)
    pool._free.put(pool._free.get())
    assert pool.answer({"text": "Hello."}) == Reply("payload", "4")


def test_without_any_worker_the_pages_process_answers_and_with_one_that_again() -> None:
    room = [0]
    pool = pool_of(1, lambda _: room[0])
    assert pool.answer({"text": "die 1"}) == here(None) and pool.at_once == AT_ONCE
    room[0] = 1  # a machine joins
    pool.look()
    assert settled(pool, 1) == 1 and pool.answer({"text": "Hello."}) == Reply("payload", "2")


def test_the_pool_follows_the_machines() -> None:
    """One that was lost is not waited for, and those that join are used."""
    room = [2]
    pool = pool_of(2, lambda _: room[0])
    first = pool._free.get()
    first.end()
    pool._free.put(first)
    room[0] = 1
    pool.look()
    assert settled(pool, 1) == 1 and first not in pool._all
    room[0] = 4
    pool.look()
    assert settled(pool, 4) == 4


def test_a_worker_that_cannot_be_placed_leaves_its_place_to_another_attempt() -> None:
    places: list[bool] = [False, True]

    def start() -> Fragile:
        if not places.pop(0):
            raise Gone("No machine has a processor free.")
        return Fragile()

    pool = Workers(start, lambda _: 1, here, [])
    pool.look()
    while len(places) > 1 or pool._starting:
        time.sleep(0.01)
    assert not pool._all
    pool.look()
    assert settled(pool, 1) == 1


def settled(pool: Workers, count: int) -> int:
    """How many workers there are once nobody is being started any more."""
    until = time.monotonic() + 60
    while (
        pool._starting or pool._renewing or len(pool._all) != count
    ) and time.monotonic() < until:
        time.sleep(0.01)
    return len(pool._all)


@pytest.mark.parametrize(
    "sent",
    [
        {"text": TEXT, "model": "play.reverse"},
        {"text": "", "question": "catalogue"},
        {"endpoint": "translate", "arguments": {"text": TEXT, "model": "play.reverse"}},
        None,
    ],
)
def test_what_the_pages_process_keeps_is_answered_there(workers: Workers, sent: object) -> None:
    assert workers.answer(sent) == Reply("payload", "here")


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 4])
def test_as_many_requests_run_as_there_are_workers(count: int) -> None:
    """The page's and programs', which wait in one line."""
    models = tiny.only(lambda: None)  # type: ignore[arg-type, return-value]
    pool = pool_of(count) if count else None
    demo = build(models, workers=pool)
    lines = {(fn.concurrency_id, fn.concurrency_limit) for fn in demo.fns.values() if fn.fn}
    assert lines == {("model", count or 2)}


@pytest.mark.slow
def test_a_program_is_answered_by_a_worker(tmp_path: Path) -> None:
    """By each model of the list, though the page's own process has none of them."""
    folders = [tiny.write_own(tmp_path / name, seed) for seed, name in enumerate("ab")]
    places: list[str | None] = [str(folder) for folder in folders]

    def away() -> NoReturn:
        raise AssertionError("the page's process was asked")

    listed = [Listed(name, name, away) for name in "ab"]
    process = Process((places, "cpu", None))
    pool = Workers(away, lambda _: 1, lambda _: away(), [process])
    demo = build(Models(listed), workers=pool)
    try:
        for name, place in zip("ab", places, strict=True):
            [endpoint] = [fn.fn for fn in demo.fns.values() if fn.api_name == "translate"]
            found = endpoint(TEXT, model=name)
            best = Explainer.load(place, "cpu").explain(TEXT).search.hypotheses[0]
            assert (found["translation"], found["score"]) == (best.text, best.score)
        with pytest.raises(Error, match="model is 'c'; expected one of a, b"):
            endpoint(TEXT, model="c")
    finally:
        pool.end()


@pytest.mark.long
@pytest.mark.slow
def test_processes_answer_beside_each_other_and_one_is_killed(tmp_path: Path) -> None:
    """The replies are those of this process; nobody's is lost or swapped."""
    folder = tiny.write_own(tmp_path / "tiny")
    processes: list[Process] = []

    def start() -> Process:
        processes.append(Process(([str(folder)], "cpu", None)))
        return processes[-1]

    pool = Workers(start, lambda _: 2, lambda _: Reply("message", "{}"), [start(), start()])
    texts = [f"{TEXT} {letter}" for letter in "abcdefgh"]
    killer = threading.Timer(0.3, lambda: os.kill(processes[0]._process.pid, signal.SIGKILL))

    def answered(body: object) -> Reply:
        """As the page asks: again, while the process that takes a place loads its model."""
        while (reply := pool.answer(body)).kind == "waiting":
            time.sleep(0.1)
        return reply

    try:
        pool.answer({"text": TEXT, "settings": {}})
        killer.start()
        with ThreadPoolExecutor(4) as visitors:
            asked = [{"text": text, "settings": {}} for text in texts * 4]
            replies = list(visitors.map(answered, asked))
    finally:
        killer.cancel()
        pool.end()
    assert {reply.kind for reply in replies} == {"payload"}
    assert [json.loads(reply.body)["text"] for reply in replies] == texts * 4
    assert len(processes) == 3


@pytest.mark.parametrize("asked", ["0", "65", "two", "-1", "²", "rays", "ray:2"])
def test_another_value_is_one_sentence(asked: str) -> None:
    with pytest.raises(ConfigError, match="a number of processes from 1 to 64, ray, or ray://"):
        started(asked, tiny.only(lambda: None), ([None], "cpu", None))  # type: ignore[arg-type, return-value]


def test_without_ray_the_next_step_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r'pip install "ray\[default\]"'):
        started("ray", tiny.only(lambda: None), ([None], "cpu", None))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ConnectionError("60 lines"), "no Ray cluster answers there"),
        (RuntimeError("Version mismatch: \n Ray 2.1.0"), "Version mismatch: Ray 2.1.0$"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_one_sentence(
    raised: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(*_: object, **__: object) -> NoReturn:
        raise raised

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init))
    with pytest.raises(ConfigError, match=told) as error:
        started("ray://10.0.0.5:10001", tiny.only(lambda: None), ([None], "cpu", None))  # type: ignore[arg-type, return-value]
    assert "\n" not in str(error.value) and "ray://10.0.0.5:10001" in str(error.value)


def test_that_no_cluster_starts_here_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("60 lines\nThe node was not ready in time.")

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init))
    with pytest.raises(ConfigError, match=r"no Ray .* starts here .*time\.\).*`ray stop`") as error:
        started("ray", tiny.only(lambda: None), ([None], "cpu", None))  # type: ignore[arg-type, return-value]
    assert "60 lines" not in str(error.value)


def test_more_workers_than_there_may_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="--max-workers is 65; expected a number from 1 to 64"):
        started("ray", tiny.only(lambda: None), ([None], "cpu", None), 65)  # type: ignore[arg-type, return-value]
