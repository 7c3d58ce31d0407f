"""What a translation has as it stands in the source: files, addresses, codes, numbers, emoji.

The twin of this file is assets/engine/copied.js.
"""

from __future__ import annotations

import re

# What may be an address, a file name, a code or a number.
_CHUNK = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.@:/+~#?&=%-]*[A-Za-z0-9])?")
_WHOLE = re.compile(
    r"@|_|://|^www\."  # addresses
    r"|[A-Za-z0-9]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,4})$"  # notes.txt, README.MD
    r"|^\d+(?:\.\d+){2,}$"  # 192.168.1.20
    r"|^[A-Za-z]+-?\d+[A-Za-z0-9]*$",  # B12, COVID-19
    re.ASCII,
)
# Single digits are mostly written in words, and so are 1930s, 20th and 100,000.
_NUMBER = re.compile(r"(?<!\d)\d{2,}(?!\d|(?:s|st|nd|rd|th)\b|,000)", re.ASCII)
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")


def copied(text: str) -> tuple[str, ...]:
    """What a translation of the text usually has as it is: numbers, names of files, emoji, ...

    "Mail a.b@cd.org the 12 pictures of gate B12. 👍" -> ("a.b@cd.org", "B12", "12", "👍")
    """
    whole = [word for word in _CHUNK.findall(text) if _WHOLE.search(word)]
    rest = text
    for word in whole:
        rest = rest.replace(word, " ")
    numbers = [number for number in _NUMBER.findall(rest) if number.strip("0")]
    return tuple(dict.fromkeys((*whole, *numbers, *_EMOJI.findall(text))))


def missing(source: str, translation: str) -> tuple[str, ...]:
    """What is usually copied and does not stand in the translation."""
    return tuple(item for item in copied(source) if item not in translation)


def spelled(text: str) -> list[tuple[int, int]]:
    """Where a text has files, addresses and codes, which are copied letter by letter, in order.

    "Open report.pdf at gate B12." -> those of report.pdf and of B12
    """
    return [match.span() for match in _CHUNK.finditer(text) if _WHOLE.search(match[0])]
