"""The tokenizers of other families: byte-level BPE, WordPiece, SentencePiece, BPE with "@@".

A `Cutter` cuts plain text into numbered pieces; `ForeignTokenizer` adds what a family puts around a
text, the codes of languages, and the spans. Pieces are shown as those of our own models are: "▁"
marks a space, bytes that are no whole character are "<0xE4>", special tokens have the usual names,
and a language is ">>fra_Latn<<". `model/checkpoint/foreign_tokens.py` reads the files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from model.config import Side
from model.errors import InputError
from model.text.characters import LAYOUT, SPACE, plain, visible
from model.text.tokenizer import END, LANGUAGE, PAD, START, UNKNOWN, Broken, Tokenizer
from model.trace import Tokens

_TARGET = re.compile(r"<2[A-Za-z_]+>")
# They stand in a template for the numbers of the languages.
SOURCE_LANGUAGE, TARGET_LANGUAGE = -1, -2
_CLOSING = ".,!?;:'’%)]}”»"  # signs that follow a word without a space


class Cut(NamedTuple):
    """The number of a piece and the characters of the text that it covers."""

    number: int
    begin: int
    end: int


class BrowserCutter(NamedTuple):
    """What the engine of a page without a server cuts with: its kind there, its files, and the
    pieces that it reads where they stand in a text.
    """

    kind: str
    files: Mapping[str, bytes] = MappingProxyType({})
    read: Mapping[str, int] = MappingProxyType({})


class Cutter(Protocol):
    """Cuts text without special tokens; `marked` are their numbers.

    `added` are the tokens, special or not, that it finds where they stand in a text, by number.
    """

    @property
    def marked(self) -> frozenset[int]: ...

    @property
    def added(self) -> Mapping[int, str]: ...

    def cut(self, text: str, /) -> list[Cut]: ...

    def vocabulary(self) -> dict[str, int]:
        """The pieces as the files have them, special ones included."""

    def for_browser(self) -> BrowserCutter:
        """What cuts in the browser as this one does.

        Raises:
            InputError: nothing does; the message says what this one has.
        """


@dataclass(frozen=True)
class Template:
    """The numbers before and after a source."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Languages:
    """The numbers of the language codes, and those that a text takes if it names none.

    `has_other` says that the files force another token than a language on such a text.
    """

    numbers: Mapping[str, int]
    source: str | None
    target: str | None
    has_other: bool = False


@dataclass(frozen=True)
class Beginnings:
    """What a text of T5 and its relatives may begin with: tasks, or the target's languages.

    "translate English to German:" is text as any other; "<2de>" is one of the pieces `read`, which
    are no text of their own, but are read where they stand in one.
    """

    choices: tuple[str, ...] = ()
    read: frozenset[int] = frozenset()


