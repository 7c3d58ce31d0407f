"""Shared by all tests: no network, torch's global state restored, a tiny model."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.tiers import IS_LONG

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

settings.register_profile("short", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=500, deadline=None, print_blob=True)
settings.load_profile("long" if IS_LONG else "short")

ROOT = Path(__file__).parent.parent
pytest_plugins = ["tests.shared"]
FIXTURES = ("tests.browsing", "tests.published", "tests.stage")
MEMORY = 3 * 2**30  # bytes of a worker with its server and its browser


def pytest_configure(config: pytest.Config) -> None:
    """Import what tests need where tests run: the process that starts workers runs none."""
    if config.getoption("dist", "no") != "no":
        return
    # What is imported stays: looking for garbage in it again and again is a sixth of the start.
    gc.set_threshold(20_000, 20, 20)
    import torch

    from explorer.unstubbed import import_gradio

    import_gradio()
    torch.set_num_threads(1)  # the models are tiny: more threads only wait for each other
    for name in FIXTURES:
        config.pluginmanager.import_plugin(name)


@pytest.hookimpl(optionalhook=True)  # one process may run them without xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """`-n auto`: one worker per core, one more if they wait for pages, limited by memory."""
    waits = 0 if "not browser" in config.option.markexpr else 1
    ours = hasattr(os, "sched_getaffinity")  # not on a Mac
    cores = len(os.sched_getaffinity(0)) if ours else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores + waits, memory // MEMORY))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start files with slow tests first: one that started last would run alone at the end.

    A file stays together, so that what its tests share is made once. Tests of `make test-long` are
    left out of the short one, and counted in its summary.
    """
    if not IS_LONG:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    for item in items:
        if "node" in getattr(item, "fixturenames", ()):
            item.add_marker("page")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


# What trains for the page gives way to translations; beside busy loops it would stand still.
GIVES_NO_WAY = """import sys
import model.labs.playground.worker as worker
worker.NICE = 0
sys.exit(worker.main())"""


@pytest.fixture(scope="session", autouse=True)
def training_command() -> Iterator[tuple[str, ...]]:
    """Train as soon as anything else is computed; yields the page's own command."""
    from model.labs.playground import pool

    with pytest.MonkeyPatch.context() as patch:
        own = pool.WORKER
        patch.setattr(pool, "WORKER", (sys.executable, "-c", GIVES_NO_WAY))
        yield own


@pytest.fixture(autouse=True)
def _torch_as_found() -> Iterator[None]:
    """Restore torch's global state after each test."""
    import torch

    dtype, grad = torch.get_default_dtype(), torch.is_grad_enabled()
    torch.default_generator.manual_seed(0)  # `torch.manual_seed` keeps a stack for each GPU
    yield
    torch.set_default_dtype(dtype)
    torch.set_grad_enabled(grad)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow only this machine: a test that needs a different host fails."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in (
            "127.0.0.1",
            "::1",
            "localhost",
        ):
            raise OSError(f"a test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
