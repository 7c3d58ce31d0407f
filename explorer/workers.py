"""Model workers behind one page: `app.py --workers 2` in processes of this machine, or `--workers
ray` on a Ray cluster.

The page, its queue and its streams stay in one process, so no visitor needs to be sent to the same
server twice. Here are the processes; explorer/pool.py deals out the requests, explorer/cluster.py
has the actors of a cluster.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from explorer import exhibits
from explorer.api import CALL, Api
from explorer.cluster import LOCAL, REMOTE, Cluster
from explorer.exchange import reply
from explorer.exchange.reply import Reply
from explorer.exchange.shared import Answer
from explorer.models import Models, models_of
from explorer.pool import Gone, Opened, Workers
from model.errors import ConfigError

MOST = 64  # workers
FOLLOWED = 5.0  # seconds between two looks at which workers there are
ROOT = Path(__file__).parents[1]


def answering(models: Models) -> Answer:
    """What answers, in this process, what the page and programs ask."""
    questions, api = exhibits.questions(), Api(models)

    def answer(sent: object) -> Reply:
        if isinstance(sent, dict) and CALL in sent:
            return api.answer(sent)
        return reply.unnumbered(models, sent, questions)

    return answer


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

    def is_there(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

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


def started(asked: str, models: Models, opened: Opened, most: int = MOST) -> Workers | None:
    """The workers of `--workers`; None for "": the page's own process answers.

    Of a cluster's processors they use `most`.

    Raises:
        ConfigError: it is neither a number of processes nor a Ray cluster that takes workers.
    """
    if not asked:
        return None
    if not 1 <= most <= MOST:
        raise ConfigError(f"--max-workers is {most}; expected a number from 1 to {MOST}.")
    here = answering(models)
    if asked == LOCAL or asked.startswith(REMOTE):
        cluster = Cluster(asked, opened, most)
        pool = cluster.workers(here)
        pool.follow(FOLLOWED, cluster.rejoin)
    elif asked.isascii() and asked.isdigit() and 1 <= int(asked) <= MOST:
        ready = [Process(opened) for _ in range(int(asked))]
        pool = Workers(lambda: Process(opened), lambda _: len(ready), here, ready)
        pool.follow(FOLLOWED)
    else:
        raise ConfigError(
            f"--workers is {asked[:60]!r}; expected a number of processes from 1 to {MOST}, ray, "
            "or ray://HOST:PORT."
        )
    return pool


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
