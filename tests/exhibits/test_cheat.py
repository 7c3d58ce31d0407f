"""The decoder that cheats: the page's four columns are four runs of the models."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest

from explorer.words import WORDS
from model.explain import Explainer
from model.labs import cheat
from model.trace import Floats
from tests.stage import Stage

Open = Callable[..., Stage]
SENTENCE = "We are waiting for him to make another decision."
DECODERS = ("shipped", "unmasked", "cheater", "blindfold")


def runs_of(explainer: Explainer, text: str) -> dict[str, Floats]:
    """Log-probs of the model's own translation, by decoder."""
    ids = explainer.explain(text).trace.tgt_out.ids.tolist()
    other = cheat.cheater(explainer)
    return {
        "shipped": explainer.trace(text, ids).log_prob,
        "unmasked": explainer.trace(text, ids, interventions=cheat.UNMASKED).log_prob,
        "cheater": other.trace(text, ids, interventions=cheat.UNMASKED).log_prob,
        "blindfold": other.trace(text, ids).log_prob,
    }


@pytest.fixture(scope="module")
def runs(explainer: Explainer) -> dict[str, Floats]:
    return runs_of(explainer, SENTENCE)


def opened(open_stage: Open, query: str = "") -> Stage:
    page = open_stage(f"?view=cheat&text={quote(SENTENCE)}{query}")
    page.unfold("cheat", "numbers")
    page.wait_for_selector(".hl-cheat-table tfoot")
    return page


def percents(texts: list[str]) -> list[float]:
    """Probabilities as they are written: "99.9 %", "<0.1 %"."""
    return [float(text.strip().lstrip("<>").rstrip(" %")) for text in texts]


def column(page: Stage, at: int) -> list[float]:
    """The probabilities of one decoder as they are written, in percent."""
    return percents(
        page.locator(f".hl-cheat-table tbody tr td:nth-child({at + 2})").all_text_contents()
    )


def drawn_band(page: Stage, at: int) -> tuple[float, list[float], list[float]]:
    """What the picture has of one decoder: the mean at its head, its texts, its bars by height."""
    band = page.locator(".hl-bands .hl-band").nth(at)
    (mean,) = percents(band.locator(".hl-band-value").all_text_contents())
    texts = percents(band.locator("text:not(:has(tspan))").all_text_contents())
    heights = band.locator("rect").evaluate_all(
        "(all) => all.map((one) => one.height.baseVal.value)"
    )
    return mean, texts, heights


def test_each_column_is_a_run_of_its_decoder(open_stage: Open, runs: dict[str, Floats]) -> None:
    page = opened(open_stage)
    sums = page.locator(".hl-cheat-table tfoot td").all_text_contents()
    for at, name in enumerate(DECODERS):
        np.testing.assert_allclose(column(page, at), 100 * np.exp(runs[name]), atol=0.11)
        assert float(sums[at + 1].replace("−", "-")) == pytest.approx(runs[name].sum(), abs=6e-3)
        named = page.locator(".hl-bands .hl-band").nth(at).locator("tspan").nth(1)
        assert (named.text_content() or "").strip() == WORDS[f"cheat.{name}"].en
        mean, texts, heights = drawn_band(page, at)
        assert mean == pytest.approx(100 * np.exp(runs[name]).mean(), abs=0.11)
        np.testing.assert_allclose(texts, 100 * np.exp(runs[name]), atol=0.11)
        shares = np.exp(runs[name])
        np.testing.assert_allclose(heights / np.max(heights), shares / shares.max(), atol=1e-3)
    swapped = 100 * np.exp(runs["cheater"])
    assert not np.allclose(column(page, 0), swapped, atol=0.11), "columns could be exchanged"
    assert page.errors == []


def test_a_row_chooses_its_step(open_stage: Open) -> None:
    page = opened(open_stage)
    page.locator(".hl-cheat-table tbody tr").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#hl-slider').value === '3'")
    page.wait_for_selector(".hl-cheat-table tbody tr:nth-child(3).hl-chosen")
    page.click(".hl-bands-column[data-at='1']")
    page.wait_for_selector(".hl-cheat-table tbody tr:nth-child(2).hl-chosen")


def test_low_bands_say_the_chosen_value_in_their_heads(
    open_stage: Open, explainer: Explainer
) -> None:
    text = "Why do we work? and I told him that I had waited at the station all day."
    size = {"viewport": {"width": 1280, "height": 720}}
    page = open_stage(f"?view=cheat&size=projector&step=2&text={quote(text)}", **size)
    page.wait_for_selector(".hl-bands .hl-band")
    token = page.locator("#hl-tgt .hl-token > span").all_text_contents()[2]
    for at, name in enumerate(DECODERS):
        said = page.locator(".hl-bands .hl-band").nth(at).locator("text.hl-here[text-anchor=end]")
        (shown,) = said.all_text_contents()
        assert shown.startswith(f"{token} ")
        share = 100 * np.exp(runs_of(explainer, text)[name][1])
        assert percents([shown.removeprefix(token)])[0] == pytest.approx(share, abs=0.11)
