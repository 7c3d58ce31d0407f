"""The tools that read the code: ruff and mypy for Python, Biome and TypeScript for the scripts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import npm

ROOT = Path(__file__).parent.parent
PYTHON = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
}
JAVASCRIPT = {
    "lint and format": ["biome", "ci", "--max-diagnostics=50", "."],
    "types": ["tsc", "--project", "tsconfig.json"],
}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=name, marks=[pytest.mark.slow] if name == "types" else [])
        for name, command in PYTHON.items()
    ],
)
def test_python_is_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", JAVASCRIPT.values(), ids=JAVASCRIPT)
def test_javascript_is_clean(command: list[str]) -> None:
    name, *arguments = command
    done = subprocess.run([npm.tool(name), *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
