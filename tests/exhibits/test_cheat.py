"""The decoder that cheats: the page's four columns are four runs of the models."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page

from explorer.words import WORDS
from model import cheat
from model.explain import Explainer
from model.trace import Floats
from tests.browsing import Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "Why do we work?"
DECODERS = ("shipped", "unmasked", "cheater", "blindfold")


@pytest.fixture(scope="module")
def runs(explainer: Explainer) -> dict[str, Floats]:
    """Log-probs of the model's own translation, by decoder."""
    ids = explainer.explain(SENTENCE).trace.tgt_out.ids.tolist()
    other = cheat.cheater(explainer)
    return {
        "shipped": explainer.trace(SENTENCE, ids).log_prob,
        "unmasked": explainer.trace(SENTENCE, ids, interventions=cheat.UNMASKED).log_prob,
        "cheater": other.trace(SENTENCE, ids, interventions=cheat.UNMASKED).log_prob,
        "blindfold": other.trace(SENTENCE, ids).log_prob,
    }


def opened(open_page: Open, query: str = "") -> Watched:
    watched = open_page(f"?view=cheat&text={quote(SENTENCE)}{query}")
    watched.page.wait_for_selector(".hl-cheat-table tfoot", timeout=60_000)
    return watched


def column(page: Page, at: int) -> list[float]:
    """The probabilities of one decoder as they are written, in percent."""
    cells = page.locator(f".hl-cheat-table tbody tr td:nth-child({at + 2}) b")
    return [float(text.lstrip("<>").rstrip(" %")) for text in cells.all_text_contents()]


def test_each_column_is_a_run_of_its_decoder(open_page: Open, runs: dict[str, Floats]) -> None:
    watched = opened(open_page)
    page = watched.page
    sums = page.locator(".hl-cheat-table tfoot td").all_text_contents()
    for at, name in enumerate(DECODERS):
        np.testing.assert_allclose(column(page, at), 100 * np.exp(runs[name]), atol=0.11)
        assert float(sums[at + 1].replace("−", "-")) == pytest.approx(runs[name].sum(), abs=6e-3)
    means = [f"{100 * np.exp(runs[name]).mean():.1f} %" for name in DECODERS]
    assert all(mean in page.locator(".hl-cheat-says").inner_text() for mean in means)
    swapped = 100 * np.exp(runs["cheater"])
    assert not np.allclose(column(page, 0), swapped, atol=0.11), "columns could be exchanged"
    assert watched.errors == []


def test_what_the_lead_says_can_be_seen(open_page: Open, runs: dict[str, Floats]) -> None:
    """Trained without the mask, the right words become likelier; masked again, less so."""
    page = opened(open_page).page
    assert page.locator("#panel-cheat").get_by_text(WORDS["cheat.lead"].en).is_visible()
    shipped, _, cheater, blindfold = (np.mean(column(page, at)) for at in range(4))
    assert cheater > shipped > blindfold


def test_a_row_chooses_its_step(open_page: Open) -> None:
    page = opened(open_page).page
    page.locator(".hl-cheat-table tbody tr").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#hl-slider').value === '3'")
    page.wait_for_selector(".hl-cheat-table tbody tr:nth-child(3).hl-chosen")


def test_it_follows_the_translation_on_show(open_page: Open) -> None:
    page = opened(open_page).page
    page.fill("#hl-text", "Where is the station?")
    page.click("#hl-translate")
    page.wait_for_function(
        """() => document.querySelector('#hl-src').textContent.includes('station')
            && document.querySelectorAll('.hl-cheat-table tbody tr').length
                === document.querySelectorAll('#hl-tgt .hl-token').length - 1"""
    )
    shown = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    page.wait_for_function(
        "(n) => document.querySelectorAll('.hl-cheat-table tbody .hl-token').length === n",
        arg=len(shown),
    )


def test_it_is_said_in_chinese(open_page: Open) -> None:
    page = opened(open_page, "&lang=zh").page
    heads = page.locator(".hl-cheat-table thead th").all_text_contents()
    assert heads == [WORDS[f"cheat.{name}"].zh for name in ("token", *DECODERS)]


def test_a_failing_server_can_be_asked_again(open_page: Open) -> None:
    check_failing(open_page, "cheat", ".hl-cheat-table")
