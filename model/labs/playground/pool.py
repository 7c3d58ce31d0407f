"""Runs for many visitors: one trains at a time, in a process of its own; the others wait in line.

A visitor follows one run by asking for its frames, several times a second. Equal settings are one
run, whoever asks. A run that nobody has asked about for a moment gives way: at once to whoever
stands in the line, and else it stands still, so that a browser that was slow finds it again. What
is finished is kept, as far as there is room. Knows no torch and no page.
"""

from __future__ import annotations

import atexit
import base64
import json
import logging
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from model.errors import InputError
from model.labs.playground.settings import Settings

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[3]
GONE = 1.5  # seconds without a question after which a run is no longer trained for a visitor
FORGOTTEN = 20.0  # seconds without a question after which the visitor follows it no more
TICK = 0.2  # seconds between two looks at who has left
MAX_WAITING = 30  # runs in the line
MAX_KEPT = 32 * 2**20  # bytes of finished runs
MAX_AT_ONCE = 40  # frames in one answer
ENDED = "The training process ended. Start the run again."
Payload = dict[str, Any]


@dataclass(eq=False)
class Job:
    """One run: who follows it (visitor -> when they last asked), and what it has given so far."""

    number: int
    settings: Settings
    state: str = "waiting"  # then running, then done or failed
    about: Payload | None = None
    frames: list[Payload] = field(default_factory=list)
    weights: bytes | None = None  # of the finished model, as a safetensors file
    result: Payload | None = None
    error: str | None = None
    followers: dict[str, tuple[float, bool]] = field(default_factory=dict)  # (when, is paused)
    paused: bool = False
    dropped: bool = False  # the worker was told to stop
    size: int = 0  # bytes that the frames took on their way

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "failed")

    def is_wanted(self, now: float) -> bool:
        """Whether somebody is there to see it."""
        return any(now - asked <= GONE for asked, _ in self.followers.values())

    def is_paused_by_all(self, now: float) -> bool:
        """Whether whoever is there has paused it; true where nobody is."""
        return all(paused for asked, paused in self.followers.values() if now - asked <= GONE)


