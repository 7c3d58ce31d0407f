"""Tokens that stand beside a vocabulary: they are looked for in a text before the rest is cut.

A fine-tune adds them ("covid19", "<speaker1>"); the blanks of T5 are such tokens, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from model.errors import InputError
from model.text.foreign import BrowserCutter, Cut, Cutter

NEXT = -1  # the number of a token that follows the vocabulary


class AddedToken(NamedTuple):
    """A token's number and its properties, as `transformers` names them."""

    number: int
    special: bool = False  # no part of a written text
    lstrip: bool = False  # takes the spaces before it
    rstrip: bool = False
    single_word: bool = False  # only between spaces
    normalized: bool = True  # looked for in the text as the normaliser leaves it

    @property
    def is_loose(self) -> bool:
        """True if more than its own letters decides where it stands."""
        return self.lstrip or self.rstrip or self.single_word


def numbered(tokens: Mapping[str, AddedToken], known: dict[str, int]) -> dict[str, AddedToken]:
    """The tokens with their numbers; those that follow a vocabulary get theirs, and join it."""
    found: dict[str, AddedToken] = {}
    for token, how in tokens.items():
        number = known.get(token, len(known)) if how.number == NEXT else how.number
        known.setdefault(token, number)
        found[token] = how._replace(number=number)
    return found


class Part(NamedTuple):
    """A part of a text: a token, or what lies between two of them (None)."""

    token: str | None
    begin: int
    end: int


class AddedTokens:
    """Finds the tokens in a text.

    Source: `PythonBackend.tokenize` of `transformers`.
    """

    def __init__(self, tokens: Mapping[str, AddedToken]) -> None:
        self.tokens = tokens
        longest = sorted(tokens, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest)) or "(?!)")

    def parts(self, text: str) -> Iterator[Part]:
        """The text before, between and behind the tokens, and the tokens."""
        begin = 0
        for match in self._pattern.finditer(text):
            how, (first, end) = self.tokens[match[0]], match.span()
            if how.single_word and text[begin:first][-1:] not in ("", " "):
                yield Part(None, begin, end)  # it belongs to the word before it
                begin = end
                continue
            if how.single_word and text[end : end + 1] not in ("", " "):
                yield Part(None, begin, first)
                begin = first
                continue
            before = text[begin:first].rstrip() if how.lstrip else text[begin:first]
            yield Part(None, begin, begin + len(before))
            yield Part(match[0], first, end)
            rest = text[end:]
            begin = end + (len(rest) - len(rest.lstrip()) if how.rstrip else 0)
        yield Part(None, begin, len(text))


class AddedCutter:
    """Cuts a text before, between and behind the tokens, each stretch on its own."""

    def __init__(self, cutter: Cutter, tokens: Mapping[str, AddedToken]) -> None:
        self._cutter, known = cutter, dict(cutter.vocabulary())
        self._tokens = numbered(tokens, known)
        self._numbers, self._found = known, AddedTokens(self._tokens)
        self.added = {**cutter.added, **{how.number: one for one, how in self._tokens.items()}}
        own = (how.number for how in self._tokens.values() if how.special)
        self.marked = cutter.marked.union(own)

    def cut(self, text: str) -> list[Cut]:
        found: list[Cut] = []
        for token, begin, end in self._found.parts(text):
            if token is None:
                found += self._stretch(text[begin:end], begin)
            else:
                found.append(Cut(self._tokens[token].number, begin, end))
        return found

    def _stretch(self, text: str, begin: int) -> list[Cut]:
        cuts = self._cutter.cut(text) if text else []
        return [Cut(one.number, one.begin + begin, one.end + begin) for one in cuts]

    def vocabulary(self) -> dict[str, int]:
        return self._numbers

    def for_browser(self) -> BrowserCutter:
        loose = [token for token, how in self._tokens.items() if how.is_loose]
        if loose:
            raise InputError(f"the added token {loose[0][:20]}")
        read = {token: how.number for token, how in self._tokens.items()}
        inner = self._cutter.for_browser()
        return inner._replace(read={**inner.read, **read})
