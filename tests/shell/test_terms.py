"""The technical terms of a finding: what each is, in a few words beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from explorer.words import LANGUAGES, WORDS
from explorer.words.terms import TERMS
from model.explain import Explainer
from tests.stage import Stage

Open = Callable[..., Stage]
NAMES = [key.removesuffix(".means") for key in TERMS if key.endswith(".means")]
MAX_WORDS, MAX_SIGNS = 7, 16  # of an explanation, in English and in Chinese
SHOWN = """(name) => [...document.querySelectorAll(`#panel-${name} [data-part=terms] > div`)]
    .map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])"""
# What the module finds in a text of the page's language.
FOUND = """async (said) => {
    const { termsIn } = await module("assets/kit/terms.js");
    return termsIn(headlight.page, said).map(({ name, means }) => [name, means]);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_has_each_term_and_its_few_words(language: str) -> None:
    said = [
        getattr(word, language)
        for key, word in WORDS.items()
        if re.search(
            r"\.(finding|verdict|loss|link|asks|what|broken|copied)|^(why|settings\.method)\.", key
        )
    ]
    for name in NAMES:
        means = getattr(TERMS[f"{name}.means"], language)
        length, most = (
            (len(means.split()), MAX_WORDS)
            if language == "en"
            else (len(re.sub(r"\{\w+\}", "", means)), MAX_SIGNS)
        )
        assert length <= most, means
        if name in TERMS:
            forms = getattr(TERMS[name], language)
            assert any(re.search(forms, text, re.IGNORECASE) for text in said), forms


@pytest.mark.parametrize(
    ("said", "terms"),
    [
        # where several forms fit, the longest is meant, and no mask is in a causal mask
        ("Without the causal mask, it stops.", ["causal mask"]),
        ("Layer 2's feed-forward network adds most.", ["Layer", "feed-forward network"]),
        ("layer 3's network wrote it", ["layer", "network"]),
        # whole words alone: no rate in generate, no head in ahead
        ("It may generate tokens ahead.", ["tokens"]),
        ("Greedy and beam 2 miss the best.", ["Greedy", "beam"]),
        # at most three, in the order of the sentence
        ("In head 1·2 the query gives a key 3 points.", ["1·2", "query", "points"]),
        ("Nothing here is technical.", []),
    ],
)
def test_terms_are_found_in_what_a_finding_says(
    open_stage: Open, said: str, terms: list[str]
) -> None:
    page = open_stage("?view=steps")
    found = page.evaluate(FOUND, [said])
    assert [name for name, _ in found] == terms
    # what is quoted is no term
    assert page.evaluate(FOUND, [{"text": said}]) == []


def test_chinese_terms_are_no_parts_of_other_words(open_stage: Open) -> None:
    page = open_stage("?view=steps&lang=zh")
    for said, terms in (
        ("每节不超过 12 分钟。", []),
        ("一部分数变成零。", []),
        ("移植到它的位置上。", []),
        ("降到 60 BLEU 分。", ["BLEU"]),
        ("它的分数领先 5 分。", ["分数", "分"]),
        ("没有因果掩码，第 3 层的第 2 个头停在开头。", ["因果掩码", "层", "头"]),
    ):
        assert [name for name, _ in page.evaluate(FOUND, said)] == terms, said


def test_attention_names_its_head_and_says_what_the_name_means(
    open_stage: Open, explainer: Explainer
) -> None:
    page = open_stage("?view=attention&kind=cross&layer=2&head=5&text=I+am+a+student.")
    said = [["2·5", "layer 2, head 5"], ["weight", WORDS["term.weight.means"].en]]
    shown = page.evaluate(SHOWN, "attention")
    assert "head 2·5" in page.finding("attention") and all(one in shown for one in said)
    page.click("#hl-language")
    shown = page.evaluate(SHOWN, "attention")
    assert "头 2·5" in page.finding("attention")
    assert ["2·5", "第 2 层的第 5 个头"] in shown and len(shown) == 3
    assert page.errors == []


def test_a_finding_without_terms_has_no_line(open_stage: Open) -> None:
    page = open_stage("?view=lessons")
    assert page.locator("#panel-lessons [data-part=finding]").count() == 1
    assert page.evaluate(SHOWN, "lessons") == []
