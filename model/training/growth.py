"""New models from another's weights: wider, with different pieces, or partly reset.

Source of `widened`: Chen, Goodfellow and Shlens 2016 ("Net2Net"), in the form that adds units
without effect: their output is multiplied by zero until training changes that.
"""

from __future__ import annotations

import dataclasses
from typing import cast

import torch
from torch import Tensor, nn

from model.errors import ConfigError
from model.text.characters import SPACE
from model.text.tokenizer import Tokenizer
from model.transformer import DecoderLayer, EncoderLayer, FeedForward, Transformer


def widened(model: Transformer, d_ff: int) -> Transformer:
    """Widen a model's feed-forward layers to `d_ff` units, keeping its outputs.

    The new units are initialised as in a new model; their columns of the outer map are zero.

    Raises:
        ConfigError: `d_ff` is smaller than the model's.
    """
    config = model.config
    if d_ff < config.d_ff:
        raise ConfigError(
            f"The feed-forward layers have {config.d_ff} units and can grow; {d_ff} is fewer."
        )
    grown = Transformer(dataclasses.replace(config, d_ff=d_ff))
    weights = dict(model.named_parameters())
    with torch.no_grad():
        for module in grown.modules():
            if isinstance(module, FeedForward):
                module.outer.weight[:, config.d_ff :] = 0.0
        for name, parameter in grown.named_parameters():
            corner(parameter, weights[name]).copy_(weights[name])
    return grown


def corner(large: Tensor, small: Tensor) -> Tensor:
    """The first rows and columns of a tensor, in the shape of another."""
    for axis, size in enumerate(small.shape):
        large = large.narrow(axis, 0, size)
    return large


def respelled(model: Transformer, old: Tokenizer, new: Tokenizer) -> Transformer:
    """Give a model a new vocabulary: each piece starts as the mean of the old ones that spell it.

    Everything else is kept. For models with a single, tied matrix.

    Raises:
        ConfigError: the model has more than one matrix of pieces.
    """
    config = model.config
    if config.src_vocab_size or not config.tied or config.output_bias:
        raise ConfigError(
            "Only a model with one matrix for source, target and output is respelled."
        )
    grown = Transformer(dataclasses.replace(config, vocab_size=len(new)))
    weights = dict(model.named_parameters())
    ids = {piece: i for i, piece in enumerate(old.pieces)}
    with torch.no_grad():
        for name, parameter in grown.named_parameters():
            if not name.startswith("embedding."):
                parameter.copy_(weights[name])
        for row, piece in zip(grown.embedding.token.weight, new.pieces, strict=True):
            spelling = [ids[piece]] if piece in ids else _spelling(piece, old, ids)
            row.copy_(model.embedding.token.weight[spelling].mean(0))
    return grown


def _spelling(piece: str, old: Tokenizer, ids: dict[str, int]) -> list[int]:
    """The old pieces of a new one: "▁because" -> "▁be", "cause"."""
    pieces = list(old.encode_target(piece.replace(SPACE, " ")).pieces)
    if not piece.startswith(SPACE):  # the old model put a space mark before it
        bare = pieces[0].removeprefix(SPACE)
        pieces[:1] = [bare] if bare in ids else pieces[:1] if bare else []
    return [ids[part] for part in pieces] or [old.unknown_id]


def with_fresh_first_attention(model: Transformer) -> Transformer:
    """Reset the self-attention in layer 1 of both stacks, so that it adds nothing yet.

    For layers with scores so large that each query reads one key and no gradient can change it
    (docs/training.md).
    """
    fresh = Transformer(model.config)
    for ours, theirs in ((fresh.encoder, model.encoder), (fresh.decoder, model.decoder)):
        new, old = (cast("EncoderLayer | DecoderLayer", layers[0]) for layers in (ours, theirs))
        old.self_attention.load_state_dict(new.self_attention.state_dict())
        nn.init.zeros_(old.self_attention.output.weight)
    return model
