"""Pairs as people write them: in capitals, with emoji, numbers, addresses, names to be copied.

Corpora are well-behaved; visitors are not. Each rule changes a pair on both sides alike, so that
what cannot be translated (a time, a file name, an emoji) stands in the target as in the source.
"""

from __future__ import annotations

import functools
import random
import re
import string
from collections.abc import Callable

from model.checkpoint import SHIPPED
from model.text import glossary
from model.text.chinese import chinese_form
from model.training import items
from model.training.corpus import Pair, of_script

FULL_STOPS = (".", "。", "।")
Rule = Callable[[Pair, random.Random], Pair]

# Names that the corpora's sentences speak of: where both sides of a pair have one, once, something
# to be copied can stand in its place.
_NAMES = {
    "Tom": "汤姆", "Mary": "玛丽", "John": "约翰", "Peter": "彼得", "Jack": "杰克",
    "Bob": "鲍勃", "Jim": "吉姆", "Alice": "爱丽丝", "Mike": "迈克", "Boston": "波士顿",
    "Australia": "澳大利亚", "London": "伦敦", "Paris": "巴黎", "Tokyo": "东京", "Beijing": "北京",
    "New York": "纽约", "Germany": "德国", "France": "法国", "Japan": "日本", "Osaka": "大阪",
}  # fmt: skip
# A word with what stands before it: 这本书 goes with "this book".
_WITH_ARTICLE = r"(?:\b(?:the|an?|this|that|my|your|his|her|our|their) )?\b{}\b"
_WITH_MEASURE = "(?:(?:[这那一]|我|你|他|她)[本个只张件座条辆部首封把间台份的])?{}"
_LEAST = 0.5  # share of a word's commonest translation for it to be taken as the translation
_NUMERALS = {
    "two": "两", "three": "三", "four": "四", "five": "五", "six": "六", "seven": "七",
    "eight": "八", "nine": "九", "ten": "十",
}  # fmt: skip
# A numeral alone, before what is counted; and an hour.
_COUNTED = (
    "(?<![第十二三四五六七八九零百千万期周])({})(?=[个本只岁年天次位条张辆块元种把杯件座层间封名])"
)
_AT = (
    r"\b{0} o'clock\b|(?<=\bat ){0}\b|(?<=\bby ){0}\b|(?<=\buntil ){0}\b"  # two points are no time
)
_HOUR = "(?<![第十二三四五六七八九])({})点钟?(?![半多一二三四五])"
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:：/-]\d+)*(?![\w])", re.ASCII)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.@/-]*[A-Za-z0-9]")


def rewritten(pair: Pair, draw: random.Random) -> Pair:
    """The pair as somebody might type it: one of the rules, or two; unchanged where none fits."""
    for rule in draw.choices(RULES, RULE_WEIGHTS, k=draw.choice((1, 1, 2))):
        pair = rule(pair, draw)
    return pair


def roughen(pair: Pair) -> Pair:
    """As a hurried visitor types it: "I am here.", 我在这。 -> "i am here", 我在这."""
    source, target = pair
    if source.endswith(FULL_STOPS) and target.endswith(FULL_STOPS):
        source, target = source[:-1], target[:-1]
    return source[:1].lower() + source[1:], target


def capitals(pair: Pair, draw: random.Random) -> Pair:
    """The source in capitals, in Title Case or without any."""
    change = draw.choice((str.upper, str.upper, str.upper, str.lower, string.capwords))
    return change(pair[0]), pair[1]


def other_end(pair: Pair, draw: random.Random) -> Pair:
    """Another final punctuation: none, doubled, an ellipsis."""
    source, target = (side.rstrip(".。!！?？") for side in pair)
    if not source or not target:
        return pair
    last = pair[0][len(source) :][:1]
    ends = ["", "...", "!!", "!!!"] if last not in ("?", "？") else ["", "??", "???", "?!"]
    end = draw.choice(ends)
    return _joined(source, end), _joined(target, end)


def with_emoji(pair: Pair, draw: random.Random) -> Pair:
    """One emoji to three, at the end or at the start."""
    signs = "".join(items.emoji(draw) for _ in range(draw.choice((1, 1, 1, 2, 3))))
    gap, is_first = draw.choice(("", " ")), draw.random() < 0.2
    return _on_both(pair, lambda side: (signs, side) if is_first else (side, signs), gap)


def other_numbers(pair: Pair, draw: random.Random) -> Pair:
    """Other digits for each number that stands once in both sides."""
    numbers = [_NUMBER.findall(side) for side in pair]
    once = {number for number in numbers[0] if all(its.count(number) == 1 for its in numbers)}
    new = {number: items.digits(number, draw) for number in sorted(once)}
    source, target = (_NUMBER.sub(lambda m: new.get(m[0], m[0]), side) for side in pair)
    return source, target


