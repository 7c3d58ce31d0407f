"""Model workers behind one page: `app.py --workers 2` in processes of this machine, or `--workers
ray` on a Ray cluster.

The page, its queue and its streams stay in one process, so no visitor needs to be sent to the same
server twice. A request, or a program's call, holds all that its answer depends on: any worker can
answer it, and one that dies costs a second try.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from explorer import exhibits
from explorer.api import ARGUMENTS, CALL, MODEL, Api
from explorer.exchange import reply
from explorer.exchange.reply import Reply
from explorer.exchange.request import PageError
from explorer.exchange.shared import Answer
from explorer.models import Models, models_of
from explorer.trained import PREFIX
from model.errors import ConfigError

log = logging.getLogger(__name__)

MOST = 64  # workers
LOCAL_RAY, RAY = "ray", "ray://"
HERE = ("catalogue",)  # questions that one process answers: it keeps how far it is
ROOT = Path(__file__).parents[1]
# Of the project's folder, what no worker of a cluster needs.
LEFT_OUT = [".venv", ".git", "tests", "bench", "docs", "runs", "assets/vendor", "**/__pycache__"]

Opened = tuple[Sequence[str | None], str, float | None]  # the arguments of `models_of`


def answering(models: Models) -> Answer:
    """What answers, in this process, what the page and programs ask."""
    questions, api = exhibits.questions(), Api(models)

    def answer(sent: object) -> Reply:
        if isinstance(sent, dict) and CALL in sent:
            return api.answer(sent)
        return reply.unnumbered(models, sent, questions)

    return answer


class Gone(Exception):
    """A worker ended before it answered."""


class Worker(Protocol):
    """Answers one request at a time."""

    def ask(self, sent: object) -> Reply:
        """The reply. Raises Gone if the worker has ended."""

    def end(self) -> None: ...


class Workers:
    """Answers requests by the workers that are free; those about models trained here, `here`."""

    def __init__(self, start: Callable[[], Worker], count: int, here: Answer) -> None:
        self._start, self._here, self.count = start, here, count
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._all: set[Worker] = set()
        self._lock = threading.Lock()
        for _ in range(count):
            self._free.put(self._started())

    def answer(self, sent: object) -> Reply:
        """The reply to a request. A worker that dies is replaced, and the request tried again."""
        if _stays(sent):
            return self._here(sent)
        worker = self._free.get()
        try:
            for _ in range(2):
                try:
                    return worker.ask(sent)
                except Gone:
                    log.warning("A worker ended while it worked; another takes its place.")
                    worker = self._replaced(worker)
        finally:
            self._free.put(worker)
        return Reply("message", reply.to_json(reply.sentence(PageError("error.unexpected"))))

    def end(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in self._all:
                worker.end()
            self._all.clear()

    def _started(self) -> Worker:
        worker = self._start()
        with self._lock:
            self._all.add(worker)
        return worker

    def _replaced(self, worker: Worker) -> Worker:
        with self._lock:
            self._all.discard(worker)
        worker.end()
        return self._started()


def _stays(sent: object) -> bool:
    """True for a model trained on the page, which is in its process, and what it keeps."""
    if not isinstance(sent, dict):
        return True
    question, given = sent.get("question"), sent.get(ARGUMENTS) if CALL in sent else sent
    model = given.get(MODEL) if isinstance(given, dict) else None
    return (isinstance(model, str) and model.startswith(PREFIX)) or question in HERE


# ------------------------------------------------------------------- processes of this machine


class Process:
    """A worker process: a line of JSON in, a line of JSON out."""

    def __init__(self, models: Opened) -> None:
        command = [sys.executable, "-m", __name__, json.dumps(models)]
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": path},  # a model may be named from another folder
            start_new_session=True,  # Ctrl+C ends the page, which ends them
        )  # fmt: skip

    def ask(self, sent: object) -> Reply:
        """The reply of the process. Raises Gone if it has ended."""
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        try:
            assert pipe_in is not None and pipe_out is not None
            pipe_in.write(json.dumps(sent) + "\n")
            pipe_in.flush()
            line = pipe_out.readline()
        except (OSError, ValueError) as error:
            raise Gone from error
        if not line.endswith("\n"):  # it ended, perhaps within a reply
            raise Gone
        kind, _, body = line[:-1].partition(" ")
        return Reply(kind, body)  # type: ignore[arg-type]

    def end(self) -> None:
        """End the process, also within a request."""
        self._process.kill()
        self._process.wait()


def serve(models: Models, lines: TextIO, out: TextIO) -> None:
    """Answer each line until the input ends, which is when the page's process does."""
    answer = answering(models)
    models.default.start()
    for line in lines:
        kind, body = answer(json.loads(line))
        out.write(f"{kind} {body}\n")
        out.flush()


def main(arguments: Sequence[str]) -> int:
    """A worker process of the models that its argument names, as JSON."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints is no reply
    [models] = map(json.loads, arguments)
    serve(models_of(*models), sys.stdin, out)
    return 0


# ------------------------------------------------------------------------------ a Ray cluster


class Answering:
    """The actor: a process of the cluster with models of its own."""

    def __init__(self, models: Opened) -> None:
        own = models_of(*models)
        self._answer = answering(own)
        own.default.start()

    def answer(self, sent: object) -> tuple[str, str]:
        """The kind and the body of the reply."""
        kind, body = self._answer(sent)
        return kind, body


class Actor:
    """An actor as a worker."""

    def __init__(self, models: Opened) -> None:
        import ray

        self._actor: Any = ray.remote(num_cpus=1)(Answering).remote(models)

    def ask(self, sent: object) -> Reply:
        """The reply of the actor. Raises Gone if it, or its machine, has ended."""
        import ray

        try:
            kind, body = ray.get(self._actor.answer.remote(sent))
        except ray.exceptions.RayActorError as error:
            raise Gone from error
        return Reply(kind, body)

    def end(self) -> None:
        """End the actor, also within a request."""
        import ray

        ray.kill(self._actor)


def joined(address: str) -> int:
    """Join the cluster of an address, or start one here; its number of processors.

    Raises:
        ConfigError: Ray is not installed, or no cluster answers.
    """
    try:
        import ray
    except ImportError:
        raise ConfigError(
            f'--workers is {address}, but Ray is not installed: pip install "ray[default]".'
        ) from None
    place = None if address == LOCAL_RAY else address
    try:
        ray.init(
            place, log_to_driver=False,
            runtime_env={"working_dir": str(ROOT), "excludes": LEFT_OUT},
        )  # fmt: skip
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        raise ConfigError(
            f"--workers is {address}, but no Ray cluster answers there ({type(error).__name__}); "
            "give the address that `ray start --head` names, as ray://HOST:10001."
        ) from None
    return int(ray.cluster_resources().get("CPU", 1))


def started(asked: str, models: Models, opened: Opened) -> Workers | None:
    """The workers of `--workers`; None for "": the page's own process answers.

    Raises:
        ConfigError: it is neither a number of processes nor a Ray cluster.
    """
    if not asked:
        return None
    here = answering(models)
    if asked == LOCAL_RAY or asked.startswith(RAY):
        count = max(1, min(MOST, joined(asked)))
        return Workers(lambda: Actor(opened), count, here)
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked) <= MOST):
        raise ConfigError(
            f"--workers is {asked[:60]!r}; expected a number of processes from 1 to {MOST}, ray, "
            "or ray://HOST:PORT."
        )
    return Workers(lambda: Process(opened), int(asked), here)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
