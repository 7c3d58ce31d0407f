"""Embeddings and positions (sections 3.4 and 3.5 of Vaswani et al. 2017).

Axis letters: B batch, T tokens, P positions, D d_model.
"""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import Kind, ModelConfig, Side
from model.modules import NoHooks, Norm, norm_of


def sinusoids(n_positions: int, d_model: int, layout: str = "interleaved") -> Tensor:
    """The position table (n_positions, d_model). Source: section 3.5.

    PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos of the same.
    Differs from the paper with layout "halves" (Marian): all sines first, then all cosines; with
    "fairseq" (M2M100): the same, and the slowest wave is exactly pos / 10000; and with "none":
    zeros.
    """
    cpu, f64 = "cpu", torch.float64  # also for a model that is made without numbers
    if layout == "none":
        return torch.zeros(n_positions, d_model, device=cpu, dtype=f64)
    position = torch.arange(n_positions, device=cpu, dtype=f64).unsqueeze(1)
    exponents = torch.arange(0, d_model, 2, device=cpu, dtype=f64)
    rate = 10_000.0 ** (-exponents / (d_model - 2 if layout == "fairseq" else d_model))
    sines, cosines = torch.sin(position * rate), torch.cos(position * rate)
    pair = (sines, cosines)
    table = torch.stack(pair, dim=-1).flatten(1) if layout == "interleaved" else torch.cat(pair, 1)
    return table


class Embedding(NoHooks):
    """Token vectors times sqrt(d_model), one matrix for source, target and output; and positions.

    Differs from the paper where the config says so: with `src_vocab_size` (Marian), `source` is the
    source's matrix and `token` that of target and output; without `scale_embedding`, `scale` is 1.
    The positions may be learned, one table for each side, and a norm may follow (BART). Where
    attention adds a bias by distance (T5), and where a model has no positions, the table is zero.
    """

    positions: Tensor | None  # the sinusoids (P, D); None if positions are learned

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.scale, self.pad_id = config.embedding_scale, config.pad_id
        self.token = nn.Embedding(config.vocab_size, config.d_model)
        n_source = config.src_vocab_size
        self.source = nn.Embedding(n_source, config.d_model) if n_source else None
        self.offset, self.counts_padding = config.position_offset, config.counts_padding
        rows, learned = config.max_positions + config.position_offset, config.positions == "learned"
        self.source_positions = nn.Embedding(rows, config.d_model) if learned else None
        self.target_positions = nn.Embedding(rows, config.d_model) if learned else None
        self.register_buffer("positions", waves(config), persistent=False)
        has_norm = config.embedding_norm != "none"
        self.source_norm = norm_of(config) if has_norm else None
        self.target_norm = norm_of(config) if has_norm else None
        self.norms_target_token = config.embedding_norm == "target_token"

    def matrix(self, side: Side) -> nn.Embedding:
        """The token vectors of a side (V, D), before scaling."""
        return self.token if side == "target" or self.source is None else self.source

    def forward(self, ids: Tensor, side: Side = "target") -> Tensor:
        """Map ids (B, T) of a side to vectors (B, T, D), without positions. Source: 3.4."""
        return F.embedding(ids, self.matrix(side).weight) * self.scale_of(side)

    def scale_of(self, side: Side) -> float:
        """The factor of a side's token vectors; 1 where a norm reads them alone."""
        return 1.0 if self.norms_token(side) else self.scale

    def table(self, side: Side) -> Tensor:
        """The position vectors (P, D) of a side, from that of the first token. Source: 3.5."""
        learned = self.source_positions if side == "source" else self.target_positions
        table = self.positions if learned is None else learned.weight
        return cast("Tensor", table)[self.offset :]

    def counted(self, rows: Tensor, ids: Tensor) -> Tensor:
        """The position vectors of ids (B, T) from those of T adjacent positions, (T or B, T, D).

        Differs from the paper without `counts_padding`: a padding token has no position.
        """
        if self.counts_padding:
            return rows
        real = ids != self.pad_id
        place = (real.cumsum(-1) - 1).clamp_min(0)  # (B, T)
        by_row = rows.expand(len(ids), -1, -1)
        found = by_row.gather(1, place[..., None].expand(-1, -1, rows.size(-1)))
        return found * real[..., None]

    def norm(self, side: Side) -> Norm | None:
        """The norm of a side's input, if it has one."""
        return self.source_norm if side == "source" else self.target_norm

    def norms_token(self, side: Side) -> bool:
        """True if the norm is on the token vectors, before positions are added."""
        return side == "target" and self.norms_target_token

    def join(self, tokens: Tensor, positions: Tensor, side: Side) -> Tensor:
        """The input of the first layer: the sum of both. Source: 3.5. Differs with a norm: BART."""
        norm = self.norm(side)
        if norm is None:
            return tokens + positions
        return norm(tokens) + positions if self.norms_token(side) else norm(tokens + positions)


