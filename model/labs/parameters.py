"""The table of parameters: every kind of weight in a model, with its shape and count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.config import ModelConfig, Stack


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

    Source: section 3, which does not say whether the linear maps have biases; ours have.
    """
    d = config.d_model
    parts = [Part("embedding" if config.tied else "tokens", "token", 1, (config.vocab_size, d))]
    if config.src_vocab_size:
        parts.insert(0, Part("source", "token", 1, (config.src_vocab_size, d)))
    stacks: tuple[tuple[Stack, int, int], ...] = (
        ("encoder", config.n_encoder_layers, 1),
        ("decoder", config.n_decoder_layers, 2),
    )
    for place, layers, attentions in stacks:
        n, f = layers * attentions, config.width(place)
        for name in ("query", "key", "value", "output"):
            parts += [
                Part(place, f"{name}.weight", n, (d, d)),
                Part(place, f"{name}.bias", n, (d,)),
            ]
        parts += [
            Part(place, "inner.weight", layers, (f, d)),
            Part(place, "inner.bias", layers, (f,)),
            Part(place, "outer.weight", layers, (d, f)),
            Part(place, "outer.bias", layers, (d,)),
        ]
        if config.positions == "learned":
            rows = config.max_positions + config.position_offset
            parts.append(Part(place, "position", 1, (rows, d)))
        norms = layers * (attentions + 1) + (config.norm == "pre")
        norms += config.embedding_norm != "none"
        parts += [Part(place, "gamma", norms, (d,)), Part(place, "beta", norms, (d,))]
    if not config.tied:
        parts.append(Part("output", "weight", 1, (config.vocab_size, d)))
    if config.output_bias:
        parts.append(Part("output", "bias", 1, (config.vocab_size,)))
    return tuple(parts)
