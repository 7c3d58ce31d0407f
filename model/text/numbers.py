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
_CENTURIES = range(11, 21)  # of the years that people speak of
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
# Of one more: half, halbe, anderthalb; but not behalf, innerhalb and 半岛.
_HALF = re.compile(
    rf"(?<!{_LETTER})half(?!{_LETTER})"
    rf"|(?:(?<!{_LETTER})|ein|dert)halb(?:e[mnrs]?)?(?!{_LETTER})|半"
)
_NO_HALF = re.compile("半(?=导|岛|径|球|决赛)")
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
    lower = _NO_HALF.sub("", text.lower())
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
        factors = (scale and _counted(scale[1])) or {1.0}
        keys = [part for piece in pieces[:-1] for part in _parts(piece, {1.0})]
        keys += _parts(pieces[-1], factors)
        keys = [set(map(_rounded, part)) for part in keys]
        if is_time or ":" in match[0]:
            keys[0] |= {hour + by for hour in _floats(keys[0]) for by in (12, -12)}
        if _DECADE.match(rest):
            keys[-1] |= {year % 100 for year in _floats(keys[-1])}
        asked = [frozenset(one) for i, one in enumerate(keys) if i == 0 or 0.0 not in one]
        yield Number(match[0], tuple(asked))


def _parts(piece: str, factors: set[float]) -> list[set[Key]]:
    """The numbers in a run of digits with signs between them: one, or those of a date.

    With spaces it may be one or several: each may stand for the whole, as in "room 2 100 people".
    What multiplies it multiplies the whole or the last.
    """
    grouped = _GROUPED.fullmatch(piece)
    if grouped:
        digits = re.sub("[^0-9]", "", grouped[1] + grouped[2])
        whole = _times(float(digits + (grouped[4] or "").replace(",", ".")), factors)
        *before, last = piece.split(" ")
        parts = [whole | {_key(one)} for one in before]
        return [*parts, whole | _times(_key(last), factors)] if before else [whole]
    if _DECIMAL.fullmatch(piece):
        return [_times(float(piece.replace(",", ".")), factors)]
    if _CENTURY in piece:  # 20世纪90年代: the 1990s, the 90s of the 20th century
        century, years = map(float, piece.split(_CENTURY))
        year = 100 * (century - 1) + years
        return [{century, years, year}, {year}]
    *before, last = re.split("[.,'’]", piece)
    return [*({_key(digits)} for digits in before), _times(_key(last), factors)]


def _times(key: Key, factors: set[float]) -> set[Key]:
    return {key} if isinstance(key, str) else {key * factor for factor in factors}


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

    "nineteen sixty-nine" need be no year, and "sixteen seventeen" is none.
    """
    if counted := _counted(run):
        return [{*counted}]
    halves = _halves(run) if _total(run) is None else None
    if halves is None:
        return []
    century, rest = halves
    is_asked = century in _CENTURIES and rest != century + 1
    return [_of_halves(halves) | {one} for one in halves] if is_asked else []


def _counted(run: str) -> set[float]:
    """The number that some words count together; "two dozen" may be two of a word for twelve."""
    total = _total(run)
    if not total:
        return set()
    last = _WORD.findall(run)[-1]
    is_dozen = last in _FACTORS and _VALUES[last] == _DOZEN
    return {total, total / _DOZEN} if is_dozen else {total}


def _halves(run: str) -> tuple[float, float] | None:
    """The two numbers of two digits that some words are: nineteen sixty-nine."""
    words = _WORD.findall(run)
    for i in range(1, len(words)):
        first, rest = (_total(" ".join(half)) for half in (words[:i], words[i:]))
        if first and rest and 10 <= first < 100 and 10 <= rest < 100:
            return first, rest
    return None


def _of_halves(halves: tuple[float, float]) -> set[Key]:
    """The year and the price that two numbers may name: 1999 and 19.99."""
    first, rest = halves
    return {100 * first + rest, _rounded(first + rest / 100)}


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
        return {total, *_counted(run)}
    values = [_VALUES[word] for word in _WORD.findall(run) if word != "und"]
    joined, halves = "".join(map(str, values)), _halves(run)
    years = _of_halves(halves) if halves else set()
    return {*map(float, values), _key(joined), *years, *_either(run)}


def _either(run: str) -> set[float]:
    """The two numbers of a run with two digits to choose from: 十六七 is 16 or 17."""
    words = _WORD.findall(run)
    found: set[float] = set()
    for i in range(len(words) - 1):
        one, other = (_VALUES.get(word, 0) for word in words[i : i + 2])
        without = [_total(" ".join(words[:n] + words[n + 1 :])) for n in (i, i + 1)]
        if 0 < one < other < 10:
            found.update(total for total in without if total)
    return found


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
