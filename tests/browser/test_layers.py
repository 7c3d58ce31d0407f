"""The exhibits about the inside of layers, against the model's own modules."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.labels import lone
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Trace
from tests.browser.conftest import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
TEXT = "The dog bit the man."


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    return explainer.explain(TEXT, DecodeConfig()).trace


def opened(open_page: Open, view: str) -> Watched:
    return open_page(f"?text=The+dog+bit+the+man.&view={view}")


def numbers(text: str) -> list[float]:
    return [
        float(x.replace("−", "-").replace(",", "")) for x in re.findall(r"[−-]?[\d.,]+\d", text)
    ]


def test_the_weights_add_up_to_the_models(open_page: Open, explainer: Explainer) -> None:
    watched = opened(open_page, "flow")
    page = watched.page
    page.wait_for_selector("#hl-flow-table tbody tr")
    cells = page.locator("#hl-flow-table tbody tr td:nth-child(5)").all_text_contents()
    true = sum(p.numel() for p in explainer.model.parameters())
    assert sum(int(cell.replace(",", "")) for cell in cells) == true
    assert f"{true:,}" in (page.locator("#hl-flow-total").text_content() or "")
    page.check("#hl-flow-norm input[value=pre]")  # what the lead proposes
    page.wait_for_function(
        "() => document.querySelector('#hl-flow-formula').textContent.includes('x + Sublayer')"
    )
    assert watched.errors == []


def state_vectors(explainer: Explainer, trace: Trace, at: int) -> dict[str, np.ndarray]:
    """Layer 1 of the encoder at one position, by torch alone: entering, added, after."""
    layer = explainer.model.encoder[0]
    x = torch.tensor(trace.encoder_states[0])
    n, d = x.shape
    attention, heads = layer.self_attention, explainer.model.config.n_heads
    parts = [
        F.linear(x, m.weight, m.bias).view(n, heads, d // heads).transpose(0, 1)
        for m in (attention.query, attention.key, attention.value)
    ]
    context = F.scaled_dot_product_attention(*parts).transpose(0, 1).reshape(n, d)
    added = F.linear(context, attention.output.weight, attention.output.bias)
    norm = layer.self_attention_residual.norm
    after = F.layer_norm(x + added, (d,), norm.weight, norm.bias)
    return {k: v[at].numpy() for k, v in (("before", x), ("adds", added), ("after", after))}


def test_lengths_along_the_stack(open_page: Open, explainer: Explainer, trace: Trace) -> None:
    watched = opened(open_page, "stream")
    page = watched.page
    page.click("#hl-src [data-index='1']")
    page.wait_for_function(
        "() => document.querySelector('#hl-stream-at')?.textContent.includes('dog')"
    )
    first = page.locator(".hl-stream-part").first
    found = [float(x) for x in first.locator("b").all_text_contents()]
    true = state_vectors(explainer, trace, 1)
    expected = [float(np.linalg.norm(true[name])) for name in ("before", "adds", "after")]
    assert found == pytest.approx(expected, abs=0.006)
    assert page.locator(".hl-stream-part").count() == 6
    first.click()
    page.wait_for_function(
        "() => document.querySelector('#hl-stream-name').textContent.includes('layer 1')"
    )
    total = true["before"] + true["adds"]
    said = page.locator("#hl-stream-strips figure").first.locator("small").text_content() or ""
    assert numbers(said) == pytest.approx([total.mean(), total.var()], abs=6e-4)
    formula = page.locator("#hl-stream-formula").text_content() or ""
    assert numbers(formula.split("The model has")[1])[0] == pytest.approx(
        true["after"][0], abs=6e-5
    )
    assert watched.errors == []


def test_the_lens_and_the_neighbours(open_page: Open, explainer: Explainer, trace: Trace) -> None:
    watched = opened(open_page, "lens")
    page = watched.page
    page.wait_for_selector("#hl-lens-table tbody tr")
    step = 2
    for _ in range(step):
        page.click("[data-go='forward']")
    page.wait_for_function(
        "() => document.querySelector('#hl-lens-name').textContent.includes('3 of')"
    )
    table = explainer.model.embedding.token.weight
    states = torch.tensor(trace.decoder_states[:, step])
    log_probs = F.linear(states, table).log_softmax(-1)
    best = [lone(explainer.tokenizer.piece(int(i))) for i in log_probs.argmax(-1)]
    rows = page.locator("#hl-lens-table tbody tr td:nth-child(2) .hl-token").all_text_contents()
    assert rows == [label.line for label in reversed(best)]
    chance = page.locator("#hl-lens-table tbody tr td:nth-child(2)").first.text_content() or ""
    assert numbers(chance)[-1] == pytest.approx(100 * log_probs[-1].exp().max().item(), abs=0.06)
    page.wait_for_selector("#hl-lens-near li")
    cosines = [float(x) for x in page.locator("#hl-lens-near b").all_text_contents()]
    chosen = int(trace.src.ids[0 if "The" in page.locator("#hl-lens-word").inner_text() else 1])
    with torch.inference_mode():
        all_ = F.cosine_similarity(table[chosen], table, dim=-1)
    all_ = all_.clone()
    all_[[chosen, *explainer.tokenizer.special_ids]] = -2
    assert cosines == pytest.approx(all_.topk(10).values.tolist(), abs=6e-4)
    assert watched.errors == []
