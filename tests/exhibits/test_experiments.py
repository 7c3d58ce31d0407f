"""Experiments on the running model: the page's numbers are those of the model, run on its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest

from explorer.exchange import turns
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.experiments import before_after, heads_off
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs.ablation import all_heads, rank_heads
from model.labs.differences import text_difference
from model.trace import Explanation
from tests.browsing import written
from tests.examples import first
from tests.stage import Stage, choose_exhibit, expect

Open = Callable[..., Stage]
SENTENCE = "Why do we work?"
CHEAT = Interventions(causal_mask=False)
LEAK = Interventions(padding=4, padding_mask=False)
STARTS = ".hl-experiments-starts select"
FINDING = "#panel-experiments .hl-finding"
BEGIN = f"?view=experiments&text={quote(SENTENCE)}"
HEAD = {"kind": "cross", "layer": 2, "head": 6}


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


@pytest.mark.parametrize(("begun", "changes"), [("cheat", CHEAT), ("leak", LEAK)])
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
    said = page.text_content(FINDING) or ""
    for column in (0, 1):
        assert f"{expected[-1, column]:.3f}".replace("-", "−") in said
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
        explainer.trace(SENTENCE, ids, interventions=changes).cross.weights
        for changes in (UNTOUCHED, LEAK)
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


def test_translations_and_their_difference(open_stage: Open, explainer: Explainer) -> None:
    def written_for(text: str) -> list[str]:
        both = (explainer.explain(text, interventions=changes) for changes in (UNTOUCHED, LEAK))
        return [one.trace.tgt_out.text for one in both]

    def swaps(text: str) -> bool:
        return {"first", "second"} <= {what for what, _ in text_difference(*written_for(text))}

    text = first("padding that is read takes words away and puts others in", swaps)
    page = laboratory(open_stage, text=text)
    start(page, "leak")
    wait_for_change(page)
    texts = page.locator(".hl-experiments-text span").all_text_contents()
    assert texts == written_for(text) and texts[0] != texts[1]
    gone = page.locator(".hl-experiments-text del").all_text_contents()
    new = page.locator(".hl-experiments-text ins").all_text_contents()
    parts = text_difference(texts[0], texts[1])
    assert gone == [text for what, text in parts if what == "first"] != []
    assert new == [text for what, text in parts if what == "second"] != []


def test_the_ranking_equals_one_at_a_time(
    open_stage: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_stage)
    page.click(".hl-experiments-rank .hl-button")
    page.wait_for_selector(".hl-experiments-worth tbody tr")
    shown = [
        written(t)
        for t in page.locator(".hl-experiments-worth tbody td:last-child").all_text_contents()
    ]
    ids = original.trace.tgt_out.ids.tolist()
    total = original.trace.log_prob.sum(dtype=np.float64)
    alone = {
        head: explainer.trace(
            SENTENCE, ids, interventions=Interventions(heads_off=(head,))
        ).log_prob.sum(dtype=np.float64)
        - total
        for head in all_heads(explainer.model.config)
    }
    np.testing.assert_allclose(shown, sorted(alone.values()), atol=6e-4)
    for kind, layer, head in ((*min(alone, key=alone.get),), ("encoder_self", 0, 3)):
        name = page.locator(f".hl-experiments-heads [data-head='{kind}.{layer}.{head}']")
        worth = name.get_attribute("aria-label").rsplit(" ", 1)[1]
        assert written(worth) == pytest.approx(alone[kind, layer, head], abs=6e-4)
    page.fill("#hl-text", "I am a student.")
    page.click("#hl-translate")
    page.wait_for_selector(".hl-experiments-worth", state="hidden")  # another sentence's


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


def test_padding_respected_changes_nothing_and_forgotten_does(explainer: Explainer) -> None:
    request = Request(SENTENCE, DecodeConfig(), interventions=LEAK)
    padding = before_after(explainer, request, Arguments(HEAD))["padding"]
    assert all(0 <= x < 1e-4 for x in padding["respected"]["largest"].values())
    assert padding["respected"]["largest"]["log_prob"] < 1e-5
    assert all(x > 0.01 for x in padding["forgotten"]["largest"].values())
    ids = explainer.explain(SENTENCE, DecodeConfig()).trace.tgt_out.ids.tolist()
    trace = explainer.trace(SENTENCE, ids, interventions=LEAK)
    n = len(trace.src) - 4
    cross = trace.cross.weights[..., n:].sum(-1)
    assert padding["forgotten"]["cross"] == pytest.approx(cross.mean(), abs=1e-6)
    rows = trace.encoder_self.weights[:, :, :n, n:].sum(-1)
    assert padding["forgotten"]["encoder_self"] == pytest.approx(rows.mean(), abs=1e-6)
    assert (
        before_after(explainer, Request(SENTENCE, DecodeConfig()), Arguments(HEAD))["padding"]
        is None
    )


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


def test_what_does_not_exist_is_refused(explainer: Explainer) -> None:
    request = Request(SENTENCE, DecodeConfig())
    for wrong in ({"layer": 99}, {"head": 8}, {"kind": "x"}, {"head": -1}):
        with pytest.raises(PageError):
            before_after(explainer, request, Arguments({**HEAD, **wrong}))
    changes = Interventions(heads_off=(("cross", 7, 0),))
    with pytest.raises(InputError, match="Head 1 of layer 8"):
        before_after(
            explainer, Request(SENTENCE, DecodeConfig(), interventions=changes), Arguments(HEAD)
        )
