"""The table beside a model that says what its words stand for in the other language.

`python -m model.labs.gloss` counts it:

    {"pairs": 60000, "words": {
     "because": ["因为", 0.71],
     "再": ["again", 0.35, "zài"],
     "了": ["", 0, "le"]}}

A word is what people write as one, in small letters; both languages are in one table. Its entry is
the likeliest word of the other language, the share of it where the model aligned the word, and how
a Chinese word is spoken. A word without a meaning of its own has an empty entry or none. Where
neither language is Chinese, the script does not tell them apart: then an entry ends with the side
of its word, ["Hund", 0.8, "", "target"].
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from model.errors import CheckpointError, reason

FILE = "gloss.json"
GlossSide = Literal["", "source", "target"]


class Gloss(NamedTuple):
    """What a word stands for; `pinyin` is empty where the word is not Chinese.

    `side` is that of the word, if the table says it.
    """

    word: str
    share: float
    pinyin: str = ""
    side: GlossSide = ""

    def listed(self) -> list[str | float]:
        """As it stands in the file and on the labels."""
        return list(self if self.side else self[:3] if self.pinyin else self[:2])


@dataclass(frozen=True)
class Glossary:
    """The glosses of the words of both languages, counted over so many sentence pairs."""

    pairs: int
    words: Mapping[str, Gloss]

    def to_json(self) -> str:
        """The form of the file: an entry on each line."""
        compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
        entries = ",\n".join(
            f"{compact.encode(word)}:{compact.encode(gloss.listed())}"
            for word, gloss in sorted(self.words.items())
        )
        return f'{{"pairs": {self.pairs}, "words": {{\n{entries}\n}}}}\n'

    def for_browser(self) -> dict[str, Any]:
        """The same value as in the file."""
        return {
            "pairs": self.pairs,
            "words": {word: one.listed() for word, one in self.words.items()},
        }


def load(folder: Path | None) -> Glossary | None:
    """The table of the model in a folder; None if there is none.

    Raises:
        CheckpointError: the file is damaged.
    """
    path = folder / FILE if folder else None
    if path is None or not path.exists():
        return None
    try:
        raw = json.loads(path.read_text("utf-8"))
        words = {str(word): Gloss(*entry) for word, entry in raw["words"].items()}
        return Glossary(int(raw["pairs"]), words)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{path.parent.name}/{FILE} cannot be used; make it again with python -m "
            f"model.labs.gloss. {reason(error)}"
        ) from None
