"""Every view's finding on three sentences, at two steps: its values are the record's."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from explorer.exhibits import NAMES
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Explanation
from tests.exhibits.values import VALUES, Texts
from tests.stage import Desk, Node, Stage

SENTENCES = ("Why do we work?", "I am a student.", "No no no!")
NUMBER = re.compile(r"[−-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
PLACE = """({ ...headlight.page.selection.get(), is_chosen: headlight.page.chosen.place,
    rival: Number(document.querySelector("#panel-why .hl-field-rival select")?.value) })"""
# A finding's text without what it names, and that.
FOUND = """(name) => {
    const own = document.querySelector(`#panel-${name} [data-part=finding]`).cloneNode(true);
    const named = [...own.querySelectorAll("q, b")]; // a special token is said by its name
    const words = named.map((one) => one.dataset.token ?? one.textContent.trim());
    for (const one of named) one.remove();
    return { words, text: own.textContent };
}"""


@pytest.fixture(scope="module")
def page(node: Node, desk: Desk) -> Iterator[Stage]:
    stage = Stage(node, desk).open("?view=steps")
    yield stage
    stage.command("close")


def is_shown(shown: str, value: float) -> bool:
    """Whether a number as it is written is this one, rounded; ">99 %" and "<1 %" are bounds."""
    digits = len(shown.partition(".")[2])
    number = float(shown.replace("−", "-").replace(",", ""))
    least = 10**-digits
    return abs(number - value) <= (0.51 if least < abs(number) < 100 - least else 1) * least


def test_every_view_has_its_row() -> None:
    assert set(VALUES) == set(NAMES)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_finding_has_the_values_of_the_record(
    page: Stage, explainer: Explainer, text: str
) -> None:
    """Where each view opens, and at the last step."""
    record = explainer.explain(text, DecodeConfig())
    page.translate(text)
    for place in ({}, {"step": len(record.trace.tgt_out) - 1}):
        page.choose(**place)
        for name in NAMES:
            page.choose(exhibit=name)
            check(page, explainer, record, name)
    assert page.errors == []


def check(page: Stage, explainer: Explainer, record: Explanation, name: str) -> None:
    at = page.evaluate(PLACE)
    numbers, words = VALUES[name](explainer, record, at)
    found = page.evaluate(FOUND, name)
    shown = NUMBER.findall(found["text"])
    told = f"{name}: {found['text']!r} says {shown}, the record {numbers}"
    if isinstance(words, Texts):
        parts = [one.strip("…") for one in found["words"]]
        assert parts and all(one and any(one in text for text in words) for one in parts), told
    else:
        assert set(found["words"]) == {word.strip() for word in words}, told
    assert len(shown) == len(numbers) and all(map(is_shown, shown, numbers)), told
