"""The network on numbers that can be checked on paper, and what must hold for any weights."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from model.config import ModelConfig
from model.linear import Linear
from model.modules import Dropout
from model.transformer import Transformer, attention

TINY = ModelConfig(
    vocab_size=13, d_model=16, n_heads=4, d_ff=24, n_encoder_layers=2, n_decoder_layers=2
)


def tiny(**changes: object) -> Transformer:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    model = Transformer(ModelConfig.from_dict({**vars(TINY), **changes}))
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model.eval()


def test_attention_dropout_by_hand() -> None:
    """Of two weights of a half one is left out and one doubled; the record has both."""
    q, k = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 2, 2)
    v = torch.tensor([[1.0, 2], [4, 5]]).view(1, 1, 2, 2)
    output, weights = attention(q, k, v, None, dropout=lambda w: w * torch.tensor([0.0, 2.0]))
    assert output.flatten().tolist() == [4, 5]
    assert weights.flatten().tolist() == [0.5, 0.5]


@pytest.mark.parametrize("capture", [True, False])
def test_attention_dropout_is_for_training_alone(capture: bool) -> None:
    model, plain = tiny(dropout=0.0, attention_dropout=0.5), tiny(dropout=0.0)
    src, tgt = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 4, 5]])

    def outputs(one: Transformer, seed: int) -> torch.Tensor:
        torch.manual_seed(seed)
        memory, mask, _ = one.encode(src)
        return one.decode(tgt, one.start(memory, mask), capture=capture)[0]

    assert torch.equal(outputs(model, 1), outputs(plain, 1))
    model.train()
    plain.train()
    assert torch.equal(outputs(model, 1), outputs(model, 1))
    assert not torch.allclose(outputs(model, 1), outputs(model, 2))
    assert torch.equal(outputs(plain, 1), outputs(plain, 2))


def test_few_rows_as_columns_are_the_same_product() -> None:
    linear = Linear(256, 300).eval()
    for rows in (1, 4, 8, 9):
        x = torch.randn(rows, 1, 256)
        expected = x @ linear.weight.T + linear.bias
        torch.testing.assert_close(linear(x), expected, rtol=1e-5, atol=1e-5)
        assert linear(x).is_contiguous()


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["post", "pre"])
@given(data=st.data())
def test_padding_and_neighbours_change_nothing(norm: str, data: st.DataObject) -> None:
    model = tiny(norm=norm)
    lengths = data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4))
    rows = [torch.randint(3, 13, (n,)) for n in lengths]
    tgt = torch.randint(3, 13, (len(rows), 4))
    src = torch.zeros(len(rows), max(lengths) + 2, dtype=torch.long)
    for row, ids in zip(src, rows, strict=True):
        row[: len(ids)] = ids
    together = model(src, tgt)
    for i, ids in enumerate(rows):
        torch.testing.assert_close(together[i : i + 1], model(ids[None], tgt[i : i + 1]))


def test_padding_forgotten_is_noticed() -> None:
    """The twin of the test above: without the mask the neighbour's padding leaks in."""
    model = tiny()
    src, tgt = torch.tensor([[5, 6, 0, 0]]), torch.tensor([[7, 8]])
    memory, mask, _ = model.encode(src)
    leaking = model.decode(tgt, model.start(memory, torch.ones_like(mask)))[0]
    kept = model.decode(tgt, model.start(memory, mask))[0]
    assert (leaking - kept).abs().max() > 1e-3


def test_dropout_is_a_share_of_the_numbers_and_keeps_the_mean() -> None:
    dropout = Dropout(0.25)
    x = torch.ones(400, 500, requires_grad=True)
    out = dropout(x)
    assert (out == 0).float().mean().item() == pytest.approx(0.25, abs=0.005)
    assert out.mean().item() == pytest.approx(1, abs=0.01)
    out.sum().backward()
    assert x.grad is not None and torch.equal(x.grad, out.detach())
    rows = (out == 0).float().mean(1)
    assert rows.std() < 0.03  # sqrt(.25 * .75 / 500) = .019: no row is dropped together
    assert dropout.eval()(x) is x
    assert Dropout(0.0)(x) is x


def test_initial_embeddings_have_unit_variance_after_scaling() -> None:
    model = Transformer(ModelConfig(vocab_size=1000))
    scaled = model.embedding.token.weight * math.sqrt(256)
    assert scaled.var().item() == pytest.approx(1, abs=0.02)


def test_what_a_sublayer_adds_starts_small() -> None:
    """DeepNet's beta for three layers is (8 * 3) ** -1/4 = 0.452; queries keep Xavier's size."""
    layer = Transformer(ModelConfig(vocab_size=10)).encoder[0]
    query = layer.self_attention.query.weight.std()
    for added in (layer.self_attention.value, layer.self_attention.output):
        assert (added.weight.std() / query).item() == pytest.approx(0.452, abs=0.01)
    assert query.item() == pytest.approx(math.sqrt(2 / 512), rel=0.01)
