"""What a translation is to copy: names that nobody has, files, addresses, moments, emoji."""

from __future__ import annotations

import random
import re
import string

from model.training.corpus import Pair

_ONSETS = "b c ch d f g h j k kr l m n p r s sh st t th tr v w y z br gr".split()  # noqa: SIM905
_VOWELS, _CODAS = (*"aaeeiioou", "ai", "ee", "ou", "ia"), ("", "", "", *"nrlsmtx", "ck", "ng")
# What files, sites and products are called, beside words of the sentence itself.
_WORDS = """list plan summary draft index test song menu map invoice letter team news shop office
    music travel game book letter answer backup city cloud design dream easy family garden green
    hello house image input lesson market model morning name order page paper party price project
    result river sample score search sheet story summer table task text time trip update user video
    water week work world""".split()  # noqa: SIM905
_ENDINGS = "com org net cn edu io de co.uk".split()  # noqa: SIM905
_KINDS = "txt pdf py jpg png docx xlsx zip csv html json mp3 mp4 md gz".split()  # noqa: SIM905
_EMOJI = "😀😂😊😍😎😢😡👍👎👏🙏💪🎉🎂🎁🌹🌞🌙⭐🔥❤💔☀☕🍕🍎🍜🍰🍺🐶🐱🐼🚗🚀✈🏠📚💻📱⚽🎵✅❌⚠"
_EMOJI_RANGES = ((0x1F300, 0x1F5FF), (0x1F600, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F90C, 0x1F9FF))


def person(draw: random.Random) -> str:
    """A name that nobody has: one to three syllables, in one case of six also a second name."""
    name = "".join(_syllable(draw) for _ in range(draw.choice((1, 2, 2, 2, 3, 3)))).capitalize()
    return f"{name} {person(draw)}" if draw.random() < 1 / 6 else name


def _syllable(draw: random.Random) -> str:
    return draw.choice(_ONSETS) + draw.choice(_VOWELS) + draw.choice(_CODAS)


def _word(draw: random.Random, pair: Pair) -> str:
    """A word that the model knows, and yet has to copy where it is part of a name."""
    own = re.findall(r"\b[a-z]{3,9}\b", " ".join(pair).lower())
    return draw.choice((draw.choice(_WORDS), draw.choice(own or _WORDS)))


def _stem(draw: random.Random, pair: Pair) -> str:
    """What a file or an address is called: words or syllables, often two, often with a number."""
    parts = [
        draw.choice((_word(draw, pair), _word(draw, pair), _syllable(draw) + _syllable(draw)))
        for _ in range(draw.choice((1, 1, 2)))
    ]
    if draw.random() < 0.4:
        parts.append(str(draw.randint(1, draw.choice((9, 99, 9999)))))
    return draw.choice(("_", "-", "", ".")).join(parts)


def item(draw: random.Random, pair: Pair) -> str:
    """A name, a file's name, an address of mail or of the web, a product, a code."""
    name, stem, number = person(draw), _stem(draw, pair), str(draw.randint(1, 9999))
    ending = draw.choice(_ENDINGS)
    site, kind = f"{_stem(draw, pair)}.{ending}", draw.choice(_KINDS)
    product = f"{_word(draw, pair).capitalize()}{_word(draw, pair)}"
    forms = (
        name, name, name, f"{name}{draw.choice('- ')}{number}", name.upper(), f"{stem}.{kind}",
        f"{stem}.{kind}", f"{stem}.{kind}", f"{stem.capitalize()}.{kind}", f"{stem.upper()}.{kind}",
        f"{stem}@{site}", f"{stem}@{site}", site, f"www.{site}", f"https://{site}/{stem}",
        f"{site}/{stem}/{_word(draw, pair)}", product, f"{product}{_syllable(draw).capitalize()}",
        f"{name[:2].upper()}{number}", f"{name[0]}{draw.randint(1, 99)}",
        f"v{draw.randint(0, 20)}.{number[0]}",
    )  # fmt: skip
    return draw.choice(forms)


def moment(draw: random.Random) -> str:
    """A time, a date, a price, a share, a telephone number."""
    n = draw.randint
    forms = (
        f"{n(0, 23)}:{n(0, 59):02}", f"{n(1990, 2030)}-{n(1, 12):02}-{n(1, 28):02}",
        f"{n(1, 12)}/{n(1, 28)}/{n(1990, 2030)}", f"${n(1, 999)}.{n(0, 99):02}", f"${n(1, 5000)}",
        f"€{n(1, 900)}", f"¥{n(1, 9999)}", f"{n(1, 100)}%", f"{n(1, 999)},{n(0, 999):03}",
        f"{n(200, 999)}-{n(100, 999)}-{n(1000, 9999)}", f"{n(100, 999)}-{n(1000, 9999)}",
        f"{n(10, 255)}.{n(0, 255)}.{n(0, 255)}.{n(1, 9)}", f"{n(0, 9)}.{n(0, 9)}.{n(0, 9)}",
        f"{n(0, 20)}.{n(10, 99999)}", str(n(1990, 2030)), f"{n(0, 23)}:{n(0, 59):02}",
        f"£{n(1, 99)}",
    )  # fmt: skip
    return draw.choice(forms)


def digits(number: str, draw: random.Random) -> str:
    """Another number: mostly in the same form; no first digit is 0, minutes stay below 60."""
    if match := re.fullmatch(r"\d{1,2}([:：])\d\d", number):
        return f"{draw.randint(0, 23)}{match[1]}{draw.randint(0, 59):02}"
    if number.isdigit() and draw.random() < 0.4:
        size = draw.choice((100, 1000, 10_000, 100_000))
        return draw.choice(("{}", "{:,}", "{}.5")).format(draw.randint(2, size))
    new = "".join(draw.choice(string.digits) if c.isdigit() else c for c in number)
    return draw.choice("123456789") + new[1:]


def emoji(draw: random.Random) -> str:
    """One of the frequent ones, or any of those of four bytes."""
    if draw.random() < 0.5:
        return draw.choice(_EMOJI)
    return chr(draw.randint(*draw.choice(_EMOJI_RANGES)))
