"""The table of parameters against the parameters of real models."""

from __future__ import annotations

import pytest

from model.config import ModelConfig
from model.explain import Explainer
from model.labs.parameters import parameter_table
from model.transformer import Transformer
from tests.tiny import SINCE


@pytest.mark.parametrize(
    "config",
    [
        ModelConfig(vocab_size=4000, d_ff=512),
        ModelConfig(vocab_size=90, d_model=16, n_heads=4, d_ff=24, norm="pre", n_decoder_layers=1),
        ModelConfig(
            vocab_size=70, d_model=8, n_heads=2, d_ff=30, n_encoder_layers=1, output_bias=True
        ),
        ModelConfig(vocab_size=70, d_model=8, n_heads=2, d_ff=30, tied=False),
        ModelConfig(
            vocab_size=70, src_vocab_size=50, d_model=8, n_heads=2, d_ff=30, decoder_d_ff=20
        ),
        ModelConfig(
            vocab_size=70, d_model=8, n_heads=2, d_ff=30, positions="learned", position_offset=2
        ),
        ModelConfig(vocab_size=70, d_model=8, n_heads=2, d_ff=30, embedding_norm="target_token"),
        *(ModelConfig(70, 16, 2, 30, **fields) for fields in SINCE.values()),
        ModelConfig(70, 16, 3, 30, head_size=5, gated=True, norm="none", decoder_heads=2),
    ],
)
def test_the_parameter_table_adds_up(config: ModelConfig) -> None:
    model = Transformer(config)
    assert sum(part.numbers for part in parameter_table(config)) == sum(
        p.numel() for p in model.parameters()
    )


@pytest.mark.slow
def test_the_parameter_table_of_the_shipped_model() -> None:
    shipped = Explainer.load(device="cpu").model
    table = parameter_table(shipped.config)
    assert sum(part.numbers for part in table) == sum(p.numel() for p in shipped.parameters())
    by_place = {place: 0 for place in ("embedding", "encoder", "decoder", "output")}
    for part in table:
        by_place[part.place] += part.numbers
    for place in ("encoder", "decoder"):
        assert by_place[place] == sum(p.numel() for p in getattr(shipped, place).parameters())
