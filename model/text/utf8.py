"""Which byte may follow which in UTF-8.

Source: The Unicode Standard, version 16.0, section 3.9, table 3-7 (well-formed UTF-8 byte
sequences). `assets/engine/utf8.js` is its twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

LONGEST = 4  # bytes of a character
_CONTINUING = range(0x80, 0xC0)
_ASCII, _TWO, _THREE, _FOUR = range(0x80), range(0xC2, 0xE0), range(0xE0, 0xF0), range(0xF0, 0xF5)
_SECOND = {  # after these not every continuing byte may come second
    0xE0: range(0xA0, 0xC0),  # less is written with two bytes
    0xED: range(0x80, 0xA0),  # more is a surrogate
    0xF0: range(0x90, 0xC0),  # less is written with three bytes
    0xF4: range(0x80, 0x90),  # more is beyond U+10FFFF
}


def width(byte: int) -> int:
    """The number of bytes of the character that a byte begins; 0 if it begins none."""
    widths = enumerate((_ASCII, _TWO, _THREE, _FOUR), 1)
    return next((n for n, first in widths if byte in first), 0)


@cache
def misplaced(room: int) -> tuple[int, ...]:
    """The bytes that begin no character of at most `room` bytes."""
    return tuple(byte for byte in range(256) if not 0 < width(byte) <= room)


def continuing(written: Sequence[int]) -> range | None:
    """The bytes that may follow where `written` ends inside a character; None if it does not."""
    for n, first in enumerate(reversed(written[1 - LONGEST :]), 1):
        if first in _CONTINUING:
            continue
        second = _SECOND.get(first, _CONTINUING)
        if width(first) <= n or (n > 1 and written[1 - n] not in second):
            return None
        return second if n == 1 else _CONTINUING
    return None
