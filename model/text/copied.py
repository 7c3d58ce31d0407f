"""What a translation has as it stands in the source: names, files, addresses, numbers, emoji.

The twin of this file is assets/engine/copied.js.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model.text import numbers
from model.text.characters import SPACE

# What may be an address, a file name, a code or a number.
_CHUNK = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.@:/+~#?&=%-]*[A-Za-z0-9])?")
_WHOLE = re.compile(
    r"@|_|://|^www\."  # addresses
    r"|[A-Za-z0-9]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,4})$"  # notes.txt, README.MD
    r"|^\d+(?:\.\d+){3,}$"  # 192.168.1.20
    r"|^[A-Za-z]+-?\d+[A-Za-z0-9]*$",  # B12, COVID-19
    re.ASCII,
)
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_NAME = re.compile(r"(?<![\w'@./-])[A-Z][A-Za-z]+(?![\w@/-])", re.ASCII)
_BEGINS = re.compile(r"(?:^|[.!?:][\"')]*\s)[\"'(]*$")  # what stands before a sentence's first word
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St)\. $")  # and before a name
_CAMEL = re.compile(r"[a-z][A-Z]")  # YouTube
_NEAR = 20  # characters before a word that tell whether it begins a sentence


def missing(source: str, translation: str) -> tuple[str, ...]:
    """What a translation usually has as it is, and this one lacks: names of files, numbers, emoji.

    "Mail a.b@cd.org the 12 pictures of gate B12. 👍", "" -> ("a.b@cd.org", "B12", "👍", "12")
    """
    whole = _whole(source)
    lost = [item for item in (*whole, *_EMOJI.findall(source)) if item not in translation]
    lacked = numbers.lacking(_without(source, whole), translation)
    return tuple(dict.fromkeys((*lost, *lacked)))


def added(source: str, translation: str) -> tuple[str, ...]:
    """The numbers of a translation that its source has in no way."""
    return numbers.added(source, _without(translation, _whole(source)))


def _whole(text: str) -> list[str]:
    return [word for word in _CHUNK.findall(text) if _WHOLE.search(word)]


def _without(text: str, items: list[str]) -> str:
    for item in items:
        text = text.replace(item, " ")
    return text


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
