"""Words of a source that its translation lost, by what the translation says when translated back.

A word of content is lost if no witness knows it: the translation of the translation has no form of
it, nor a word that stands for the same; nothing that it stands for is in the translation, nothing
there stands for it, and it is not copied. The glosses are those of the model
(model/text/glossary.py). Numbers have a doubt of their own (model/text/numbers.py).

The twin of this file is assets/engine/lost.js.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from model.text import english
from model.text.glossary import LONGEST, Entry, Glossary
from model.text.languages import ENGLISH, LANGUAGES, UNSPACED, Language

if TYPE_CHECKING:
    from model.explain import Explainer

_ROWS = tuple(LANGUAGES.values())
_LIGHT = frozenset(word for row in _ROWS for word in row.light)
_NUMERALS = frozenset(word for row in _ROWS for word, _ in row.numerals)
_WORD = re.compile(f"(?<![\\w@./])[{ENGLISH.letters}]+(?:['’][a-z]+)?(?![\\w@/]|\\.\\w)")
_RUN = re.compile(f"{UNSPACED.pattern}+")
_PREFIXES = frozenset(word for row in _ROWS for word in row.prefixes)
_ALIKE = 4  # letters that forms of one word begin with, at least: quiet and quietly

Side = Literal["source", "target"]


class Lost(NamedTuple):
    """A word of the source, and where it is, in characters."""

    text: str
    begin: int
    end: int


def lost_words(source: str, translation: str, back: str, reverse: Explainer) -> tuple[Lost, ...]:
    """The words that a translation lost; `back` is what the model of the way back made of it.

    Without glosses it finds none.
    """
    if reverse.glossary is None:
        return ()
    table = reverse.remembered(("turned",), reverse.glossary.turned)
    return lost(source, translation, back, table)


def lost(source: str, translation: str, back: str, table: Glossary) -> tuple[Lost, ...]:
    """The words of content that a translation lost; `back` is its own translation."""
    dictionary = _Dictionary(table)
    there = _Text(translation, dictionary, "target")
    again = _Text(back, dictionary, "source")
    found = []
    for begin, end in dictionary.words(source, "source"):
        word = source[begin:end].lower()
        if _is_light(word) or there.copies(word) or again.has(word):
            continue
        meant = dictionary.glosses(word, "source")
        if any(map(there.has, meant)) or meant & again.stands_for or there.is_said(word):
            continue
        found.append(Lost(source[begin:end], begin, end))
    return tuple(found)


def _is_light(word: str) -> bool:
    """True for words that a good translation may do without: of, 的, been."""
    own = english.parts(word)[0]
    return own in _LIGHT or own in _NUMERALS or (len(own) < 2 and not UNSPACED.search(own))


def _is_prefix(word: str, rest: str) -> bool:
    """True of the first part of re-read."""
    return rest.startswith("-") and word.lower() in _PREFIXES


class _Dictionary:
    """A table of glosses, looked up by any form of a word."""

    def __init__(self, table: Glossary) -> None:
        self._table = table
        codes = dict(zip(("source", "target"), table.languages, strict=True))
        self.language = {side: LANGUAGES.get(code, ENGLISH) for side, code in codes.items()}

    def key(self, word: str, side: Side) -> str:
        """What the forms of a word share."""
        return self.language[side].base(english.parts(word.lower())[0])

    def words(self, text: str, side: Side) -> Iterator[tuple[int, int]]:
        """Where the words of a text are; without spaces, the longest that the table has."""
        places = [m.span() for m in _WORD.finditer(text) if not _is_prefix(m[0], text[m.end() :])]
        for run in _RUN.finditer(text):
            at, end = run.span()
            while at < end:
                sizes = range(min(LONGEST, end - at), 0, -1)
                size = next((n for n in sizes if self._table.entry(text[at : at + n], side)), 1)
                places.append((at, at + size))
                at += size
        return iter(sorted(places))

    def glosses(self, word: str, side: Side) -> set[str]:
        """All that a word stands for, in any of its forms."""
        forms = {word, *self._table.families(side).get(self.key(word, side), ())}
        entries = [self._table.entry(form, side) for form in forms]
        return {gloss.lower() for one in entries if one for gloss in _words_of(one)}


class _Text:
    """The words of a text, by the keys of their forms."""

    def __init__(self, text: str, dictionary: _Dictionary, side: Side) -> None:
        self._text, self._dictionary, self._side = text.lower(), dictionary, side
        self._words = [self._text[begin:end] for begin, end in dictionary.words(text, side)]
        self._keys = {dictionary.key(word, side) for word in self._words}
        self._other: Side = "source" if side == "target" else "target"
        self.stands_for = self._glosses()
        self._said = {dictionary.key(gloss, self._other) for gloss in self.stands_for}

    def has(self, word: str) -> bool:
        """True if a word, or one like it, is there."""
        if UNSPACED.search(word):
            return word in self._text
        key = self._dictionary.key(word, self._side)
        language = self._dictionary.language[self._side]
        return any(_are_alike(key, one, language) for one in self._keys)

    def copies(self, word: str) -> bool:
        """True if a word is there as it is, maybe with an s: Annas; but no "art" in Start."""
        if UNSPACED.search(word):
            return word in self._text
        letter = f"[{ENGLISH.letters}]"
        return bool(re.search(f"(?<!{letter}){re.escape(word)}s?(?!{letter})", self._text))

    def is_said(self, word: str) -> bool:
        """True if a word of this text stands for that word of the other language."""
        return self._dictionary.key(word, self._other) in self._said

    def _glosses(self) -> set[str]:
        """What its words of content stand for, all of it."""
        words = {word for word in self._words if not _is_light(word)}
        for run in _RUN.findall(self._text):
            words |= {run[i : i + n] for i in range(len(run)) for n in range(1, LONGEST + 1)}
        glosses = (self._dictionary.glosses(word, self._side) for word in words)
        return {gloss for own in glosses for gloss in own}


def _words_of(entry: Entry) -> Iterator[str]:
    if entry.gloss.word:
        yield entry.gloss.word
    yield from entry.others


def _are_alike(one: str, other: str, language: Language) -> bool:
    """True of the keys of words of a family: quiet, quietly; Spielzeug, Lieblingsspielzeug."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if language.is_compounding and len(short) >= _ALIKE + 1 and long.endswith(short):
        return True
    endings = ("", *language.endings)
    return any(
        short[n:] in endings and long[n:] in endings
        for n in range(_ALIKE, len(short) + 1)
        if short[:n] == long[:n]
    )
