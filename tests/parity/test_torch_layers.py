"""The two stacks against torch.nn's own layers, post-norm and pre-norm, in float64 to 1e-10.

`torch.nn.Transformer` puts a final norm after each stack even in post-norm, which the paper does
not have, so the stacks are built from TransformerEncoder and TransformerDecoder: norm=None for
post-norm, a LayerNorm for pre-norm. Each comparison has twins with a planted fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model import transformer
from model.transformer import DecoderLayer, EncoderLayer, MultiHeadAttention, Transformer
from tests import tiny

Everything = dict[str, Tensor]
TOLERANCE = 1e-10


@pytest.fixture(autouse=True)
def _plain_layers() -> Iterator[None]:
    """The fused path would pass by the attention modules that the test listens to."""
    torch.backends.mha.set_fastpath_enabled(False)
    yield
    torch.backends.mha.set_fastpath_enabled(True)


def copy_linear(ours: nn.Module, theirs: nn.Module) -> None:
    theirs.load_state_dict(ours.state_dict())


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Torch keeps the three input maps in one matrix, queries first, keys next, values last."""
    maps = (ours.query, ours.key, ours.value)
    theirs.in_proj_weight.data = torch.cat([part.weight for part in maps])
    theirs.in_proj_bias.data = torch.cat([part.bias for part in maps])
    copy_linear(ours.output, theirs.out_proj)


def copy_layer(ours: EncoderLayer | DecoderLayer, theirs: Any) -> None:
    copy_attention(ours.self_attention, theirs.self_attn)
    norms = [ours.self_attention_residual.norm]
    if isinstance(ours, DecoderLayer):
        copy_attention(ours.cross_attention, theirs.multihead_attn)
        norms.append(ours.cross_attention_residual.norm)
    norms.append(ours.feed_forward_residual.norm)
    for number, norm in enumerate(norms, start=1):
        copy_linear(norm, getattr(theirs, f"norm{number}"))
    copy_linear(ours.feed_forward.inner, theirs.linear1)
    copy_linear(ours.feed_forward.outer, theirs.linear2)


def stacks(model: Transformer) -> tuple[nn.TransformerEncoder, nn.TransformerDecoder]:
    """Torch's two stacks with the weights of our model."""
    config = model.config
    pre = config.norm == "pre"
    shape = {
        "d_model": config.d_model,
        "nhead": config.n_heads,
        "dim_feedforward": config.d_ff,
        "dropout": 0.0,
        "batch_first": True,
        "norm_first": pre,
    }
    norms = [nn.LayerNorm(config.d_model) if pre else None for _ in range(2)]
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(**shape),
        config.n_encoder_layers,
        norm=norms[0],
        enable_nested_tensor=False,
    ).double()
    decoder = nn.TransformerDecoder(
        nn.TransformerDecoderLayer(**shape), config.n_decoder_layers, norm=norms[1]
    ).double()
    for ours, theirs in zip(
        [*model.encoder, *model.decoder], [*encoder.layers, *decoder.layers], strict=True
    ):
        copy_layer(ours, theirs)
    if pre:
        copy_linear(model.encoder_norm, encoder.norm)
        copy_linear(model.decoder_norm, decoder.norm)
    return encoder.eval(), decoder.eval()


def listen(modules: list[nn.MultiheadAttention], found: list[Tensor]) -> None:
    """Layers do not ask for the weights of their attention: ask again with the same inputs."""

    def ask(module: nn.Module, args: Any, settings: dict[str, Any]) -> None:
        settings = {**settings, "need_weights": True, "average_attn_weights": False}
        found.append(module.forward(*args, **settings)[1])

    for module in modules:
        module.register_forward_pre_hook(ask, with_kwargs=True)


def with_positions(model: Transformer, ids: Tensor) -> Tensor:
    return model.embedding(ids) + model.embedding.positions[: ids.size(1)]


def theirs(model: Transformer, src: Tensor, tgt: Tensor) -> Everything:
    """Torch's masks are the other way round: True = may not attend."""
    encoder, decoder = stacks(model)
    maps: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
    listen([layer.self_attn for layer in encoder.layers], maps["encoder_self"])
    listen([layer.self_attn for layer in decoder.layers], maps["decoder_self"])
    listen([layer.multihead_attn for layer in decoder.layers], maps["cross"])
    padding = src == model.config.pad_id
    future = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool).triu(1)
    with torch.no_grad():
        memory = encoder(with_positions(model, src), src_key_padding_mask=padding)
        output = decoder(
            with_positions(model, tgt), memory, tgt_mask=future, memory_key_padding_mask=padding
        )
    return {"memory": memory, "output": output, **{k: torch.stack(v) for k, v in maps.items()}}


