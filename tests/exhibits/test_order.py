"""The model without word order, on the page: its runs, its encoder and two sentences that are one
without positions, against the model."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest
import torch

from explorer.words import WORDS
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.explain import Explainer
from model.labs.differences import text_difference
from tests.browsing import written
from tests.examples import SENTENCES, first
from tests.stage import Stage

Open = Callable[..., Stage]
TEXT = "The dog bit the man."


def opened(open_stage: Open, text: str = TEXT, show: str = "runs", query: str = "") -> Stage:
    page = open_stage(f"?view=order&order.show={show}&text={quote(text)}{query}")
    shown = "(text) => document.body.dataset.text === text"  # not the example before it
    page.wait_for_function(shown, arg=text)
    page.unfold("order", "numbers")
    return page


def test_before_and_after_on_the_page_are_the_models(
    open_stage: Open, explainer: Explainer
) -> None:
    changed = Interventions(positions="none")

    def loses_words(text: str) -> bool:
        both = (explainer.explain(text, interventions=one) for one in (UNTOUCHED, changed))
        parts = text_difference(*(one.trace.tgt_out.text for one in both))
        return any(what == "first" for what, _ in parts)

    text = first("without positions words of the translation go", loses_words, (TEXT, *SENTENCES))
    page = opened(open_stage, text)
    page.wait_for_selector(".hl-order-tokens")
    before = explainer.explain(text, DecodeConfig())
    after = explainer.explain(text, DecodeConfig(), interventions=changed)
    texts = page.locator(".hl-order-text").all_text_contents()
    assert texts == [before.trace.tgt_out.text, after.trace.tgt_out.text]
    assert texts[0] != texts[1]
    marked = page.locator(".hl-order-text").first.locator("del").all_text_contents()
    assert marked and all(part in texts[0] for part in marked)
    same = explainer.trace(text, before.trace.tgt_out.ids, interventions=changed)
    sums = page.locator(".hl-order-tokens tfoot td").all_text_contents()
    for column, expected in enumerate((before.trace.log_prob, same.log_prob), 2):
        cells = page.locator(f".hl-order-tokens tbody tr > :nth-child({column})")
        shown = [written(text) for text in cells.all_text_contents()]
        np.testing.assert_allclose(shown, expected, atol=6e-4)
        assert written(sums[column - 1]) == pytest.approx(float(expected.sum()), abs=1e-3)
    assert page.errors == []


def test_positions_are_shifted_as_far_as_it_says(open_stage: Open, explainer: Explainer) -> None:
    ids = explainer.explain(TEXT, DecodeConfig()).trace.tgt_out.ids
    sums = {}
    for shift in (3, 40):
        page = opened(open_stage, query=f"&order.positions=shifted&order.shift={shift}")
        changed = Interventions(positions="shifted", shift=shift)
        expected = float(explainer.trace(TEXT, ids, interventions=changed).log_prob.sum())
        sums[shift] = written(page.locator(".hl-order-tokens tfoot td").nth(2).text_content())
        assert sums[shift] == pytest.approx(expected, abs=1e-3)
    assert abs(sums[3] - sums[40]) > 0.01, "how far makes no difference: the test sees nothing"


def test_the_encoder_without_positions_on_the_page(open_stage: Open, explainer: Explainer) -> None:
    """Measured by the page; and by torch, on the order that the page shows."""
    page = opened(open_stage, show="encoder")
    page.wait_for_selector(".hl-order-equivariance dd")
    lines = page.locator(".hl-order-equivariance .hl-order-line")
    own, moved = (lines.nth(i).locator(".hl-token").all_text_contents() for i in (0, 1))
    assert sorted(own) == sorted(moved) and own != moved
    shown = {
        name: written(page.locator(f"dd[data-found={name}]").text_content() or "nan")
        for name in ("none", "kept")
    }
    ids = torch.tensor(explainer.read(TEXT).ids)
    drawn = torch.tensor(np.random.default_rng(1).permutation(len(ids)))
    for name in ("none", "kept"):
        change = Interventions(positions=name)  # type: ignore[arg-type]
        with torch.inference_mode():
            a = explainer.model.encode(ids[None], explainer.model.edits(change))[0][0]
            b = explainer.model.encode(ids[drawn][None], explainer.model.edits(change))[0][0]
        off = float((b[drawn.argsort()] - a).abs().max())
        assert shown[name] == pytest.approx(off, rel=0.01, abs=3e-6)
    assert shown["none"] < 1e-5 < 0.1 < shown["kept"]
    finding = page.inner_text(".hl-order .hl-finding")
    for name in ("none", "kept"):
        assert (page.locator(f"dd[data-found={name}]").text_content() or "?") in finding


def test_trying_what_the_lead_says(open_stage: Open, explainer: Explainer) -> None:
    """The lead asks who bit whom: the view opens with it, and two sentences become one."""
    assert "who bit whom" in WORDS["order.lead"].en
    page = opened(open_stage, show="pair")
    page.wait_for_selector("button.hl-order-dog[aria-pressed=true]")
    page.wait_for_selector(".hl-order-pairs td")
    cells = {
        row: page.locator(f"tr.hl-order-{row} td > span").all_text_contents()
        for row in ("kept", "none")
    }
    for i, text in enumerate((TEXT, "The man bit the dog.")):
        for row in ("kept", "none"):
            change = Interventions(positions=row, sides="source")  # type: ignore[arg-type]
            found = explainer.explain(text, DecodeConfig(), interventions=change)
            assert cells[row][i] == found.trace.tgt_out.text
    # One and the same without positions, whatever the weights; with them as the model knows it.
    assert cells["none"][0] == cells["none"][1]
    finding = page.inner_text(".hl-order .hl-finding")
    kept = "alike" if cells["kept"][0] == cells["kept"][1] else "other"
    assert finding == WORDS[f"order.finding.pair.{kept}.alike"].en


def test_the_whole_page_can_go_without_and_back(open_stage: Open) -> None:
    page = opened(open_stage)
    page.wait_for_selector(".hl-order-tokens")
    page.unfold("order", "adjust")
    page.get_by_role("button", name=WORDS["order.whole"].en).click()
    undo = page.get_by_role("button", name=WORDS["order.undo"].en)
    undo.wait_for(timeout=90_000)
    # The page's tokens are now those of the changed model; numbers of others do not stand below.
    page.get_by_text(WORDS["order.tokens"].en).wait_for(timeout=90_000)
    assert page.locator(".hl-order-tokens").count() == 0
    assert page.locator(".hl-order-maps").count() == 0
    undo.click()
    undo.wait_for(state="hidden")
    page.wait_for_selector(".hl-order-tokens")
    assert page.errors == []


def test_the_finding_says_what_became_of_the_translation(
    open_stage: Open, explainer: Explainer
) -> None:
    page = opened(open_stage)
    page.wait_for_selector(".hl-order-tokens")
    sums = page.locator(".hl-order-tokens tfoot td").all_text_contents()
    finding = page.locator(".hl-order .hl-finding")
    says = finding.text_content() or ""
    assert finding.get_attribute("aria-live") == "polite"
    assert sums[1] in says and sums[2] in says
    changed = Interventions(positions="none")
    both = [explainer.explain(TEXT, interventions=one) for one in (UNTOUCHED, changed)]
    is_same = both[0].trace.tgt_out.text == both[1].trace.tgt_out.text
    assert ("translation stays" in says) == is_same and ("changes" in says) == (not is_same)
