"""The numbers of a text and of its translation, compared as wholes: 555-0199 is not in 555-01999.

Languages write a number differently: 1,000 and 1.000; 6:45, 6.45 Uhr and 6点45分; 5.4 million and
540万; 12, twelve, zwölf and 十二; 1.5 hours and 一个半小时. The words are those of
model/text/languages.py. Nobody is asked for a 1, because it is mostly an article.

The twin of this file is assets/engine/numbers.js.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from model.text.languages import LANGUAGES, UNSPACED

_ROWS = tuple(LANGUAGES.values())
_VALUES = dict(pair for row in _ROWS for pair in row.numerals)
_NUMBERED = tuple(pair for row in _ROWS for pair in row.numbered)
_SPACED = frozenset(word for row in _ROWS if row.is_spaced for word, _ in row.numerals)
_OF_EACH = [
    "|".join(sorted(dict(row.numerals), key=len, reverse=True)) for row in _ROWS if row.numerals
]
_NUMERAL = "|".join(sorted(_VALUES, key=len, reverse=True))
_FACTORS = frozenset(word for row in _ROWS for word in row.factors)  # 二十, two hundred
_FACTOR = "|".join(sorted((word for word in _FACTORS if _VALUES[word] > 10), key=len, reverse=True))
_DOZEN = 12
_CENTURY = "世纪"

_DIGITS = re.compile(
    r"(?<![A-Za-z0-9])(?:[0-9]+世纪[0-9]0(?=年代)|[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])"
    r"|[0-9]+(?:[.,:'’-][0-9]+)*)"
)
_SCALE = re.compile(rf" ?((?:{_FACTOR})(?: ?(?:{_FACTOR}))*)(?![a-zäöüß])")
_LETTER = "[a-zäöüß]"
# Twenty-one, einundzwanzig, 二十一; the ending of twentieth, zwanzigste, neunziger, zweieinhalb.
_RUN = "|".join(f"(?:{one})(?:(?: and |und| |-|)(?:{one}))*" for one in _OF_EACH)
_BEGINS = "".join(sorted({word[0] for word in _VALUES} | set("htv")))  # a look is quicker
_WORDS = re.compile(
    rf"(?=[{_BEGINS}])(?<!{_LETTER})((?:halb|to|vor) )?({_RUN})"
    rf"(th|s?te[nrs]?|ern?|einhalb|)(?!{_LETTER})",
    re.IGNORECASE,
)
_WORD = re.compile(f"{_NUMERAL}|und")
_CLOCK = re.compile(r" ?(?:uhr|点|时|[ap]\.?m\b|o'clock)")
_DECADE = re.compile(r"(?:s|ern?)(?![a-z])|年代")  # 1930s, 1930er, 30年代
_HALF = re.compile("half|halb|半")  # of one more
_GROUPED = re.compile(r"([1-9][0-9]{0,2})((?:([ .,'’])[0-9]{3})(?:\3[0-9]{3})*)([.,][0-9]+)?")
_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_TIME = re.compile(r"[0-9]{1,2}[.,][0-9]{2}")
_LARGEST = 10**15
_LONGEST = 15  # digits that a float holds; a longer number is compared as it is written

Key = float | str  # the value, or the digits where these are no quantity: 0199


class Number(NamedTuple):
    """A number as it is written, and the keys that each of its parts may have elsewhere."""

    text: str
    parts: tuple[frozenset[Key], ...]


def lacking(text: str, other: str) -> tuple[str, ...]:
    """The numbers of a text, in digits or words, that another one does not have as wholes."""
    return _lacking([*_written(text), *_named(text)], other)


def added(text: str, other: str) -> tuple[str, ...]:
    """The numbers that another text has in digits and that this one has in no way."""
    return _lacking(_written(other), text)


def _lacking(numbers: Iterator[Number] | list[Number], other: str) -> tuple[str, ...]:
    there = _keys(other)
    lost = [one.text for one in numbers if not all(part & there for part in one.parts)]
    return tuple(dict.fromkeys(lost))


def _keys(text: str) -> frozenset[Key]:
    """All that may be meant by a number of a text, or by a word that stands for one."""
    lower = text.lower()
    words = set(re.findall(f"{_LETTER}+", lower))
    found: set[Key] = {1.0}
    for number in _written(text):
        found.update(*number.parts)
    for match in _WORDS.finditer(_without_digits(text)):
        found.update(_before(match, _values(match[2].lower())))
    if _HALF.search(lower):
        found = _and_a_half(found) | {0.5}
    for word, value in _NUMBERED:
        if word in words or (UNSPACED.search(word) and word in lower):
            found.add(float(value))
    return frozenset(found)


def _written(text: str) -> Iterator[Number]:
    """The numbers in digits."""
    for match in _DIGITS.finditer(text):
        rest = text[match.end() :].lower()
        is_time = bool(_CLOCK.match(rest))
        scale = _SCALE.match(rest)
        pieces = re.split("[:-]", match[0])
        if is_time and _TIME.fullmatch(match[0]):
            pieces = re.split("[.,]", match[0])
        keys = [part for piece in pieces for part in _parts(piece)]
        if factor := scale and _total(scale[1]):
            keys[-1] = {one if isinstance(one, str) else one * factor for one in keys[-1]}
        keys = [set(map(_rounded, part)) for part in keys]
        if is_time or ":" in match[0]:
            keys[0] |= {hour + by for hour in _floats(keys[0]) for by in (12, -12)}
        if _DECADE.match(rest):
            keys[-1] |= {year % 100 for year in _floats(keys[-1])}
        asked = [frozenset(one) for i, one in enumerate(keys) if i == 0 or 0.0 not in one]
        yield Number(match[0], tuple(asked))


def _parts(piece: str) -> list[set[Key]]:
    """The numbers in a run of digits with signs between them: one, or those of a date.

    With spaces it may be one or several: each may stand for the whole, as in "room 2 100 people".
    """
    grouped = _GROUPED.fullmatch(piece)
    if grouped:
        digits = re.sub("[^0-9]", "", grouped[1] + grouped[2])
        whole = float(digits + (grouped[4] or "").replace(",", "."))
        return [{whole, _key(one)} for one in piece.split(" ")] if " " in piece else [{whole}]
    if _DECIMAL.fullmatch(piece):
        return [{float(piece.replace(",", "."))}]
    if _CENTURY in piece:  # 20世纪90年代: the 1990s
        century, years = map(int, piece.split(_CENTURY))
        return [{100.0 * (century - 1) + years}]
    return [{_key(digits)} for digits in re.split("[.,'’]", piece)]


def _key(digits: str) -> Key:
    is_code = digits.startswith("0") and len(digits) > 2
    return digits if is_code or len(digits) > _LONGEST else float(digits)


def _floats(keys: set[Key]) -> list[float]:
    return [one for one in keys if isinstance(one, float)]


def _and_a_half(keys: set[Key]) -> set[Key]:
    """Also half of one more: two and a half hours are 2.5."""
    return keys | {one + 0.5 for one in _floats(keys)}


def _rounded(key: Key) -> Key:
    return key if isinstance(key, str) else float(f"{key:.12g}")


def _named(text: str) -> Iterator[Number]:
    """The numbers in words of a language with spaces: in Chinese, 三 is in Wednesday too."""
    has_half = _HALF.search(text.lower())
    for match in _WORDS.finditer(_without_digits(text)):
        run = match[2].lower()
        is_word = all(one == "und" or one in _SPACED for one in _WORD.findall(run))
        if is_word and not match[3]:
            parts = [_before(match, part) for part in _counts(run)]
            parts = [_and_a_half(part) if has_half else part for part in parts]
            yield Number(match[2], tuple(map(frozenset, parts)))


def _counts(run: str) -> list[set[Key]]:
    """What is asked for of a run of words, part by part; nothing of a 0 or of several numbers.

    "two dozen" may be two of a word for twelve, and "nineteen sixty-nine" need be no year.
    """
    total = _total(run)
    if total:
        last = _WORD.findall(run)[-1]
        is_dozen = last in _FACTORS and _VALUES[last] == _DOZEN
        return [{total, total / _DOZEN} if is_dozen else {total}]
    year = _year(run) if total is None else None
    return [{year, one} for one in divmod(year, 100)] if year else []


def _year(run: str) -> float | None:
    """The year that two numbers of two digits name: nineteen sixty-nine."""
    words = _WORD.findall(run)
    for i in range(1, len(words)):
        century, rest = (_total(" ".join(half)) for half in (words[:i], words[i:]))
        if century and rest and 10 <= century < 100 and 10 <= rest < 100:
            return 100 * century + rest
    return None


def _before(match: re.Match[str], values: set[Key]) -> set[Key]:
    """Also the hour before: half past two is halb drei, and quarter to three is 2:45."""
    earlier = {one - 1 for one in values if isinstance(one, float)} if match[1] else set()
    return values | earlier


def _without_digits(text: str) -> str:
    """A text without its digits and the words that multiply them."""
    return re.sub(f"[0-9](?:{_SCALE.pattern})?", "0", text, flags=re.IGNORECASE)


def _values(run: str) -> set[Key]:
    """What a run of words may count: 三百 is 300; 一九六九 is 1969, and 七八 is 7 or 8."""
    total = _total(run)
    if total is not None:
        return {total}
    values = [_VALUES[word] for word in _WORD.findall(run) if word != "und"]
    joined, year = "".join(map(str, values)), _year(run)
    return {*map(float, values), _key(joined), *([year] if year else [])}


def _total(run: str) -> float | None:
    """The number that some words count together; None if they are several numbers."""
    total, is_after = 0, False
    words = _WORD.findall(run)
    for i, word in enumerate(words):
        if word == "und":
            is_after = True
            continue
        value = _VALUES[word]
        if word in _FACTORS:
            own = total % value
            total += (own or 1) * value - own
            if total > _LARGEST:
                return None
        elif total == 0 or i == 0 or is_after or total % 10 ** len(str(value)) == 0:
            total += value
        else:
            return None
        is_after = False
    return float(total)
