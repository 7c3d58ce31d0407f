"""Which pieces of a text belong to one word as people write it."""

from __future__ import annotations

import unicodedata

from model.trace import Tokens

SPECIALS = frozenset({"<pad>", "<s>", "</s>", "<unk>"})


def continues(tokens: Tokens, i: int) -> bool:
    """True if token i continues the word of the token before it.

    Characters of which each can be a word never do.
    """
    at, text = int(tokens.spans[i, 0]), tokens.text
    if i == 0 or at == 0 or at >= len(text) or tokens.pieces[i - 1] in SPECIALS:
        return False
    before, after = text[at - 1], text[at]
    if _modifies(after) or before == "\u200d":
        return True
    return (
        _in_word(text, at - 1)
        and _in_word(text, at)
        and not (stands_alone(before) or stands_alone(after))
    )


def words(tokens: Tokens) -> list[tuple[int, int]]:
    """The words of a text as runs of pieces [first, end); special tokens belong to none."""
    runs: list[tuple[int, int]] = []
    for i, piece in enumerate(tokens.pieces):
        begin, end = (int(at) for at in tokens.spans[i])
        if begin == end:  # a special token, or a space by itself
            continue
        is_same = runs and tokens.spans[i - 1].tolist() == [begin, end]  # bytes of a character
        if runs and runs[-1][1] == i and (is_same or continues(tokens, i)):
            runs[-1] = (runs[-1][0], i + 1)
        elif piece not in SPECIALS:
            runs.append((i, i + 1))
    return runs


def _modifies(character: str) -> bool:
    """Accents, variation selectors, joiners and skin tones belong to the character before them."""
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc")
        or character == "\u200d"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _in_word(text: str, at: int) -> bool:
    """Letters and digits, and an apostrophe or hyphen between two of them."""
    if text[at].isalnum():
        return True
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    return text[at] in "'’-" and len(around) == 2 and around.isalnum()


def stands_alone(character: str) -> bool:
    """True for Han characters, kana and wide letters, of which each can be a word."""
    hangul = "\uac00" <= character <= "\ud7a3"
    return unicodedata.east_asian_width(character) in "WF" and not hangul
