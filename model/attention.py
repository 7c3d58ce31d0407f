"""Attention (section 3.2 of Vaswani et al. 2017): the formula of one head, and h heads in parallel.

Axis letters: B batch, Q query, K key, H heads, D d_model. Rows are queries, columns are keys.
Masks: True = may attend.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import Kind, ModelConfig
from model.edits import NO_EDIT, AttentionEdit
from model.linear import Linear
from model.modules import Dropout, NoHooks


class AttentionRecord(NamedTuple):
    """One attention call, all heads: weights (B, H, Q, K); queries, keys, values (B, H, ., d_k).

    `mask` says which cells were allowed, broadcastable to the weights; None allows all. `bias` was
    added to the scores, (H, Q, K) or with a batch; None if the model has none. The weights are None
    if they were not requested.
    """

    weights: Tensor | None
    queries: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor | None
    bias: Tensor | None = None


def attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None,
    scaling: bool = True,
    dropout: Callable[[Tensor], Tensor] | None = None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention: a weighted sum of values, and the weights.

    Shapes: queries (B, H, Q, d_k), keys and values (B, H, K, d_k), mask broadcastable to
    (B, H, Q, K), None to allow everything. Every row of the mask must allow at least one key:
    for painted cells `CompiledEdits.mask` checks it, nothing else here can leave a row empty.
    Without `scaling` the scores are not divided by sqrt(d_k). `dropout` is for training: it applies
    to the weights before the sum.
    Source: section 3.2.1, equation 1. Differs with `bias` (T5): a number for each cell,
    (H, Q, K) or with a batch, is added to the scores.
    """
    scores = queries @ keys.transpose(-2, -1)  # (B, H, Q, K)
    if scaling:
        scores = scores / math.sqrt(queries.size(-1))
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    weights = scores.softmax(dim=-1)
    return (weights if dropout is None else dropout(weights)) @ values, weights


class MultiHeadAttention(NoHooks):
    """h attentions in parallel, each on its slice of the projections. Source: section 3.2.2."""

    def __init__(self, config: ModelConfig, kind: Kind) -> None:
        super().__init__()
        self.n_heads, self.scaling = config.heads(kind), config.scaling
        inside = self.n_heads * config.d_k(kind)  # the paper: d_model
        self.query = Linear(config.d_model, inside, bias=config.biases)
        self.key = Linear(config.d_model, inside, bias=config.biases)
        self.value = Linear(config.d_model, inside, bias=config.biases)
        self.output = Linear(inside, config.d_model, bias=config.biases)
        self.dropout = Dropout(config.attention_dropout)

    def split_heads(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        heads = x.view(batch, length, self.n_heads, -1)
        return heads.transpose(1, 2)  # (B, T, H d_k) -> (B, H, T, d_k)

    def read(self, x: Tensor) -> Tensor:
        """The queries of x: (B, Q, D) -> (B, H, Q, d_k)."""
        return self.split_heads(self.query(x))

    def remember(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of x: (B, K, D) -> (B, H, K, d_k) each."""
        return self.split_heads(self.key(x)), self.split_heads(self.value(x))

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None,
        capture: bool = True,
        edit: AttentionEdit = NO_EDIT,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, AttentionRecord]:
        """Q queries read K keys and values -> output (B, Q, D), the record.

        Without `capture`, PyTorch's fused attention gives the same output and no weights. An
        edited attention, and one in training, is always computed here.
        """
        weights = None
        if capture or self.training or edit is not NO_EDIT:
            scaling = self.scaling and edit.scaling
            dropout = self.dropout if self.training else None
            context, weights = attention(queries, keys, values, mask, scaling, dropout, bias)
        else:
            scale = None if self.scaling else 1.0
            context = F.scaled_dot_product_attention(
                queries, keys, values, attn_mask=_added(mask, bias), scale=scale
            )
        if edit.kept is not None:
            context = context * edit.kept
        if edit.transplant is not None:
            context = edit.transplant.into(context)
        output = self.output(context.transpose(1, 2).flatten(2))  # (B, H, Q, d_k) -> (B, Q, D)
        if edit.is_off:
            output = torch.zeros_like(output)
        return output, AttentionRecord(weights, queries, keys, values, mask, bias)


def _added(mask: Tensor | None, bias: Tensor | None) -> Tensor | None:
    """What PyTorch's attention adds to the scores, or only which cells are allowed."""
    if mask is None or bias is None:
        return mask if bias is None else bias
    return torch.where(mask, bias, -math.inf)


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """(length, length): row t may attend to columns 0 to t. Source: section 3.2.3."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()
