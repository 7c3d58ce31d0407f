"""Embeddings and positions (sections 3.4 and 3.5 of Vaswani et al. 2017).

Axis letters: B batch, T tokens, P positions, D d_model.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from model.config import ModelConfig, Side
from model.modules import Direct


def sinusoids(n_positions: int, d_model: int, layout: str = "interleaved") -> Tensor:
    """The position table (n_positions, d_model). Source: section 3.5.

    PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos of the same.
    Differs from the paper with layout "halves" (Marian): all sines first, then all cosines; and
    with "none": zeros.
    """
    if layout == "none":
        return torch.zeros(n_positions, d_model, dtype=torch.float64)
    position = torch.arange(n_positions, dtype=torch.float64).unsqueeze(1)
    rate = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sines, cosines = torch.sin(position * rate), torch.cos(position * rate)
    pair = (sines, cosines)
    table = torch.stack(pair, dim=-1).flatten(1) if layout == "interleaved" else torch.cat(pair, 1)
    return table


class Embedding(Direct):
    """Token vectors times sqrt(d_model), plus positions; one matrix for source, target, output.

    Differs from the paper where `src_vocab_size` says so (Marian): `source` is then the matrix of
    the source, and `token` that of target and output.
    """

    positions: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.scale = math.sqrt(config.d_model)
        self.token = nn.Embedding(config.vocab_size, config.d_model)
        n_source = config.src_vocab_size
        self.source = nn.Embedding(n_source, config.d_model) if n_source else None
        table = sinusoids(config.max_positions, config.d_model, config.sinusoids)
        self.register_buffer("positions", table.to(torch.get_default_dtype()), persistent=False)

    def matrix(self, side: Side) -> nn.Embedding:
        """The token vectors of a side (V, D), before their scaling."""
        return self.token if side == "target" or self.source is None else self.source

    def forward(
        self, ids: Tensor, start: int = 0, table: Tensor | None = None, side: Side = "target"
    ) -> Tensor:
        """Ids (B, T) of a side, the first of them at position `start` -> (B, T, D).

        `table` replaces the position table: (P, D), or (B, P, D) with one table for each row.
        """
        positions = self.positions if table is None else table
        vectors = self.matrix(side)(ids) * self.scale
        return vectors + positions[..., start : start + ids.size(1), :]
