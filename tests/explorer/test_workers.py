"""Model workers: every request is answered once, also when a worker dies."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from gradio import Error

from explorer.exchange.reply import Reply
from explorer.models import Listed, Models
from explorer.page import build
from explorer.workers import Gone, Process, Workers, started
from model.errors import ConfigError
from model.explain import Explainer
from tests import tiny

TEXT = "I am a small frog."


class Fragile:
    """Answers with its number; a text `die` ends it."""

    numbers = 0

    def __init__(self) -> None:
        type(self).numbers += 1
        self.number, self.is_over = type(self).numbers, False

    def ask(self, sent: object) -> Reply:
        assert isinstance(sent, dict) and not self.is_over
        if sent["text"] == "die" or (sent["text"] == "die once" and self.number == 1):
            raise Gone
        return Reply("payload", str(self.number))

    def end(self) -> None:
        self.is_over = True


@pytest.fixture
def workers() -> Iterator[Workers]:
    Fragile.numbers = 0
    pool = Workers(Fragile, 1, lambda _: Reply("payload", "here"))
    yield pool
    pool.end()


def test_a_worker_that_dies_costs_a_second_try(workers: Workers) -> None:
    assert workers.answer({"text": "die once"}) == Reply("payload", "2")
    assert workers.answer({"text": "Hello."}) == Reply("payload", "2")


def test_a_request_that_ends_two_workers_is_told_and_not_tried_again(workers: Workers) -> None:
    reply = workers.answer({"text": "die"})
    assert reply.kind == "message" and set(json.loads(reply.body)) == {"en", "zh"}
    assert workers.answer({"text": "Hello."}) == Reply("payload", "3")


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
    pool = Workers(Fragile, count, lambda _: Reply("payload", "here")) if count else None
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
    pool = Workers(lambda: Process((places, "cpu", None)), 1, lambda _: away())
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

    pool = Workers(start, 2, lambda _: Reply("message", "{}"))
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
