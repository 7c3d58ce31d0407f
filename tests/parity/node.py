"""A script in Node that answers lines of JSON with lines of JSON: one process for a file's tests.

It starts once, and what it has compiled and opened stays warm.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from pathlib import Path
from typing import Any

from tests import npm


class Script(contextlib.AbstractContextManager["Script"]):
    """A running script; it ends with the block."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [npm.node(), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, message: Any) -> Any:
        """The reply to one message."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended: there is no reply either
            self._process.stdin.write(f"{json.dumps(message)}\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the script has ended; what it wrote to stderr says why"
        return json.loads(line)

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # closes its input, which ends it
