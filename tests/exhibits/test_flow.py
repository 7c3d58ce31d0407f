"""Shapes and weights on the page, against the model's own."""

from __future__ import annotations

from collections.abc import Callable

from model.explain import Explainer
from tests.odd import ODD
from tests.stage import Stage, expect, show, unfold

Open = Callable[..., Stage]


def test_the_weights_add_up_to_the_models(open_stage: Open, explainer: Explainer) -> None:
    watched = open_stage("?text=The+dog+bit+the+man.&view=flow")
    page = watched.page
    unfold(page, "flow", "numbers")
    page.wait_for_selector(".hl-flow-table tbody tr")
    cells = page.locator(".hl-flow-table tbody tr td:last-child").all_text_contents()
    true = sum(p.numel() for p in explainer.model.parameters())
    assert sum(int(cell.replace(",", "")) for cell in cells) == true
    assert f"{true:,}" in (page.locator(".hl-flow-total").text_content() or "")
    before = page.locator(".hl-flow-step text:first-child").all_text_contents()
    page.check(".hl-field-norm input[value=pre]")  # what the lead proposes
    page.wait_for_function("document.querySelector('.hl-flow h2').textContent.includes('Pre-norm')")
    after = page.locator(".hl-flow-step text:first-child").all_text_contents()
    # Each sub-layer begins with its norm, and each stack ends with one more.
    assert after.count("LayerNorm") == before.count("LayerNorm") and after != before
    assert after.count("final LayerNorm") == 2 and before.count("final LayerNorm") == 0
    unfold(page, "flow", "reading")
    page.wait_for_selector("#panel-flow .hl-reading code:has-text('x + Sublayer')")
    assert watched.errors == []


def test_counts_that_are_changed_together_do_not_agree(open_stage: Open) -> None:
    """The counts are products of the shapes, made in the browser: no server can say them."""
    page = open_stage("?view=steps").page
    page.evaluate(
        """() => {
            const parse = JSON.parse;
            JSON.parse = (text, ...rest) => {
                const found = parse(text, ...rest);
                if (!found?.payload?.parts) return found;
                found.payload.counted *= 1.5;
                for (const part of found.payload.parts) part.numbers *= 1.5;
                return found;
            };
        }"""
    )
    show(page, "flow")
    finding = page.locator("#panel-flow .hl-finding")
    expect(finding).to_contain_text("9,113,600")
    assert "differ" in finding.inner_text()
    unfold(page, "flow", "numbers")
    page.wait_for_selector(".hl-flow-total")
    assert "9,113,600" in page.inner_text(".hl-flow-total")  # the card's number
    assert "13,670,400" in page.inner_text(".hl-flow-total")
    assert "differ" in page.inner_text(".hl-flow-total")


def test_the_finding_is_the_models_for_odd_sentences(
    open_stage: Open, explainer: Explainer
) -> None:
    """The tokens of the sentence as the tokenizer cuts it, and the sizes of the model."""
    watched = open_stage("?view=flow")
    width = explainer.model.config.d_model
    for text in ODD:
        watched.translate(text)
        count = len(explainer.read(text))
        page = watched.page
        finding = page.locator("#panel-flow .hl-finding")
        expect(finding).to_contain_text(f"{count} tokens become {count} × {width} numbers")
        assert len(finding.inner_text().split()) <= 20
    assert watched.errors == []
