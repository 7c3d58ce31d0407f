"""The table of parameters: every kind of weight in a model, with its shape and count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.config import Kind, ModelConfig, Stack

STACKS: tuple[Stack, ...] = ("encoder", "decoder")


@dataclass(frozen=True)
class Part:
    """A kind of weight: its number in the model, its shape, and the total of numbers.

    `place` is "embedding" for a matrix shared with the output, "tokens" for one that is not, and
    "source" for a separate source matrix.
    """

    place: Literal["embedding", "tokens", "source", "encoder", "decoder", "output"]
    name: str
    times: int
    shape: tuple[int, ...]

    @property
    def numbers(self) -> int:
        return self.times * int(np.prod(self.shape))


def parameter_table(config: ModelConfig) -> tuple[Part, ...]:
    """Every weight of a model of this shape; the numbers add up to its number of parameters.

    Source: section 3, which does not say whether the linear maps have biases; ours have, unless the
    config says otherwise.
    """
    d = config.d_model
    parts = [Part("embedding" if config.tied else "tokens", "token", 1, (config.vocab_size, d))]
    if config.src_vocab_size:
        parts.insert(0, Part("source", "token", 1, (config.src_vocab_size, d)))
    for stack in STACKS:
        parts += _stack(config, stack)
    if not config.tied:
        parts.append(Part("output", "weight", 1, (config.vocab_size, d)))
    if config.output_bias:
        parts.append(Part("output", "bias", 1, (config.vocab_size,)))
    return tuple(parts)


def _stack(config: ModelConfig, place: Stack) -> list[Part]:
    """The weights of a stack."""
    is_encoder, d, f = place == "encoder", config.d_model, config.width(place)
    layers = config.n_encoder_layers if is_encoder else config.n_decoder_layers
    kind: Kind = "encoder_self" if is_encoder else "decoder_self"
    attentions, inside = 1 if is_encoder else 2, config.heads(kind) * config.d_k(kind)
    maps = [(name, attentions * layers, (inside, d)) for name in ("query", "key", "value")]
    maps += [("output", attentions * layers, (d, inside)), ("inner", layers, (f, d))]
    maps += [("factor", layers, (f, d))] if config.gated else []
    parts = []
    for name, times, shape in (*maps, ("outer", layers, (d, f))):
        parts.append(Part(place, f"{name}.weight", times, shape))
        if config.biases:
            parts.append(Part(place, f"{name}.bias", times, shape[:1]))
    if config.positions == "learned":
        rows = config.max_positions + config.position_offset
        parts.append(Part(place, "position", 1, (rows, d)))
    if config.positions == "relative":
        tables = layers if config.distances_by_layer else 1
        shape = (config.distance_buckets, config.heads(kind))
        parts.append(Part(place, "distance", tables, shape))
    norms = 0 if config.norm == "none" else layers * (attentions + 1) + (config.norm == "pre")
    norms += config.embedding_norm != "none"
    if norms:
        parts.append(Part(place, "gamma", norms, (d,)))
    if norms and config.norm_kind == "layer" and config.biases:
        parts.append(Part(place, "beta", norms, (d,)))
    return parts
