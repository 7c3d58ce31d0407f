"""What the workers of a run share: a folder, what is made once in it, and one server."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest


class Address(NamedTuple):
    """A running server of this run."""

    url: str
    pid: int


SHARED = "HEADLIGHT_TESTS_SHARED"  # a folder of this run, for all of its workers


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in the process that starts the workers
        os.environ[SHARED] = tempfile.mkdtemp(prefix="headlight-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the server that the workers have shared."""
    if hasattr(config, "workerinput"):
        return
    folder = Path(os.environ.pop(SHARED))
    if (written := folder / "server.json").exists():
        os.kill(Address(*json.loads(written.read_text())).pid, signal.SIGTERM)
    shutil.rmtree(folder)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A file or folder of this run: the first worker that needs it makes it, the others wait."""
    path = Path(os.environ[SHARED]) / name
    with path.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            make(path)
    return path
