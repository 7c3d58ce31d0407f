"""The table beside a model that says what its words stand for in the other language.

`python -m model.labs.gloss` counts it:

    {"pairs": 60000, "languages": ["en", "zh"], "forms": {"gave": "give"}, "words": {
     "because": ["因为", 0.71],
     "close": ["特写", 0.48, [["近", 0.19], ["关", 0.16]]],
     "走": ["", 0, "zǒu", [["walking", 0.33], ["go", 0.26]]],
     "了": ["", 0, "le"]}}

A word is what people write as one, in small letters; both languages are in one table. Its entry is
the likeliest word of the other language, the share of it where the model aligned the word, how a
Chinese word is spoken, and the other words that it stands for, the likeliest first. A word that
nothing stands for often enough has an empty first word, or no entry. Where both languages have the
same letters, `words` are those of the source and `target` those of the target: German "die" is no
English "die". The irregular forms of English words (`english.BASES`) are there for the browser.

What a token of a sentence stands for, the other text says (`gloss_of`): assets/engine/glossary.js
is the twin of that part.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from model.errors import CheckpointError, reason
from model.text import english
from model.text.languages import ENGLISH, LANGUAGES, UNSPACED, Language

FILE = "gloss.json"
LONGEST = 4  # words without a space between them that may be one: 图书|馆
GlossSide = Literal["", "source", "target"]
Span = tuple[int, int]  # the first and the last of some words


class Gloss(NamedTuple):
    """What a word stands for; `pinyin` is empty where the language is not romanised.

    `side` is that of the word, where its letters do not tell.
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
    """The entries of the words of both languages, counted over so many sentence pairs.

    `languages` are the codes of source and target; empty ones of a table that does not say them.
    `target` is None where the letters of a word tell which language it is of.
    """

    pairs: int
    words: Mapping[str, Entry]
    languages: tuple[str, str] = ("", "")
    target: Mapping[str, Entry] | None = None

    def entry(self, word: str, side: Literal["source", "target"]) -> Entry | None:
        """What a word of a side stands for."""
        if self.target is None:
            return self.words.get(word)
        found = (self.words if side == "source" else self.target).get(word)
        return found and replace(found, gloss=found.gloss._replace(side=side))

    def families(self, side: Literal["source", "target"]) -> Mapping[str, list[str]]:
        """The words of a side by the key that the forms of a word share."""
        return self._families["target" if side == "target" and self.target else "source"]

    @cached_property
    def _families(self) -> dict[str, dict[str, list[str]]]:
        sides = {"source": self.words, "target": self.target or {}}
        found: dict[str, dict[str, list[str]]] = {}
        for (side, words), code in zip(sides.items(), self.languages, strict=True):
            keys: defaultdict[str, list[str]] = defaultdict(list)
            for word in words:
                keys[LANGUAGES.get(code, ENGLISH).base(word)].append(word)
            found[side] = dict(keys)
        return found

    def turned(self) -> Glossary:
        """The same for the other direction."""
        source, target = self.languages
        words = self.words if self.target is None else self.target
        return Glossary(self.pairs, words, (target, source), self.target and self.words)

    def texts(self, source: Iterable[Iterable[str]], target: Iterable[Iterable[str]]) -> Texts:
        """Texts of both sides, each given by its words."""
        of = [LANGUAGES.get(code, ENGLISH) for code in self.languages]
        return Texts(
            tuple(Words(written, of[0]) for written in source),
            tuple(Words(written, of[1]) for written in target),
        )

    def to_json(self) -> str:
        """The form of the file: an entry on each line."""
        compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

        def rows(words: Mapping[str, list[Any]]) -> str:
            entries = ",\n".join(
                f"{compact.encode(word)}:{compact.encode(entry)}"
                for word, entry in sorted(words.items())
            )
            return f"{{\n{entries}\n}}"

        parts = ", ".join(
            f'"{name}": {rows(value) if name in ("words", "target") else compact.encode(value)}'
            for name, value in self.for_browser().items()
        )
        return f"{{{parts}}}\n"

    def for_browser(self) -> dict[str, Any]:
        """The same value as in the file."""
        sides = {"words": self.words} | ({"target": self.target} if self.target else {})
        return {"pairs": self.pairs, "languages": self.languages, "forms": english.BASES} | {
            name: {word: one.listed() for word, one in words.items()}
            for name, words in sides.items()
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
        source, target = raw.get("languages", ("", ""))
        words, others = (
            {str(word): Entry.read(entry) for word, entry in one.items()}
            for one in (raw["words"], raw.get("target", {}))
        )
        return Glossary(int(raw["pairs"]), words, (str(source), str(target)), others or None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{path.parent.name}/{FILE} cannot be used; make it again with python -m "
            f"model.labs.gloss. {reason(error)}"
        ) from None


# --------------------------------------------------------------------------- beside another text


class Words:
    """Where each word of a text stands, all its forms together."""

    def __init__(self, written: Iterable[str], language: Language = ENGLISH) -> None:
        self._key = language.base
        self._parts = [part for word in written for part in english.parts(word.lower())]
        self._places: defaultdict[str, list[Span]] = defaultdict(list)
        for first, part in enumerate(self._parts):
            self._places[self._key(part)].append((first, first))
            run = part
            for last in range(first + 1, min(first + LONGEST, len(self._parts))):
                if not (UNSPACED.search(run) and UNSPACED.search(self._parts[last])):
                    break
                run += self._parts[last]
                self._places[run].append((first, last))

    def places(self, word: str) -> list[Span]:
        """The words that together are this one."""
        return self._places.get(self._key(word.lower()), [])

    def place(self, word: str) -> Span:
        """Where it is in this very form, if it is; else the first of its places."""
        places = self.places(word)
        return next((one for one in places if self.form(word, one) == word), places[0])

    def form(self, word: str, place: Span) -> str:
        """The word as it is in the text, but for its capital letters."""
        part = self._parts[place[0]]
        return word if UNSPACED.search(word) or word.lower() == part else part


@dataclass(frozen=True)
class Texts:
    """The words of both sides."""

    source: tuple[Words, ...] = ()
    target: tuple[Words, ...] = ()

    def beside(self, side: GlossSide) -> tuple[Words, ...]:
        """Those in the language of what a word of this side stands for; both if it is not told."""
        if side == "":
            return self.source + self.target
        return self.target if side == "source" else self.source


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
    return ("" if UNSPACED.search(run[0]) else " ").join(run)
