"""The models that come with the project: a folder in assets/models and a row here for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from model import hub

MODELS = Path(__file__).parents[2] / "assets" / "models"


class Pair(NamedTuple):
    """A shipped model: its name, which is that of its folder, and the page that opens with it."""

    name: str  # its languages: source-target
    opens: str = ""  # the language of the page whose default it is, if it is there


# The first one is meant where no model is named.
PAIRS = (Pair("en-zh", "zh"), Pair("zh-en"), Pair("en-de", "en"), Pair("de-en"))
FIRST = PAIRS[0].name
FOLDERS = {pair.name: MODELS / pair.name for pair in PAIRS}


def names() -> tuple[str, ...]:
    """The names of those whose weights are there, in order."""
    return tuple(name for name, folder in FOLDERS.items() if (folder / hub.WEIGHTS).exists())


def listed(given: Sequence[str]) -> tuple[str, ...]:
    """The models of a command line: with commas, with blanks, or both."""
    return tuple(name for part in given for one in part.split(",") if (name := one.strip()))


def place(given: str | Path | None) -> str | Path:
    """The folder of a shipped model for its name, the first one's for None; else what was given.

    A path is never a name: "./en-de", "runs/en-de" and Path("en-de") are folders of one's own.
    """
    if given is None:
        return FOLDERS[FIRST]
    return FOLDERS[given] if isinstance(given, str) and given in names() else given
