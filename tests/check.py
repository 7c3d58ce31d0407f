"""What reads the code, all at once: lint, format and types, of Python and of the page's scripts.

`python -m tests.check` is `make check`. `pytest -p tests.check` does it beside the tests, as in
`make test`: what was found stands above the tests' last line, and the exit status counts both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from tests import npm

ROOT = Path(__file__).parent.parent
PYTHON = (sys.executable, "-m")
COMMANDS = {
    "lint of Python": (*PYTHON, "ruff", "check", "."),
    "format of Python": (*PYTHON, "ruff", "format", "--check", "."),
    "types of Python": (*PYTHON, "mypy"),
    "lint and format of scripts": (npm.tool("biome"), "ci", "--colors=off", "."),
    "types of scripts": (npm.tool("tsc"), "--project", "tsconfig.json"),
    "types of every parameter": (npm.tool("tsc"), "--project", "tsconfig.typed.json"),
}
# A test like others, which reads code only: it needs neither torch nor what else is shared.
ROOMS = (*PYTHON, "pytest", "-q", "--noconftest", "-p", "no:randomly", "tests/test_architecture.py")


class Started(NamedTuple):
    """A command under way; its output goes to a file, as a pipe that nobody reads fills up."""

    process: subprocess.Popen[bytes]
    output: IO[bytes]


def start(commands: Mapping[str, Sequence[str]]) -> dict[str, Started]:
    started = {}
    for name, command in commands.items():
        output = tempfile.TemporaryFile()  # noqa: SIM115 - closed where it is read
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        started[name] = Started(process, output)
    return started


def finish(started: Mapping[str, Started]) -> tuple[str, bool]:
    """What all of them say when they have ended, and whether each ended well."""
    lines, all_well = [], True
    for name, (process, output) in started.items():
        is_well = process.wait() == 0
        with output:
            output.seek(0)
            said = output.read().decode("utf-8", "replace").strip()
        lines.append(f"{name}, {'clean' if is_well else 'FAILED'}: {said}")
        all_well = all_well and is_well
    return "\n".join(lines), all_well


# ------------------------------------------------------------------------------ beside the tests

BESIDE = pytest.StashKey[dict[str, Started]]()
SAID = pytest.StashKey[str]()


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # in the process that reports, once
        session.config.stash[BESIDE] = started = start(COMMANDS)
        for one in started.values():
            # A test is waited for. Windows has no priorities; a short command may have ended.
            with suppress(AttributeError, ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, one.process.pid, 10)


@pytest.hookimpl(trylast=True)  # xdist's workers have ended
def pytest_sessionfinish(session: pytest.Session) -> None:
    started = session.config.stash.get(BESIDE, None)
    if started is None:
        return
    session.config.stash[SAID], all_well = finish(started)
    if not all_well and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(wrapper=True, tryfirst=True)  # below the list of the tests that failed
def pytest_terminal_summary(config: pytest.Config) -> Iterator[None]:
    yield
    if SAID in config.stash:
        config.get_terminal_writer().line(f"\n{config.stash[SAID]}")


if __name__ == "__main__":
    said, all_well = finish(start({**COMMANDS, "rooms of the house": ROOMS}))
    print(said)  # noqa: T201 - what this command is for
    sys.exit(not all_well)