def other_word(pair: Pair, draw: random.Random) -> Pair:
    """A name, file or address for a word that both sides have alike, or for a frequent name."""
    own = [word for word in _WORD.findall(pair[0]) if pair[1].count(word) == 1]
    own = [word for word in own if pair[0].count(word) == 1]
    if own:
        return _put(pair, draw.choice(own), items.item(draw, pair))
    for english, chinese in _NAMES.items():
        for here, there in ((english, chinese), (chinese, english)):
            if pair[0].count(here) == 1 and pair[1].count(there) == 1:
                new = draw.choice((items.person(draw), items.person(draw), items.item(draw, pair)))
                changed = _replaced(pair[0], here, new), _replaced(pair[1], there, new)
                if changed[0] != pair[0] and changed[1] != pair[1]:
                    return changed
    return pair


@functools.cache
def _translations() -> dict[str, str]:
    """English words and what they mostly stand for, as the shipped model counted it.

    A sign alone is left out: it is part of too many words.
    """
    table = glossary.load(SHIPPED)
    entries = table.words.items() if table else ()
    found = ((word, own.gloss) for word, own in entries if re.fullmatch("[a-z]{3,}", word))
    return {word: one.word for word, one in found if one.share >= _LEAST and len(one.word) > 1}


def other_thing(pair: Pair, draw: random.Random) -> Pair:
    """A file, an address, a name or a code for a word and its translation, each there once."""
    english, chinese = pair if of_script(pair[1], "CJK") else pair[::-1]
    words = re.findall(r"\b[a-z]+\b", english.lower())
    known = [word for word in words if words.count(word) == 1 and word in _translations()]
    known = [word for word in known if chinese.count(_translations()[word]) == 1]
    if not known:
        return pair
    word, new = draw.choice(known), items.item(draw, pair)
    sides = (
        re.sub(_WITH_ARTICLE.format(word), new, english, flags=re.IGNORECASE),
        re.sub(_WITH_MEASURE.format(_translations()[word]), new, chinese),
    )
    return sides if pair[0] is english else sides[::-1]


def other_numeral(pair: Pair, draw: random.Random) -> Pair:
    """Digits for a numeral in words, and a time for an hour."""
    english, chinese = pair if of_script(pair[1], "CJK") else pair[::-1]
    for word, sign in _NUMERALS.items():
        words = re.findall(rf"\b{word}\b", english, re.IGNORECASE)
        for before, after, new in (
            (_AT.format(word), _HOUR, f"{draw.randint(0, 23)}:{draw.randint(0, 59):02}"),
            (rf"\b{word}\b", _COUNTED, str(draw.randint(2, draw.choice((20, 99, 9999))))),
        ):
            found = re.findall(after.format(sign), chinese)
            is_once = len(words) == len(found) == len(re.findall(before, english, re.I)) == 1
            if is_once and chinese.count(sign) == 1:
                sides = (
                    re.sub(before, new, english, flags=re.IGNORECASE),
                    re.sub(after.format(sign), new, chinese),
                )
                return sides if pair[0] is english else sides[::-1]
    return pair


def with_item(pair: Pair, draw: random.Random) -> Pair:
    """Something to be copied before the sentence or behind it."""
    item = draw.choice((items.item(draw, pair), items.moment(draw)))
    if draw.random() < 0.4:
        return _on_both(pair, lambda side: (f"{item}:", side))
    form = draw.choice(("{}", "({})", "- {}")).format(item)
    return _on_both(pair, lambda side: (side, form))


RULES: tuple[Rule, ...] = (
    capitals, other_end, with_emoji, other_numbers, other_numeral, other_word, other_thing,
    with_item,
)  # fmt: skip
RULE_WEIGHTS = (1, 1, 2, 5, 5, 5, 8, 2)


def _on_both(pair: Pair, parts: Callable[[str], tuple[str, str]], gap: str = " ") -> Pair:
    """The two parts of each side, joined."""
    return _joined(*parts(pair[0]), gap), _joined(*parts(pair[1]), gap)


def _joined(first: str, second: str, gap: str = "") -> str:
    """Two parts of a side, in the form of a Chinese one where it is Chinese."""
    text = f"{first}{gap}{second}"
    return chinese_form(text) if of_script(text, "CJK") else text


def _put(pair: Pair, old: str, new: str) -> Pair:
    return pair[0].replace(old, new), pair[1].replace(old, new)


def _replaced(side: str, old: str, new: str) -> str:
    """With another name, as a whole word: the Japanese stay, where Japan is replaced."""
    return re.sub(rf"\b{old}\b" if old.isascii() else old, new, side)
