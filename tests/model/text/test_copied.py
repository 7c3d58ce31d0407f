"""What is copied: which parts of a text, and how they are cut in both languages."""

from __future__ import annotations

import random

import pytest

from model.checkpoint import SHIPPED
from model.explain import Explainer
from model.text.characters import SPACE
from model.text.copied import added, missing, spelled
from model.text.tokenizer import Tokenizer

# What a translation usually has as it stands in the source.
COPIED = {
    "Mail a.b@cd.org the 12 pictures of gate B12.": ["a.b@cd.org", "B12", "12"],
    "OPEN REPORT.PDF. THE U.S. A.M. End.The": ["REPORT.PDF"],
    "Open old_notes.txt, main.py or https://x.org/a?b=1.": [
        "old_notes.txt", "main.py", "https://x.org/a?b=1",
    ],
    "The server 192.168.1.20, www.greentea.cn": ["192.168.1.20", "www.greentea.cn"],
    "At 18:20, 3,776 m, $19.99, 7 %": ["18:20", "3,776", "19.99", "7"],
    "Twenty-one men, a hundred and five or two-year-old, one, nineteen eighty": [
        "Twenty-one", "hundred and five", "two", "nineteen eighty",
    ],
    "In the 1930s, on the 20th, 555-0199, 00 and 1": ["1930", "20", "555-0199", "00"],
    "Happy birthday 🎂🎉 ❤️": ["🎂", "🎉", "❤"],
    "我在B12号门，12点15分，三个。": ["B12", "12", "15"],
    "It is well-known, e.g. by him/her. Mr. T.": [],
    "COVID-19 and 12 of 12": ["COVID-19", "12"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "items"), COPIED.items())
def test_what_is_usually_copied(text: str, items: list[str]) -> None:
    assert missing(text, text) == () and list(missing(text, "")) == items


