"""Pairs as people write them: what is to be copied stands on both sides."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from model.training import writing
from model.training.corpus import Pair

PAIRS = [
    ("Tom bought 3 apples at 2:30.", "汤姆在2:30买了3个苹果。"),
    ("Why did you buy a PlayStation?", "你为什么买PlayStation？"),
    ("他在2019年来过。", "He was here in 2019."),
]


COPYING = (
    writing.with_emoji, writing.with_item, writing.other_word, writing.other_thing,
    writing.other_numeral,
)  # fmt: skip


@pytest.mark.parametrize("rule", COPYING)
@pytest.mark.parametrize("pair", PAIRS)
def test_what_is_copied_stands_on_both_sides(
    rule: Callable[[Pair, random.Random], Pair], pair: Pair
) -> None:
    signs = set(" :：()（）")
    for seed in range(40):
        changed = rule(pair, random.Random(seed))
        for before, after, other in (*zip(pair, changed, changed[::-1], strict=True),):
            assert set(after) - set(before) - signs <= set(other), changed


def test_numbers_change_alike_and_stay_numbers() -> None:
    for seed in range(40):
        source, target = writing.other_numbers(PAIRS[0], random.Random(seed))
        [count, time] = writing._NUMBER.findall(source)
        assert target == f"汤姆在{time}买了{count}个苹果。"
        hour, minute = map(int, time.split(":"))
        assert hour < 24 and minute < 60
        assert re.fullmatch(r"[1-9]\d{0,5}(\.5)?|[1-9]\d{0,2},\d{3}", count), count


def test_a_number_that_only_one_side_has_stays() -> None:
    pair = ("I got up at 7.", "我七点起床。")
    assert all(writing.other_numbers(pair, random.Random(s)) == pair for s in range(20))


def test_a_frequent_name_becomes_one_to_copy() -> None:
    source, target = writing.other_word(PAIRS[0], random.Random(1))
    item = source.removesuffix(" bought 3 apples at 2:30.")
    assert item != "Tom" and target == f"{item}在2:30买了3个苹果。"


def test_a_name_is_a_whole_word() -> None:
    pair = ("Tomatoes are his favourites.", "汤姆最喜欢西红柿。")
    assert writing.other_word(pair, random.Random(1)) == pair


@pytest.mark.parametrize(
    ("pair", "before", "after", "chinese"),
    [
        (("I lost my key.", "我丢了我的钥匙。"), "I lost ", ".", "我丢了{}。"),
        (("Read this story!", "读这个故事！"), "Read ", "!", "读{}！"),
        (("Where is the hospital?", "医院在哪里？"), "Where is ", "?", "{}在哪里？"),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_thing_becomes_something_to_copy(
    pair: Pair, before: str, after: str, chinese: str, is_turned: bool
) -> None:
    changed = writing.other_thing(pair[::-1] if is_turned else pair, random.Random(2))
    english, target = changed[::-1] if is_turned else changed
    item = english.removeprefix(before).removesuffix(after)
    assert len(item) > 1 and f" {item}" not in pair[0] and target == chinese.format(item)


def test_a_word_without_its_one_translation_stays() -> None:
    assert writing._translations("zh")["hotel"] == "酒店"
    for pair in (
        ("A hotel is a hotel.", "酒店是酒店。"),
        ("The dog saw a dog.", "狗看见了一只狗。"),
        ("It is here.", "是这个。"),
        ("Hotel or hotel?", "酒店吗？"),
        ("It is not here.", "Es ist nicht hier."),  # no thing: German writes it small
    ):
        assert writing.other_thing(pair, random.Random(3)) == pair


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_numeral_in_words_becomes_digits_and_an_hour_a_time(is_turned: bool) -> None:
    def changed(pair: Pair) -> Pair:
        found = writing.other_numeral(pair[::-1] if is_turned else pair, random.Random(4))
        return found[::-1] if is_turned else found

    english, chinese = changed(("I have three books.", "我有三本书。"))
    count = english.removeprefix("I have ").removesuffix(" books.")
    assert count.isdigit() and chinese == f"我有{count}本书。"
    english, chinese = changed(("Come at seven o'clock.", "七点钟来。"))
    time = english.removeprefix("Come at ").removesuffix(".")
    assert ":" in time and chinese == f"{time}来。"
    for pair in (
        ("He came third, with three others.", "他第三个到。"),
        ("It is half past seven.", "七点半了。"),
        ("On Wednesday I met three men.", "星期三我遇到三人。"),
        ("He made two points.", "他说了两点。"),
    ):
        assert changed(pair) == pair


# Two languages in one script: words that stand in both are mostly not the same word.
GERMAN = [
    (writing.other_word, ("Tom is here.", "Tom ist hier."), "{} is here.", "{} ist hier."),
    (writing.other_word, ("I met Mary.", "Ich traf Maria."), "I met {}.", "Ich traf {}."),
    (writing.other_word, ("Germany won.", "Deutschland gewann."), "{} won.", "{} gewann."),
    (writing.other_word, ("It costs B12.", "Es kostet B12."), "It costs {}.", "Es kostet {}."),
    (writing.other_numeral, ("I have two dogs.", "Ich habe zwei Hunde."), "I have {} dogs.",
     "Ich habe {} Hunde."),
    (writing.other_numeral, ("Come at nine.", "Komm um neun Uhr."), "Come at {}.",
     "Komm um {} Uhr."),
    (writing.other_numeral, ("It is ten o'clock.", "Es ist zehn Uhr."), "It is {}.",
     "Es ist {} Uhr."),
    (writing.other_thing, ("I saw the dog.", "Ich sah den Hund."), "I saw {}.", "Ich sah {}."),
    (writing.other_thing, ("Dogs like my dog.", "Hunde mögen meinen Hund."), "Dogs like {}.",
     "Hunde mögen {}."),
]  # fmt: skip


@pytest.fixture
def _german_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a glossary has them, which comes with the first model."""
    words = {"zh": {}, "de": {"dog": "Hund", "pause": "Pause"}}
    monkeypatch.setattr(writing, "_translations", words.__getitem__)


