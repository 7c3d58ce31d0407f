"""The pool of runs: what it gives, who leaves, what is killed, and who comes next."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from model.labs.playground import job as job_module
from model.labs.playground import pool as pool_module
from model.labs.playground import worker
from model.labs.playground.job import Visitor
from model.labs.playground.pool import ENDED, Pool
from model.labs.playground.run import train
from model.labs.playground.settings import Settings

pytestmark = pytest.mark.slow

SMALL = Settings(length=3, alphabet=12, d_model=16, d_ff=16, heads=2, batch=8, updates=12, warmup=4)
LONG = replace(SMALL, updates=5000)
QUICK = (sys.executable, str(Path(__file__).with_name("quick_worker.py")))
PATIENCE = 120.0  # seconds for a process to start on a busy machine
ONE, TWO, THREE = Visitor("one"), Visitor("two"), Visitor("three")


@pytest.fixture(scope="module")
def trainer() -> Iterator[Pool]:
    """A pool that trains; its process, which imports torch, is started once."""
    made = Pool()
    yield made
    made.close()


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """A pool whose process gives frames as if it trained."""
    monkeypatch.setattr(pool_module, "WORKER", QUICK)
    made = Pool()
    yield made
    made.close()


def finished(pool: Pool, settings: Settings, visitor: Visitor) -> tuple[list[dict[str, Any]], Any]:
    """All frames of a run and its last reply, asked for as the page does."""
    frames: list[dict[str, Any]] = []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        reply = pool.follow(settings, visitor, len(frames))
        frames += reply["frames"]
        if reply["state"] == "failed" or (
            reply["state"] == "done" and len(frames) == reply["total"]
        ):
            return frames, reply
        time.sleep(0.05)
    raise AssertionError("the run did not end")


def until(claim: Any, seconds: float = PATIENCE) -> float:
    started = time.monotonic()
    while not claim():
        assert time.monotonic() - started < seconds
        time.sleep(0.02)
    return time.monotonic() - started


def begun(pool: Pool, settings: Settings, visitor: Visitor) -> None:
    """The visitor's run has given some frames."""
    until(lambda: pool.follow(settings, visitor)["total"] > 2)


def kill(pool: Pool) -> None:
    """As a system that runs out of memory does."""
    assert pool._process is not None
    os.kill(pool._process.pid, signal.SIGKILL)


@pytest.mark.long
def test_the_pool_gives_what_python_gives(trainer: Pool) -> None:
    before = trainer.started
    frames, reply = finished(trainer, SMALL, ONE)
    result = train(SMALL)
    assert [frame["loss"] for frame in frames] == [frame.loss for frame in result.frames]
    expected = json.loads(json.dumps(result.to_dict()))
    for name in set(expected) - {"curve", "seconds"}:
        assert reply["result"][name] == expected[name]
    assert reply["result"]["settings"] == asdict(SMALL)
    # Thirty more press the same: nothing is trained again.
    for n in range(30):
        assert finished(trainer, SMALL, Visitor(n))[0] == frames
    assert trainer.started == before + 1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_training_gives_way_to_translations(
    pool: Pool, training_command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "WORKER", training_command)
    pool.follow(LONG, ONE)
    assert pool._process is not None and worker.NICE > 0
    stat = Path(f"/proc/{pool._process.pid}/stat")
    nice = 16  # places after the name, which ends with a bracket
    # Before it has given way; afterwards a busy machine may not let it train for minutes.
    given = min(19, os.getpriority(os.PRIO_PROCESS, 0) + worker.NICE)
    until(lambda: int(stat.read_text().rpartition(")")[2].split()[nice]) == given)


