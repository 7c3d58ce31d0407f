"""`python -m model.evaluate` on one core and on all, alone and beside other work.

The held-out sentences beside the shipped model, again and again. What counts is the command's own
count of seconds, which leaves out the start of Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.harness import Row
from explorer.openers import POOL
from model.checkpoint import SHIPPED

SENTENCES, ROUNDS = 1000, 3


def measure() -> Iterator[Row]:
    """Measure in turn, so that other load affects all rows; needs an affinity (Linux)."""
    lines = [line for line in (SHIPPED / POOL).read_text("utf-8").split("\n") if "\t" in line]
    every = os.sched_getaffinity(0)
    one = {min(every)}
    cases = {"one core": (one, 0), f"{len(every)} cores": (every, 0)}
    cases["  beside as many busy loops"] = (every, len(every))
    found: dict[str, list[float]] = defaultdict(list)
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
        file.writelines(f"{lines[i % len(lines)]}\n" for i in range(SENTENCES))
        file.flush()
        for _ in range(ROUNDS):
            for name, (cores, n_loops) in cases.items():
                with busy(n_loops):
                    found[name].append(seconds(Path(file.name), cores))
    for name, each in found.items():
        peers = {} if name == "one core" else {"one core": found["one core"]}
        yield Row(f"model.evaluate, {SENTENCES} sentences, {name}", each, "s", peers)


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep that many cores busy meanwhile."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()


def seconds(file: Path, cores: set[int]) -> float:
    """The seconds that the command reports on these cores."""
    every = os.sched_getaffinity(0)
    command = [sys.executable, "-m", "model.evaluate", "--data", str(file), "--json"]
    os.sched_setaffinity(0, cores)  # a process inherits it
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        os.sched_setaffinity(0, every)
    return float(json.loads(done.stdout)["seconds"])
