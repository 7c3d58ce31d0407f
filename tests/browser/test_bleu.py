"""The page's BLEU against sacrebleu: tokens, counts, scores, on random texts of two languages."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
import sacrebleu
from playwright.sync_api import Browser, Page
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from explorer.card import scores
from tests.browser.conftest import Watched
from tests.browser.test_scripts import files  # noqa: F401 - a fixture

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
TOKENISERS = {"13a": Tokenizer13a, "zh": TokenizerZh}
ENGLISH = [
    "the",
    "cat",
    "is",
    "on",
    "mat",
    ",",
    ".",
    "3.5",
    "1,000",
    "isn't",
    "(a",
    "b)",
    "-",
    "7-",
]
CHINESE = [
    "我",
    "是",
    "学生",
    "，",
    "。",
    "A",
    "3.5",
    "“",
    "”",
    "—",
    "…",
    "①",
    "😀",
    "ｂ",
    "カ",
    "㐀",
]
ODD = ["&quot;", "&amp;lt;", "<skipped>", "-\n", "\n", "\u3000", "\x1c", "\x85", "\ufeff", "\u200b"]


@pytest.fixture(scope="module")
def module(browser: Browser, files: str) -> Iterator[Page]:  # noqa: F811
    page = browser.new_page()
    page.goto(f"{files}/assets/favicon.svg")
    page.evaluate(
        "async (path) => { window.bleu = await import(path); }", f"{files}/assets/bleu.js"
    )
    yield page
    page.close()


def text(draw: random.Random, words: list[str], between: str) -> str:
    chosen = [draw.choice(words) for _ in range(draw.randint(0, 14))]
    if draw.random() < 0.3:
        chosen.insert(draw.randint(0, len(chosen)), draw.choice(ODD))
    return between.join(chosen)


def cases(seed: int, count: int) -> list[dict[str, object]]:
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        zh = draw.random() < 0.5
        words, between = (CHINESE, "") if zh else (ENGLISH, " ")
        words = draw.sample(words, 6)  # few words, so that n-grams repeat and match
        references = [text(draw, words, between) for _ in range(draw.randint(1, 3))]
        if not any(reference.strip() for reference in references):
            continue
        made.append(
            {
                "candidate": text(draw, words, between),
                "references": [reference for reference in references if reference.strip()],
                "tokeniser": draw.choice(["13a", "zh"]),
                "smoothing": draw.choice(["none", "exp"]),
                "shortened": draw.random() < 0.5,
            }
        )
    return made


def ours(page: Page, chosen: list[dict[str, object]]) -> list[dict[str, object]]:
    return page.evaluate(
        "(cases) => cases.map((c) => window.bleu.bleu(c.candidate, c.references, c))", chosen
    )


def theirs(case: dict) -> sacrebleu.BLEUScore:
    metric = sacrebleu.BLEU(
        tokenize=case["tokeniser"],
        smooth_method=case["smoothing"],
        effective_order=case["shortened"],
    )
    return metric.sentence_score(case["candidate"], case["references"])


def same(found: dict, wanted: sacrebleu.BLEUScore) -> bool:
    return (
        found["score"] == pytest.approx(wanted.score, abs=1e-9)
        and found["matches"] == wanted.counts
        and found["totals"] == wanted.totals
        and (found["c"], found["r"]) == (wanted.sys_len, wanted.ref_len)
        and found["bp"] == pytest.approx(wanted.bp, abs=1e-12)
        and [100 * p for p in found["precisions"]] == pytest.approx(wanted.precisions, abs=1e-9)
    )


def test_tokens_are_sacrebleus(module: Page) -> None:
    draw = random.Random(1)
    texts = [text(draw, ENGLISH + CHINESE + ODD, draw.choice(["", " "])) for _ in range(400)]
    texts += ["".join(map(chr, range(start, start + 256))) for start in range(0, 0x3500, 256)]
    for name, make in TOKENISERS.items():
        found = module.evaluate(
            "([texts, name]) => texts.map((t) => window.bleu.tokenise(t, name))", [texts, name]
        )
        assert found == [make()(one.rstrip()).split() for one in texts]


def test_scores_are_sacrebleus(module: Page) -> None:
    chosen = cases(2, 400)
    found = ours(module, chosen)
    wrong = [c for c, one in zip(chosen, found, strict=True) if not same(one, theirs(c))]
    assert wrong == []
    assert sum(one["score"] > 0 for one in found) > 100, "these cases would prove little"


def test_another_smoothing_would_be_noticed(module: Page) -> None:
    chosen = [case for case in cases(3, 200) if case["smoothing"] == "exp"]
    other = [{**case, "smoothing": "none"} for case in chosen]
    found = ours(module, other)
    assert not all(same(one, theirs(case)) for case, one in zip(chosen, found, strict=True))


def test_without_clipping_it_would_be_noticed(module: Page) -> None:
    (found,) = ours(
        module, [{"candidate": "the the the", "references": ["the cat"], "tokeniser": "13a"}]
    )
    unclipped = {**found, "matches": [3, *found["matches"][1:]]}
    case = {
        "candidate": "the the the",
        "references": ["the cat"],
        "tokeniser": "13a",
        "smoothing": "exp",
        "shortened": False,
    }
    assert same(found, theirs(case)) and not same(unclipped, theirs(case))


def test_one_sentence_is_a_corpus_of_one(module: Page) -> None:
    case = {
        "candidate": "我昨天在车站遇到了他。",
        "references": ["我昨天在车站见到了他。"],
        "tokeniser": "zh",
    }
    (found,) = ours(module, [case])
    corpus = sacrebleu.corpus_bleu([case["candidate"]], [[case["references"][0]]], tokenize="zh")
    assert found["score"] == pytest.approx(corpus.score, abs=1e-9)


def value(page: Page) -> float:
    return float(page.locator("#hl-bleu-value").text_content())


def test_texts_are_typed_and_scored(open_page: Open) -> None:
    watched = open_page("?view=bleu")
    page = watched.page
    page.wait_for_selector("#hl-bleu-value")
    own = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:-1]
    assert page.input_value("#hl-bleu-candidate") == "".join(own)
    page.click("[data-preset=repeated]")
    page.wait_for_function(
        "() => document.querySelector('[data-precision=\"1\"]').textContent === '0.2857'"
    )
    assert "7, clipped to 2" in page.locator("#hl-bleu-counts").text_content()
    page.locator("#hl-bleu-counts button").first.focus()
    assert page.locator(".hl-bleu-lit").count() == 7 + 2 + 1
    before = len(watched.urls)
    candidate, reference = "我昨天在车站遇到了他。", "昨天我在车站遇见了他。"
    page.fill("#hl-bleu-candidate", candidate)
    page.fill("#hl-bleu-reference-0", reference)
    page.fill("#hl-bleu-reference-1", "")
    page.wait_for_function(
        "() => !document.querySelector('#hl-bleu-lines').textContent.includes('the')"
    )
    wanted = sacrebleu.corpus_bleu([candidate], [[reference]], tokenize="zh")
    assert value(page) == pytest.approx(wanted.score, abs=0.006)
    page.select_option("#hl-bleu-way", "none")
    page.select_option("#hl-bleu-tokeniser", "13a")
    page.wait_for_function("() => document.querySelector('#hl-bleu-value').textContent === '0.00'")
    assert len(watched.urls) == before, "asked the server"
    page.fill("#hl-bleu-reference-0", "  ")
    page.wait_for_function("() => document.querySelector('#hl-bleu-value') === null")
    card = page.locator("#hl-bleu-card").text_content()
    assert f"{scores()[0].bleu:.2f}" in card and f"{scores()[-1].bleu:.2f}" in card
    assert watched.errors == []


def test_the_visitors_text_stays_when_another_sentence_is_translated(open_page: Open) -> None:
    watched = open_page("?view=bleu")
    page = watched.page
    page.wait_for_selector("#hl-bleu-value")
    first = page.input_value("#hl-bleu-candidate")
    watched.translate("Where is the station?")
    page.wait_for_function(
        "(t) => document.querySelector('#hl-bleu-candidate').value !== t", arg=first
    )
    page.fill("#hl-bleu-reference-0", "<b>车站</b>在哪里？")
    watched.translate("I am a student.")
    assert page.input_value("#hl-bleu-reference-0") == "<b>车站</b>在哪里？"
    assert page.locator("#hl-bleu-lines b").count() == 0
