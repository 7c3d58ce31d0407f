"""BLEU on the page is sacrebleu's: tokens, counts, scores, on random texts of two languages."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from explorer.card import scores
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.bleu import bleu, score
from model.config import DecodeConfig
from tests.stage import Locator, Node, Stage, unfold

Open = Callable[..., Stage]
PARTS = ("clipped", "count")
TOKENISERS = {"13a": Tokenizer13a, "zh": TokenizerZh}
ENGLISH = [
    "the", "cat", "is", "on", "mat", ",", ".", "3.5", "1,000", "isn't", "(a", "b)", "-", "7-",
]  # fmt: skip
CHINESE = [
    "我", "是", "学生", "，", "。", "A", "3.5", "“", "”", "—", "…", "①", "😀", "ｂ", "カ", "㐀",
]  # fmt: skip
ODD = ["&quot;", "&amp;lt;", "<skipped>", "-\n", "\n", "\u3000", "\x1c", "\x85", "\ufeff", "\u200b"]


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


def ours(case: dict) -> dict:
    keys = ("candidate", "references", "tokeniser", "smoothing", "shortened")
    return score(**{key: case[key] for key in keys})


def theirs(case: dict) -> sacrebleu.BLEUScore:
    metric = sacrebleu.BLEU(
        tokenize=case["tokeniser"],
        smooth_method=case["smoothing"],
        effective_order=case["shortened"],
    )
    return metric.sentence_score(case["candidate"], case["references"])


def same(found: dict, wanted: sacrebleu.BLEUScore) -> bool:
    counted = [[sum(one[n] for one in grams) for grams in found["grams"]] for n in PARTS]
    return (
        found["score"] == pytest.approx(wanted.score, abs=1e-9)
        and counted == [wanted.counts, wanted.totals]
        and [found["matches"], found["totals"]] == counted
        and (found["c"], found["r"]) == (wanted.sys_len, wanted.ref_len)
        and found["bp"] == pytest.approx(wanted.bp, abs=1e-12)
        and 100 * found["bp"] * found["mean"] == pytest.approx(wanted.score, abs=1e-9)
        and [100 * p for p in found["precisions"]] == pytest.approx(wanted.precisions, abs=1e-9)
    )


def test_tokens_are_sacrebleus() -> None:
    draw = random.Random(1)
    texts = [text(draw, ENGLISH + CHINESE + ODD, draw.choice(["", " "])) for _ in range(400)]
    for name, make in TOKENISERS.items():
        for one in texts:
            found = score(one, [one], name, smoothing="exp", shortened=False)
            assert found["tokens"] == make()(one.rstrip()).split() == found["references"][0]


def test_scores_are_sacrebleus() -> None:
    chosen = cases(2, 400)
    found = [ours(case) for case in chosen]
    wrong = [c for c, one in zip(chosen, found, strict=True) if not same(one, theirs(c))]
    assert wrong == []
    assert sum(one["score"] > 0 for one in found) > 100, "these cases would prove little"


def test_the_mean_is_of_the_precisions_that_count() -> None:
    for case in cases(4, 200):
        found = ours(case)
        used = found["precisions"][: found["orders"]]
        mean = math.exp(sum(map(math.log, used)) / len(used)) if all(used) else 0.0
        assert found["mean"] == pytest.approx(mean, abs=1e-12)


def test_another_smoothing_would_be_noticed() -> None:
    chosen = [case for case in cases(3, 200) if case["smoothing"] == "exp"]
    found = [ours({**case, "smoothing": "none"}) for case in chosen]
    assert not all(same(one, theirs(case)) for case, one in zip(chosen, found, strict=True))


def test_without_clipping_it_would_be_noticed() -> None:
    case = {
        "candidate": "the the the",
        "references": ["the cat"],
        "tokeniser": "13a",
        "smoothing": "exp",
        "shortened": False,
    }
    found = ours(case)
    (gram,), *others = found["grams"]
    assert gram == {"gram": "the", "count": 3, "most": 1, "clipped": 1}
    unclipped = {**found, "grams": [[{**gram, "clipped": 3}], *others]}
    assert same(found, theirs(case)) and not same(unclipped, theirs(case))


def ask(**arguments: object) -> dict:
    usual = {"candidate": "a b", "references": ["a c"], "tokeniser": "auto", "way": "exp"}
    any_model: Any = SimpleNamespace(folder=None)  # no model is asked
    return bleu(any_model, Request("x", DecodeConfig()), Arguments({**usual, **arguments}))


def test_the_question_chooses_the_tokeniser_and_skips_empty_references() -> None:
    assert ask()["tokeniser"] == "13a"
    found = ask(references=["", "我昨天在车站见到了他。", " "], candidate="我昨天在车站遇到了他。")
    assert found["tokeniser"] == "zh" and len(found["references"]) == 1
    assert found["scores"] == [row.bleu for row in scores()]
    for wrong in ({"references": ["  "]}, {"way": "other"}, {"candidate": "a" * 501}):
        with pytest.raises(PageError):
            ask(**wrong)


LOSS = """async (all) => {
    const { lossOf } = await module("explorer/exhibits/bleu/counts.js");
    return all.map((found) => lossOf(found).key);
}"""


def lost(found: dict) -> str:
    """What the score loses most by, from sacrebleu's own numbers."""
    used = found["precisions"][: found["orders"]]
    if found["c"] == 0:
        return "nothing"
    if found["score"] == 0:
        first = next(i for i in range(4) if found["matches"][i] == 0)
        return "short" if found["totals"][first] == 0 else "none"
    mean = math.prod(used) ** (1 / len(used))
    if mean > 1 - 1e-9:
        return "full" if found["c"] >= found["r"] else "alone"
    return "brevity" if math.exp(min(0, 1 - found["r"] / found["c"])) < mean else "order"


