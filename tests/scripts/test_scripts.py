"""The pure functions of the page's scripts, and its drawing kit, in Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import npm

HERE = Path(__file__).parent
SCRIPTS = sorted(path.name for path in HERE.glob("*.test.mjs"))


@pytest.fixture(scope="module")
def runner() -> Iterator[subprocess.Popen[str]]:
    """One process for all files: it takes their names, and gives their results."""
    command = [npm.node(), "--no-warnings", str(HERE / "run.mjs")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as process:
        yield process
        process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS, ids=lambda name: name.removesuffix(".test.mjs"))
def test_script(runner: subprocess.Popen[str], name: str) -> None:
    assert runner.stdin is not None and runner.stdout is not None
    runner.stdin.write(f"{name}\n")
    runner.stdin.flush()
    line = runner.stdout.readline()
    assert line, f"Node has ended with {runner.wait()}"
    results = json.loads(line)
    assert results, "no tests were found"
    failed = [f"{one['name']}: {one['error']}" for one in results if one["error"]]
    assert not failed, "\n".join(failed)