def waves(config: ModelConfig) -> Tensor | None:
    """The sinusoids of a model, which are in no file; None if its positions are learned."""
    if config.positions == "learned":
        return None
    rows = config.max_positions + config.position_offset
    if config.positions != "sinusoids":
        return torch.zeros(rows, config.d_model, device="cpu")
    table = sinusoids(rows, config.d_model, config.sinusoids)
    return table.to(torch.get_default_dtype())


# ------------------------------------------------------------------------- relative positions


class DistanceBias(NoHooks):
    """A number for each head and distance, which self-attention adds to its scores.

    Differs from the paper, whose positions are vectors: T5 (Raffel et al. 2020, section 2.1). The
    distance is key minus query. Distances have a number of their own up to half of the buckets,
    farther ones share them, more and more up to `max_distance`. In the encoder a half of the
    buckets is for keys after the query; the decoder sees none.
    """

    buckets: Tensor  # (2 M + 1,): the bucket of each distance from -M to M = max_distance

    def __init__(self, config: ModelConfig, kind: Kind) -> None:
        super().__init__()
        self.farthest = config.max_distance
        self.table = nn.Embedding(config.distance_buckets, config.heads(kind))
        buckets = distance_buckets(config, both_ways=kind == "encoder_self")
        self.register_buffer("buckets", buckets, persistent=False)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The bias (..., H, Q, K) of queries and keys at these places, (..., Q) and (..., K)."""
        distances = keys[..., None, :] - queries[..., :, None]
        return self.by_distance(distances).movedim(-1, -3)

    def by_distance(self, distances: Tensor) -> Tensor:
        """The bias (..., H) of distances (...)."""
        nearest = distances.clamp(-self.farthest, self.farthest) + self.farthest
        return self.table.weight[self.buckets[nearest]]


def distance_buckets(config: ModelConfig, both_ways: bool) -> Tensor:
    """The bucket of each distance from -max_distance to max_distance, keys before queries first.

    In float32, as in T5's own code: another rounding would move the border between two buckets.
    """
    farthest, n = config.max_distance, config.distance_buckets
    distances = torch.arange(-farthest, farthest + 1, device="cpu")  # as the sinusoids
    after = torch.zeros_like(distances)
    if both_ways:
        n //= 2
        after = (distances > 0) * n
    far = distances.abs() if both_ways else (-distances).clamp_min(0)
    exact = n // 2
    ratio = torch.log(far.clamp_min(1).float() / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (n - exact)).long()
    return after + torch.where(far < exact, far, shared.clamp_max(n - 1))


def distance_biases(config: ModelConfig, kind: Kind, layers: int) -> nn.ModuleList:
    """The tables of a stack, one for all layers or for each; none if positions are vectors."""
    is_relative = config.positions == "relative"
    n = (layers if config.distances_by_layer else 1) if is_relative else 0
    return nn.ModuleList(DistanceBias(config, kind) for _ in range(n))
