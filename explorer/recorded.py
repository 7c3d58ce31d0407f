"""The first page of a shipped model, recorded: what the page shows while that model is loading.

Only the models that a page opens with have one (`python -m explorer.record`), beside their weights.
"""

from __future__ import annotations

import json
from pathlib import Path

from explorer.exchange.payload import FORMAT, Payload
from model import shipped

FILE = "recorded.json"


def opening() -> tuple[str, ...]:
    """The names of the shipped models that a page opens with."""
    return tuple(pair.name for pair in shipped.PAIRS if pair.opens and pair.name in shipped.names())


def read(path: Path) -> Payload | None:
    """One of these files; None if there is none, or one in an earlier format."""
    try:
        recorded = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return recorded if recorded.get("format") == FORMAT else None


def texts() -> dict[str, str]:
    """The sentence on each of them, by the name of its model."""
    found = {name: read(shipped.FOLDERS[name] / FILE) for name in opening()}
    return {name: recorded["text"] for name, recorded in found.items() if recorded is not None}