class ForeignTokenizer(Tokenizer):
    """Cuts as a family's own tokenizer does.

    `specials` maps the usual names (<pad>, </s>, <unk>, <s>) to numbers, `others` are further
    numbers that are no text. `style` says how pieces are written in the files: "bytes", "words"
    ("##" continues a word), "open" ("@@" is continued) or "spaces" ("▁").
    """

    def __init__(
        self,
        cutter: Cutter,
        style: str,
        specials: Mapping[str, int],
        others: Sequence[int],
        template: Template,
        languages: Languages | None = None,
        beginnings: Beginnings = Beginnings(),
        broken: Broken = "each",
    ) -> None:
        self._cutter, self.style, self.broken = cutter, style, broken
        self._beginnings = beginnings
        self._template, self._languages = template, languages
        vocabulary = cutter.vocabulary()
        pieces = [""] * (max((*vocabulary.values(), *cutter.added), default=-1) + 1)
        for piece, number in vocabulary.items():
            pieces[number] = _SHOWN[style](piece)
        for number, token in cutter.added.items():
            pieces[number] = _SHOWN[style](token) if style == "words" else token
        self.opened = frozenset(
            i for p, i in vocabulary.items() if style == "open" and p.endswith("@@")
        )
        names = {number: name for name, number in specials.items()}
        codes = languages.numbers if languages else {}
        names |= {number: f">>{code}<<" for code, number in codes.items()}
        for number, name in names.items():
            pieces[number] = name
        self.special_ids = frozenset({*names, *others} - {*beginnings.read})
        self._pieces = self._source_pieces = pieces
        self._ids = self._source_ids = {piece: i for i, piece in enumerate(pieces) if piece}
        self.has_two_vocabularies = False
        self.pad_id, self.end_id, self.unknown_id = (specials[n] for n in (PAD, END, UNKNOWN))
        self.start_id = specials.get(START, self.pad_id)

    @property
    def codes(self) -> tuple[str, ...]:
        """What a text may begin with: codes of languages, or a T5's tasks or languages."""
        return self._beginnings.choices or super().codes

    @property
    def languages(self) -> dict[str, str | None] | None:
        known = self._languages
        return {"source": known.source, "target": known.target} if known else None

    def encode_source(self, text: str) -> Tokens:
        """The encoder's input: the pieces of the text, and what the family puts around them.

        Raises:
            InputError: the text has nothing readable, or asks for a language that is not there.
        """
        text = self._readable(text)
        source, target, begin = self._code(text)
        found = self._cut(text, begin)
        if not found or text.isspace():
            raise InputError(
                "There is nothing to translate: the text is empty or holds only invisible "
                "characters. Type a sentence.",
                key="empty",
            )
        numbers = self._languages.numbers if self._languages else {}
        pair = {SOURCE_LANGUAGE: source or "", TARGET_LANGUAGE: target or ""}
        languages = {i: numbers.get(code, self.unknown_id) for i, code in pair.items()}
        end = len(text)
        around = [
            [Cut(languages.get(i, i), at, at) for i in ids]
            for ids, at in ((self._template.before, begin), (self._template.after, end))
        ]
        return self._tokens(text, [*around[0], *found, *around[1]])

    def encode_target(self, text: str) -> Tokens:
        """A text in the decoder's form: its pieces alone."""
        text = self._readable(text)
        return self._tokens(text, self._cut(text, 0))

    def for_browser(self) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        kind, files, read = self._cutter.for_browser()
        numbers = dict(self._languages.numbers) if self._languages else {}
        around: dict[str, Any] = {"before": self._template.before, "after": self._template.after}
        around |= {"numbers": numbers, "read": dict(read)}
        return {"cutter": kind, "around": around}, files

    def split(self, ids: list[int]) -> tuple[list[int], list[int], list[int]]:
        first, last = len(self._template.before), len(ids) - len(self._template.after)
        return ids[:first], ids[first:last], ids[last:]

    def target_language(self, text: str) -> int | None:
        """The number of the language that a source text asks for, or of the usual one; None if the
        files force another token.

        Raises:
            InputError: it asks for none, and there is no usual one, or for one that is not there.
        """
        if self._languages is None:
            return None
        _, target, _ = self._code(self._readable(text))
        if target is None and self._languages.has_other:
            return None
        if target is None:
            some = self._some_codes()
            raise InputError(
                f"This model translates into several languages; begin with one of {some}.",
                key="no_language", codes=some, choices=self.codes,
            )  # fmt: skip
        return self._languages.numbers[target]

    def target_tokens(self, ids: Sequence[int]) -> Tokens:
        """Tokens of given target ids, with their text and the span of each in it."""
        if self.style in ("bytes", "spaces"):
            return super().target_tokens(ids)
        text, spans, joined = "", [], True
        for i in map(int, ids):
            special = i in self.special_ids and i != self.unknown_id
            shown = "" if special else self.piece(i)
            starts = self.style == "open" or shown.startswith(SPACE)
            shown = shown.removeprefix(SPACE)
            if text and shown and starts and not joined:
                text += " "
            spans.append((len(text), len(text) + len(shown)))
            text += shown
            if shown:
                joined = i in self.opened
        rows = np.array(spans, dtype=np.int64).reshape(-1, 2)
        pieces = tuple(self.piece(int(i)) for i in ids)
        return Tokens(text, np.array(ids, dtype=np.int64).reshape(-1), pieces, rows)

    def _readable(self, text: str) -> str:
        """What is visible of a text, its signs in a form that the tokenizer knows."""
        text = visible(text, self._layout)
        if self.style == "bytes":
            return text
        return plain(text if self.style == "open" else text.strip(), self._has)

    @cached_property
    def _layout(self) -> str:
        """The tabs and line ends that the vocabulary has, as one of bytes does."""
        return "".join(filter(self._has, LAYOUT))

    def _has(self, signs: str) -> bool:
        return all(one.number != self.unknown_id for one in self._cutter.cut(signs))

    def _cut(self, text: str, begin: int) -> list[Cut]:
        """The pieces of a text from a character on; a special token in it is text, unless it was
        added.
        """
        found = self._cutter.cut(text[begin:])
        never = self.special_ids - self._cutter.added.keys()
        size, unknown = len(self._pieces), self.unknown_id
        return [
            Cut(
                one.number if one.number < size and one.number not in never else unknown,
                one.begin + begin,
                one.end + begin,
            )
            for one in found
        ]

    def _tokens(self, text: str, cuts: Sequence[Cut]) -> Tokens:
        ids = np.array([one.number for one in cuts], dtype=np.int64)
        pieces = tuple(self.piece(one.number) for one in cuts)
        spans = np.array([one[1:] for one in cuts], dtype=np.int64).reshape(-1, 2)
        return Tokens(text, ids, pieces, spans)

    def _code(self, text: str) -> tuple[str | None, str | None, int]:
        """The languages of source and target, and where the text behind their code begins.

        ">>fra_Latn<< Hello" chooses the target's, ">>eng_Latn:fra_Latn<< Hello" both.
        """
        match = LANGUAGE.match(text)
        if self._languages is None:
            choices = self._beginnings.choices
            if match is None and any(map(_TARGET.fullmatch, choices)):
                match = _TARGET.match(text)
            if match and match[0] not in choices:
                self._refuse_code(match[0])
            return None, None, 0
        source, target = self._languages.source, self._languages.target
        if match is None:
            return source, target, 0
        first, _, second = match[0][2:-2].rpartition(":")
        source, target = first or source, second
        named = {source, target} if source is not None else {target}
        if not named <= {*self._languages.numbers}:
            self._refuse_code(match[0])
        rest = text[match.end() :]
        return source, target, match.end() + len(rest) - len(rest.lstrip())

    def piece(self, token_id: int, side: Side = "target") -> str:
        """The piece of a number, the same on both sides; an empty string if it has none."""
        return self._pieces[token_id] if 0 <= token_id < len(self._pieces) else ""


