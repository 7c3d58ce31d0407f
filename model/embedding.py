"""Embeddings and positions (sections 3.4 and 3.5 of Vaswani et al. 2017).

Axis letters: B batch, T tokens, P positions, D d_model.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import ModelConfig, Side
from model.modules import NoHooks


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


class Embedding(NoHooks):
    """Token vectors times sqrt(d_model), one matrix for source, target and output; `positions`.

    Differs from the paper where the config says so (Marian): with `src_vocab_size`, `source` is the
    source's matrix and `token` that of target and output; without `scale_embedding`, `scale` is 1.
    """

    positions: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.scale = config.embedding_scale
        self.token = nn.Embedding(config.vocab_size, config.d_model)
        n_source = config.src_vocab_size
        self.source = nn.Embedding(n_source, config.d_model) if n_source else None
        table = sinusoids(config.max_positions, config.d_model, config.sinusoids)
        self.register_buffer("positions", table.to(torch.get_default_dtype()), persistent=False)

    def matrix(self, side: Side) -> nn.Embedding:
        """The token vectors of a side (V, D), before scaling."""
        return self.token if side == "target" or self.source is None else self.source

    def forward(self, ids: Tensor, side: Side = "target") -> Tensor:
        """Map ids (B, T) of a side to vectors (B, T, D), without positions. Source: 3.4."""
        return F.embedding(ids, self.matrix(side).weight) * self.scale
