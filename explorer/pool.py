"""The pool of model workers: each request goes to one that is free; one that ends is replaced.

A request holds all that its answer depends on, so any worker can answer it, and a worker that dies
costs a second try. While there is no worker at all, the page's own process answers.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from explorer.api import ARGUMENTS, CALL, MODEL
from explorer.exchange import reply
from explorer.exchange.reply import Reply
from explorer.exchange.request import PageError
from explorer.exchange.shared import Answer
from explorer.loading import AT_ONCE
from explorer.trained import PREFIX

log = logging.getLogger(__name__)

HERE = ("catalogue",)  # questions that one process answers: it keeps how far it is
TRIES = 2  # workers that one request may end
LOOK = 0.2  # seconds between two looks at whether there is still a worker to wait for
SOON = 3.0  # seconds that a request waits for the first one that is being started


Opened = tuple[Sequence[str | None], str, float | None]  # the arguments of `models_of`


class Gone(Exception):
    """A worker ended before it answered, or cannot be started; the message says why."""


class Worker(Protocol):
    """Answers one request at a time."""

    def ask(self, sent: object) -> Reply:
        """The reply. Raises Gone if the worker has ended."""

    def is_there(self) -> bool:
        """Whether it can be asked; for a worker that is free."""

    def end(self) -> None: ...


class Workers:
    """Answers requests by the workers that are free; those about models trained here, `here`.

    `start` gives another worker, or raises Gone; `wanted` tells how many there should be, given
    how many there are.
    """

    def __init__(
        self,
        start: Callable[[], Worker],
        wanted: Callable[[int], int],
        here: Answer,
        ready: Iterable[Worker],
    ) -> None:
        self._start, self._wanted, self._here = start, wanted, here
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._all: set[Worker] = set()
        self._starting = self._renewing = 0
        self._lock, self._filling = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        for worker in ready:
            self._add(worker)

    @property
    def at_once(self) -> int:
        """How many requests may run at the same time."""
        return len(self._all) or AT_ONCE

    def answer(self, sent: object) -> Reply:
        """The reply to a request. A worker that dies is replaced, and the request tried again."""
        if _stays(sent):
            return self._here(sent)
        for attempt in range(TRIES):
            worker = self._taken(is_checked=attempt > 0)
            if worker is None:
                return self._here(sent)
            try:
                answered = worker.ask(sent)
            except Gone as error:
                log.warning("A worker ended while it worked; another takes its place. %s", error)
                self._replace(worker)
                continue
            except BaseException:
                self._free.put(worker)
                raise
            self._free.put(worker)
            return answered
        return Reply("message", reply.to_json(reply.sentence(PageError("error.unexpected"))))

    def follow(self, seconds: float, before: Callable[[], None] = lambda: None) -> None:
        """Look every so many seconds which workers are there, and how many there should be.

        What comes `before` a look may take a while.
        """

        def run() -> None:
            while not self._over.is_set():
                before()
                self.look()
                self._over.wait(seconds)

        threading.Thread(target=run, name="follow-workers", daemon=True).start()

    def look(self) -> None:
        """Drop the free workers that have ended, and start those that are missing."""
        for _ in range(self._free.qsize()):
            try:
                worker = self._free.get_nowait()
            except queue.Empty:
                break
            if worker.is_there():
                self._free.put(worker)
            else:
                log.warning("A worker has ended; another takes its place.")
                self._drop(worker)
                worker.end()
        self._fill()

    def end(self) -> None:
        """End all workers."""
        self._over.set()
        with self._lock:
            for worker in self._all:
                worker.end()
            self._all.clear()

    def _taken(self, *, is_checked: bool) -> Worker | None:
        """A free worker, waiting for one if need be; None if there is none at all.

        Checked for a request that has lost one: its others may have been on the same machine, and
        those are not its doing.
        """
        until = time.monotonic() + SOON
        while True:
            try:
                worker = self._free.get(timeout=LOOK)
            except queue.Empty:
                is_coming = self._renewing + self._starting > 0 and time.monotonic() < until
                if not self._all and not is_coming:
                    return None
                continue
            if not is_checked or worker.is_there():
                return worker
            self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        """Drop a worker and start another; no request waits for a cluster that may be gone."""

        def run() -> None:
            try:
                self._fill()
            finally:
                with self._lock:
                    self._renewing -= 1
                worker.end()

        self._drop(worker)
        with self._lock:
            self._renewing += 1
        threading.Thread(target=run, name="replace-worker", daemon=True).start()

    def _drop(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)

    def _fill(self) -> None:
        """Start the workers that are missing, each in a thread of its own."""
        with self._filling:
            wanted = self._wanted(len(self._all))
        with self._lock:
            missing = max(0, wanted - len(self._all) - self._starting)
            self._starting += missing
        for _ in range(missing):
            threading.Thread(target=self._start_one, name="start-worker", daemon=True).start()

    def _start_one(self) -> None:
        try:
            self._add(self._start())
        except Gone as error:
            log.warning("A worker could not be started: %s", error)
        finally:
            with self._lock:
                self._starting -= 1

    def _add(self, worker: Worker) -> None:
        with self._lock:
            self._all.add(worker)
        if self._over.is_set():
            worker.end()
        self._free.put(worker)


def _stays(sent: object) -> bool:
    """True for a model trained on the page, which is in its process, and what it keeps."""
    if not isinstance(sent, dict):
        return True
    question, given = sent.get("question"), sent.get(ARGUMENTS) if CALL in sent else sent
    model = given.get(MODEL) if isinstance(given, dict) else None
    return (isinstance(model, str) and model.startswith(PREFIX)) or question in HERE