class Pool:
    """The line of runs and the process that trains. The process starts with the first run."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._jobs: OrderedDict[Settings, Job] = OrderedDict()
        self._waiting: list[Job] = []
        self._running: Job | None = None
        self._process: subprocess.Popen[str] | None = None
        self._count = 0
        self.started = 0  # runs that were trained, for tests

    def follow(
        self, settings: Settings, visitor: str, since: int = 0, paused: bool = False
    ) -> Payload:
        """What is new of a run since frame number `since`; the first call puts it in the line.

        {state, place, about, update, frames, next, total, result, error}: `place` is 1 for the next
        in the line, `update` how far the run is, `next` the number to ask from then. A run waits
        for a visitor who paused it only while all who follow it have, and nobody stands in the
        line.

        Raises:
            InputError: the line is full.
        """
        with self._lock:
            self._watch()
            self._leave(visitor, settings)
            job = self._jobs.get(settings) or self._enter(settings)
            self._jobs.move_to_end(settings)
            job.followers[visitor] = (time.monotonic(), paused)
            self._advance()
            frames = job.frames[since : since + MAX_AT_ONCE]
            waiting = job in self._waiting
            return {
                "state": job.state,
                "place": self._waiting.index(job) + 1 if waiting else 0,
                "paused": job.paused,
                "about": job.about if since == 0 else None,
                "update": job.frames[-1]["update"] if job.frames else 0,
                "frames": frames,
                "next": since + len(frames),
                "total": len(job.frames),
                "result": job.result,
                "error": job.error,
            }

    def finished(self, settings: Settings) -> tuple[bytes, Payload] | None:
        """The weights and the result of a run, as long as it is kept; None where it is not."""
        with self._lock:
            job = self._jobs.get(settings)
            if job is None or job.weights is None or job.result is None:
                return None
            self._jobs.move_to_end(settings)
            return job.weights, job.result

    def leave(self, visitor: str) -> None:
        """The visitor follows nothing any more."""
        with self._lock:
            self._leave(visitor, None)
            self._advance()

    @property
    def is_busy(self) -> bool:
        """Whether a run is being trained; one that stands still takes no processor time."""
        with self._lock:
            return self._running is not None and not self._running.paused

    def close(self) -> None:
        """End the process."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(5)

    # ------------------------------------------------------------------- the line, locked

    def _enter(self, settings: Settings) -> Job:
        if len(self._waiting) >= MAX_WAITING:
            raise InputError(
                f"{MAX_WAITING} runs are waiting already. Try again in a few minutes.",
                key="line", count=MAX_WAITING,
            )  # fmt: skip
        self._count += 1
        job = Job(self._count, settings)
        self._jobs[settings] = job
        self._waiting.append(job)
        return job

    def _leave(self, visitor: str, settings: Settings | None) -> None:
        """Take a visitor from every run but that of `settings`."""
        for job in list(self._jobs.values()):
            if job.settings != settings:
                job.followers.pop(visitor, None)

    def _advance(self) -> None:
        """Drop what nobody follows, pause or go on, start the next run."""
        now = time.monotonic()
        for job in list(self._jobs.values()):
            if job.is_over:
                continue
            for visitor, (asked, _) in list(job.followers.items()):
                if now - asked > FORGOTTEN:
                    del job.followers[visitor]
            if not job.followers:
                self._drop(job)
        ready = [job for job in self._waiting if job.is_wanted(now)]
        running = self._running
        if running is not None and not running.dropped:
            self._hold(running, now, bool(ready))
        if self._running is None and ready:
            job = ready[0]
            self._waiting.remove(job)
            self._running, job.state = job, "running"
            self.started += 1
            self._order({"run": job.number, "settings": asdict(job.settings)})
        self._forget()

    def _hold(self, running: Job, now: float, has_next: bool) -> None:
        """Stop, pause or go on with the run, as those who follow it and those who wait want it."""
        if has_next and not running.is_wanted(now):
            return self._drop(running)
        pause = not has_next and running.is_paused_by_all(now)
        if pause != running.paused:
            running.paused = pause
            self._order({"do": "pause" if pause else "go"})
        return None

    def _drop(self, job: Job) -> None:
        del self._jobs[job.settings]
        if job in self._waiting:
            self._waiting.remove(job)
        if job is self._running and not job.dropped:
            job.dropped = True
            self._order({"do": "stop"})

    def _forget(self) -> None:
        """Keep finished runs as far as there is room; the one asked for longest ago goes first."""
        over = [job for job in self._jobs.values() if job.is_over]
        size = sum(job.size for job in over)
        for job in over[:-1]:
            if size <= MAX_KEPT:
                return
            size -= job.size
            del self._jobs[job.settings]

    # ---------------------------------------------------------------------- the process

    def _order(self, order: Payload) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        except OSError:
            log.exception("The process that trains has ended.")

    def _watch(self) -> None:
        """Start the process, and the threads that read it and see who leaves, if need be."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._running is not None:
            self._running.state, self._running.error, self._running = "failed", ENDED, None
        self._process = subprocess.Popen(
            [sys.executable, "-m", "model.labs.playground.worker"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        atexit.register(self.close)
        for work in (self._read, self._tick):
            threading.Thread(target=work, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        """Take in what the process tells, until it ends."""
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line)
            with self._lock:
                job = self._running
                if job is not None and job.number == told["run"]:
                    self._take(job, told, len(line))
        with self._lock:
            if process is self._process and self._running is not None:
                self._end(self._running, "failed", ENDED)

    def _take(self, job: Job, told: Payload, size: int) -> None:
        job.size += size
        if "about" in told:
            job.about = told["about"]
        elif "frame" in told:
            job.frames.append(told["frame"])
        elif "weights" in told:
            job.weights = base64.b64decode(told["weights"])
        elif "result" in told:
            job.result = told["result"]
            self._end(job, "done")
        elif "error" in told or "stopped" in told:
            self._end(job, "failed", told.get("error"))

    def _end(self, job: Job, state: str, error: str | None = None) -> None:
        job.state, job.error, self._running = state, error, None
        self._advance()

    def _tick(self, process: subprocess.Popen[str]) -> None:
        """See who leaves, also when nobody asks for anything."""
        while process.poll() is None:
            time.sleep(TICK)
            with self._lock:
                self._advance()
