"""A Ray cluster of two nodes on this machine, started by ray's own command: what comes and goes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from explorer.exchange.reply import Reply
from explorer.models import models_of
from explorer.pool import Workers
from explorer.workers import started
from model.errors import ConfigError
from tests import tiny

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason='pip install "ray[default]"'),
]

TEXTS = [f"I am a small frog. {letter}" for letter in "abcdefgh"]
PATIENCE = 300.0  # seconds, on a busy machine
# `ray start` takes the machine's own address in place of 127.0.0.1, and would listen on it.
LOOPBACK = (
    "from ray._private import services\nservices.get_node_ip_address = lambda *_: '127.0.0.1'\n"
)
OPEN = {"RAY_AUTH_MODE": "disabled"}  # else a token of this machine's user would be asked for
HERE = """
import sys
import time
from explorer import cluster
from explorer.models import models_of
from explorer.workers import started

cluster.PLACED = 300  # on a busy machine
opened = ([sys.argv[1]], "cpu", None)
pool = started("ray", models_of(*opened), opened, 1)
while (answer := pool.answer({"text": "I am a small frog.", "settings": {}})).kind == "waiting":
    time.sleep(0.1)
import ray
print(answer.kind, *(node["NodeManagerAddress"] for node in ray.nodes()), sep="\\n")
pool.end()
ray.shutdown()
"""


class Node:
    """A node of the cluster with one processor: `ray start` and all that it starts."""

    def __init__(self, folder: Path, name: str, *options: str) -> None:
        (folder / "sitecustomize.py").write_text(LOOPBACK)
        self._told = folder / name
        command = [
            str(Path(sys.executable).with_name("ray")), "start", "--block", *options,
            "--node-ip-address", "127.0.0.1", "--num-cpus", "1", "--object-store-memory=100000000",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, stdout=self._told.open("w"), stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(folder), "RAY_worker_niceness": "0", **OPEN},
        )  # fmt: skip
        until(lambda: "Ray runtime started" in self._told.read_text())

    def workers(self) -> list[int]:
        """The processes of its actors."""
        return [int(one.name) for one in Path("/proc").glob("[0-9]*") if self._has(one)]

    def _has(self, process: Path) -> bool:
        try:
            session = int((process / "stat").read_text().rpartition(")")[2].split()[3])
            return session == self._process.pid and "ray::Answ" in (process / "cmdline").read_text()
        except OSError:
            return False

    def lose(self) -> None:
        """As a machine that loses its power."""
        with suppress(ProcessLookupError):  # it was lost before
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def until(holds: Callable[[], bool]) -> float:
    """The seconds until something holds."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.1)
    return time.monotonic() - begun


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Node, str, Callable[[str], Node]]]:
    """The first node, its address for `--workers`, and what adds another: "head" is the first."""
    for name, value in OPEN.items():
        monkeypatch.setenv(name, value)
    port, client, nodes = free_port(), free_port(), []
    first = ("--head", "--port", str(port), "--ray-client-server-port", str(client))

    def add(name: str) -> Node:
        options = ("--address", f"127.0.0.1:{port}")
        if name == "head":
            options = (*first, "--include-dashboard", "false")
        nodes.append(Node(tmp_path, name, *options))
        return nodes[-1]

    yield add("head"), f"ray://127.0.0.1:{client}", add
    import ray

    ray.shutdown()
    for node in nodes:
        node.lose()


def answered(pool: Workers, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Ask from four visitors at once: each gets the reply to the own text, whatever happens."""

    def reply(sent: object) -> Reply:
        """As the page asks: again, while the model of the page's own process is being loaded."""
        while (answer := pool.answer(sent)).kind == "waiting":
            time.sleep(0.1)
        return answer

    event = threading.Timer(0.5, meanwhile)
    event.start()
    with ThreadPoolExecutor(4) as visitors:
        asked = [{"text": text, "settings": {}} for text in TEXTS * 3]
        replies = list(visitors.map(reply, asked))
    event.join()
    assert {one.kind for one in replies} == {"payload"}
    assert [json.loads(one.body)["text"] for one in replies] == TEXTS * 3


def test_nothing_is_lost_when_parts_of_a_cluster_come_and_go(
    tmp_path: Path, head: tuple[Node, str, Callable[[str], Node]]
) -> None:
    first, address, add = head
    opened = ([str(tiny.write_own(tmp_path / "tiny"))], "cpu", None)
    models = models_of(*opened)
    pool = started(address, models, opened)
    assert pool is not None
    try:
        answered(pool)  # first contact, with one node
        other = add("other")
        until(lambda: len(pool._all) == 2)  # it is used
        answered(pool, lambda: os.kill(first.workers()[0], signal.SIGKILL))
        until(lambda: len(pool._all) == 2 and len(first.workers()) == 1)  # replaced
        answered(pool, other.lose)
        until(lambda: len(pool._all) == 1)  # no slot waits for the lost machine
        answered(pool)
        answered(pool, first.lose)  # no cluster: the page's own process answers
        until(lambda: not pool._all)  # one that was just starting is noticed a moment later
        add("head")  # at the same address: the page joins it
        until(lambda: len(pool._all) == 1)
        answered(pool)
        assert pool._all
    finally:
        pool.end()


def test_a_cluster_starts_here_on_the_loopback_address_alone(tmp_path: Path) -> None:
    """In a process of its own: Ray reads where to listen when it is imported."""
    model = str(tiny.write_own(tmp_path / "tiny"))
    with tempfile.TemporaryDirectory() as short:  # a socket's path has at most 107 bytes
        run = subprocess.run(
            [sys.executable, "-c", HERE, model], timeout=PATIENCE, capture_output=True, text=True,
            env={**os.environ, "RAY_TMPDIR": short, "HOME": short},  # where Ray leaves a token
        )  # fmt: skip
    assert run.stdout.splitlines() == ["payload", "127.0.0.1"], run.stderr[-2000:]


def test_a_cluster_of_another_version_is_one_sentence(
    head: tuple[Node, str, Callable[[str], Node]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray.__version__", "2.1.0")
    _, address, _ = head
    opened = ([None], "cpu", None)
    with pytest.raises(ConfigError, match=r"cannot be used from here\. .*2\.1\.0"):
        started(address, models_of(*opened), opened)
