"""Runs for many visitors: one trains at a time, in a separate process; the others queue.

A visitor follows one run by polling for its frames several times a second. Equal settings share one
run, no matter who asks. A run without followers for a moment gives way to the next in the queue; if
the queue is empty, it pauses, so that a slow browser can continue it. Finished runs are kept while
there is room; a failure is reported to the run's followers, and the next request starts it again.
This module imports neither torch nor the page.
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
from dataclasses import asdict
from pathlib import Path

from model.labs.playground.job import Job, Payload, Visitor
from model.labs.playground.line import Line
from model.labs.playground.settings import Settings

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[3]
WORKER = (sys.executable, "-m", "model.labs.playground.worker")
FORGOTTEN = 20.0  # seconds without a question after which the visitor no longer follows it
TICK = 0.2  # seconds between two checks for visitors who left
MAX_KEPT = 32 * 2**20  # bytes of finished runs
MAX_AT_ONCE = 40  # frames in one answer
ENDED = "The training process ended. Start the run again."


class Pool:
    """The queue of runs and the training process, which starts with the first run."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._jobs: OrderedDict[Settings, Job] = OrderedDict()  # waiting, running and done
        self._failed: dict[Visitor, Job] = {}  # followers not yet notified
        self._line = Line()
        self._running: Job | None = None
        self._process: subprocess.Popen[str] | None = None
        self._count = 0
        self.started = 0  # number of runs trained, for tests
        atexit.register(self.close)

    def follow(
        self, settings: Settings, visitor: Visitor, since: int = 0, paused: bool = False
    ) -> Payload:
        """Get the new frames of a run since frame number `since`; the first call queues the run.

        {state, place, about, update, frames, next, total, result, error}: `place` is 1 for the next
        in the queue, `update` is the run's progress, `next` the value of `since` for the next call.
        A run stays paused only while all its followers have paused it and nobody is in the queue. A
        failure is reported once to each visitor; asking again restarts the run.

        Raises:
            InputError: the queue is full.
        """
        with self._lock:
            job = self._failed.get(visitor)
            if job is None or job.settings != settings:
                self._leave(visitor, settings)
                job = self._jobs.get(settings) or self._enter(settings, visitor)
                self._jobs.move_to_end(settings)
                job.followers[visitor] = (time.monotonic(), paused)
                self._advance()
            self._failed.pop(visitor, None)
            return self._told(job, since)

    def _told(self, job: Job, since: int) -> Payload:
        frames = job.frames[since : since + MAX_AT_ONCE]
        return {
            "state": job.state,
            "place": self._line.turns().index(job) + 1 if job in self._line else 0,
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
        """Return the weights and the result of a run; None if they are no longer kept.

        A run that diverged has no weights.
        """
        with self._lock:
            job = self._jobs.get(settings)
            if job is None or job.weights is None or job.result is None:
                return None
            self._jobs.move_to_end(settings)
            return job.weights, job.result

    def leave(self, visitor: Visitor) -> None:
        """Stop following all runs."""
        with self._lock:
            self._leave(visitor, None)
            self._advance()

    @property
    def is_busy(self) -> bool:
        """True if a run is training now and not paused."""
        with self._lock:
            return self._running is not None and not self._running.paused

    def close(self) -> None:
        """End the process."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(5)

    # ------------------------------------------------------------------- the queue, locked

    def _enter(self, settings: Settings, visitor: Visitor) -> Job:
        self._count += 1
        job = Job(self._count, settings)
        loser = self._line.enter(job, visitor)
        if loser is not None:
            del self._jobs[loser.settings]
        self._jobs[settings] = job
        return job

    def _leave(self, visitor: Visitor, settings: Settings | None) -> None:
        """Remove a visitor from every run except that of `settings`."""
        self._failed.pop(visitor, None)
        for job in list(self._jobs.values()):
            if job.settings == settings or visitor not in job.followers:
                continue
            del job.followers[visitor]
            if not job.followers and job in self._line:
                self._drop(job)  # at once: it may block the visitor's next run

    def _advance(self) -> None:
        """Drop runs without followers, pause or resume the current run, start the next one."""
        now = time.monotonic()
        for job in [*self._jobs.values(), *self._failed.values()]:
            for visitor, (asked, _) in list(job.followers.items()):
                if now - asked > FORGOTTEN:
                    del job.followers[visitor]
            if not job.followers and job.state in ("waiting", "running"):
                self._drop(job)
        self._failed = {one: job for one, job in self._failed.items() if one in job.followers}
        ready = next((job for job in self._line.turns() if job.is_wanted(now)), None)
        running = self._running
        if running is not None and not running.dropped:
            self._hold(running, now, ready is not None)
        if self._running is None and ready is not None:
            self._line.serve(ready)
            self._start(ready)
        self._forget()

    def _hold(self, running: Job, now: float, has_next: bool) -> None:
        """Stop, pause or resume the current run, depending on its followers and on the queue."""
        if has_next and not running.is_wanted(now):
            return self._drop(running)
        pause = not has_next and running.is_paused_by_all(now)
        if pause != running.paused:
            running.paused = pause
            self._order({"do": "pause" if pause else "go"})
        return None

    def _drop(self, job: Job) -> None:
        del self._jobs[job.settings]
        if job in self._line:
            self._line.remove(job)
        if job is self._running and not job.dropped:
            job.dropped = True
            self._order({"do": "stop"})

    def _forget(self) -> None:
        """Drop finished runs until the rest fits, least recently used first."""
        done = [job for job in self._jobs.values() if job.state == "done"]
        size = sum(job.size for job in done)
        for job in done[:-1]:
            if size <= MAX_KEPT:
                return
            size -= job.size
            del self._jobs[job.settings]

    # ---------------------------------------------------------------------- the process

    def _start(self, job: Job) -> None:
        """Send a run to the process, starting a process if there is none."""
        self._running, job.state = job, "running"
        self.started += 1
        order = {"run": job.number, "settings": asdict(job.settings)}
        if not self._order(order):
            self._launch()
            self._order(order)

    def _order(self, order: Payload) -> bool:
        """Write to the process; False if it has ended."""
        process = self._process
        if process is None or process.stdin is None:
            return False
        try:
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        except OSError:
            log.warning("The process that trains has ended.")
            return False
        return True

    def _launch(self) -> None:
        """Start the process and the threads that read its output and notice visitors who leave."""
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            WORKER, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        for work in (self._read, self._tick):
            threading.Thread(target=work, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        """Read the process's messages until it ends; its current run then fails."""
        assert process.stdout is not None
        for line in process.stdout:
            if not line.endswith("\n"):
                break  # it was killed in the middle of a line
            told = json.loads(line)
            with self._lock:
                job = self._running
                if job is not None and job.number == told["run"]:
                    self._take(job, told, len(line))
        process.wait()
        with self._lock:
            if process is not self._process:
                return
            self._process = None
            if self._running is not None:
                self._fail(self._running, ENDED)
            self._advance()

    def _take(self, job: Job, told: Payload, size: int) -> None:
        job.size += size
        if "about" in told:
            job.about = told["about"]
        elif "frame" in told:
            job.frames.append(told["frame"])
        elif "weights" in told:
            job.weights = base64.b64decode(told["weights"])
        elif "result" in told:
            job.state, job.result, self._running = "done", told["result"], None
            self._advance()
        elif "error" in told or "stopped" in told:
            self._fail(job, told.get("error"))
            self._advance()

    def _fail(self, job: Job, error: str | None) -> None:
        """Mark the current run as failed, for its followers only."""
        job.state, job.error, self._running = "failed", error, None
        if self._jobs.get(job.settings) is job:
            del self._jobs[job.settings]
        self._failed |= dict.fromkeys(job.followers, job)

    def _tick(self, process: subprocess.Popen[str]) -> None:
        """Notice visitors who left, even if no call arrives."""
        while process.poll() is None:
            time.sleep(TICK)
            with self._lock:
                self._advance()
