"""A grown model computes what the smaller one did, and learns with what it was given."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor

from model.config import ModelConfig
from model.errors import ConfigError
from model.training.growth import widened
from model.transformer import Transformer

CONFIG = ModelConfig(
    vocab_size=40, d_model=16, n_heads=4, d_ff=24, n_encoder_layers=2, n_decoder_layers=1,
    dropout=0.0,
)  # fmt: skip
SRC = torch.tensor([[5, 6, 7, 8, 2], [9, 4, 2, 0, 0]])
TGT = torch.tensor([[1, 9, 10, 11], [1, 12, 13, 0]])


def output(model: Transformer) -> Tensor:
    memory, src_mask, _ = model.encode(SRC)
    return model.decode(TGT, model.start(memory, src_mask))[0]


@pytest.fixture
def small() -> Transformer:
    torch.manual_seed(3)
    return Transformer(CONFIG).eval()


@pytest.mark.parametrize("d_ff", [24, 25, 96])
def test_the_outputs_are_the_same(small: Transformer, d_ff: int) -> None:
    grown = widened(small, d_ff).eval()
    assert grown.config == dataclasses.replace(CONFIG, d_ff=d_ff)
    torch.testing.assert_close(output(grown), output(small), rtol=0, atol=1e-6)


def test_a_column_that_is_read_would_be_seen(small: Transformer) -> None:
    grown = widened(small, 96).eval()
    with torch.no_grad():
        grown.encoder[0].feed_forward.outer.weight[:8, 30:] = 0.5  # of all, LayerNorm would undo it
    assert (output(grown) - output(small)).abs().max() > 1e-3


def test_the_new_units_learn(small: Transformer) -> None:
    grown = widened(small, 96)
    outer = grown.encoder[0].feed_forward.outer.weight
    output(grown).square().sum().backward()
    assert outer.grad is not None
    assert outer.grad[:, 24:].abs().max() > 0


def test_fewer_units_are_refused(small: Transformer) -> None:
    with pytest.raises(ConfigError, match="have 24 units and can grow; 8 is fewer"):
        widened(small, 8)