def test_a_visitor_who_leaves_frees_the_process(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert job_module.GONE + pool_module.TICK < 2  # seconds; here it is waited for a third of them
    monkeypatch.setattr(job_module, "GONE", 0.5)
    begun(pool, LONG, ONE)
    # Says goodbye: at once. Says nothing: soon.
    pool.leave(ONE)
    assert until(lambda: not pool.is_busy, 2) < 1
    begun(pool, replace(LONG, seed=2), TWO)
    assert until(lambda: not pool.is_busy, 3) < 2
    # Whoever waits gets it; a late question finds the run again.
    assert pool.follow(replace(LONG, seed=2), TWO)["total"] > 2
    pool.follow(replace(LONG, seed=3), THREE)
    assert pool.follow(replace(LONG, seed=3), THREE)["place"] == 1
    until(lambda: pool.follow(replace(LONG, seed=3), THREE)["state"] == "running", 4)


def stands_still(pool: Pool, settings: Settings) -> bool:
    """Whether nothing comes in a fifth of a second: a run that goes on gives forty frames."""
    total = pool.follow(settings, ONE, paused=True)["total"]
    time.sleep(0.2)
    return bool(pool.follow(settings, ONE, paused=True)["total"] == total)


def test_pause_holds_a_run_unless_somebody_waits(pool: Pool) -> None:
    begun(pool, LONG, ONE)
    until(lambda: pool.follow(LONG, ONE, paused=True)["paused"])
    until(lambda: stands_still(pool, LONG), 10)  # a frame or two were under way
    pool.follow(replace(LONG, seed=2), TWO)
    assert not pool.follow(LONG, ONE, paused=True)["paused"]


# --------------------------------------------------------------------------------- killed


def test_a_run_that_was_killed_can_be_started_again_by_anybody(pool: Pool) -> None:
    begun(pool, LONG, ONE)
    pool.follow(LONG, TWO)
    kill(pool)
    for visitor in (ONE, TWO):  # each hears of it once
        assert finished(pool, LONG, visitor)[1]["error"] == ENDED
    # Somebody else, at once; and those who heard of it.
    assert pool.follow(LONG, THREE)["state"] == "running"
    assert pool.follow(LONG, ONE)["state"] == "running"
    begun(pool, LONG, THREE)
    assert pool.started == 2


def test_whoever_changed_the_settings_hears_no_old_news(pool: Pool) -> None:
    begun(pool, LONG, ONE)
    kill(pool)
    until(lambda: pool._failed)
    assert finished(pool, SMALL, ONE)[1]["state"] == "done"
    assert pool.follow(LONG, ONE)["state"] in ("waiting", "running")


def test_a_killed_run_takes_nobody_who_waits_with_it(pool: Pool) -> None:
    begun(pool, LONG, ONE)
    pool.follow(SMALL, TWO)
    pool.follow(replace(SMALL, seed=2), THREE)
    kill(pool)
    assert finished(pool, SMALL, TWO)[1]["state"] == "done"
    assert finished(pool, replace(SMALL, seed=2), THREE)[1]["state"] == "done"
    assert pool.follow(LONG, ONE)["error"] == ENDED


def test_a_process_that_was_killed_between_two_runs_is_not_missed(pool: Pool) -> None:
    finished(pool, SMALL, ONE)
    kill(pool)
    until(lambda: pool._process is None)
    assert finished(pool, replace(SMALL, seed=2), ONE)[1]["state"] == "done"


def test_killed_processes_leave_the_page_as_it_was(pool: Pool) -> None:
    finished(pool, SMALL, ONE)
    threads = threading.active_count()
    settings = replace(LONG, seed=9)
    for n in range(4):
        begun(pool, settings, Visitor(n))
        kill(pool)
        assert finished(pool, settings, Visitor(n))[1]["error"] == ENDED
    assert pool._failed == {} and list(pool._jobs) == [SMALL]
    assert finished(pool, replace(SMALL, seed=2), TWO)[1]["result"] is not None
    until(lambda: threading.active_count() <= threads, 5)


# ----------------------------------------------------------------------- one's own and others'


def test_nobody_leaves_or_pauses_for_another(pool: Pool) -> None:
    """A name alone stops nothing: it counts together with where it is used from."""
    mine = Visitor("name", "10.0.0.1", "Chrome")
    begun(pool, LONG, mine)
    for other in (Visitor("name"), replace(mine, address="10.0.0.2"), replace(mine, browser="x")):
        pool.leave(other)
        pool.follow(SMALL, other, paused=True)
        pool.leave(other)
    assert mine in pool._jobs[LONG].followers and not pool.follow(LONG, mine)["paused"]
    pool.leave(mine)
    assert LONG not in pool._jobs


def test_thirty_one_names_of_one_client_and_an_honest_visitor(pool: Pool) -> None:
    """The honest one gets a place each time, and trains after the run that trains already."""
    runs = [replace(LONG, seed=n) for n in range(31)]
    names = [Visitor(f"name {n}", "10.0.0.1", "script") for n in range(31)]
    mine, honest = replace(SMALL, seed=77), Visitor("me", "10.0.0.2", "Chrome")

    def all_ask() -> list[Settings]:
        """The runs that wait no longer, of those who came after the first."""
        others = (*zip(runs[1:], names[1:], strict=True), (mine, honest))
        return [run for run, name in others if pool.follow(run, name)["state"] != "waiting"]

    begun(pool, runs[0], names[0])
    all_ask()
    for _ in range(10):
        assert pool.follow(mine, honest)["place"] <= 1
    assert all_ask() == []
    pool.leave(names[0])  # whose run is the one that trains
    trained: list[Settings] = []  # the first ones; asked later, a busy machine has the next begun
    until(lambda: trained.extend(all_ask()) or trained)
    assert trained == [mine]
    assert finished(pool, mine, honest)[1]["state"] == "done"


def test_a_class_of_thirty_behind_one_router_all_train(pool: Pool) -> None:
    runs = {Visitor(f"pupil {n}", "10.0.0.1", "Chrome"): replace(SMALL, seed=n) for n in range(30)}
    for n, (pupil, settings) in enumerate(runs.items()):
        assert pool.follow(settings, pupil)["place"] == n  # the first trains at once
    missing = dict(runs)
    end = time.monotonic() + PATIENCE
    while missing and time.monotonic() < end:
        for pupil, settings in list(missing.items()):
            if pool.follow(settings, pupil)["state"] == "done":
                del missing[pupil]
        time.sleep(0.02)
    assert not missing and pool.started == 30


def test_one_visitor_has_one_place(pool: Pool) -> None:
    begun(pool, LONG, ONE)
    for n in range(5):
        pool.follow(replace(SMALL, seed=n), TWO)
    assert [job.settings.seed for job in pool._line.turns()] == [4]


@pytest.mark.parametrize(
    ("orders", "end"),
    [(["run", "stop"], "stopped"), (["run"], "result"), (["stop", "run"], "result")],
    ids=["stopped while the process started", "not stopped", "the one before was stopped"],
)
def test_a_run_heeds_what_was_said_before_it_began(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    orders: list[str],
    end: str,
) -> None:
    """A process imports torch first: by then all that it was told may have come."""
    said = {"run": {"run": 1, "settings": asdict(SMALL)}, "stop": {"do": "stop"}}
    lines = "".join(json.dumps(said[one]) + "\n" for one in orders)
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    monkeypatch.setattr(os, "_exit", lambda _: None)  # where the input ends
    control = worker.Control()
    control.read()
    worker.train(control.next(), control)
    assert end in json.loads(capsys.readouterr().out.splitlines()[-1])
