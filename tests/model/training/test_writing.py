"""Pairs as people write them: what is to be copied stands on both sides."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from model.training import writing
from model.training.corpus import Pair

PAIRS = [
    ("Tom bought 3 apples at 2:30.", "汤姆在2:30买了3个苹果。"),
    ("Why did you buy a PlayStation?", "你为什么买PlayStation？"),
    ("他在2019年来过。", "He was here in 2019."),
]


@pytest.mark.parametrize("rule", [writing.with_emoji, writing.with_item, writing.other_word])
@pytest.mark.parametrize("pair", PAIRS)
def test_what_is_copied_stands_on_both_sides(
    rule: Callable[[Pair, random.Random], Pair], pair: Pair
) -> None:
    signs = set(" :：()（）")
    for seed in range(40):
        changed = rule(pair, random.Random(seed))
        for before, after, other in (*zip(pair, changed, changed[::-1], strict=True),):
            assert set(after) - set(before) - signs <= set(other), changed


def test_numbers_change_alike_and_keep_their_form() -> None:
    for seed in range(40):
        source, target = writing.other_numbers(PAIRS[0], random.Random(seed))
        [count, time] = writing._NUMBER.findall(source)
        assert target == f"汤姆在{time}买了{count}个苹果。"
        hour, minute = map(int, time.split(":"))
        assert hour < 24 and minute < 60 and len(count) == 1 and count != "0"


def test_a_number_that_only_one_side_has_stays() -> None:
    pair = ("I got up at 7.", "我七点起床。")
    assert all(writing.other_numbers(pair, random.Random(s)) == pair for s in range(20))


def test_a_frequent_name_becomes_one_to_copy() -> None:
    source, target = writing.other_word(PAIRS[0], random.Random(1))
    item = source.removesuffix(" bought 3 apples at 2:30.")
    assert item != "Tom" and target == f"{item}在2:30买了3个苹果。"


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
