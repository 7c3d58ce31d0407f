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


class Runner:
    """One process for all files: it takes their names, and gives their results.

    A file that cannot be imported ends it; the next file has another.
    """

    process: subprocess.Popen[str] | None = None

    def ask(self, name: str) -> str:
        if self.process is None or self.process.poll() is not None:
            command = [npm.node(), "--no-warnings", str(HERE / "run.mjs")]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, encoding="utf-8"
            )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line.startswith("["):
            return line
        self.process.kill()
        pytest.fail(f"{name} cannot be run: {line}{self.process.stdout.read()}")


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    runner = Runner()
    yield runner
    if runner.process is not None:
        with runner.process:
            runner.process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS, ids=lambda name: name.removesuffix(".test.mjs"))
def test_script(runner: Runner, name: str) -> None:
    results = json.loads(runner.ask(name))
    assert results, "no tests were found"
    failed = [f"{one['name']}: {one['error']}" for one in results if one["error"]]
    assert not failed, "\n".join(failed)
