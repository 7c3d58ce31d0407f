"""Dropout: on the model's own numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorer.words import WORDS
from model.explain import Explainer
from tests.stage import Stage

Open = Callable[..., Stage]
SENTENCE = "Where is the station?"


def test_dropout_is_on_the_models_own_numbers(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage("?view=dropout").translate(SENTENCE)
    page.locator("#hl-src .hl-token").nth(3).click()
    page.unfold("dropout", "numbers")
    page.unfold("dropout", "reading")
    wanted = explainer.explain(SENTENCE).trace.encoder_states[0, 3, :16]
    page.wait_for_function(
        "(w) => document.querySelector('.hl-dropout-numbers td:nth-child(2)')?.textContent === w",
        arg=f"{wanted[0]:.4f}".replace("-", "−"),
    )

    def column(n: int) -> np.ndarray:
        cells = page.locator(f".hl-dropout-numbers td:nth-child({n})").all_text_contents()
        return np.array([float(cell.replace("−", "-")) for cell in cells])

    np.testing.assert_allclose(column(2), wanted, atol=6e-5)
    page.fill(".hl-field-share input[type=range]", "0.3")
    page.wait_for_function(
        "() => document.querySelector('.hl-dropout-numbers').textContent.includes('× 1.429')"
    )
    after, kept = column(4), column(4) != 0
    assert 0 < kept.sum() < len(kept)
    np.testing.assert_allclose(after[kept], wanted[kept] / 0.7, atol=6e-5)
    again = page.locator("#panel-dropout button", has_text=WORDS["dropout.again"].en)
    again.evaluate("(button) => { button.click(); button.click(); }")  # before the next drawing
    page.wait_for_selector("#panel-dropout .hl-reading:has-text('seed 3')")
    assert page.errors == []