def ours(model: Transformer, src: Tensor, tgt: Tensor) -> Everything:
    with torch.no_grad():
        memory, src_mask, encoder = model.encode(src)
        output, _, decoder = model.decode(tgt, model.start(memory, src_mask))
    return {
        "memory": memory,
        "output": output,
        "encoder_self": torch.stack([record.weights for record in encoder.self_attention]),
        "decoder_self": torch.stack([record.weights for record in decoder.self_attention]),
        "cross": torch.stack([record.weights for record in decoder.cross]),
    }


def unequal(one: Everything, other: Everything) -> list[str]:
    return [
        name
        for name in other
        if one[name].shape != other[name].shape
        or not (one[name] - other[name]).abs().max() <= TOLERANCE
    ]


def tokens() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(2)
    src = torch.randint(4, 400, (3, 8), generator=generator)
    src[1, 5:] = 0
    src[2, 1:] = 0
    return src, torch.randint(1, 400, (3, 6), generator=generator)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("heads", [1, 4])
def test_the_stacks_are_those_of_torch(norm: str, heads: int) -> None:
    model = tiny.own_model(norm=norm, n_heads=heads).double()
    src, tgt = tokens()
    found = ours(model, src, tgt)
    expected = theirs(model, src, tgt)
    assert expected["cross"].shape == (3, 3, heads, 6, 8)  # layers, batch, heads, target, source
    assert unequal(found, expected) == []
    assert found["cross"][:, 2, :, :, 1:].abs().max() == 0  # the third source is one token long


# ------------------------------------------------------------------------------ planted faults


def nudge_one_weight(model: Transformer) -> None:
    model.encoder[0].self_attention.value.weight[2, 3] += 1e-6


def drop_the_scaling(model: Transformer) -> None:
    for part in ("weight", "bias"):
        getattr(model.decoder[1].self_attention.query, part).mul_(
            model.config.d_k("decoder_self") ** 0.5
        )


def swap_two_heads(model: Transformer) -> None:
    part, d_k = model.decoder[0].cross_attention, model.config.d_k("cross")
    order = torch.arange(model.config.d_model)
    order[: 2 * d_k] = torch.cat((order[d_k : 2 * d_k], order[:d_k]))
    for linear in (part.query, part.key, part.value):
        linear.weight.copy_(linear.weight[order])
        linear.bias.copy_(linear.bias[order])
    part.output.weight.copy_(part.output.weight[:, order])


def add_a_final_norm(model: Transformer) -> None:
    model.encoder_norm = nn.LayerNorm(model.config.d_model).double()


def swap_two_norms(model: Transformer) -> None:
    layer = model.decoder[0]
    one, other = layer.self_attention_residual, layer.cross_attention_residual
    one.norm, other.norm = other.norm, one.norm


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [
        (nudge_one_weight, "memory"),
        (drop_the_scaling, "decoder_self"),
        (swap_two_heads, "cross"),
        (add_a_final_norm, "memory"),
        (swap_two_norms, "output"),
    ],
)
def test_a_fault_is_noticed(fault: Callable[[Transformer], None], noticed: str) -> None:
    model = tiny.own_model(n_heads=4).double()
    src, tgt = tokens()
    expected = theirs(model, src, tgt)
    fault(model)
    assert noticed in unequal(ours(model, src, tgt), expected)


def test_a_shifted_mask_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny.own_model().double()
    src, tgt = tokens()
    causal = transformer.causal_mask
    monkeypatch.setattr(
        transformer, "causal_mask", lambda n, device=None: causal(n + 1, device)[1:, :n]
    )
    assert {"decoder_self", "output"} <= set(
        unequal(ours(model, src, tgt), theirs(model, src, tgt))
    )


def test_a_padding_mask_that_is_off_by_one_is_noticed() -> None:
    model = tiny.own_model().double()
    src, tgt = tokens()
    memory, src_mask, _ = model.encode(src)
    shifted = src_mask.roll(1, dims=-1) | (torch.arange(src.size(1)) == 0)
    output, _, decoder = model.decode(tgt, model.start(memory, shifted))
    cross = torch.stack([record.weights for record in decoder.cross])
    expected = theirs(model, src, tgt)
    assert unequal({**expected, "output": output, "cross": cross}, expected) == ["output", "cross"]
