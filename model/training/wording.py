"""How languages say what `training.writing` replaces, a row each: beside English.

A language without a row has its pairs rewritten by the rules that no words are needed for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """What stands in a language for English names and numerals.

    The others are regular expressions: what the word for a `thing` looks like, and, with a place
    for the word, a word with its article or `measure`, a numeral before what is `counted`, an
    `hour`.
    """

    names: Mapping[str, str]
    numerals: Mapping[str, str]
    thing: str
    measure: str
    counted: str
    hour: str


CHINESE = Wording(
    names={
        "Tom": "汤姆", "Mary": "玛丽", "John": "约翰", "Peter": "彼得", "Jack": "杰克",
        "Bob": "鲍勃", "Jim": "吉姆", "Alice": "爱丽丝", "Mike": "迈克", "Boston": "波士顿",
        "Australia": "澳大利亚", "London": "伦敦", "Paris": "巴黎", "Tokyo": "东京",
        "Beijing": "北京", "New York": "纽约", "Germany": "德国", "France": "法国",
        "Japan": "日本", "Osaka": "大阪",
    },
    numerals={
        "two": "两", "three": "三", "four": "四", "five": "五", "six": "六", "seven": "七",
        "eight": "八", "nine": "九", "ten": "十",
    },
    thing="..+",
    measure="(?:(?:[这那一]|我|你|他|她)[本个只张件座条辆部首封把间台份的])?{}",
    counted="(?<![第十二三四五六七八九零百千万期周]){}"
    "(?=[个本只岁年天次位条张辆块元种把杯件座层间封名])",
    hour="(?<![第十二三四五六七八九]){}点钟?(?![半多一二三四五])",
)  # fmt: skip
_ARTICLE = "d(?:er|ie|as|en|em|es)|(?:ein|mein|dein|sein|ihr|unser)(?:e[nmrs]?)?|dies(?:e[nmrs]?)"
GERMAN = Wording(
    names={
        "Mary": "Maria", "Australia": "Australien", "Tokyo": "Tokio", "Beijing": "Peking",
        "Germany": "Deutschland", "France": "Frankreich", "Italy": "Italien", "Spain": "Spanien",
        "America": "Amerika", "Africa": "Afrika", "Europe": "Europa", "Russia": "Russland",
    },
    numerals={
        "two": "zwei", "three": "drei", "four": "vier", "five": "fünf", "six": "sechs",
        "seven": "sieben", "eight": "acht", "nine": "neun", "ten": "zehn", "eleven": "elf",
        "twelve": "zwölf", "twenty": "zwanzig", "thirty": "dreißig",
    },
    thing=r"[A-ZÄÖÜ]\w+",  # German writes nouns with a capital letter
    measure=rf"(?:\b(?:{_ARTICLE}) )?\b{{}}\b",
    counted=r"(?<!\bUhr )(?<!\bhalb )(?<!\bum )(?<!\bgegen )(?<!\bvor )(?<!\bnach )(?<!\bbis )"
    r"\b{}\b(?! (?:Uhr|vor|nach)\b)",
    hour=r"(?<!\bhalb )(?<!\bviertel vor )(?<!\bviertel nach )\b{}(?= Uhr\b)",
)  # fmt: skip
WORDINGS: Mapping[str, Wording] = {"zh": CHINESE, "de": GERMAN}  # by the codes of languages
