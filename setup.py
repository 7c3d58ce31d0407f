"""Puts all that `import headlight` needs below that one name; pyproject.toml has the rest.

In the repository, `model`, `explorer` and `assets` stand beside `headlight`. Installed, they lie in
it, so that no other package called `model` is hidden, and the sources import each other from there.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
ROOMS = ("model", "explorer")
LEFT_OUT = ("snapshots", "cheat.safetensors")  # earlier states of the training: twice the model
INCLUDED = tuple(f"{room}{rest}" for room in ROOMS for rest in ("", ".*"))
IMPORT = re.compile(rf"^(\s*(?:from|import) )({'|'.join(ROOMS)})(?=[. ])", re.MULTILINE)
MODULE = re.compile(rf'("-m", ")({"|".join(ROOMS)})\.')  # a process that a module starts


def installed(source: str) -> str:
    """A source that finds the rooms below `headlight`."""
    return MODULE.sub(r"\1headlight.\2.", IMPORT.sub(r"\1headlight.\2", source))


class Build(build_py):
    """Copies the sources with other imports, and the files that they read."""

    def run(self) -> None:
        super().run()
        below = Path(self.build_lib) / "headlight"
        for path in below.rglob("*.py"):
            path.write_text(installed(path.read_text("utf-8")), "utf-8")
        ignored = shutil.ignore_patterns(*LEFT_OUT)
        shutil.copytree(ROOT / "assets", below / "assets", ignore=ignored, dirs_exist_ok=True)
        for room in ROOMS:
            for path in (ROOT / room).rglob("*"):
                if path.is_file() and path.suffix not in (".py", ".pyc"):
                    target = below / path.relative_to(ROOT)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, target)


packages = [
    name for room in ROOMS for name in (room, *(f"{room}.{one}" for one in find_packages(room)))
]
setup(
    packages=["headlight", *(f"headlight.{name}" for name in packages)],
    package_dir={f"headlight.{room}": room for room in ROOMS},
    cmdclass={"build_py": Build},
)
