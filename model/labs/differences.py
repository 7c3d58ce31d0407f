"""The differences between two texts, by character or by token."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple


class TextPart(NamedTuple):
    """A run of characters in both texts, or only in the first or second."""

    where: Literal["both", "first", "second"]
    text: str


class TokenChanges(NamedTuple):
    """The changes in a list of n tokens: which are new, and where tokens are missing."""

    is_new: tuple[bool, ...]  # (n,)
    is_gap: tuple[bool, ...]  # (n + 1,): before token i; the last one is the end


def text_difference(first: str, second: str) -> list[TextPart]:
    """Compare two texts by character: the parts of both, in order.

    Example: "a cat", "a hat" -> both "a ", first "c", second "h", both "at".
    """
    parts = []
    for is_same, a, b in _parts(first, second):
        if is_same:
            parts.append(TextPart("both", first[a]))
            continue
        parts += [TextPart("first", first[a])] * bool(first[a])
        parts += [TextPart("second", second[b])] * bool(second[b])
    return parts


def token_changes(tokens: Sequence[Hashable], before: Sequence[Hashable]) -> TokenChanges:
    """Compare the tokens `before` with `tokens`.

    A gap is a place where tokens are missing without a replacement.
    """
    is_new, is_gap = [False] * len(tokens), [False] * (len(tokens) + 1)
    for is_same, a, b in _parts(before, tokens):
        if is_same:
            continue
        is_new[b] = [True] * (b.stop - b.start)
        if a.stop > a.start and b.stop == b.start:
            is_gap[b.start] = True
    return TokenChanges(tuple(is_new), tuple(is_gap))


def _parts(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> Iterator[tuple[bool, slice, slice]]:
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        yield what == "equal", slice(a, b), slice(c, d)
