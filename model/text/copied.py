"""What a translation has as it stands in the source: names, files, addresses, numbers, emoji.

The twin of this file is assets/engine/copied.js.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model.text.characters import SPACE

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
_NAME = re.compile(r"(?<![\w'@./-])[A-Z][A-Za-z]+(?![\w@/-])", re.ASCII)
_BEGINS = re.compile(r"(?:^|[.!?:][\"')]*\s)[\"'(]*$")  # what stands before a sentence's first word
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St)\. $")  # and before a name
_CAMEL = re.compile(r"[a-z][A-Z]")  # YouTube
_NEAR = 20  # characters before a word that tell whether it begins a sentence


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


def spelled(text: str, has: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Where a text has what is copied letter by letter, in order; no two places overlap.

    Files, addresses and codes; and names: words with a capital letter that a model, whose pieces it
    `has`, has not learnt. The first word of a sentence is none, unless it is a TwoWords.
    "Ask Okonkwo for report.pdf." -> those of Okonkwo and of report.pdf
    """
    places = [m.span() for m in _CHUNK.finditer(text) if _WHOLE.search(m[0])]
    taken = {i for begin, end in places for i in range(begin, end)}
    for match in _NAME.finditer(text):
        begin, word = match.start(), match[0]
        if begin in taken or _is_learnt(word, has):
            continue
        before = text[max(0, begin - _NEAR) : begin]
        if _CAMEL.search(word) or not _BEGINS.search(before) or _TITLE.search(before):
            places.append(match.span())
    return sorted(places)


def _is_learnt(word: str, has: Callable[[str], bool]) -> bool:
    """True if a word is a piece, or two (Fin|land), but for its capital letter or an s."""
    cuts = range(2, len(word) - 1)
    return any(
        has(SPACE + form)
        or has(SPACE + form.removesuffix("s"))
        or any(has(SPACE + form[:i]) and has(form[i:]) for i in cuts)
        for form in (word, word.lower())
    )