@pytest.mark.usefixtures("_german_words")
@pytest.mark.parametrize(("rule", "pair", "english", "german"), GERMAN)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_german_pair_changes_alike(
    rule: Callable[[Pair, random.Random], Pair],
    pair: Pair,
    english: str,
    german: str,
    is_turned: bool,
) -> None:
    for seed in range(10):
        changed = rule(pair[::-1] if is_turned else pair, random.Random(seed))
        source, target = changed[::-1] if is_turned else changed
        first, last = english.split("{}")
        item = source.removeprefix(first).removesuffix(last)
        assert (source, target) == (english.format(item), german.format(item))
        assert changed != pair and item


@pytest.mark.usefixtures("_german_words")
@pytest.mark.parametrize("rule", [writing.other_word, writing.other_numeral, writing.other_thing])
@pytest.mark.parametrize(
    "pair",
    [
        ("He is in the house.", "Er ist drinnen, in dem Haus."),  # "in" is a part of a word
        ("Stay with us.", "Mach Pause mit uns."),
        ("Hand me that.", "Hand her damit."),  # a capital that says nothing
        ("It is half past two.", "Es ist halb drei, nicht zwei."),
        ("Twenty-two came.", "Zweiundzwanzig kamen."),
        ("He came at two.", "Er kam als Zweiter."),
        ("Two and two are four.", "Zwei und zwei sind vier Zahlen, nicht vier Ziffern."),
        ("Tomatoes are red.", "Tomaten sind rot."),
        ("It is seven to ten.", "Es ist sieben vor zehn."),
        ("The dog saw a dog.", "Der Hund sah den Hund."),
        ("A hot dog, please.", "Einen Hundekuchen, bitte."),
    ],
)
def test_what_is_another_word_in_german_stays(
    rule: Callable[[Pair, random.Random], Pair], pair: Pair
) -> None:
    for seed in range(10):
        assert rule(pair, random.Random(seed)) == pair
        assert rule(pair[::-1], random.Random(seed)) == pair[::-1]


def test_capitals_leave_the_target() -> None:
    forms = {writing.capitals(PAIRS[1], random.Random(s)) for s in range(40)}
    assert {target for _, target in forms} == {PAIRS[1][1]}
    assert {source for source, _ in forms} == {
        "WHY DID YOU BUY A PLAYSTATION?",
        "why did you buy a playstation?",
        "Why Did You Buy A Playstation?",
    }


def test_roughening_drops_capital_and_full_stop_on_both_sides() -> None:
    assert writing.roughen(("I am here.", "我在这里。")) == ("i am here", "我在这里")
    assert writing.roughen(("Why?", "为什么？")) == ("why?", "为什么？")
