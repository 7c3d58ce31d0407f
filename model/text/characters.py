"""Text as people have it, in the characters that a model reads: before it is cut into pieces.

Text from web pages, Word, PDF files and phones holds characters that nobody sees and letters in
other shapes. `visible` is for every model, `normalise` for ours and their training data, `plain`
for the signs that a model has no piece for, `calm` for sentences in capitals; `requoted` is for
what ours write. The twin in the browser is assets/engine/characters.js.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import groupby

from model.text.languages import LANGUAGES, UNSPACED

SPACE = "▁"  # SentencePiece's mark for a space inside a piece

# Shown as nothing: soft hyphens, joiners, marks of direction, byte order marks, selectors, tags.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_MONGOLIAN = "\u1800-\u180a\u1810-\u18af"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
_JOINED = (  # scripts whose letters change when they are joined: Arabic, those of India and around
    "\u0620-\u109f\u1700-\u17ff\u1900-\u1cff\ua800-\uaaff\uabc0-\uabff\U00010a00-\U00010aff"
    "\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
# What an invisible character does in its place, tried from the left; elsewhere it is dropped.
_USED = "|".join(
    (
        f"[{_EMOJI}](?:[\ufe0e\ufe0f]|[\U000e0020-\U000e007e]+\U000e007f)?(?:\u200d(?=[{_EMOJI}]))?",
        "[0-9#*]\ufe0f(?=\u20e3)",
        f"[{_UNSPACED}]\u200b(?=[{_UNSPACED}])",
        f"[{_JOINED}][\u200c\u200d]",
        f"[{_MONGOLIAN}][\u180b-\u180f]+\u200d?",
    )
)
_UNSEEN = re.compile(f"({_USED})|[{_INVISIBLE}]")
# Controls, separators of lines, halves of surrogate pairs, blanks that are no spaces by name.
_BLANK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u2800\u3164\uffa0\ufffc\ud800-\udfff]")

# Letters and digits in another shape: ligatures, mathematical, circled, Roman numerals, radicals
# from PDF files, wide Latin, narrow kana, Hebrew and Arabic as drawn.
_SHAPES = (
    "\u0132\u0133\u017f\u01c4-\u01cc\u01f1-\u01f3\u2102\u210a-\u2113\u2115\u2119-\u211d\u2124\u2128"
    "\u212c\u212d\u212f-\u2131\u2133\u2134\u2160-\u217f\u24b6-\u24c1\u24c3-\u24e9\u2e9f\u2ef3"
    "\u2f00-\u2fd5\ufb00-\ufb06\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufb4f\ufb50-\ufbb1"
    "\ufbd3-\ufc5d\ufc64-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe80-\ufefc\uff10-\uff19"
    "\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\uffa1-\uffdc\U0001d400-\U0001d7ff"
    "\U0001f130-\U0001f149"
)
_SHAPED = re.compile(f"[{_SHAPES}]+")
_NARROWER = "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufe50-\ufe6b"  # wide, small signs

# SentencePiece treats U+2581 as a space everywhere, so it is converted first.
_TYPOGRAPHIC = {"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "…": "...", SPACE: " "}
_SIGNS = {
    **_TYPOGRAPHIC,
    **dict.fromkeys("‚‛‹›′`´ʼʹ", "'"),
    **dict.fromkeys("„‟«»″〝〞＂", '"'),
    **dict.fromkeys("\u2010\u2011‒–—―\u2212\u2043", "-"),
    **dict.fromkeys(map(chr, (0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)), " "),
    "⁄": "/",
    "∕": "/",
    "․": ".",
    "‥": "..",
}
_TRANSLATED = str.maketrans(_TYPOGRAPHIC)
# Quotation marks of which `normalise` leaves the opening one alone, which tells the closing one.
_HALF_PLAIN = {
    one.quotes
    for one in LANGUAGES.values()
    if one.quotes[0] not in _TYPOGRAPHIC and one.quotes[1] in _TYPOGRAPHIC
}
# Words in capitals of the Latin letters, whose small forms are as long.
_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_CAPITALS = re.compile(f"[{_CAPITAL}]+(?:'[{_CAPITAL}]+)*")
_LOUD = re.compile(rf"(?:[{_CAPITAL}]|\W)+")
_CODE = re.compile(r"[\d_@/\\]|\w\.\w")  # names of things and addresses, which are as they are
_ENDS = tuple(".!?")
LOUD_WORDS = 3  # in a row, within ordinary writing
LONGEST_NAME = 4  # letters of a word that is no piece and stays in capitals: IBM, NASA

_NONE = UNSPACED.pattern
_BESIDE = re.compile(rf"(?<={_NONE}) (?!{_NONE})|(?<!{_NONE}) (?={_NONE})")
_PLAINER = re.compile(f".[\u0300-\u036f]+|[{''.join(_SIGNS)}{_NARROWER}{_SHAPES}]")


LAYOUT = "\t\n\v\f\r\x85\u2028\u2029"  # tabs and the ends of lines and pages


def visible(text: str, layout: str = "") -> str:
    r"""Drop what nobody sees, and write controls and line separators as spaces.

    "stu\u00addent" -> "student". What has a use stays: joiners and selectors within emoji, joiners
    of Persian and Indian scripts, the spaces of no width that part words in Khmer; and of `LAYOUT`
    what a model reads, `layout`.
    """
    seen = _UNSEEN.sub(lambda match: match[1] or "", text)
    return _BLANK.sub(lambda match: match[0] if match[0] in layout else " ", seen)


def normalise(text: str) -> str:
    r"""Normalise a text for our models: what is visible, plain letters, NFC, single spaces.

    "It’s\t ｍｅ " -> "It's me". Wide signs stay: Chinese is written with them.
    """
    text = _SHAPED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), visible(text))
    return " ".join(unicodedata.normalize("NFC", text).translate(_TRANSLATED).split())


def requoted(text: str) -> str:
    """Close the quotation marks that `normalise` left open: '„Ja", sagte er' -> "„Ja“, sagte er".

    Every other character stays at its place.
    """
    for first, last in _HALF_PLAIN:
        plain = _TYPOGRAPHIC[last]
        text = re.sub(f"({first}[^{first}{plain}]*){plain}", rf"\1{last}", text)
    return text


def unspaced(text: str) -> str:
    """Drop the blanks beside a script that is written without them: "1. 洗手" -> "1.洗手".

    Those within it stay: they may have been ends of lines.
    """
    return _BESIDE.sub("", text)


def plain(text: str, has: Callable[[str], bool]) -> str:
    """Write a sign or shape that a model has no piece for as the plain one, if it has that.

    "„well‑known“" -> '"well-known"' for a model whose pieces have `has` neither „ nor ‑.
    """

    def replaced(match: re.Match[str]) -> str:
        form = match[0]
        if has(form):
            return form
        plainer = _SIGNS.get(form) or unicodedata.normalize(
            "NFKC" if len(form) == 1 else "NFC", form
        )
        return plainer if all(one == " " or has(one) for one in plainer) else form

    return _PLAINER.sub(replaced, text)


def calm(text: str, has: Callable[[str], bool]) -> str:
    """Write a text in capitals, or three of its words and more in a row, as it is usually written.

    "DON'T SHOUT AT TOM, PLEASE!" -> "Don't shout at Tom, please!" for a model whose pieces are the
    words of ordinary writing: it would have to read capitals letter by letter. `has` says whether a
    word is one of its pieces. Names in capitals that stay (IBM, B12) are short or have digits.
    """
    chunks = text.split(" ")
    words = [i for i, w in enumerate(chunks) if any(map(str.isalpha, w)) and not _CODE.search(w)]
    for is_loud, places in groupby(words, key=lambda i: bool(_LOUD.fullmatch(chunks[i]))):
        run = list(places)
        longer = sum(len(_CAPITALS.findall(chunks[i])[0]) > 1 for i in run) if is_loud else 0
        if longer and (len(run) == len(words) or (len(run) >= LOUD_WORDS and longer > 1)):
            for i in run:
                begins = i == 0 or chunks[i - 1].endswith(_ENDS)
                chunks[i] = _calm_word(chunks[i], has, begins=begins)
    return " ".join(chunks)


def _calm_word(chunk: str, has: Callable[[str], bool], *, begins: bool) -> str:
    def written(match: re.Match[str]) -> str:
        word, low = match[0], match[0].lower()
        name = word[0] + low[1:]
        if word == "I" or word.startswith("I'"):
            return name
        forms = [low] if "'" in word else [f for f in (low, name, word) if has(SPACE + f)]
        form = next(iter(forms), word if len(word) <= LONGEST_NAME else low)
        return name if form == low and begins and match.start() == first else form

    first = next(_CAPITALS.finditer(chunk)).start()
    return _CAPITALS.sub(written, chunk)
