"""Marian's weights, as the OPUS-MT models are stored for `transformers`: their names and order.

Only this file knows foreign weight names. The table below is read in both directions: from left to
right to export a model of ours, from right to left to open one of theirs. `marian_settings.py` has
what their config files say.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from model.config import ModelConfig
from model.embedding import sinusoids
from model.errors import CheckpointError


class WeightName(NamedTuple):
    """One weight under both names; `stream_axis` is its axis along the residual stream, if any."""

    ours: str
    theirs: str
    stream_axis: int | None


def _linear(ours: str, theirs: str, reads_stream: bool) -> tuple[WeightName, WeightName]:
    """A map out of the residual stream has d_model as its input, one back into it as its output."""
    axes = (1, None) if reads_stream else (0, 0)
    return (
        WeightName(f"{ours}.weight", f"{theirs}.weight", axes[0]),
        WeightName(f"{ours}.bias", f"{theirs}.bias", axes[1]),
    )


def _norm(ours: str, theirs: str) -> tuple[WeightName, WeightName]:
    return _linear(f"{ours}_residual.norm", f"{theirs}_layer_norm", reads_stream=False)


def _attention(ours: str, theirs: str) -> tuple[WeightName, ...]:
    return (
        *_linear(f"{ours}.query", f"{theirs}.q_proj", reads_stream=True),
        *_linear(f"{ours}.key", f"{theirs}.k_proj", reads_stream=True),
        *_linear(f"{ours}.value", f"{theirs}.v_proj", reads_stream=True),
        *_linear(f"{ours}.output", f"{theirs}.out_proj", reads_stream=False),
        *_norm(ours, theirs),
    )


_FEED_FORWARD = (
    *_linear("feed_forward.inner", "fc1", reads_stream=True),
    *_linear("feed_forward.outer", "fc2", reads_stream=False),
    *_norm("feed_forward", "final"),
)
_ENCODER = (*_attention("self_attention", "self_attn"), *_FEED_FORWARD)
_DECODER = (
    *_attention("self_attention", "self_attn"),
    *_attention("cross_attention", "encoder_attn"),
    *_FEED_FORWARD,
)
_EMBEDDING = WeightName("embedding.token.weight", "model.shared.weight", 1)
_BIAS = WeightName("output_bias", "final_logits_bias", None)  # (V,) here, (1, V) there

# The same matrix under other names, and the position tables: files may repeat or leave out both.
_TIED = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
_POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")


def weight_names(config: ModelConfig) -> tuple[WeightName, ...]:
    """Every weight of a model under both names."""
    names = [_EMBEDDING, _BIAS]
    for stack, n_layers, layer in (
        ("encoder", config.n_encoder_layers, _ENCODER),
        ("decoder", config.n_decoder_layers, _DECODER),
    ):
        for i in range(n_layers):
            for ours, theirs, axis in layer:
                path = f"model.{stack}.layers.{i}.{theirs}"
                names.append(WeightName(f"{stack}.{i}.{ours}", path, axis))
    return tuple(names)


Shapes = dict[str, tuple[int, ...]]


def expected(config: ModelConfig, ours: Shapes, names: set[str]) -> tuple[Shapes, Shapes]:
    """What a Marian file of this config must hold and what it may hold, given the names in it."""
    needed = {name.theirs: ours[name.ours] for name in weight_names(config)}
    needed.pop(_BIAS.theirs)  # without it, `transformers` takes zeros
    allowed: Shapes = {_BIAS.theirs: (1, config.vocab_size)}
    allowed.update(dict.fromkeys(_POSITIONS, (config.max_positions, config.d_model)))
    embedding = needed.pop(_EMBEDDING.theirs)
    present = [name for name in (_EMBEDDING.theirs, *_TIED) if name in names]
    needed[present[0] if present else _EMBEDDING.theirs] = embedding
    allowed.update(dict.fromkeys(present[1:], embedding))
    return needed, allowed


def to_ours(theirs: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """The weights of a Marian file under our names.

    Raises:
        CheckpointError: the embeddings are not one matrix, or the positions were learnt.
    """
    same = [theirs[name] for name in (_EMBEDDING.theirs, *_TIED) if name in theirs]
    if any(not torch.equal(same[0], other) for other in same[1:]):
        raise CheckpointError(
            "The embeddings of source, target and output differ; Headlight opens models that "
            "share one matrix (section 3.4 of the paper)."
        )
    table = sinusoids(config.max_positions, config.d_model, "halves")
    for name in _POSITIONS:
        # Loose enough for a table in float16; a learnt one differs by far more.
        if name in theirs and (theirs[name] - table).abs().max() > 2e-3:
            raise CheckpointError(
                f"{name} is not the sinusoid table of the paper; learnt positions cannot be opened."
            )
    weights = {
        name.ours: theirs[name.theirs] for name in weight_names(config) if name.theirs in theirs
    }
    bias = theirs.get(_BIAS.theirs, torch.zeros(1, config.vocab_size))
    return {**weights, _EMBEDDING.ours: same[0], _BIAS.ours: bias.reshape(-1)}


def to_theirs(ours: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """The weights of a model of ours under Marian's names, with its sinusoids in Marian's order.

    Marian's table is ours with its columns in another order. All that is added to or read from the
    residual stream can be put in that order too, and then every sum, mean and product is the same.

    Raises:
        CheckpointError: a pre-norm model; Marian has no such thing.
    """
    if config.norm != "post":
        raise CheckpointError(
            "The model is pre-norm, and Marian in `transformers` has no pre-norm; only post-norm "
            "models can be exported."
        )
    order = torch.arange(config.d_model)
    if config.sinusoids == "interleaved":  # sin, cos, sin, cos, ... -> sin, sin, ..., cos, cos, ...
        order = torch.cat((order[0::2], order[1::2]))
    ours = {_BIAS.ours: torch.zeros(config.vocab_size), **ours}
    theirs = {}
    for name in weight_names(config):
        weight = ours[name.ours]
        if name.stream_axis is not None:
            weight = weight.index_select(name.stream_axis, order)
        theirs[name.theirs] = weight.clone()
    theirs[_BIAS.theirs] = theirs[_BIAS.theirs].reshape(1, -1)
    return theirs
