"""Experiments on the running model: the page's numbers are those of the model, run on its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page

from explorer.exhibits.experiments import before_after, difference, ranked_heads
from explorer.question import Arguments
from explorer.request import PageError, Request
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.experiments import all_heads
from model.explain import Explainer
from model.trace import Explanation
from tests.browser.conftest import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "Why do we work?"
CHEAT = Interventions(causal_mask=False)
LEAK = Interventions(padding=4, padding_mask=False)
HEAD = {"kind": "cross", "layer": 2, "head": 6}


@pytest.fixture(scope="module")
def original(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


def written(text: str) -> float:
    """A number as the page writes it."""
    return float(text.replace("−", "-"))


def laboratory(open_page: Open, query: str = "") -> Watched:
    watched = open_page(f"?view=experiments&text={quote(SENTENCE)}{query}")
    watched.page.wait_for_selector("#hl-experiments-tokens tfoot", timeout=60_000)
    return watched


def wait_for_change(page: Page) -> None:
    """Until the page has the answer to another experiment than the one before."""
    page.wait_for_function(
        "document.querySelectorAll('#hl-experiments-story p').length > 0 && !document"
        ".querySelector('#hl-experiments-story').textContent.startsWith('Nothing is changed')",
        timeout=60_000,
    )


def columns(page: Page) -> np.ndarray:
    """before, after and change of each token, then their sums: (T + 1, 3)."""
    rows = page.locator("#hl-experiments-tokens :is(tbody, tfoot) tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3)"
        ".map((cell) => cell.textContent))"
    )
    return np.array([[written(text) for text in row] for row in rows])


def wanted(explainer: Explainer, original: Explanation, changes: Interventions) -> np.ndarray:
    ids = original.trace.tgt_out.ids.tolist()
    after = explainer.trace(SENTENCE, ids, interventions=changes).log_prob
    found = np.stack((original.trace.log_prob, after, after - original.trace.log_prob), axis=1)
    return np.vstack((found, found.sum(0)))


# ------------------------------------------------------------------------------- the page's numbers


@pytest.mark.parametrize(("start", "changes"), [("cheat", CHEAT), ("leak", LEAK)])
def test_log_probs_before_and_after(
    open_page: Open, explainer: Explainer, original: Explanation, start: str, changes: Interventions
) -> None:
    watched = laboratory(open_page)
    page = watched.page
    np.testing.assert_allclose(columns(page)[:, 2], 0, atol=6e-4)
    page.click(f"[data-start='{start}']")
    wait_for_change(page)
    expected = wanted(explainer, original, changes)
    np.testing.assert_allclose(columns(page), expected, atol=6e-4)
    assert expected[-1, 2] < -1  # the twin: an answer of the untouched model would be refused
    if start == "cheat":
        top = explainer.trace(SENTENCE, original.trace.tgt_out.ids, interventions=changes)
        chance = f"({np.exp(top.top_log_probs[0, 0]) * 100:.1f} %)"
        story = page.locator("#hl-experiments-story").text_content()
        assert "</s>" in story and chance in story and "trained with the mask" in story
    assert watched.errors == []


def test_next_tokens_of_the_chosen_step(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_page, "&step=2").page
    page.click("[data-start='unscaled']")
    wait_for_change(page)
    ids = original.trace.tgt_out.ids.tolist()
    changed = explainer.trace(SENTENCE, ids, interventions=Interventions(scaling=False))
    lists = page.locator("#hl-experiments-next ol")
    for which, trace in enumerate((original.trace, changed)):
        shown = lists.nth(which).locator("b").all_text_contents()
        chances = np.exp(trace.top_log_probs[1, :8]) * 100
        assert shown == [f"{c:.1f} %" if c >= 0.05 else "<0.1 %" for c in chances]


def test_attention_of_one_head_under_both(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_page, "&kind=cross&layer=2&head=5&step=1").page
    page.click("[data-start='leak']")
    wait_for_change(page)
    ids = original.trace.tgt_out.ids.tolist()
    before, after = (
        explainer.trace(SENTENCE, ids, interventions=changes).cross.weights[1, 4]
        for changes in (UNTOUCHED, LEAK)
    )
    page.wait_for_function(  # both maps have the columns of the padding
        "(n) => [...document.querySelectorAll('#hl-experiments-maps canvas')]"
        ".every((canvas) => canvas.width === n)",
        arg=after.shape[1],
    )
    page.locator("[data-map='after'] [role='application']").focus()
    said = page.locator("#hl-experiments-cell")
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
    assert np.abs(after[:, :-4] - before).max() > 0.05


def test_translations_and_their_difference(open_page: Open, explainer: Explainer) -> None:
    page = laboratory(open_page).page
    page.click("[data-start='leak']")
    wait_for_change(page)
    texts = page.locator(".hl-experiments-text span").all_text_contents()
    assert texts[0] == explainer.explain(SENTENCE, DecodeConfig()).trace.tgt_out.text
    changed = explainer.explain(SENTENCE, DecodeConfig(), interventions=LEAK)
    assert texts[1] == changed.trace.tgt_out.text != texts[0]
    gone = page.locator(".hl-experiments-text del").all_text_contents()
    new = page.locator(".hl-experiments-text ins").all_text_contents()
    parts = difference(texts[0], texts[1])
    assert gone == [text for what, text in parts if what == "less"]
    assert new == [text for what, text in parts if what == "more"] != []


def test_the_ranking_equals_one_at_a_time(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    page = laboratory(open_page).page
    page.click("#hl-experiments-rank button")
    page.wait_for_selector(".hl-experiments-worth li", timeout=60_000)
    shown = [written(t) for t in page.locator(".hl-experiments-worth b").all_text_contents()]
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
    names = page.locator("#hl-experiments-heads [data-head]")
    for kind, layer, head in ((*min(alone, key=alone.get),), ("encoder_self", 0, 3)):
        name = names.and_(page.locator(f"[data-head='{kind}.{layer}.{head}']"))
        worth = name.get_attribute("aria-label").rsplit(" ", 1)[1]
        assert written(worth) == pytest.approx(alone[kind, layer, head], abs=6e-4)
    page.fill("#hl-text", "I am a student.")
    page.click("#hl-translate")
    page.wait_for_selector(".hl-experiments-worth", state="hidden")  # another sentence's


def test_a_painted_cell_and_a_row_that_may_read_nothing(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    watched = laboratory(open_page)
    page = watched.page
    field = page.locator("#hl-experiments-paint [role='application']")
    page.locator("#hl-experiments-paint select").select_option("cross")
    field.focus()
    page.keyboard.press("Enter")
    wait_for_change(page)
    changes = Interventions(cells=(("cross", 0, 0, False),))
    expected = wanted(explainer, original, changes)
    np.testing.assert_allclose(columns(page), expected, atol=6e-4)
    for _ in range(len(original.trace.src) - 1):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    page.wait_for_function(
        "document.querySelector('#hl-experiments-trouble').textContent.includes('Nothing is left')"
    )
    assert page.locator("#hl-experiments-tokens tbody tr").count() == len(expected) - 1
    page.click("#hl-experiments-clear")
    page.wait_for_function("document.querySelector('#hl-experiments-trouble').textContent === ''")
    np.testing.assert_allclose(columns(page)[:, 2], 0, atol=6e-4)
    assert watched.errors == []


# ------------------------------------------------------------------ all exhibits, all visitors


def test_the_changed_model_in_all_exhibits_and_back(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    watched = laboratory(open_page)
    page = watched.page
    page.click("[data-head='cross.2.6'][aria-pressed]")
    page.click("[data-head='cross.1.7'][aria-pressed]")
    assert page.locator("#hl-changed").is_hidden()
    page.click("#hl-experiments-everywhere")
    page.wait_for_selector("#hl-changed:not([hidden])")
    changes = Interventions(heads_off=(("cross", 2, 6), ("cross", 1, 7)))
    found = explainer.explain(SENTENCE, DecodeConfig(), interventions=changes)
    assert "2 × head off" in page.locator("#hl-changed").text_content()
    raw = parse_qs(urlsplit(watched.settle().url).query)["changes"][0]
    assert Interventions.from_dict(json.loads(raw)) == changes
    page.click("[data-group='decoding']")
    page.click("#tab-steps")
    assert page.locator("#hl-changed").is_visible()
    score = found.search.hypotheses[0].score
    assert f"{score:.3f}".replace("-", "−") in page.locator("#hl-hypotheses").text_content()

    again = open_page(f"?{urlsplit(page.url).query}")  # the address restores it
    assert "2 × head off" in again.page.locator("#hl-changed").text_content()
    page.click("#hl-changed button")
    page.wait_for_selector("#hl-changed", state="hidden")
    assert "changes=" not in watched.settle().url
    score = original.search.hypotheses[0].score
    assert f"{score:.3f}".replace("-", "−") in page.locator("#hl-hypotheses").text_content()
    assert watched.errors == [] and again.errors == []


def test_two_visitors_with_different_interventions(
    open_page: Open, explainer: Explainer, original: Explanation
) -> None:
    """Both at once; each sees what it sees alone, and a third sees the untouched model."""
    first, second, third = (laboratory(open_page) for _ in range(3))
    for turn in range(3):  # the requests of all three are under way together
        first.page.click(f"[data-start='{'cheat' if turn != 1 else 'unscaled'}']")
        second.page.click(f"[data-start='{'leak' if turn != 1 else 'blind'}']")
    third.page.click("#hl-experiments-rank button")
    for watched, changes in ((first, CHEAT), (second, LEAK)):
        expected = wanted(explainer, original, changes)
        watched.page.wait_for_function(
            "(sum) => document.querySelector('#hl-experiments-tokens tfoot')"
            "?.textContent.includes(sum)",
            arg=f"{expected[-1, 1]:.3f}".replace("-", "−"),
            timeout=60_000,
        )
        np.testing.assert_allclose(columns(watched.page), expected, atol=6e-4)
        watched.page.click("#hl-experiments-everywhere")
    for watched, changes in ((first, CHEAT), (second, LEAK), (third, UNTOUCHED)):
        page = watched.settle()
        if changes != UNTOUCHED:
            page.wait_for_selector("#hl-changed:not([hidden])")
        alone = explainer.explain(SENTENCE, DecodeConfig(), interventions=changes)
        score = f"{alone.search.hypotheses[0].score:.3f}".replace("-", "−")
        assert score in page.locator("#hl-hypotheses").text_content()
        assert page.locator("#hl-changed").is_hidden() == (changes == UNTOUCHED)
        assert watched.errors == []


# --------------------------------------------------------------------------------- the questions


def test_padding_respected_changes_nothing_and_forgotten_does(explainer: Explainer) -> None:
    request = Request(SENTENCE, DecodeConfig(), interventions=LEAK)
    padding = before_after(explainer, request, Arguments(HEAD))["padding"]
    assert all(0 <= x < 1e-4 for x in padding["respected"]["largest"].values())
    assert padding["respected"]["largest"]["log_prob"] < 1e-5
    assert all(x > 0.1 for x in padding["forgotten"]["largest"].values())
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


def test_difference_by_character() -> None:
    assert difference("abcd", "abxd") == [
        ["same", "ab"],
        ["less", "c"],
        ["more", "x"],
        ["same", "d"],
    ]
    assert difference("ab", "ab") == [["same", "ab"]]
    assert difference("", "") == []
    for a, b in (("我们为什么工作？", "我们为什么工厂工作？"), ("x", "")):
        parts = difference(a, b)
        assert "".join(t for what, t in parts if what != "more") == a
        assert "".join(t for what, t in parts if what != "less") == b


def test_the_ranking_is_that_of_the_wish(explainer: Explainer) -> None:
    found = ranked_heads(explainer, Request(SENTENCE, DecodeConfig()), Arguments({}))
    assert found["changes"] == sorted(found["changes"]) and len(found["heads"]) == 72
    assert len({tuple(head) for head in found["heads"]}) == 72


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
