"""What a token stands for, under it and in the findings: for whom, where, and the switch for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from model.explain import Explainer
from model.text.glossary import Entry, Words, gloss_of
from tests.stage import Stage, desk_of
from tests.tiny import write_own

Open = Callable[..., Stage]
TEXT = "We are waiting for him to make another decision."
STRIP = "(side) => [...document.querySelectorAll(`#hl-${side} [data-gloss]`)]" + (
    ".map((one) => [one.textContent, one.dataset.gloss])"
)


def opened(open_stage: Open, view: str = "why", **more: str) -> Stage:
    return open_stage("?" + urlencode({"text": TEXT, "view": view, **more}))


def told(explainer: Explainer, words: list[str], others: list[str]) -> list[list[str]]:
    """What the table has of these words beside those of the other text."""
    assert explainer.glossary is not None
    table, text = explainer.glossary.words, Words(others)
    found = [[word, gloss_of(table.get(word.lower(), Entry()), [text]).word] for word in words]
    return [one for one in found if one[1]]


def test_each_reader_sees_the_words_of_the_other_language(
    open_stage: Open, explainer: Explainer
) -> None:
    source = TEXT.removesuffix(".").split()
    target = ["我们", "在", "等", "他", "再", "做", "决定"]
    page = opened(open_stage)
    assert page.evaluate(STRIP, "tgt") == told(explainer, target, source)
    assert page.evaluate(STRIP, "src") == []
    page.click("#hl-language")
    assert page.evaluate(STRIP, "src") == told(explainer, source, target)
    assert page.evaluate(STRIP, "tgt") == []


def test_the_switch_is_kept_in_the_link(open_stage: Open) -> None:
    page = opened(open_stage)
    finding = page.locator("#panel-why .hl-finding [data-gloss]")
    shown = dict(page.evaluate(STRIP, "tgt"))
    glosses = [one.get_attribute("data-gloss") for one in finding.all()]
    assert glosses and all(glosses) and set(glosses) & set(shown.values())
    options = page.locator("#panel-why option").all_text_contents()
    assert f"({glosses[-1]})" in options[0], (glosses, options)
    page.click("#hl-gloss")
    assert page.locator("[data-gloss]").count() == 0
    assert page.get_attribute("#hl-gloss", "aria-pressed") == "false"
    page.wait_for_timeout(500)
    assert "gloss=off" in page.evaluate("location.search")
    page = opened(open_stage, gloss="off")
    assert page.locator("[data-gloss]").count() == 0
    page.click("#hl-gloss")
    assert page.locator("#hl-tgt [data-gloss]").count() > 4


def test_how_to_read_it_says_what_they_are(open_stage: Open, explainer: Explainer) -> None:
    assert explainer.glossary is not None
    page = opened(open_stage, "tree")
    page.unfold("tree")
    page.evaluate("headlight.page.folds.merge({ reading: true })")
    said = page.locator("#panel-tree [data-part='reading']").text_content()
    assert f"{explainer.glossary.pairs:,} sentence pairs" in said


def test_a_model_without_the_table_has_no_switch(open_stage: Open, tmp_path: Path) -> None:
    page = open_stage(desk=desk_of(Explainer.load(write_own(tmp_path / "own"), device="cpu")))
    assert page.locator("#hl-gloss").is_hidden()
    assert page.locator("[data-gloss]").count() == 0


FINDING = ".hl-finding q"
# What a sentence of two words of a model's target says beside each.
SAID = """async ({ pair, tokens: [one, other], language }) => {
    const { piecesOf } = await module("assets/kit/sentence.js");
    const { showGlosses } = await module("assets/kit/gloss.js");
    showGlosses(language, pair);
    const record = { get: () => ({ model: { key: "own" }, src: [] }) };
    const page = { ...headlight.page, record, shared: { models: [{ key: "own", pair }] } };
    return piecesOf(page, "{one}, {other}", { one, other })
        .flatMap((piece) => (typeof piece === "object" ? [piece.said] : []));
}"""


@pytest.mark.parametrize(
    ("view", "part"),
    [
        *((view, FINDING) for view in ("figure", "attention", "steps", "lens", "why", "stream")),
        *((view, ".hl-token") for view in ("steps", "proof")),
        ("compare", ".hl-compare-token"),
    ],
)
def test_a_view_names_no_chinese_token_without_its_gloss(
    open_stage: Open, explainer: Explainer, view: str, part: str
) -> None:
    page = opened(open_stage, view)
    named = page.evaluate(
        "(part) => [...document.querySelectorAll(part)]"
        ".map((one) => [one.textContent, one.closest('[data-gloss]')?.dataset.gloss ?? ''])",
        f"#panel-{view} {part}",
    )
    if view == "compare":
        assert len([word for word, gloss in named if gloss]) > 8  # of four translations
    assert explainer.glossary is not None
    for word, gloss in named:
        entry = explainer.glossary.words.get(word)
        if entry is not None and entry.gloss.pinyin:
            own = gloss_of(entry, [Words(TEXT.removesuffix(".").split())]).word
            said = {own, f"also “{own}”"} if own else {"no single English word"}
            assert gloss in (said if part == FINDING else {own})


@pytest.mark.parametrize(
    ("pair", "words", "language", "said"),
    [
        ("en-de", [("jeden", "every"), ("jedem", "every")], "en",
         ["every", "another form of “every”"]),
        ("en-de", [("können", "can"), ("kannst", "can")], "en", ["can", "also “can”"]),
        ("en-de", [("jeden", "every"), ("Sonntag", "Sunday")], "en", ["every", "Sunday"]),
        ("en-de", [("sich", ""), ("jeden", "every")], "en", ["no single English word", "every"]),
        ("en-zh", [("包", "bag"), ("袋子", "bag")], "en", ["bag", "also “bag”"]),
        ("en-zh", [("了", ""), ("the", "")], "en", ["no single English word", ""]),
        ("en-zh", [("the", ""), ("了", "")], "zh", ["没有单一的对应词", ""]),
    ],
)  # fmt: skip
def test_a_finding_says_how_two_words_of_one_meaning_differ(
    open_stage: Open, pair: str, words: list[tuple[str, str]], language: str, said: list[str]
) -> None:
    side = ["target"] if pair == "en-de" else []
    tokens = [
        {"id": i, "text": text, "piece": text, "kind": "word",
         "gloss": [gloss, 0.5 * bool(gloss), "", *side]}
        for i, (text, gloss) in enumerate(words)
    ]  # fmt: skip
    page = opened(open_stage, "steps", lang=language)
    assert page.evaluate(SAID, {"pair": pair, "tokens": tokens, "language": language}) == said
