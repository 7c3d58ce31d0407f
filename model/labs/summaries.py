"""Many attention heads in one map, and its agreement with another measure. numpy only.

Q queries, K keys. Rows are queries, columns are keys.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Doubles
from model.config import Kind
from model.trace import AttentionMaps, Trace


def pooled_attention(
    maps: AttentionMaps, pooling: Literal["mean", "max"], layer: int | None = None
) -> Doubles:
    """The mean or maximum over all heads, (Q, K), of one layer, or of all if it is None."""
    weights = maps.weights if layer is None else maps.weights[layer : layer + 1]
    weights = weights.astype(np.float64)
    pooled: Doubles = weights.mean((0, 1)) if pooling == "mean" else weights.max((0, 1))
    return pooled


def attention_rollout(trace: Trace, kind: Kind, layer: int | None = None) -> Doubles:
    """Attention rolled out through the layers up to `layer` (None: the last), (Q, K).

    Self-attention: the product of (A + I) / 2 over the layers, the last one on the left, where A
    is the mean over a layer's heads and I the residual connection. Each row sums to 1.

    Cross-attention: X is each target position's share of each source token, at first 0. In each
    decoder layer X becomes (A + I) / 2 X by self-attention, then X / 2 + C R / 2, with the
    cross-attention C and the rollout R of the whole encoder. Each row sums to 1 - 2^-layers; the
    rest is the decoder's own input.

    Source: Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3.
    Differs from the paper for cross-attention, which it does not treat.
    """
    if kind != "cross":
        return _rollout(_layer_means(trace.attention(kind), layer))
    encoder = _rollout(_layer_means(trace.encoder_self, None))
    read = np.zeros((len(trace.tgt_in), len(trace.src)))
    selves, crosses = _layer_means(trace.decoder_self, layer), _layer_means(trace.cross, layer)
    for own, cross in zip(selves, crosses, strict=True):
        read = (_with_residual(own) @ read + cross @ encoder) / 2
    return read


def rank_correlation(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's rho of two lists of numbers; None if one list has no order to compare.

    It is Pearson's correlation of the ranks; equal numbers share the mean of their ranks. Pairs
    with NaN are ignored.
    """
    a, b = np.ravel(first).astype(np.float64), np.ravel(second).astype(np.float64)
    both = ~(np.isnan(a) | np.isnan(b))
    if both.sum() < 2:
        return None
    a, b = _ranks(a[both]), _ranks(b[both])
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size else None


def _layer_means(maps: AttentionMaps, layer: int | None) -> Doubles:
    """(layers, Q, K): the mean over the heads of each layer up to `layer`."""
    layers = maps.weights if layer is None else maps.weights[: layer + 1]
    means: Doubles = layers.astype(np.float64).mean(1)
    return means


def _with_residual(mean: Doubles) -> Doubles:
    return (mean + np.eye(len(mean))) / 2


def _rollout(means: Doubles) -> Doubles:
    rolled = np.eye(means.shape[1])
    for mean in means:
        rolled = _with_residual(mean) @ rolled
    return rolled


def _ranks(values: Doubles) -> Doubles:
    """Ranks from 1; equal values get the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Doubles = (last - (counts - 1) / 2)[inverse]
    return ranks
