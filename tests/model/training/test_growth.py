"""A model that begins with another one's weights keeps what it should, and learns the rest."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from torch import Tensor

from model.config import ModelConfig
from model.errors import ConfigError
from model.text.characters import SPACE
from model.trace import Tokens
from model.training.growth import respelled, widened, with_fresh_first_attention
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


# ------------------------------------------------------------------------------- other pieces


class _Pieces:
    """A tokenizer that is no more than a list of pieces; texts are cut into the longest ones."""

    unknown_id = 3

    def __init__(self, *pieces: str) -> None:
        self.pieces = ("<pad>", "<s>", "</s>", "<unk>", *pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    def encode_target(self, text: str) -> Tokens:
        rest, found = SPACE + text.strip().replace(" ", SPACE), []
        while rest:
            piece = max(filter(rest.startswith, self.pieces), key=len)
            rest = rest.removeprefix(piece)
            found.append(piece)
        n = len(found)
        return Tokens(text, np.zeros(n, np.int64), tuple(found), np.zeros((n, 2), np.int64))


OLD = _Pieces("▁", "▁be", "cause", "look", "▁look", "ed", "我", "不")
NEW = _Pieces("▁because", "▁look", "looked", "我不", "ed")


def test_a_new_piece_is_the_mean_of_those_that_spell_it(small: Transformer) -> None:
    before = small.embedding.token.weight.detach()
    after = respelled(small, OLD, NEW).embedding.token.weight  # type: ignore[arg-type]
    old = {piece: before[i] for i, piece in enumerate(OLD.pieces)}
    expected = {
        "</s>": old["</s>"],
        "▁because": (old["▁be"] + old["cause"]) / 2,
        "▁look": old["▁look"],
        "looked": (old["look"] + old["ed"]) / 2,  # without the space mark
        "我不": (old["我"] + old["不"]) / 2,  # without the empty piece before it
    }
    for piece, row in expected.items():
        torch.testing.assert_close(after[NEW.pieces.index(piece)], row)


def test_the_rest_of_a_respelled_model_stays(small: Transformer) -> None:
    grown = respelled(small, OLD, OLD)  # type: ignore[arg-type]
    src = SRC.remainder(len(OLD))
    for ours, theirs in zip(grown.eval().encode(src)[:1], small.encode(src)[:1], strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)


def test_two_matrices_are_not_respelled() -> None:
    model = Transformer(dataclasses.replace(CONFIG, tied=False))
    with pytest.raises(ConfigError, match="one matrix"):
        respelled(model, OLD, NEW)  # type: ignore[arg-type]


def test_a_fresh_attention_adds_nothing_yet_and_learns(small: Transformer) -> None:
    before = {name: p.clone() for name, p in small.named_parameters()}
    fresh = with_fresh_first_attention(small)
    for layer in (fresh.encoder[0], fresh.decoder[0]):
        assert not layer.self_attention.output.weight.any()
    changed = {n for n, p in fresh.named_parameters() if not torch.equal(p, before[n])}
    assert {name.split(".self_attention.")[0] for name in changed} == {"encoder.0", "decoder.0"}
    assert any(".query." in name for name in changed)
    output(fresh).square().sum().backward()
    grad = fresh.encoder[0].self_attention.output.weight.grad
    assert grad is not None and grad.abs().max() > 0
