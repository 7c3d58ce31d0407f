"""Model workers as actors of a Ray cluster: `app.py --workers ray`, or `ray://HOST:PORT`.

Ray is optional, and imported only here. The project's folder travels to the machines of the
cluster; they need the packages of requirements.txt. A lost machine shows itself as an error of Ray,
of its client or of gRPC, so whatever a call raises means that the worker is gone.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from explorer.exchange.reply import Reply
from explorer.exchange.shared import Answer
from explorer.pool import Gone, Opened, Worker, Workers
from model.errors import ConfigError

log = logging.getLogger(__name__)

LOCAL, REMOTE = "ray", "ray://"
ROOT = Path(__file__).parents[1]
# Of the project's folder, what no worker of a cluster needs.
LEFT_OUT = [".venv", ".git", "tests", "bench", "docs", "runs", "assets/vendor", "**/__pycache__"]
PLACED = 60.0  # seconds until an actor is up on a machine of the cluster; then it is given up
BEAT = 5.0  # seconds between two signs of life of a worker that works
ALIVE = 30.0  # seconds that one may take: a machine may be busy; of one that is down Ray knows

RECONNECTED = "10"  # seconds that a call waits for a cluster that does not answer
# A cluster that starts here listens on 127.0.0.1, as Ray has it on macOS and Windows: the machine's
# own address may be closed to it, and then it would never be ready; and nobody else is let in.
HERE_ALONE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
MOST_TOLD = 200  # characters of its reasons; advice about Ray itself follows them


class Actor:
    """An actor as a worker.

    Raises:
        Gone: no machine has a free processor for it, or it cannot work there.
    """

    def __init__(self, models: Opened) -> None:
        import ray

        kind = ray.remote(num_cpus=1, concurrency_groups={"beat": 1}, scheduling_strategy="SPREAD")
        try:
            self._actor: Any = kind(_actor_class()).remote(models)
            if not ray.wait([self._actor.beat.remote()], timeout=PLACED)[0]:
                self.end()
                raise Gone(f"No machine has had a processor free for {PLACED:.0f} seconds.")
            ray.get(self._actor.beat.remote())
        except Exception as error:
            raise Gone(_reason(error)) from error

    def ask(self, sent: object) -> Reply:
        """The reply of the actor. Raises Gone if it, or its machine, has ended."""
        try:
            kind, body = self._awaited(self._actor.answer.remote(sent))
        except Exception as error:
            raise Gone(_reason(error)) from error
        return Reply(kind, body)

    def load(self) -> None:
        """Wait until its model is there. Raises Gone if that cannot be loaded."""
        try:
            self._awaited(self._actor.load.remote())
        except Exception as error:
            self.end()
            raise Gone(_reason(error)) from error

    def _awaited(self, result: Any) -> Any:
        """The result of a call, as long as the actor gives signs of life meanwhile."""
        import ray

        while not ray.wait([result], timeout=BEAT)[0]:
            if not self.is_there():
                raise Gone("It gives no sign of life.")
        return ray.get(result)

    def is_there(self) -> bool:
        """Whether it gives a sign of life, also within a request."""
        import ray

        try:
            return ray.get(self._actor.beat.remote(), timeout=ALIVE)
        except Exception:
            return False

    def end(self) -> None:
        """End the actor, also within a request."""
        import ray

        try:
            ray.kill(self._actor)
        except Exception:
            log.debug("The cluster has ended before its actor.")


def _actor_class() -> type:
    """The class of the actors. It is made here, so that it travels as code: what takes it in on
    the cluster is a process that cannot import this project yet.
    """
    import ray

    class Answering:
        """A process of the cluster with models of its own."""

        def __init__(self, models: Opened) -> None:
            from explorer.models import models_of
            from explorer.workers import answering

            own = models_of(*models)
            self._answer, self._default = answering(own), own.default.start()

        def load(self) -> None:
            """Wait for the model."""
            self._default.get()

        def answer(self, sent: object) -> tuple[str, str]:
            """The kind and the body of the reply."""
            kind, body = self._answer(sent)
            return kind, body

        @ray.method(concurrency_group="beat")  # type: ignore[untyped-decorator]
        def beat(self) -> bool:
            """A sign of life, in a thread of its own."""
            return True

    return Answering


class Cluster:
    """A Ray cluster."""

    def __init__(self, address: str, models: Opened, most: int) -> None:
        self.address, self._models, self._most = address, models, most
        self._is_lost = False

    def join(self) -> None:
        """Join the cluster of the address, or start one here.

        Raises:
            ConfigError: Ray is not installed, of another version, or no cluster answers.
        """
        os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"  # else a lost cluster would be replaced here
        os.environ.setdefault("RAY_CLIENT_RECONNECT_GRACE_PERIOD", RECONNECTED)
        if self.address == LOCAL:
            os.environ.setdefault(HERE_ALONE, "0")
        try:
            self._connect()
        except ImportError:
            raise ConfigError(
                f"--workers is {self.address}, but Ray is not installed: "
                'pip install "ray[default]".'
            ) from None
        except Exception as error:
            if "Version mismatch" in str(error):
                why = " ".join(str(error).split())
                raise ConfigError(f"{self.address} cannot be used from here. {why}") from None
            raise ConfigError(
                f"--workers is {self.address}, but {_absent(self.address, error)}"
            ) from None

    def _connect(self) -> None:
        """Raises whatever Ray does if no cluster answers."""
        import ray

        ray.init(
            None if self.address == LOCAL else self.address, log_to_driver=False,
            logging_level=logging.ERROR,  # else it lists the files that it sends
            runtime_env={"working_dir": str(ROOT), "excludes": LEFT_OUT},
        )  # fmt: skip

    def rejoin(self) -> None:
        """Join a cluster that was lost and may be back; its old workers are gone."""
        if not self._is_lost:
            return
        import ray

        try:
            ray.shutdown()  # of what is left of the old connection
            self._connect()
        except Exception:
            return  # until the next look
        self._is_lost = False
        log.warning("The cluster answers again.")

    def worker(self) -> Worker:
        """Another worker, once it can answer. Raises Gone if it cannot be placed or loaded."""
        actor = Actor(self._models)
        actor.load()
        return actor

    def wanted(self, own: int) -> int:
        """How many workers there should be: one for each processor that nobody else uses."""
        import ray

        if self._is_lost:
            return 0
        try:
            every, free = ray.cluster_resources(), ray.available_resources()
        except Exception as error:
            log.warning("The cluster does not answer: %s", _reason(error))
            self._is_lost = True
            return 0
        return int(min(self._most, every.get("CPU", 0), own + free.get("CPU", 0)))

    def workers(self, here: Answer) -> Workers:
        """The pool, which follows the cluster.

        Raises:
            ConfigError: see `join`; or not even one worker can be started.
        """
        self.join()
        try:
            first = Actor(self._models)  # the page opens beside the loading of its model
        except Gone as error:
            raise ConfigError(
                f"--workers is {self.address}, but no worker can be started there. {error}"
            ) from None
        return Workers(self.worker, self.wanted, here, [first])


def _absent(address: str, error: Exception) -> str:
    """That there is no cluster at an address, and what to do."""
    if address == LOCAL:
        return (
            f"no Ray cluster starts here ({type(error).__name__}: {_reason(error)}). If one was "
            "here before, end what is left of it with `ray stop`."
        )
    return (
        f"no Ray cluster answers there ({type(error).__name__}); give the address that `ray start "
        "--head` names, as ray://HOST:10001. One that asks for a token needs RAY_AUTH_MODE=token "
        "and that token here."
    )


def _reason(error: BaseException) -> str:
    """The last line of an error of Ray: above it are the calls on the other machine."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:MOST_TOLD] if lines else type(error).__name__
