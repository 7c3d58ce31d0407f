"""The only place where a token becomes visible text, and where indices become numbers from 1.

The page writes labels with `textContent` and SVG text nodes, so nothing is escaped here.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from model.text.words import SPECIALS, continues
from model.trace import Tokens

LabelKind = Literal["word", "special", "byte", "space"]

SPACE_PIECE = "▁"  # SentencePiece's space mark
SPACE_SIGN = "␣"
_BYTE = re.compile(r"(?:<0x[0-9A-F]{2}>)+")  # our own pieces have one byte
_REPLACEMENT = "\ufffd"  # the decoding of invalid bytes


@dataclass(frozen=True)
class Label:
    """The label of one token.

    `joined` means that it follows without a space: both belong to one word. `part` is
    (k, n) for the k-th of the n byte pieces of one character.
    """

    text: str
    kind: LabelKind
    joined: bool = False
    part: tuple[int, int] | None = None

    @property
    def line(self) -> str:
        """The label by itself, for example beside a row: "·ness", "🙂 2/4"."""
        if self.part:
            return f"{self.text} {self.part[0]}/{self.part[1]}"
        return f"·{self.text}" if self.joined else self.text


def labels(tokens: Tokens) -> tuple[Label, ...]:
    """One label per token, in order. Byte pieces of one character all show that character.

    "▁un", "h", "appy", "</s>" -> "un", "h" joined, "appy" joined, "</s>" special
    "c", "a", "</s>" -> "c", "a", "</s>": letter tokens never continue a word
    """
    if all(len(piece) == 1 or piece in SPECIALS for piece in tokens.pieces):
        return tuple(map(label_of_piece, tokens.pieces))
    parts = _byte_parts(tokens)
    return tuple(
        _byte_label(tokens, i, parts[i]) if i in parts else _piece_label(tokens, i)
        for i in range(len(tokens))
    )


@functools.lru_cache(maxsize=2**16)  # Next token asks for a whole vocabulary, each visitor's
def label_of_piece(piece: str) -> Label:
    """The label of a token outside any text, such as a candidate not chosen."""
    if _BYTE.fullmatch(piece):
        return Label("0x" + piece.replace("<0x", "").replace(">", ""), "byte")
    if piece in SPECIALS:
        return Label(piece, "special")
    return _plain(piece)


def number(index: int) -> int:
    """Convert an index to a number counted from 1."""
    return index + 1


def _piece_label(tokens: Tokens, i: int) -> Label:
    piece = tokens.pieces[i]
    begin, end = (int(x) for x in tokens.spans[i])
    if piece in SPECIALS and (begin == end or piece == tokens.text[begin:end]):
        return Label(piece, "special")
    plain = _plain(piece)
    if piece.startswith(SPACE_PIECE):
        return plain
    return Label(plain.text, plain.kind, joined=continues(tokens, i))


def _byte_parts(tokens: Tokens) -> dict[int, tuple[int, int]]:
    """Which part of its character each byte piece is: {index: (k, n)}."""
    parts: dict[int, tuple[int, int]] = {}
    i = 0
    while i < len(tokens):
        run = i
        while (
            run < len(tokens)
            and _BYTE.fullmatch(tokens.pieces[run])
            and (tokens.spans[run] == tokens.spans[i]).all()
        ):
            run += 1
        parts |= {j: (number(j - i), run - i) for j in range(i, run)}
        i = max(run, i + 1)
    return parts


def _byte_label(tokens: Tokens, i: int, part: tuple[int, int]) -> Label:
    """A byte shows its character, or its own number if there is none."""
    begin, end = (int(x) for x in tokens.spans[i])
    character = tokens.text[begin:end].strip()
    if not character or _REPLACEMENT in character:
        return Label(label_of_piece(tokens.pieces[i]).text, "byte")
    joined = part[0] > 1 or continues(tokens, i)
    return Label(_drawable(character), "byte", joined, part if part[1] > 1 else None)


def _plain(piece: str) -> Label:
    text = piece.removeprefix(SPACE_PIECE)
    if not text:
        return Label(SPACE_SIGN, "space")
    return Label(_drawable(text.replace(SPACE_PIECE, SPACE_SIGN)), "word")


def _drawable(text: str) -> str:
    """The text with every invisible character written as its code point.

    A combining accent at the start gets a dotted circle.
    """
    shown = "".join(c if _leaves_a_mark(c) else f"U+{ord(c):04X}" for c in text)
    return f"◌{shown}" if unicodedata.category(shown[0]) in ("Mn", "Me") else shown


def _leaves_a_mark(character: str) -> bool:
    if "\ufe00" <= character <= "\ufe0f":  # variation selectors
        return False
    return unicodedata.category(character)[0] not in "CZ"