def test_what_the_score_loses_by(node: Node) -> None:
    same_texts = [{**case, "candidate": case["references"][0]} for case in cases(6, 60)]
    found = [ours(case) for case in [*cases(5, 400), *same_texts]]  # type: ignore[arg-type]
    keys = node.run(LOSS, found)
    assert keys == [lost(one) for one in found]
    assert set(keys) >= {"nothing", "short", "none", "alone", "brevity", "order", "full"}


def box(page: Stage, i: int) -> Locator:
    """The candidate's box, or that of reference number i."""
    return page.locator(".hl-bleu-box textarea").nth(i)


def value(page: Stage) -> float:
    return float(page.locator("[data-value=score]").text_content().rpartition("=")[2])


def opened(open_stage: Open, query: str = "") -> Stage:
    """With everything unfolded."""
    watched = open_stage(f"?view=bleu{query}")
    unfold(watched.page, "bleu")
    watched.page.wait_for_selector(".hl-bleu-counts td")
    return watched


def test_texts_are_typed_and_scored(open_stage: Open) -> None:
    watched = opened(open_stage, "&bleu.preset=own")
    page = watched.page
    own = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:-1]
    assert box(page, 0).input_value() == "".join(own)
    page.select_option("#panel-bleu .hl-field-preset select", "repeated")
    page.wait_for_function(
        "() => document.querySelector('[data-precision=\"1\"]').textContent === '0.2857'"
    )
    assert "7, clipped to 2" in page.locator(".hl-bleu-counts").text_content()
    page.locator(".hl-bleu-counts tbody tr").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".hl-bleu-token.hl-bleu-lit")
    assert page.locator(".hl-bleu-token.hl-bleu-lit").count() == 7 + 2 + 1
    card = page.locator(".hl-bleu-card").text_content()
    assert f"{scores()[0].bleu:.2f}" in card and f"{scores()[-1].bleu:.2f}" in card
    assert "1,524 held-out sentences of Tatoeba" in card  # the card has other domains as well
    candidate, reference = "我昨天在车站遇到了他。", "昨天我在车站遇见了他。"
    box(page, 0).fill(candidate)
    box(page, 1).fill(reference)
    box(page, 2).fill("")
    page.wait_for_function(
        "() => !document.querySelector('.hl-bleu-drawing').textContent.includes('the')"
    )
    wanted = sacrebleu.corpus_bleu([candidate], [[reference]], tokenize="zh")
    assert value(page) == pytest.approx(wanted.score, abs=0.006)
    page.select_option(".hl-field-way select", "none")
    page.select_option(".hl-field-tokeniser select", "13a")
    page.wait_for_function(
        "() => document.querySelector('[data-value=score]').textContent === '× 100 = 0.00'"
    )
    box(page, 1).fill("  ")
    page.wait_for_function("() => document.querySelector('[data-value=score]') === null")
    assert watched.errors == []


def test_every_ngram_is_drawn_as_it_counts(open_stage: Open) -> None:
    page = opened(open_stage, "&bleu.preset=repeated").page
    found = ask(candidate="the " * 6 + "the", references=["the cat is on the mat"])
    marks = ["counted", "clipped"]
    drawn = [page.locator(f"rect.hl-bleu-gram.hl-bleu-{mark}").count() for mark in marks]
    assert drawn == [sum(found["matches"]), 7 - found["matches"][0]]
    assert page.locator("rect.hl-bleu-gram").count() == sum(found["totals"])
    page.locator("rect.hl-bleu-gram").first.click()
    page.wait_for_selector("rect.hl-bleu-lit")
    page.wait_for_function("() => location.search.includes('bleu.gram=the')")


def test_the_visitors_text_stays_when_another_sentence_is_translated(open_stage: Open) -> None:
    watched = opened(open_stage, "&bleu.preset=own")
    page = watched.page
    first = box(page, 0).input_value()
    watched.translate("Where is the station?")
    page.wait_for_function(
        "(t) => document.querySelector('.hl-bleu-box textarea').value !== t", arg=first
    )
    box(page, 1).fill("<b>车站</b>在哪里？")
    watched.translate("I am a student.")
    assert box(page, 1).input_value() == "<b>车站</b>在哪里？"
    assert page.locator(".hl-bleu-drawing b").count() == 0
