"""What reads the code is heard: alone, and beside the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import check

WELL = (sys.executable, "-c", "print('nothing wrong')")
ILL = (sys.executable, "-c", "import sys; print('a wrong type' * 9999); sys.exit(1)")


def test_one_that_fails_fails_all_and_all_are_heard() -> None:
    said, all_well = check.finish(check.start({"first": WELL, "second": ILL, "third": WELL}))
    assert not all_well
    assert said.startswith("first, clean: nothing wrong\nsecond, FAILED: a wrong type")
    assert said.endswith("a wrong type\nthird, clean: nothing wrong")
    assert check.finish(check.start({"first": WELL}))[1]


@pytest.mark.slow
def test_what_fails_beside_the_tests_fails_them(tmp_path: Path) -> None:
    """Also by workers, which start nothing themselves; only the tests' last line stands below."""
    (tmp_path / "test_one.py").write_text("def test() -> None:\n    pass\n")
    lines = (
        "from tests import check",
        "from tests.check import *",
        f"check.COMMANDS = {{'a': {ILL}}}",
    )
    (tmp_path / "beside.py").write_text("\n".join(lines))
    command = (sys.executable, "-m", "pytest", "-p", "xdist", "-p", "beside", "-n1", "--rootdir=.")
    done = subprocess.run(
        [*command, "-q", "test_one.py"], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": f"{check.ROOT}:{tmp_path}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    *_, failed, last = done.stdout.splitlines()
    assert failed.startswith("a, FAILED")
    assert last.startswith("1 passed")
    assert done.stdout.count("a, FAILED") == 1
