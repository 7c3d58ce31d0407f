"""The exhibits about the inside of layers, against the model's own modules."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F

from explorer.labels import lone
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Trace
from tests.browsing import Watched

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


def test_the_lens_and_the_neighbours(open_page: Open, explainer: Explainer, trace: Trace) -> None:
    watched = opened(open_page, "lens")
    page = watched.page
    page.wait_for_selector(".hl-lens-table tbody tr")
    step = 2
    for _ in range(step):
        page.click("[data-go='forward']")
    page.wait_for_function(
        "() => document.querySelector('.hl-lens-name').textContent.includes('3 of')"
    )
    table = explainer.model.embedding.token.weight
    states = torch.tensor(trace.decoder_states[:, step])
    log_probs = F.linear(states, table).log_softmax(-1)
    best = [lone(explainer.tokenizer.piece(int(i))) for i in log_probs.argmax(-1)]
    rows = page.locator(".hl-lens-table tbody tr td:nth-child(2) .hl-token").all_text_contents()
    assert rows == [label.line for label in reversed(best)]
    chance = page.locator(".hl-lens-table tbody tr td:nth-child(2)").first.text_content() or ""
    assert numbers(chance)[-1] == pytest.approx(100 * log_probs[-1].exp().max().item(), abs=0.06)
    page.wait_for_selector(".hl-lens-near li")
    cosines = [float(x) for x in page.locator(".hl-lens-near b").all_text_contents()]
    chosen = int(trace.src.ids[0 if "The" in page.locator(".hl-lens-word").inner_text() else 1])
    with torch.inference_mode():
        all_ = F.cosine_similarity(table[chosen], table, dim=-1)
    all_ = all_.clone()
    all_[[chosen, *explainer.tokenizer.special_ids]] = -2
    assert cosines == pytest.approx(all_.topk(10).values.tolist(), abs=6e-4)
    assert watched.errors == []
