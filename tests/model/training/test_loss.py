"""The chunked loss equals torch's own, value and gradients."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from model.training import loss as loss_module
from model.training.loss import Objective, smoothed_loss
from tests.tiny import own_model


@pytest.mark.parametrize("eps", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_equals_cross_entropy(eps: float, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # So that 8 rows are three chunks, the last short.
    monkeypatch.setattr(loss_module, "CHUNK", {"cpu": 3})
    torch.set_default_dtype(torch.float64)
    x = torch.randn(n, 5, requires_grad=True)
    weight = torch.randn(11, 5, requires_grad=True)
    targets = torch.randint(0, 11, (n,))
    reference = F.cross_entropy(x @ weight.T, targets, label_smoothing=eps, reduction="sum")
    expected = torch.autograd.grad(2 * reference, (x, weight))
    ours = smoothed_loss(x, weight, targets, eps, torch.float64)
    found = torch.autograd.grad(2 * ours, (x, weight))
    # Its logits are float32 whatever goes in: that is what bounds the difference.
    torch.testing.assert_close(ours, reference, rtol=1e-6, atol=1e-6)
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    other = F.cross_entropy(x @ weight.T, targets, label_smoothing=eps + 0.05, reduction="sum")
    assert not torch.allclose(ours, other, rtol=1e-6)


def test_by_hand() -> None:
    """Two words with logits 0 and 0: loss ln 2 whatever eps; gradient p - smooth = .5 - .95."""
    x = torch.zeros(1, 1, requires_grad=True)
    weight = torch.ones(2, 1, requires_grad=True)
    value = smoothed_loss(x, weight, torch.tensor([0]), 0.1)
    assert value.item() == pytest.approx(0.6931472)
    x2 = torch.ones(1, 1, requires_grad=True)
    smoothed_loss(x2, weight, torch.tensor([0]), 0.1).backward()
    assert weight.grad is not None
    assert weight.grad.flatten().tolist() == pytest.approx([-0.45, 0.45])


@pytest.mark.parametrize("name", ["output_bias", "scale_output"])
def test_the_bias_and_the_factor_of_the_output_are_trained_too(name: str) -> None:
    """Value and gradients are those of torch's cross-entropy over the model's own logits."""
    model = own_model(**{name: True}).double().requires_grad_(True)
    src = torch.tensor([[5, 6, 7, 2], [8, 9, 2, 0]])
    tgt = torch.tensor([[1, 30, 31, 2], [1, 40, 2, 0]])
    logits = model(src, tgt[:, :-1])
    reference = F.cross_entropy(
        logits.flatten(0, 1), tgt[:, 1:].flatten(), label_smoothing=0.1, reduction="sum",
        ignore_index=0,
    )  # fmt: skip
    own = [p for n, p in model.named_parameters() if n in ("output_bias", "embedding.token.weight")]
    expected = torch.autograd.grad(reference, own)
    found = Objective(model, torch.float32)(src, tgt, 0.1)
    torch.testing.assert_close(found.double(), reference, rtol=1e-5, atol=1e-5)
    for a, b in zip(torch.autograd.grad(found, own), expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
    assert expected[0].abs().max() > 0.1