# A text, another one, and the numbers of each that the other lacks.
NUMBERS = [
    ("Call 555-0199, 6:45.", "6:4555-019999打电话。", ["555-0199", "6:45"], ["6:4555-019999"]),
    ("at 6:45 pm", "um 18.45 Uhr", [], []),
    ("at 6:45", "6点45分", [], []),
    ("at 2:30 or 8:15", "um halb drei, Viertel nach acht", [], []),
    ("at 7:35", "七点半", ["7:35"], []),
    ("1,000 men, 2 500 m", "1000人，2.500米", [], []),
    ("12,500 of 5.4 million", "540万之1.25万", [], []),
    ("5.4 million", "5.40万", ["5.4"], ["5.40"]),
    ("3.5", "3,5", [], []),
    ("13.5", "3,5", ["13.5"], ["3,5"]),
    ("two, 99, 21 and 250", "zwei, neunundneunzig, einundzwanzig, zweihundertfünfzig", [], []),
    ("two of 305 since 1969, in the 1930s", "两个，三百零五，一九六九，三十年代", [], []),
    ("nineteen", "九个", ["nineteen"], []),
    ("In 2020 two men died.", "2020 starben zwei Männer.", [], []),
    ("In 2020 zwei Männer", "2020两名男子", [], []),
    ("2020 zwei Männer", "2020 men", ["zwei"], []),
    ("3 hundred thousand", "30万", [], []),
    ("3 dozen", "36", [], []),
    ("3 Mio. von 2 Mrd", "3 million of 2 billion", [], []),
    ("two ten-pound notes", "20", [], ["20"]),
    ("room 2 100 people", "2号房间有100人", [], []),
    ("room 2 100 people", "2号房间", ["2 100"], []),
    ("1.5 hours", "一个半小时", [], []),
    ("two and a half hours", "2.5小时", [], []),
    ("2.5 hours", "zweieinhalb Stunden", [], []),
    ("2.5 hours", "zwei Stunden", ["2.5"], []),
    ("half an hour", "0.5小时", [], []),
    ("two dozen eggs, a dozen men", "二十四个鸡蛋，12人", [], []),
    ("two dozen eggs", "两打鸡蛋", [], []),
    ("two dozen eggs", "鸡蛋", ["two dozen"], []),
    ("24 eggs, 13 men", "zwei Dutzend Eier, zwölf Männer", ["13"], []),
    ("nineteen sixty-nine", "1969", [], []),
    ("1969, 2010", "nineteen sixty-nine, twenty ten", [], []),
    ("nineteen sixty-nine", "1968", ["nineteen sixty-nine"], ["1968"]),
    ("Nineteen sixty-pound bags", "19 bags of 60", [], []),
    ("in the 1990s", "20世纪90年代", [], []),
    ("in the 1990s", "20世纪80年代", ["1990"], ["20世纪80"]),
    ("in 1990", "20世纪90年代", [], []),  # numbers are compared, not what they count
    ("in 1980", "20世纪90年代", ["1980"], ["20世纪90"]),
    ("nineteen five", "1905", [], ["1905"]),  # the year is nineteen oh five
    ("1.000,000", "1000000", ["1.000,000"], ["1000000"]),  # the second sign begins decimals
    ("1.000,000", "1,000", [], []),
    ("1.000.000", "1000000", [], []),
    ("in den 90ern", "1990年代", [], []),
    ("in the 1990s", "in den 1990ern", [], []),
    ("in the 90s", "in den 1990er Jahren", [], []),
    ("in the 1990s", "in den neunziger Jahren", [], []),
    ("in the 1990s", "in den 1980er Jahren", ["1990"], ["1980"]),
    ("Meet at 17:00.", "Meet at five.", [], []),
    ("Meet at 17:00.", "Meet at six.", ["17:00"], []),
    ("March 17, 2020", "17.3.2020", [], []),
    ("on the 2nd", "am zweiten 12.", [], ["12"]),
    ("a.b12@cd.org", "a.b12@cd.org", [], []),
    ("I bought 2 dozen eggs.", "我买了两打鸡蛋。", [], []),
    ("2 dozen eggs", "我买了三打鸡蛋。", ["2"], []),
    ("2打鸡蛋", "two dozen eggs", [], []),
    ("5 000 Millionen Euro", "50亿欧元", [], []),
    ("5 000 Millionen Euro", "5000欧元", ["5 000"], ["5000"]),
    ("sixteen seventeen year olds", "十六七岁", [], []),
    ("16, 17", "十六七岁", [], []),
    ("15, 17", "十六七岁", ["15"], []),
    ("forty fifty people", "四五十人", [], []),
    ("120 or 130 people", "一百二三十人", [], []),
    ("It costs nineteen ninety-nine.", "19,99 Euro", [], []),
    ("It costs 19.99.", "nineteen ninety-nine", [], []),
    ("It costs nineteen ninety-nine.", "19.98", ["nineteen ninety-nine"], ["19.98"]),
    ("nineteen eighteen", "一九一九", ["nineteen eighteen"], []),
    ("20世纪30年代", "the 30s of the 20th century", [], []),
    ("the 30s of the 20th century", "20世纪30年代", [], []),
    ("20世纪30年代", "the 20th century", ["20世纪30"], []),
    ("on behalf of 3 people", "für 3,5 Leute", ["3"], ["3,5"]),
    ("2,5 hours", "2 Stunden, deshalb und innerhalb", ["2,5"], ["2"]),
    ("30 und 3,5", "3个半导体，半岛", ["30", "3,5"], ["3"]),
    ("1.5 hours", "anderthalb Stunden", [], []),
    ("1,5 or 0.5 hours", "eineinhalb oder eine halbe Stunde", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("source", "translation", "lost", "more"), NUMBERS)
def test_numbers_are_compared_as_wholes(
    source: str, translation: str, lost: list[str], more: list[str]
) -> None:
    """Forms that differ by language are the same number."""
    assert (list(missing(source, translation)), list(added(source, translation))) == (lost, more)


# What is cut as the target language cuts it, by a model with the pieces below.
SPELLED = {
    "Ask Okonkwo for report.pdf, Tom.": ["Okonkwo", "report.pdf"],
    "Mr. Okonkwo is in. Okonkwo is not. Ah! (Uppsala) or (Umea)": ["Okonkwo", "Umea"],
    "YouTube is new; we use Photoshop's K47.": ["YouTube", "Photoshop", "K47"],
    "At Lake Titicaca: See a@b.cn and x_1 at 10.0.0.1": ["Titicaca", "a@b.cn", "x_1", "10.0.0.1"],
    "我在Uppsala打开report.pdf。": ["Uppsala", "report.pdf"],
    "I am Tom, 18:20, e.g. USA-wide, not Well-known": [],
    "In Finland, on Mondays, at Lakes, a Lakeland and on a Monday": [],
    "In Finlandia and Iceland, Mondayss, a Tomland": ["Finlandia", "Iceland", "Mondayss"],
    "😀 ask Lindqvist 👍 notes.txt": ["Lindqvist", "notes.txt"],
}  # fmt: skip
WHOLE = ("Tom", "Monday", "lake", "ask", "see", "at", "am", "i", "in", "Fin", "I", "Ic")
KNOWN = {"land", "celand", "e", "s", *(SPACE + word for word in WHOLE)}


@pytest.mark.parametrize(("text", "items"), SPELLED.items())
def test_what_is_copied_letter_by_letter(text: str, items: list[str]) -> None:
    places = spelled(text, KNOWN.__contains__)
    assert [text[begin:end] for begin, end in places] == items
    assert places == sorted(places)


@pytest.fixture(scope="module")
def english() -> Tokenizer:
    """That of the shipped model, which writes Chinese."""
    return Explainer.load(SHIPPED, device="cpu").tokenizer


@pytest.mark.parametrize("item", ["report.pdf", "Okonkwo", "old_notes.txt", "anna.lee@mail.com"])
def test_an_item_is_cut_alike_in_both_languages(english: Tokenizer, item: str) -> None:
    source = english.encode_source(f"Please take {item}, Tom.")
    target = english.encode_target(f"请拿{item}，汤姆。")
    own = [
        [piece for piece, (begin, end) in zip(one.pieces, one.spans.tolist(), strict=True)
         if one.text[begin:end] and one.text[begin:end] in item
         and begin >= one.text.index(item) and end <= one.text.index(item) + len(item)]
        for one in (source, target)
    ]  # fmt: skip
    assert own[0] == own[1] and "".join(own[0]) == item
    assert source.pieces[source.pieces.index(own[0][0]) - 1] == SPACE
    assert [source.text[begin:end] for begin, end in source.spans.tolist()].count(" ") == 1
    assert english.decode(source.ids) == source.text
    assert [english.piece(int(i)) for i in source.ids] == list(source.pieces)


def test_training_cuts_as_reading_does(english: Tokenizer) -> None:
    text = "Ask Okonkwo for report.pdf."
    ids = english.sample(text, 0.0, random.Random(1), target=False)
    assert ids == english.encode_source(text).ids[:-1].tolist()
    assert english.sample(text, 0.0, random.Random(1), target=True) != ids


def test_a_language_with_spaces_is_cut_as_it_was() -> None:
    """English has ▁report; Chinese has no blank before it, and one that is typed is not read."""
    back = Explainer.load(SHIPPED.with_name("zh-en"), device="cpu").tokenizer
    texts = ("请打开 report.pdf", "请打开report.pdf")
    typed, usual = (back.encode_source(text).pieces for text in texts)
    assert typed == usual and "▁" not in "".join(typed)
    assert "▁report" in back.encode_target("Open report.pdf").pieces
