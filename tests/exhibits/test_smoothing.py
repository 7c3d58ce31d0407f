"""Label smoothing: losses and gradients against torch, the page's numbers against both."""

from __future__ import annotations

import math
from collections.abc import Callable
from urllib.parse import urlencode

import numpy as np
import pytest
import torch

from model.explain import Explainer
from model.training.loss import smoothed_loss
from tests.stage import Node, Stage, unfold

Open = Callable[..., Stage]
SENTENCE = "Where is the station?"


PARTS = """async ([logits, right, eps]) => {
    const s = await module("explorer/exhibits/smoothing/maths.js");
    const logProbs = s.logSoftmax(logits);
    return {
        loss: s.lossOf(s.summary(logProbs, right), eps),
        gradient: Array.from(logProbs, (lp, i) =>
            s.gradientOf(Math.exp(lp), i === right, eps, logits.length)),
    };
}"""


@pytest.fixture(scope="module")
def logits(explainer: Explainer) -> tuple[np.ndarray, list[int]]:
    ids = explainer.explain(SENTENCE).trace.tgt_out.ids.tolist()
    return explainer.logits(SENTENCE, ids), ids


def reference(row: np.ndarray, right: int, eps: float) -> tuple[float, np.ndarray]:
    z = torch.tensor(row, dtype=torch.float64, requires_grad=True)
    loss = torch.nn.CrossEntropyLoss(label_smoothing=eps)(z[None], torch.tensor([right]))
    loss.backward()
    assert z.grad is not None
    return loss.item(), z.grad.numpy()


@pytest.mark.parametrize("eps", [0.0, 0.1, 0.37])
def test_loss_and_gradient_are_torchs(
    node: Node, logits: tuple[np.ndarray, list[int]], eps: float
) -> None:
    for row, right in zip(*logits, strict=True):
        found = node.run(PARTS, [row.tolist(), right, eps])
        loss, gradient = reference(row, right, eps)
        assert found["loss"] == pytest.approx(loss, abs=1e-9)
        np.testing.assert_allclose(found["gradient"], gradient, atol=1e-9)


def test_the_loss_is_the_trainers(node: Node, logits: tuple[np.ndarray, list[int]]) -> None:
    """With the identity as output matrix, `smoothed_loss` takes logits; here of 503 tokens."""
    rows = torch.tensor(logits[0][:3, [*logits[1][:3], *range(500)]])
    wanted = smoothed_loss(rows, torch.eye(rows.size(1)), torch.arange(3), 0.1).item()
    found = [node.run(PARTS, [row.tolist(), i, 0.1])["loss"] for i, row in enumerate(rows)]
    assert sum(found) == pytest.approx(wanted, abs=1e-5)


def test_a_wrong_share_would_be_noticed(node: Node, logits: tuple[np.ndarray, list[int]]) -> None:
    """eps / (C - 1) for the others, as some have it, differs by more than what is allowed."""
    row, right = logits[0][0].astype(np.float64), logits[1][0]
    log_probs = row - np.log(np.exp(row - row.max()).sum()) - row.max()
    others = np.full(len(row), 0.1 / (len(row) - 1))
    others[right] = 0.9
    found = node.run(PARTS, [row.tolist(), right, 0.1])["loss"]
    assert abs(found + (others * log_probs).sum()) > 1e-6


def test_the_page_shows_the_steps_losses(
    open_stage: Open, logits: tuple[np.ndarray, list[int]]
) -> None:
    watched = open_stage("?view=smoothing")
    page = watched.translate(SENTENCE)
    unfold(page, "smoothing", "numbers")
    page.wait_for_selector(".hl-smoothing-steps tbody tr")
    rows, ids = logits
    page.wait_for_function(
        "(n) => document.querySelectorAll('.hl-smoothing-steps tbody tr').length === n",
        arg=len(ids),
    )
    before = len(page.asked)
    page.fill(".hl-field-eps input[type=range]", "0.3")
    found = [
        float(x)
        for x in page.locator(".hl-smoothing-steps tbody td:nth-child(5)").all_text_contents()
    ]
    assert found == pytest.approx(
        [reference(r, i, 0.3)[0] for r, i in zip(rows, ids, strict=True)], abs=6e-5
    )
    assert len(page.asked) == before, "asked the server"
    page.evaluate("headlight.page.choose({ step: 1 })")
    chosen = ".hl-smoothing-tokens tr.hl-chosen td:nth-child(5) span"
    wanted = f"{reference(rows[1], ids[1], 0.3)[1][ids[1]]:.5f}".replace("-", "−")
    page.wait_for_function(
        "([s, w]) => document.querySelector(s).textContent.endsWith(w)", arg=[chosen, wanted]
    )
    assert watched.errors == []


def test_the_end_token_alone_is_drawn(open_stage: Open, explainer: Explainer) -> None:
    """A translation with a single step."""
    end = explainer.tokenizer.end_id
    page = open_stage(f"?{urlencode({'view': 'smoothing', 'text': SENTENCE, 'prefix': end})}")
    assert page.evaluate("headlight.page.record.get().tgt_out.map(({ id }) => id)") == [end]
    drawn = page.locator("#panel-smoothing .hl-smoothing-now")
    assert all(math.isfinite(float(drawn.get_attribute(name))) for name in ("cx", "cy"))
    assert "NaN" not in page.inner_text("#panel-smoothing") and page.errors == []
