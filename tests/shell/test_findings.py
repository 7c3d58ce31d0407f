"""What every view says first, of odd sentences: short, whole, and of this page."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from explorer.exhibits import NAMES
from tests.odd import EVERY
from tests.stage import Node, Stage
from tests.tiers import each

MAX_WORDS = 20


@each("text", EVERY, 4)
def test_what_is_said_first_is_short_and_whole(open_stage: Callable[..., Stage], text: str) -> None:
    """Its values are those of the record: exhibits/test_findings.py."""
    page = open_stage(f"?view=steps&text={quote(text)}")
    for name in NAMES:
        page.choose(exhibit=name)
        said = page.finding(name)
        assert 0 < len(said.replace(text, "").split()) <= MAX_WORDS, (name, said)
        assert not re.search(r"undefined|null|NaN|\{(?!token|p|\{x)", said), (name, said)
    assert page.errors == []


# Words with a hyphen at which a line could be broken, in findings, headings and heads of tables.
PARTED = """(name) => {
    const textsOf = (one) => [...one.childNodes].flatMap((node) => node.nodeType === 3
        ? (one.closest('.hl-glued') ? [] : [node.data]) : textsOf(node));
    const heads = ['.hl-finding', '.hl-numbers h3', '.hl-numbers thead th'];
    return heads.flatMap((one) => [...document.querySelectorAll(`#panel-${name} ${one}`)])
        .flatMap(textsOf)
        .filter((text) => /[a-z]-[a-z]/i.test(text));
}"""


def test_no_line_breaks_within_a_log_prob(open_stage: Callable[..., Stage]) -> None:
    page = open_stage("?view=steps&text=Hello.")
    heads = 0
    for name in ("steps", "compare", "experiments", "tree", "lens", "cheat", "toy", "attention"):
        page.choose(exhibit=name)
        page.unfold(name, "numbers")
        assert page.evaluate(PARTED, name) == [], name
        named = page.locator(f"#panel-{name} thead th").all_text_contents()
        assert not any("{" in one for one in named), named  # the words of something else
        heads += page.locator(f"#panel-{name} :is(th, h3, h2) .hl-glued", "log-prob").count()
    assert heads > 5
    assert page.errors == []


# A sentence with two numbers and a word of each side, on a page with a model of English and German.
PIECES = """async () => {
    const { marked, piecesOf, spoken } = await module("assets/kit/sentence.js");
    const water = { id: 1, text: "water", kind: "word" };
    const record = { model: { key: "own" }, src: [water] };
    const page = {
        language: { get: () => "en" }, record: { get: () => record }, t: (key) => key,
        shared: { models: [{ key: "own", pair: "en-de" }] },
    };
    const written = { id: 2, text: "Wasser", kind: "word" };
    const labels = { from: marked("1"), to: marked("2"), water, written };
    const pieces = piecesOf(page, "{water} from {from} to {to}: {written}", labels);
    const bounds = { below: marked("<1 %"), above: marked(">99 %") };
    return [spoken(pieces), pieces.map(({ lang }) => lang).filter(Boolean),
        spoken(piecesOf(page, "{below}, {above}", bounds))];
}"""


def test_a_word_between_two_fields_is_no_field_and_each_word_says_its_language(node: Node) -> None:
    """The field `to` stands after the word "to"; both languages have Latin letters. A bound is said
    in words."""
    assert node.run(PIECES) == [
        "“water” from 1 to 2: “Wasser”",
        ["en", "de"],
        "number.below, number.above",
    ]
