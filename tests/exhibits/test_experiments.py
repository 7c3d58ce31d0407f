"""Experiments on the running model: the page's numbers are those of the model, run on its own."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest
import torch

from explorer.exchange import turns
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.experiments import PAIRS, _other_order, equivariance, heads_off
from explorer.words import WORDS
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.explain import Explainer
from model.labs.ablation import all_heads, rank_heads
from model.sampling import Mulberry32
from model.text.languages import LANGUAGES
from model.trace import Explanation
from tests.browsing import written
from tests.examples import first
from tests.stage import Node, Stage, choose_exhibit, desk_of, expect
from tests.tiny import T5, write_own

Open = Callable[..., Stage]
SENTENCE = "Why do we work?"
CHEAT = Interventions(causal_mask=False)
LEAK = Interventions(padding=4, padding_mask=False)
UNORDERED = Interventions(positions="none", sides="source")
SHUFFLED = Interventions(positions="shuffled", sides="source")
STARTS = ".hl-experiments-starts select"
FINDING = "#panel-experiments .hl-finding"
OUTCOME = """async (texts) =>
    (await module("explorer/exhibits/experiments/outcome.js")).outcomeOf(...texts)"""
PIECES = """async (texts) =>
    (await module("explorer/exhibits/experiments/spoken.js")).pieces(...texts)"""
BEGIN = f"?view=experiments&text={quote(SENTENCE)}"


@pytest.fixture(scope="module")
def original(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


def laboratory(open_stage: Open, query: str = "", text: str = SENTENCE) -> Stage:
    """All parts are open, and nothing is changed."""
    page = open_stage(f"?view=experiments&text={quote(text)}{query}")
    page.unfold("experiments")
    page.wait_for_selector(".hl-experiments-tokens tfoot")
    assert page.input_value(f"{STARTS}") == "leak"  # to begin with
    page.click(".hl-experiments-clear")
    nothing_changed(page)
    return page


def nothing_changed(page: Stage) -> None:
    page.wait_for_selector(f"{FINDING}:has-text('Nothing is changed')")


def start(page: Stage, name: str) -> None:
    page.select_option(STARTS, name)


def show_part(page: Stage, name: str) -> None:
    page.select_option("#panel-experiments .hl-field-show select", name)


def wait_for_change(page: Stage) -> None:
    """Until the page has the answer to another experiment than the one before."""
    expect(page.locator(FINDING)).not_to_contain_text("Nothing is changed")


def columns(page: Stage) -> np.ndarray:
    """before, after and change of each token, then their sums: (T + 1, 3)."""
    rows = page.locator(".hl-experiments-tokens :is(tbody, tfoot) tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].slice(1, 4).map((cell) => cell.textContent))"
    )
    return np.array([[written(text) for text in row] for row in rows])


def wanted(explainer: Explainer, original: Explanation, changes: Interventions) -> np.ndarray:
    ids = original.trace.tgt_out.ids.tolist()
    after = explainer.trace(SENTENCE, ids, interventions=changes).log_prob
    found = np.stack((original.trace.log_prob, after, after - original.trace.log_prob), axis=1)
    return np.vstack((found, found.sum(0)))


# ------------------------------------------------------------------------------- the page's numbers


@pytest.mark.parametrize(
    ("begun", "changes"),
    [
        ("cheat", CHEAT),
        ("leak", LEAK),
        ("unordered", Interventions(positions="none")),
        ("shuffled", SHUFFLED),
        ("shifted", Interventions(positions="shifted", shift=20)),
    ],
)
def test_log_probs_before_and_after(
    open_stage: Open,
    explainer: Explainer,
    original: Explanation,
    begun: str,
    changes: Interventions,
) -> None:
    page = laboratory(open_stage)
    np.testing.assert_allclose(columns(page)[:, 2], 0, atol=6e-4)
    page.select_option(STARTS, begun)
    wait_for_change(page)
    expected = wanted(explainer, original, changes)
    np.testing.assert_allclose(columns(page), expected, atol=6e-4)
    # The twin: an answer of the untouched model would be refused.
    assert np.abs(expected[:-1, 2]).max() > 0.1
    assert "log-prob" not in (page.text_content(FINDING) or "")
    if begun == "cheat":
        top = explainer.trace(SENTENCE, original.trace.tgt_out.ids, interventions=changes)
        chance = f"({np.exp(top.top_log_probs[0, 0]) * 100:.1f} %)"
        story = page.locator(".hl-experiments-story").text_content()
        assert "trained with the mask" in story
        first = int(top.top_ids[0, 0])  # what this model's first position writes, it is told
        assert (chance in story) == (first != int(original.trace.tgt_out.ids[0]))
        assert ("</s>" in story) == (first == explainer.rules.end_id)
    assert page.errors == []


def test_next_tokens_of_the_chosen_step(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_stage, "&step=2")
    start(page, "unscaled")
    wait_for_change(page)
    ids = original.trace.tgt_out.ids.tolist()
    changed = explainer.trace(SENTENCE, ids, interventions=Interventions(scaling=False))
    show_part(page, "next")
    heads = page.locator("#panel-experiments .hl-numbers section:nth-child(2) thead th")
    assert heads.all_text_contents() == ["model", "rank", "token", "id", "log-prob"]
    lists = page.locator(".hl-experiments-next ol")
    for which, trace in enumerate((original.trace, changed)):
        shown = lists.nth(which).locator("b").all_text_contents()
        chances = np.exp(trace.top_log_probs[1, :8]) * 100
        assert shown == [f"{c:.1f} %" if c >= 0.05 else "<0.1 %" for c in chances]


def test_attention_of_one_head_under_both(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    """Of the head that the padding changes most: to exchange the two would be noticed."""
    ids = original.trace.tgt_out.ids.tolist()
    untouched, leaking = (
        # As a record travels: in steps of 1/65535.
        np.rint(explainer.trace(SENTENCE, ids, interventions=one).cross.weights * 65535.0) / 65535
        for one in (UNTOUCHED, LEAK)
    )
    apart = np.abs(leaking[..., 0, :-4] - untouched[..., 0, :]).max(-1)
    layer, head = (int(i) for i in np.unravel_index(apart.argmax(), apart.shape))
    assert apart[layer, head] > 0.05
    before, after = untouched[layer, head], leaking[layer, head]
    page = laboratory(open_stage, f"&kind=cross&layer={layer + 1}&head={head + 1}&step=1")
    start(page, "leak")
    wait_for_change(page)
    show_part(page, "attention")
    page.wait_for_function(  # both maps have the columns of the padding
        "(n) => [...document.querySelectorAll('.hl-experiments-maps canvas')]"
        ".every((canvas) => canvas.width === n)",
        arg=after.shape[1],
    )
    page.locator("[data-map='after'] [role='application']").focus()
    said = page.locator(".hl-experiments-cell")
    for col in range(after.shape[1]):
        numbers = said.text_content().rsplit("”: ", 1)[1]
        old, rest = numbers.split(" → ")
        new, change = rest.split(", change ")
        inside = col < before.shape[1]
        assert old == (f"{before[0, col]:.3f}" if inside else "masked")
        assert new == f"{after[0, col]:.3f}"
        expected = after[0, col] - (before[0, col] if inside else 0)
        assert written(change.lstrip("+")) == pytest.approx(expected, abs=6e-4)
        page.keyboard.press("ArrowRight")


def test_translations_and_their_difference(
    open_stage: Open, node: Node, explainer: Explainer
) -> None:
    """What is struck is what the finding quotes."""

    def written_for(text: str) -> list[str]:
        both = (explainer.explain(text, interventions=changes) for changes in (UNTOUCHED, LEAK))
        return [one.trace.tgt_out.text for one in both]

    def outcome(text: str) -> dict[str, str]:
        told: dict[str, str] = node.run(OUTCOME, written_for(text))
        return told

    def replaces(text: str) -> bool:
        told = outcome(text)
        return {"old", "now"} <= set(told) and "…" not in told["old"] + told["now"]

    text = first("padding that is read puts words in the place of others", replaces)
    page = laboratory(open_stage, text=text)
    start(page, "leak")
    wait_for_change(page)
    texts = page.locator(".hl-experiments-text span").all_text_contents()
    assert texts == written_for(text)
    struck = [page.locator(f".hl-experiments-text {one}") for one in ("del", "ins")]
    old, new = (one.all_text_contents() for one in struck)
    assert outcome(text)["old"] in old and outcome(text)["now"] in new


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        ("I took the bus.", "I took the train.", ["bus"], ["train"]),
        # no letter that both words have is left standing
        ("She reads it.", "She writes it.", ["reads"], ["writes"]),
        ("He left her home early.", "He left home too early.", ["her"], ["too"]),
        ("Er geht.", "Er geht nach Hause.", [], ["nach Hause"]),
        ("We go home, now.", "we go.", ["home, now"], []),
        ("Do you go?", "Do you go.", ["?"], ["."]),
        ("Yes, we go", "Yes we go", [","], []),
        ("我坐公交车。", "我坐火车。", ["公交车"], ["火车"]),
        ("Go.", "", ["Go"], []),
        ("...", "?", ["..."], ["?"]),
    ],
)
def test_words_are_struck_and_not_letters(
    node: Node, before: str, after: str, gone: list[str], new: list[str]
) -> None:
    texts = node.run(PIECES, [before, after])
    assert ["".join(one["text"] for one in text) for text in texts] == [before, after]
    own = [[one["text"] for one in text if one["isOwn"]] for text in texts]
    assert own == [gone, new]


def test_a_painted_cell_and_a_row_that_may_read_nothing(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_stage)
    show_part(page, "paint")
    page.check(".hl-experiments-painted [value=cross]")
    field = page.locator(".hl-experiments-paint [role='application']")
    field.focus()
    page.keyboard.press("Enter")
    wait_for_change(page)
    changes = Interventions(cells=(("cross", 0, 0, False),))
    expected = wanted(explainer, original, changes)
    np.testing.assert_allclose(columns(page), expected, atol=6e-4)
    for _ in range(len(original.trace.src) - 1):  # faster than the map is drawn
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    page.wait_for_selector(".hl-experiments .hl-failed:has-text('Nothing is left')")
    page.click(".hl-experiments-clear")
    nothing_changed(page)
    assert page.locator(".hl-experiments .hl-failed").count() == 0
    np.testing.assert_allclose(columns(page)[:, 2], 0, atol=6e-4)
    assert page.errors == []


# ------------------------------------------------------------- what was broken, and what happened


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("Go home.", "Go home.", {"key": "same"}),
        ("Go home.", " ", {"key": "empty"}),
        ("Do you go?", "Do you go.", {"key": "marks"}),
        ("The bus left", "the bus left!", {"key": "marks"}),
        # before the last full stop, in the middle, in two places
        (
            "I was too tired.",
            "I was too tired so there was no way.",
            {"key": "continues", "more": "so there was no way"},
        ),
        ("她很累。", "她很累，这样的时候。", {"key": "continues", "more": "这样的时候"}),
        ("Ich bin müde.", "Ich bin müde. Er auch.", {"key": "continues", "more": "Er auch"}),
        (
            "Er sitzt im Zug.",
            "Er sitzt auf dem Zug. Und sie schläft nun gut.",
            {"key": "continues", "more": "Und sie schläft nun gut"},
        ),
        (
            "Sie füttert jeden Morgen die Vögel.",
            "Sie füttert die Vögel jeden Morgen. Aber wir haben heute keine Zeit für so etwas.",
            {"key": "continues", "more": "Aber wir haben heute keine Zeit…"},
        ),
        ("She buys a car.", "She buys a small red car.", {"key": "adds", "more": "small red"}),
        ("It rains.", "Now it really rains.", {"key": "adds", "more": "really"}),
        ("We go home now.", "We go.", {"key": "ends", "less": "home now"}),
        ("你等了公交车多久？", "你等了公交车？", {"key": "ends", "less": "多久"}),
        ("The old man sleeps.", "The man sleeps.", {"key": "loses", "less": "old"}),
        (
            "The old man sleeps.",
            "The man sleeps well.",
            {"key": "both", "less": "old", "more": "well"},
        ),
        ("I took the bus.", "I took the train.", {"key": "replaces", "old": "bus", "now": "train"}),
        (
            "The old man reads it.",
            "The young man writes it.",
            {"key": "several", "old": "reads", "now": "writes"},
        ),
        ("The dog bit the man.", "The man bit the dog.", {"key": "order"}),
        ("Tom sees Mary today.", "Mary sees Tom today.", {"key": "order"}),
        ("He is here.", "is is is is is.", {"key": "repeats", "part": "is", "n": 5}),
        ("他在家。", "他他他他。", {"key": "repeats", "part": "他", "n": 4}),
        (
            "Er ist da.",
            "Er ist in der Stadt in der Stadt in der Stadt.",
            {"key": "repeats", "part": "in der Stadt", "n": 3},
        ),
        ("No no no no!", "No no no no.", {"key": "marks"}),
        (
            "How is the weather?",
            "Where do you want to go?",
            {"key": "other", "text": "Where do you want to go?"},
        ),
        (
            "Go.",
            "This is a sign with the name of somebody else.",
            {"key": "other", "text": "This is a sign with the name of…"},
        ),
    ],
)
def test_what_became_of_a_translation(
    node: Node, before: str, after: str, told: dict[str, Any]
) -> None:
    assert node.run(OUTCOME, [before, after]) == told


def test_no_letter_of_what_is_new_is_called_kept(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    """Real changes: what the finding quotes stands in one of the two texts, and names what was
    done."""
    page = laboratory(open_stage)
    for begun, what in (
        ("leak", "Without the padding mask, "),
        ("unordered", "Without positions, "),
        ("blind", "Without cross-attention in layer "),
        ("shuffled", "With shuffled positions"),
    ):
        start(page, begun)
        wait_for_change(page)
        said = page.finding("experiments")
        texts = page.locator(".hl-experiments-text span").all_text_contents()
        assert said.startswith(what), said
        assert "log-prob" not in said
        for quoted in re.findall("“(.*?)…?”", said.removeprefix(what)):
            assert quoted in texts[0] or quoted in texts[1], (said, texts)
        assert ("writes the same" in said or "nothing happens" in said) == (texts[0] == texts[1])


@pytest.mark.parametrize(
    ("fields", "draft", "says"),
    [
        (T5, '{"positions":"shifted","shift":9}', "only how far apart words stand"),
        (T5, '{"positions":"shifted","shift":3,"sides":"source"}', "only how far apart"),
        (T5, '{"scaling":false}', "never divides its scores"),
        ({"positions": "none"}, '{"positions":"shifted","shift":9}', "has no positions"),
        ({"sinusoids": "none"}, '{"positions":"none"}', "has no positions"),
        ({"positions": "learned"}, '{"positions":"shifted","shift":9}', "With positions shifted"),
        (T5, '{"positions":"none"}', "Without positions, "),
        ({}, '{"scaling":false}', "Without dividing by √d_k, "),
    ],
)
def test_a_change_of_what_the_model_does_not_have_says_so(
    open_stage: Open, tmp_path: Path, fields: dict[str, Any], draft: str, says: str
) -> None:
    folder = write_own(tmp_path / "model", max_positions=160, **fields)
    explainer = Explainer.load(folder, device="cpu")
    query = f"?view=experiments&text=I+am+a+small+frog.&experiments.draft={quote(draft)}"
    page = open_stage(query, desk=desk_of(explainer))
    assert says in page.finding("experiments")
    changes = json.loads(draft)
    config = DecodeConfig(max_length=6)
    ids = explainer.explain("I am a small frog.", config).trace.tgt_out.ids.tolist()
    before, after = (
        explainer.trace("I am a small frog.", ids, interventions=Interventions.from_dict(one))
        for one in ({}, changes)
    )
    equal = np.array_equal(before.log_prob, after.log_prob)
    assert equal == ("nothing changes: this model" in page.finding("experiments"))
    states = np.array_equal(before.decoder_states, after.decoder_states)
    weights = np.array_equal(before.decoder_self.weights, after.decoder_self.weights)
    assert states == equal and weights == equal
    if fields.get("positions") == "learned":
        assert (before.log_prob != after.log_prob).all()


def test_padding_that_is_read_makes_it_go_on(open_stage: Open, explainer: Explainer) -> None:
    def texts(text: str) -> list[str]:
        kinds = (UNTOUCHED, LEAK)
        return [explainer.explain(text, interventions=one).trace.tgt_out.text for one in kinds]

    def goes_on(text: str) -> bool:
        original, broken = texts(text)
        is_loop = re.search(r"(.+)\1", broken)
        return (
            original.endswith("。")
            and broken.startswith(original)
            and broken != original
            and not is_loop
        )

    text = first("a second sentence and no loop with padding that is read", goes_on)
    original, broken = texts(text)
    second = broken.removeprefix(original)
    page = open_stage(f"?view=experiments&text={quote(text)}")
    second = re.match(r"[^。！？]*", second)[0][:16]  # as far as it is quoted
    assert f"it does not stop and goes on with “{second}" in page.finding("experiments")
    page.evaluate("headlight.page.language.set('zh')")
    assert f"它没有停下，接着写了「{second}" in page.finding("experiments")


@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("others", [{}, {"cross_off": [0], "cells": [["cross", 0, 1, False]]}])
def test_padding_respected_changes_nothing_and_forgotten_does(
    open_stage: Open,
    explainer: Explainer,
    original: Explanation,
    is_masked: bool,
    others: dict[str, Any],
) -> None:
    raw = {"padding": 4, "padding_mask": is_masked, **others}
    page = open_stage(f"{BEGIN}&experiments.draft={quote(json.dumps(raw))}")
    ids = original.trace.tgt_out.ids.tolist()
    without, respected, forgotten = (
        explainer.trace(SENTENCE, ids, interventions=Interventions.from_dict({**others, **one}))
        for one in ({}, {"padding": 4}, {"padding": 4, "padding_mask": False})
    )
    page.unfold("experiments")
    page.wait_for_selector(".hl-experiments-story:has-text('Without the mask')")
    said = page.locator(".hl-experiments-story").text_content() or ""
    largest = np.abs(respected.log_prob - without.log_prob).max()
    shown = written(said.split("at most ")[1].split(".Without")[0])
    assert shown == pytest.approx(largest, rel=0.05, abs=1e-9) and largest < 1e-4
    n = len(without.src)
    own = forgotten.encoder_self.weights[:, :, :n, n:].sum(-1).mean()
    cross = forgotten.cross.weights[..., n:].sum(-1).mean()
    for share in (own, cross):
        assert f"{share * 100:.1f} %" in said and share > 0.01
    for trace in (without, forgotten):
        assert f"{trace.log_prob.sum(dtype=np.float64):.3f}".replace("-", "−") in said
    assert ("pads would get" in said) == is_masked


# ------------------------------------------------------------------------------ the order of words


def test_the_positions_are_changed_as_it_says(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    """Which ones, whose, how far, and in which order."""
    page = laboratory(open_stage)

    def check(**changes: Any) -> None:
        expected = wanted(explainer, original, Interventions(**changes))
        np.testing.assert_allclose(columns(page), expected, atol=6e-4)
        seen.append(expected)

    seen: list[np.ndarray] = []
    page.check(".hl-experiments-positions [value=none]")
    page.check(".hl-experiments-sides [value=target]")
    check(positions="none", sides="target")
    page.check(".hl-experiments-positions [value=shuffled]")
    check(positions="shuffled", sides="source")
    assert page.locator(".hl-experiments-sides").count() == 0
    page.get_by_role("button", name=WORDS["experiments.again"].en).click()
    check(positions="shuffled", sides="source", position_seed=1)
    page.check(".hl-experiments-positions [value=shifted]")
    page.check(".hl-experiments-sides [value=source]")
    check(positions="shifted", sides="source", shift=20)
    apart = [np.abs(a - b).max() for a, b in itertools.combinations(seen, 2)]
    assert min(apart) > 0.01, "two of them make no difference: the test sees nothing"
    page.check(".hl-experiments-positions [value=kept]")
    nothing_changed(page)
    assert page.errors == []


def test_two_sentences_of_the_same_words(open_stage: Open, explainer: Explainer) -> None:
    """The lead asks who bit whom: without positions, the two sentences are one."""
    assert "who bit whom" in WORDS["experiments.lead"].en
    page = laboratory(open_stage)
    start(page, "pair")
    cells = {
        model: page.locator(f".hl-experiments-pairs [data-model={model}] td > span")
        for model in ("before", "after")
    }
    for i, text in enumerate(("The dog bit the man.", "The man bit the dog.")):
        for model, changes in (("before", UNTOUCHED), ("after", UNORDERED)):
            trace = explainer.explain(text, DecodeConfig(), interventions=changes).trace
            assert cells[model].nth(i).text_content() == trace.tgt_out.text
            number = f"{trace.log_prob.sum(dtype=np.float64):.3f}".replace("-", "−")
            sums = page.locator(f".hl-experiments-pairs [data-model={model}] td > small")
            assert sums.nth(i).text_content() == number
    before, after = (one.all_text_contents() for one in cells.values())
    # One and the same without positions, whatever the weights; with them as the model knows it.
    assert after[0] == after[1]
    key = "alike.alike" if before[0] == before[1] else "none"
    assert page.text_content(FINDING) == WORDS[f"experiments.finding.pair.{key}"].en
    start(page, "blind")  # another experiment is seen in your own sentence
    page.wait_for_selector(".hl-experiments-bars")
    assert page.input_value(STARTS) == "blind"


def test_the_encoder_without_positions(open_stage: Open, explainer: Explainer) -> None:
    """Measured by the page; and by torch, in the order that the page shows."""
    page = laboratory(open_stage)
    start(page, "encoder")
    lines = page.locator(".hl-experiments-encoder .hl-experiments-line")
    own, moved = (lines.nth(i).locator(".hl-token").all_text_contents() for i in (0, 1))
    assert sorted(own) == sorted(moved) and own != moved
    model = explainer.model
    assert page.text_content(FINDING) == WORDS["experiments.finding.encoder.none"].en
    ids = torch.tensor(explainer.read(SENTENCE).ids)
    order = torch.tensor([own.index(token) for token in moved])  # no token is there twice
    shown = {}
    for name, changes in (("before", UNTOUCHED), ("after", UNORDERED)):
        text = page.text_content(f".hl-experiments-encoder dd[data-model={name}]") or "?"
        with torch.inference_mode():
            a = model.encode(ids[None], model.edits(changes))[0][0]
            b = model.encode(ids[order][None], model.edits(changes))[0][0]
        shown[name] = written(text)
        off = float((b[order.argsort()] - a).abs().max())
        assert shown[name] == pytest.approx(off, rel=0.01, abs=3e-6)
    assert shown["after"] < 1e-5 < 0.1 < shown["before"]
    start(page, "unscaled")
    show_part(page, "encoder")
    finding = page.text_content(FINDING) or ""
    assert "original model" in finding
    for name in ("before", "after"):
        text = page.text_content(f".hl-experiments-encoder dd[data-model={name}]") or "?"
        assert text in finding
    assert page.errors == []


# ------------------------------------------------------------------ all exhibits, all visitors


def test_the_changed_model_in_all_exhibits_and_back(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_stage)
    page.click("[data-head='cross.2.6'][aria-pressed]")
    page.click("[data-head='cross.1.7'][aria-pressed]")
    assert page.locator("#hl-changed").is_hidden()
    page.click(".hl-experiments-everywhere")
    page.wait_for_selector("#hl-changed:not([hidden])")
    changes = Interventions(heads_off=(("cross", 2, 6), ("cross", 1, 7)))
    found = explainer.explain(SENTENCE, DecodeConfig(), interventions=changes)
    assert "2 heads off" in page.locator("#hl-changed").text_content()
    page.wait_for_url(lambda url: "changes=" in url)  # it follows when one rests
    raw = parse_qs(urlsplit(page.url).query)["changes"][0]
    assert Interventions.from_dict(json.loads(raw)) == changes
    choose_exhibit(page, "steps")
    assert page.locator("#hl-changed").is_visible()
    score = found.search.hypotheses[0].score
    assert f"{score:.3f}".replace("-", "−") in page.locator("#hl-hypotheses").text_content()

    assert page.errors == []
    page = open_stage(f"?{urlsplit(page.url).query}")  # the address restores it
    assert "2 heads off" in page.locator("#hl-changed").text_content()
    page.click("#hl-changed button")
    page.wait_for_selector("#hl-changed", state="hidden")
    page.wait_for_url(lambda url: "changes=" not in url)
    score = original.search.hypotheses[0].score
    assert f"{score:.3f}".replace("-", "−") in page.locator("#hl-hypotheses").text_content()
    assert page.errors == []


# --------------------------------------------------------------------------------- the questions


def test_in_turns_every_head_is_switched_off_once(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "ENOUGH", 0.0)
    heads, changes, at = [], [], 0
    while at is not None:
        found = heads_off(explainer, Request(SENTENCE, DecodeConfig()), Arguments({"first": at}))
        heads, changes = heads + found["heads"], changes + found["changes"]
        assert found["count"] == len(all_heads(explainer.model.config))
        at = found["next"]
    assert tuple(map(tuple, heads)) == all_heads(explainer.model.config)
    whole = rank_heads(explainer, explainer.explain(SENTENCE, DecodeConfig()))
    np.testing.assert_allclose(changes, whole.totals, atol=1e-4)
    for at in (-1, len(heads), 0.5, None):
        with pytest.raises(PageError):
            heads_off(explainer, Request(SENTENCE, DecodeConfig()), Arguments({"first": at}))


def test_the_drawn_order_is_another_one_where_there_is_one() -> None:
    for ids in ([5, 2], [5, 5, 2], [5, 6, 2]):
        for seed in range(30):
            drawn = _other_order(np.array(ids), Mulberry32(seed))
            assert np.array(ids)[drawn].tolist() != ids
    assert _other_order(np.array([5, 5]), Mulberry32(1)).size == 2


def test_what_is_one_sentences_does_not_reach_others(explainer: Explainer) -> None:
    """Padding is not a word that trades places, and a painted cell may be another text's."""
    own = replace(UNORDERED, padding=4, cells=(("encoder_self", 9, 9, False),))
    both = [Request(SENTENCE, DecodeConfig(), interventions=one) for one in (own, UNORDERED)]
    one, other = (equivariance(explainer, request, Arguments({"seed": 1})) for request in both)
    assert one == other


@pytest.mark.parametrize("name", PAIRS["en"])
def test_a_pair_has_the_same_tokens_in_every_language(explainer: Explainer, name: str) -> None:
    assert all(of_one.keys() == PAIRS["en"].keys() for of_one in PAIRS.values())
    one, other = (sorted(LANGUAGES["de"].words.findall(text)) for text in PAIRS["de"][name])
    assert one == other
    write = explainer.tokenizer.encode_target  # as the other direction reads it
    for read, texts in ((explainer.read, PAIRS["en"][name]), (write, PAIRS["zh"][name])):
        one, other = (sorted(read(text).ids.tolist()) for text in texts)
        assert one == other and texts[0] != texts[1]
