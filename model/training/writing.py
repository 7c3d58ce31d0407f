"""Pairs as people write them: in capitals, with emoji, numbers, addresses, names to be copied.

Corpora are well-behaved; visitors are not. Each rule changes a pair on both sides alike, so that
what cannot be translated (a time, a file name, an emoji) stands in the target as in the source.
"""

from __future__ import annotations

import functools
import random
import re
import string
from collections.abc import Callable, Iterator

from model.checkpoint import SHIPPED
from model.text import glossary
from model.text.chinese import chinese_form
from model.text.languages import ENGLISH, LANGUAGES, UNSPACED, language_of
from model.training import items
from model.training.corpus import Pair
from model.training.wording import WORDINGS

FULL_STOPS = (".", "。", "।")
Rule = Callable[[Pair, random.Random], Pair]

# A word with what stands before it: 这本书 goes with "this book", das Buch with "the book".
_WITH_ARTICLE = r"(?:\b(?:the|an?|this|that|my|your|his|her|our|their) )?\b{}\b"
_LEAST = 0.5  # share of a word's commonest translation for it to be taken as the translation
_AT = (
    r"\b{0} o'clock\b|(?<=\bat ){0}\b|(?<=\bby ){0}\b|(?<=\buntil ){0}\b"  # two points are no time
)
_COUNTED = r"(?<!\bpast )(?<!\bto )(?<!-)\b{}\b(?! o'clock\b)(?!-)"
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
    if _is_one_script(pair):  # "in" stands in drinnen, and is another word than the German "in"
        own = [word for word in own if _is_name(word, pair)]
    if own:
        return _put(pair, draw.choice(own), items.item(draw, pair))
    for code, (english, _) in _readings(pair):
        for name, other in WORDINGS[code].names.items():
            here, there = (name, other) if english is pair[0] else (other, name)
            if pair[0].count(here) == 1 and pair[1].count(there) == 1:
                new = draw.choice((items.person(draw), items.person(draw), items.item(draw, pair)))
                changed = _replaced(pair[0], here, new), _replaced(pair[1], there, new)
                if changed[0] != pair[0] and changed[1] != pair[1]:
                    return changed
    return pair


def _is_one_script(pair: Pair) -> bool:
    return not any(map(UNSPACED.search, pair))


def _readings(pair: Pair) -> Iterator[tuple[str, Pair]]:
    """The languages that a pair may be of, each with the English side first; one of the script of
    English may stand on either.
    """
    is_latin = _is_one_script(pair)
    for code in WORDINGS:
        language = LANGUAGES[code]
        if (language.letters == ENGLISH.letters) == is_latin:
            if is_latin or language_of(pair[1]) is language:
                yield code, pair
            if is_latin or language_of(pair[1]) is not language:
                yield code, pair[::-1]


def _is_name(word: str, pair: Pair) -> bool:
    """True if a word is a whole one on both sides, and says what it is by digits or capitals.

    A capital letter that is merely that of a sentence's first word does not, of a short word.
    """
    whole = rf"(?<![\w'-]){re.escape(word)}(?![\w-])"
    if word.islower() or not all(re.search(whole, side) for side in pair):
        return False
    begins = rf"(?:^|[.!?:…]\W*)\W*{re.escape(word)}(?!\w)"
    is_known = any(word in wording.names for wording in WORDINGS.values())
    return is_known or len(word) > 4 or not any(re.search(begins, side) for side in pair)


@functools.cache
def _translations(code: str) -> dict[str, str]:
    """English words and what they mostly stand for, as the model shipped for a language counted it.

    A word that cannot be told for a thing is left out; so is a sign alone, part of too many words.
    """
    table = glossary.load(SHIPPED.with_name(f"en-{code}"))
    entries = table.words.items() if table else ()
    found = ((word, own.gloss) for word, own in entries if re.fullmatch("[a-z]{3,}", word))
    thing = re.compile(WORDINGS[code].thing)
    return {
        word: one.word for word, one in found if one.share >= _LEAST and thing.fullmatch(one.word)
    }


def other_thing(pair: Pair, draw: random.Random) -> Pair:
    """A file, an address, a name or a code for a word and its translation, each there once."""
    for code, (english, other) in _readings(pair):
        translations = _translations(code)
        words = re.findall(r"\b[a-z]+\b", english.lower())
        known = [word for word in words if words.count(word) == 1 and word in translations]
        known = [word for word in known if _times(translations[word], other) == 1]
        if known:
            word, new = draw.choice(known), items.item(draw, pair)
            measured = WORDINGS[code].measure.format(translations[word])
            sides = (
                re.sub(_WITH_ARTICLE.format(word), new, english, flags=re.IGNORECASE),
                re.sub(measured, new, other, flags=re.IGNORECASE),
            )
            return sides if pair[0] is english else sides[::-1]
    return pair


def other_numeral(pair: Pair, draw: random.Random) -> Pair:
    """Digits for a numeral in words, and a time for an hour."""
    for code, (english, other) in _readings(pair):
        wording = WORDINGS[code]
        for word, sign in wording.numerals.items():
            for before, after, new in (
                (_AT, wording.hour, f"{draw.randint(0, 23)}:{draw.randint(0, 59):02}"),
                (_COUNTED, wording.counted, str(draw.randint(2, draw.choice((20, 99, 9999))))),
            ):
                if word in english.lower() and sign in other.lower():
                    first, second = (
                        _once(before, word, new, english),
                        _once(after, sign, new, other),
                    )
                    if first is not None and second is not None:
                        return (first, second) if pair[0] is english else (second, first)
    return pair


def _once(rule: str, word: str, new: str, side: str) -> str | None:
    """A side with something new for a word, if it has the word once, and as the rule says."""
    changed, number = re.subn(rule.format(word), new, side, flags=re.IGNORECASE)
    return changed if number == _times(word, side) == 1 else None


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
    """Two parts of a side, in the form of a language that has wide signs where it is in one."""
    text = f"{first}{gap}{second}"
    return chinese_form(text) if language_of(text).is_wide else text


def _put(pair: Pair, old: str, new: str) -> Pair:
    return pair[0].replace(old, new), pair[1].replace(old, new)


def _whole(word: str) -> str:
    """What finds a word: the Japanese are not Japan, but a Chinese word has no edges."""
    return word if UNSPACED.search(word) else rf"\b{word}\b"


def _times(word: str, side: str) -> int:
    """How often a side has a word."""
    return len(re.findall(_whole(word), side, re.IGNORECASE))


def _replaced(side: str, old: str, new: str) -> str:
    return re.sub(_whole(old), new, side)