# ------------------------------------------------------------------------- how a piece is shown


def _byte_table() -> dict[str, int]:
    """The byte that each character of a byte-level piece stands for.

    Printable bytes stand for themselves, the others for the characters from 256 on, in order.
    Source: `bytes_to_unicode` of GPT-2.
    """
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in own]
    return {chr(b): b for b in own} | {chr(256 + i): b for i, b in enumerate(others)}


_BYTE_OF = _byte_table()


def byte_pieces() -> list[str]:
    """How a byte-level piece of each byte is written."""
    return sorted(_BYTE_OF, key=_BYTE_OF.__getitem__)


def _from_bytes(piece: str) -> str:
    """Show "Ġun" as "▁un", and the first two bytes of a character as "<0xE4><0xBD>"."""
    if not all(character in _BYTE_OF for character in piece):
        return piece
    raw = bytes(_BYTE_OF[character] for character in piece)
    try:
        return raw.decode("utf-8").replace(" ", SPACE)
    except UnicodeDecodeError:
        return "".join(f"<0x{byte:02X}>" for byte in raw)


def _from_word(piece: str) -> str:
    """Show "##ing" as "ing", "walk" as "▁walk"; Han and closing signs have no space before them."""
    if piece.startswith("##"):
        return piece[2:]
    wide = piece and unicodedata.east_asian_width(piece[0]) in "WF"
    return piece if wide or piece in _CLOSING else SPACE + piece


_SHOWN: dict[str, Any] = {
    "bytes": _from_bytes,
    "words": _from_word,
    "open": lambda piece: piece.removesuffix("@@"),
    "spaces": lambda piece: piece,
}
