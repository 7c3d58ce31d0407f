"""The residual stream on the page, against the model's own modules."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Trace
from tests.browsing import Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
TEXT = "The dog bit the man."


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    return explainer.explain(TEXT, DecodeConfig()).trace


def numbers(text: str) -> list[float]:
    return [
        float(x.replace("−", "-").replace(",", "")) for x in re.findall(r"[−-]?[\d.,]+\d", text)
    ]


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
    watched = open_page("?text=The+dog+bit+the+man.&view=stream")
    page = watched.page
    page.click("#hl-src [data-index='1']")
    page.wait_for_function(
        "() => document.querySelector('.hl-stream-at')?.textContent.includes('dog')"
    )
    first = page.locator(".hl-stream-part").first
    found = [float(x) for x in first.locator("b").all_text_contents()]
    true = state_vectors(explainer, trace, 1)
    expected = [float(np.linalg.norm(true[name])) for name in ("before", "adds", "after")]
    assert found == pytest.approx(expected, abs=0.006)
    assert page.locator(".hl-stream-part").count() == 6
    first.click()
    page.wait_for_function(
        "() => document.querySelector('.hl-stream-name')?.textContent.includes('layer 1')"
    )
    total = true["before"] + true["adds"]
    said = page.locator(".hl-stream figure").first.locator("small").text_content() or ""
    assert numbers(said) == pytest.approx([total.mean(), total.var()], abs=6e-4)
    formula = page.locator(".hl-stream-formula").text_content() or ""
    assert numbers(formula.split("The model has")[1])[0] == pytest.approx(
        true["after"][0], abs=6e-5
    )
    assert watched.errors == []


def test_epsilon_is_the_models(open_page: Open, explainer: Explainer) -> None:
    page = open_page("?text=The+dog+bit+the+man.&view=stream").page
    formula = page.locator(".hl-stream-formula").text_content() or ""
    eps = explainer.model.encoder[0].self_attention_residual.norm.eps
    assert float(formula.split("variance + ")[1].split(")")[0]) == eps


def test_a_failing_server_is_told_and_asked_again(open_page: Open) -> None:
    check_failing(open_page, "stream", ".hl-stream-part")
