"""The table beside a model that says what its words stand for in the other language.

`python -m model.labs.gloss` counts it:

    {"pairs": 60000, "forms": {"gave": "give"}, "words": {
     "because": ["因为", 0.71],
     "close": ["特写", 0.48, [["近", 0.19], ["关", 0.16]]],
     "走": ["", 0, "zǒu", [["walking", 0.33], ["go", 0.26]]],
     "了": ["", 0, "le"]}}

A word is what people write as one, in small letters; both languages are in one table. Its entry is
the likeliest word of the other language, the share of it where the model aligned the word, how a
Chinese word is spoken, and the other words that it stands for, the likeliest first. A word that
nothing stands for often enough has an empty first word, or no entry. Where neither language is
Chinese, the script does not tell them apart: then the side of its word follows, ["Hund", 0.8, "",
"target"]. The irregular forms of English words (`english.BASES`) are there for the browser.

What a token of a sentence stands for, the other text says (`gloss_of`): assets/engine/glossary.js
is the twin of that part.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from model.errors import CheckpointError, reason
from model.text import english

FILE = "gloss.json"
LONGEST = 4  # words without a space between them that may be one: 图书|馆
HAN = re.compile("[\u3400-\u9fff]")
GlossSide = Literal["", "source", "target"]
Span = tuple[int, int]  # the first and the last of some words


class Gloss(NamedTuple):
    """What a word stands for; `pinyin` is empty where the word is not Chinese.

    `side` is that of the word, if the table says it.
    """

    word: str
    share: float
    pinyin: str = ""
    side: GlossSide = ""

    def listed(self) -> list[Any]:
        """As it stands on the labels."""
        return list(self if self.side else self[:3] if self.pinyin else self[:2])


NOTHING = Gloss("", 0)


@dataclass(frozen=True)
class Entry:
    """What a word stands for by itself, and the other words that it stands for: {word: share}."""

    gloss: Gloss = NOTHING
    others: Mapping[str, float] = field(default_factory=dict)

    def listed(self) -> list[Any]:
        """As it stands in the file."""
        return self.gloss.listed() + ([list(map(list, self.others.items()))] if self.others else [])

    @classmethod
    def read(cls, listed: list[Any]) -> Entry:
        """The entry that stands so in the file."""
        *own, last = listed
        if isinstance(last, list):
            return cls(Gloss(*own), {str(word): float(share) for word, share in last})
        return cls(Gloss(*listed))


@dataclass(frozen=True)
class Glossary:
    """The entries of the words of both languages, counted over so many sentence pairs."""

    pairs: int
    words: Mapping[str, Entry]

    def to_json(self) -> str:
        """The form of the file: an entry on each line."""
        compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
        entries = ",\n".join(
            f"{compact.encode(word)}:{compact.encode(entry.listed())}"
            for word, entry in sorted(self.words.items())
        )
        forms = compact.encode(english.BASES)
        return f'{{"pairs": {self.pairs}, "forms": {forms}, "words": {{\n{entries}\n}}}}\n'

    def for_browser(self) -> dict[str, Any]:
        """The same value as in the file."""
        return {
            "pairs": self.pairs,
            "forms": english.BASES,
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
        words = {str(word): Entry.read(entry) for word, entry in raw["words"].items()}
        return Glossary(int(raw["pairs"]), words)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{path.parent.name}/{FILE} cannot be used; make it again with python -m "
            f"model.labs.gloss. {reason(error)}"
        ) from None


# --------------------------------------------------------------------------- beside another text


class Words:
    """Where each word of a text stands, all its forms together."""

    def __init__(self, written: Iterable[str]) -> None:
        self._parts = [part for word in written for part in english.parts(word.lower())]
        self._places: defaultdict[str, list[Span]] = defaultdict(list)
        for first, part in enumerate(self._parts):
            self._places[_key(part)].append((first, first))
            run = part
            for last in range(first + 1, min(first + LONGEST, len(self._parts))):
                if not (HAN.search(run) and HAN.search(self._parts[last])):
                    break
                run += self._parts[last]
                self._places[run].append((first, last))

    def places(self, word: str) -> list[Span]:
        """The words that together are this one."""
        return self._places.get(_key(word.lower()), [])

    def place(self, word: str) -> Span:
        """Where it is in this very form, if it is; else the first of its places."""
        places = self.places(word)
        return next((one for one in places if self.form(word, one) == word), places[0])

    def form(self, word: str, place: Span) -> str:
        """The word as it is in the text, but for its capital letters."""
        part = self._parts[place[0]]
        return word if HAN.search(word) or word.lower() == part else part


def _key(word: str) -> str:
    return word if HAN.search(word) else english.base(word)


def gloss_of(entry: Entry, texts: Iterable[Words]) -> Gloss:
    """What a word stands for beside the texts of the other language.

    The likeliest of its words that is there, with those that it stands for too and that are beside
    it, in their order ("next door"); the likeliest of all where none is there.
    """
    own = entry.gloss
    shares = {own.word: own.share, **entry.others} if own.word else entry.others
    for word, share in shares.items():
        for text in texts:
            if text.places(word):
                found = [
                    (span, text.form(one, span)) for one in shares for span in text.places(one)
                ]
                return own._replace(word=_joined(text.place(word), found), share=share)
    return own


def _joined(place: Span, found: Sequence[tuple[Span, str]]) -> str:
    """The word at a place, and those that touch it; none twice."""
    first, last = place
    run = [next(word for span, word in found if span == place)]
    while before := [one for one in found if one[0][1] == first - 1 and one[1] not in run]:
        (first, _), word = before[0]
        run.insert(0, word)
    while after := [one for one in found if one[0][0] == last + 1 and one[1] not in run]:
        (_, last), word = after[0]
        run.append(word)
    return ("" if HAN.search(run[0]) else " ").join(run)
