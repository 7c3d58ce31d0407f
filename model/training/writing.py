"""Pairs as people write them: in capitals, with emoji, numbers, addresses, names to be copied.

Corpora are well-behaved; visitors are not. Each rule changes a pair on both sides alike, so that
what cannot be translated (a time, a file name, an emoji) stands in the target as in the source.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable

from model.text.chinese import chinese_form
from model.training.corpus import Pair, of_script

FULL_STOPS = (".", "。", "।")
Rule = Callable[[Pair, random.Random], Pair]

# The names that the corpora's sentences speak of, in both languages.
_NAMES = {
    "Tom": "汤姆",
    "Mary": "玛丽",
    "John": "约翰",
    "Boston": "波士顿",
    "Australia": "澳大利亚",
}
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:：/-]\d+)*(?![\w])", re.ASCII)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.@/-]*[A-Za-z0-9]")
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnprstvwz"
_EMOJI = "😀😂😊😍😎😢😡👍👎👏🙏💪🎉🎂🎁🌹🌞🌙⭐🔥❤💔☀☕🍕🍎🍜🍰🍺🐶🐱🐼🚗🚀✈🏠📚💻📱⚽🎵✅❌⚠"
_EMOJI_RANGES = ((0x1F300, 0x1F5FF), (0x1F600, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F90C, 0x1F9FF))


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
    signs = "".join(_emoji(draw) for _ in range(draw.choice((1, 1, 1, 2, 3))))
    gap, is_first = draw.choice(("", " ")), draw.random() < 0.2
    return _on_both(pair, lambda side: (signs, side) if is_first else (side, signs), gap)


def other_numbers(pair: Pair, draw: random.Random) -> Pair:
    """Other digits for each number that stands once in both sides."""
    numbers = [_NUMBER.findall(side) for side in pair]
    once = {number for number in numbers[0] if all(its.count(number) == 1 for its in numbers)}
    new = {number: _digits(number, draw) for number in sorted(once)}
    source, target = (_NUMBER.sub(lambda m: new.get(m[0], m[0]), side) for side in pair)
    return source, target


def other_word(pair: Pair, draw: random.Random) -> Pair:
    """A name, file or address for a word that both sides have alike, or for a frequent name."""
    own = [word for word in _WORD.findall(pair[0]) if pair[1].count(word) == 1]
    own = [word for word in own if pair[0].count(word) == 1]
    if own:
        return _put(pair, draw.choice(own), _item(draw))
    for english, chinese in _NAMES.items():
        for here, there in ((english, chinese), (chinese, english)):
            if pair[0].count(here) == 1 and pair[1].count(there) == 1:
                name = _name(draw)
                return pair[0].replace(here, name), pair[1].replace(there, name)
    return pair


def with_item(pair: Pair, draw: random.Random) -> Pair:
    """Something to be copied before the sentence or behind it."""
    item = draw.choice((_item, _moment))(draw)
    if draw.random() < 0.4:
        return _on_both(pair, lambda side: (f"{item}:", side))
    form = draw.choice(("{}", "({})", "- {}")).format(item)
    return _on_both(pair, lambda side: (side, form))


RULES: tuple[Rule, ...] = (
    capitals, other_end, with_emoji, other_numbers, other_word, with_item,
)  # fmt: skip
RULE_WEIGHTS = (3, 2, 3, 4, 4, 2)


def _on_both(pair: Pair, parts: Callable[[str], tuple[str, str]], gap: str = " ") -> Pair:
    """The two parts of each side, joined."""
    return _joined(*parts(pair[0]), gap), _joined(*parts(pair[1]), gap)


def _joined(first: str, second: str, gap: str = "") -> str:
    """Two parts of a side, in the form of a Chinese one where it is Chinese."""
    text = f"{first}{gap}{second}"
    return chinese_form(text) if of_script(text, "CJK") else text


def _put(pair: Pair, old: str, new: str) -> Pair:
    return pair[0].replace(old, new), pair[1].replace(old, new)


def _emoji(draw: random.Random) -> str:
    if draw.random() < 0.5:
        return draw.choice(_EMOJI)
    return chr(draw.randint(*draw.choice(_EMOJI_RANGES)))


def _digits(number: str, draw: random.Random) -> str:
    """Other digits in the same form; a first digit is not 0, minutes stay below 60."""
    if match := re.fullmatch(r"\d{1,2}([:：])\d\d", number):
        return f"{draw.randint(0, 23)}{match[1]}{draw.randint(0, 59):02}"
    new = "".join(draw.choice(string.digits) if c.isdigit() else c for c in number)
    return draw.choice("123456789") + new[1:]


def _name(draw: random.Random) -> str:
    """A name that nobody has: two to four syllables."""
    syllables = (
        draw.choice(_CONSONANTS) + draw.choice(_VOWELS) + draw.choice(("", "", "n", "r", "l", "s"))
        for _ in range(draw.randint(2, 4))
    )
    return "".join(syllables).capitalize()


def _item(draw: random.Random) -> str:
    """A name, a file's name, an address of mail or of the web, a code."""
    name = _name(draw)
    low, number = name.lower(), str(draw.randint(1, 9999))
    forms = (
        name, name, name, f"{name}{draw.choice(('-', ' '))}{number}", name.upper(),
        f"{low}.{draw.choice(('txt', 'pdf', 'py', 'jpg', 'docx', 'zip', 'csv', 'html'))}",
        f"{low}_{number}.{draw.choice(('txt', 'pdf', 'png', 'json', 'xlsx'))}",
        f"{low}@{_name(draw).lower()}.{draw.choice(('com', 'org', 'net', 'cn', 'edu'))}",
        f"www.{low}.{draw.choice(('com', 'org', 'net', 'cn'))}",
        f"https://{low}.{draw.choice(('com', 'org', 'io'))}/{_name(draw).lower()}",
        f"{name[:2].upper()}{number}", f"v{draw.randint(0, 20)}.{draw.randint(0, 20)}",
    )  # fmt: skip
    return draw.choice(forms)


def _moment(draw: random.Random) -> str:
    """A time, a date, a price, a share, a telephone number."""
    n = draw.randint
    forms = (
        f"{n(0, 23)}:{n(0, 59):02}", f"{n(1990, 2030)}-{n(1, 12):02}-{n(1, 28):02}",
        f"{n(1, 12)}/{n(1, 28)}/{n(1990, 2030)}", f"${n(1, 999)}.{n(0, 99):02}", f"${n(1, 5000)}",
        f"€{n(1, 900)}", f"¥{n(1, 9999)}", f"{n(1, 100)}%", f"{n(1, 999)},{n(0, 999):03}",
        f"{n(200, 999)}-{n(100, 999)}-{n(1000, 9999)}",
    )  # fmt: skip
    return draw.choice(forms)
