"""The contribution of each token to an attention's output: the weight and three other measures.

    weight          the share of the value; ignores how large that value is
    norm            the length of the transformed value, |sum over heads of a W_O V x|
    contribution    how much closer the vector brings the sum to the block's output (ALTI)
    value_zeroing   how far the layer's output rotates when the token's value is set to zero

`rolled` follows the contributions through the whole model and gives the shares of a word that come
from the source and from the words already written. Rows are queries, columns keys, and rows of
every measure sum to 1. The vectors are exact (they add up to the block's output, `decompose`); the
size of each share is a matter of definition. No measure shows causes: for those, switch something
off.

Sources: Kobayashi et al. 2020, "Attention is Not Only a Weight" (norm); Ferrando et al. 2022,
"Measuring the Mixing of Contextual Information in the Transformer" (contribution) and "Towards
Opening the Black Box of Neural Machine Translation" (rolled); Mohebbi et al. 2023, "Quantifying
Context Mixing in Transformers" (value zeroing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Doubles, freeze
from model.attention import MultiHeadAttention
from model.config import Kind
from model.errors import InputError, quote
from model.labs.dissect import (
    AttentionSubLayer,
    attention_sub_layer,
    attention_sub_layers,
    through_norm,
)
from model.trace import Trace
from model.transformer import DecoderLayer, EncoderLayer, FeedForward, SubLayerName, Transformer

Measure = Literal["weight", "norm", "contribution", "value_zeroing"]
MEASURES: tuple[Measure, ...] = ("weight", "norm", "contribution", "value_zeroing")


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The output of an attention and its residual as a sum of vectors. Q, K, D as in `trace`.

    vectors (Q, K, D), one for each token read; residual, bias and output (Q, D). In a post-norm
    model the block ends with its LayerNorm, whose mean and deviation are held fixed; its shift is
    part of the bias. vectors.sum(1) + residual + bias = output.
    """

    kind: Kind
    layer: int
    vectors: Doubles
    residual: Doubles
    bias: Doubles
    output: Doubles

    def __post_init__(self) -> None:
        queries, keys, d_model = np.shape(self.vectors)
        freeze(self, "vectors", np.float64, (queries, keys, d_model))
        for name in ("residual", "bias", "output"):
            freeze(self, name, np.float64, (queries, d_model))


@dataclass(frozen=True, eq=False)
class Measured:
    """One measure for one attention: `cells` (Q, K) of all heads together, `heads` (H, Q, K).

    Each row of `cells` and its `residual` (Q,) sum to 1; the residual is the contribution of the
    query's own state, 0 for a measure without one. The rows of `heads` sum to 1; value zeroing has
    no `heads`. A row without readable tokens is 0. `reach` (H, Q) is the sum that each row of
    contributions had before, for the length of the output: a small one is rounding.
    """

    measure: Measure
    kind: Kind
    layer: int
    cells: Doubles
    residual: Doubles
    heads: Doubles | None
    reach: Doubles | None = None

    def __post_init__(self) -> None:
        queries, keys = np.shape(self.cells)
        freeze(self, "cells", np.float64, (queries, keys))
        freeze(self, "residual", np.float64, (queries,))
        if self.heads is not None:
            freeze(self, "heads", np.float64, (len(self.heads), queries, keys))
        if self.reach is not None:
            freeze(self, "reach", np.float64, (len(self.reach), queries))


@dataclass(frozen=True, eq=False)
class Rolled:
    """Contributions of the tokens to each layer of the decoder; rows sum to 1.

    source (L, T, S): of the source tokens; prefix (L, T, T): of the target tokens read.
    """

    source: Doubles
    prefix: Doubles

    def __post_init__(self) -> None:
        layers, n_tgt, n_src = np.shape(self.source)
        freeze(self, "source", np.float64, (layers, n_tgt, n_src))
        freeze(self, "prefix", np.float64, (layers, n_tgt, n_tgt))

    @property
    def source_share(self) -> Doubles:
        """The share of each written token from the source, (T,); the rest comes from the prefix."""
        share: Doubles = self.source[-1].sum(-1)
        return share


def measured(
    model: Transformer, trace: Trace, measure: Measure, kind: Kind, layer: int
) -> Measured:
    """Compute one measure for the attention of this kind in that layer.

    Raises:
        InputError: a measure or layer that does not exist; a model without residual connections or
            LayerNorms; the time is up (`deadline`).
    """
    deadline.check()
    if measure not in MEASURES:
        raise InputError(f"measure is {quote(measure)}; expected one of {', '.join(MEASURES)}.")
    part = attention_sub_layer(model, trace, kind, layer)
    if measure == "weight":
        heads = part.weights * part.kept[:, None, None]
        return _without_residual(measure, part, shares(heads.mean(0)), heads)
    if measure == "norm":
        vectors = np.einsum("hqk,hkd->qkd", _kept(part), _values(part))
        heads = _kept(part) * np.linalg.norm(_values(part), axis=-1)[:, None]
        return _without_residual(
            measure, part, shares(np.linalg.norm(vectors, axis=-1)), shares(heads)
        )
    if measure == "value_zeroing":
        return _without_residual(measure, part, shares(zeroed(model, trace, part)), None)
    found = decompose(part)
    cells, residual = _contributions(found)
    nearer = np.stack([_nearer_by_head(part, found, h) for h in range(len(part.queries))])
    reach = nearer.sum(-1) / _length(found.output)
    return Measured(measure, kind, layer, cells, residual, shares(nearer), reach)


def decompose(part: AttentionSubLayer) -> Decomposition:
    """The output of an attention and its connection as a sum of vectors."""
    vectors = np.einsum("hqk,hkd->qkd", _kept(part), _values(part))
    bias = np.broadcast_to(part.b_o * (not part.off), part.before.shape)
    shift = 0.0 if part.pre else part.beta
    return Decomposition(
        part.kind,
        part.layer,
        vectors=_through_norm(part, vectors),
        residual=_through_norm(part, part.before[:, None])[:, 0],
        bias=_through_norm(part, bias[:, None])[:, 0] + shift,
        output=part.total if part.pre else part.after,
    )


def rolled(model: Transformer, trace: Trace) -> Rolled:
    """Follow the contributions from the tokens up through encoder and decoder (ALTI+).

    Feed-forward networks do not mix tokens and are skipped.

    Raises:
        InputError: as `measured`.
    """
    n_src, n_tgt = len(trace.src), len(trace.tgt_in)
    encoder = np.eye(n_src)
    for layer in range(model.config.n_encoder_layers):
        (own,) = attention_sub_layers(model, trace, "encoder", layer)
        encoder = _mixing(own) @ encoder
    both = np.hstack((np.zeros((n_tgt, n_src)), np.eye(n_tgt)))  # (T, S + T): at first itself
    layers = []
    for layer in range(model.config.n_decoder_layers):
        own, cross = attention_sub_layers(model, trace, "decoder", layer)
        both = _mixing(own) @ both
        cells, residual = _contributions(decompose(cross))
        both = residual[:, None] * both
        both[:, :n_src] += cells @ encoder
        layers.append(both)
    rows = np.stack(layers)
    return Rolled(rows[..., :n_src], rows[..., n_src:])


@torch.inference_mode()
def zeroed(
    model: Transformer, trace: Trace, part: AttentionSubLayer, tokens: Doubles | None = None
) -> Doubles:
    """The cosine distance of the layer's output when each token's value is removed, (Q, K).

    `tokens` (K, K) says how much of each value each row of the batch removes; by default all of one
    token's. The weights do not change. The rest of the layer runs again.
    """
    layer = (model.encoder if part.kind == "encoder_self" else model.decoder)[part.layer]
    layer = cast("EncoderLayer | DecoderLayer", layer)
    name: SubLayerName = "cross_attention" if part.kind == "cross" else "self_attention"
    module, residual = layer.sublayers()[name]
    like = model.embedding.token.weight
    before, weights, values = (
        torch.tensor(a).to(like) for a in (part.before, _kept(part), part.values)
    )
    taken = torch.eye(values.shape[1]) if tokens is None else torch.tensor(tokens)
    left = 1 - torch.cat((taken, torch.zeros(1, len(taken)))).to(like)  # the last row is unchanged
    context = weights @ (values * left[:, None, :, None])  # (K + 1, H, Q, d_k)
    output = cast("MultiHeadAttention", module).output(context.transpose(1, 2).flatten(2))
    x = residual.leave(before, torch.zeros_like(output) if part.off else output)
    x = _above(model, trace, layer, part, x)
    unit = x / torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    distances: Doubles = ((unit[:-1] - unit[-1]) ** 2).sum(-1).T.cpu().double().numpy() / 2
    return distances


def _above(
    model: Transformer,
    trace: Trace,
    layer: EncoderLayer | DecoderLayer,
    part: AttentionSubLayer,
    x: Tensor,
) -> Tensor:
    """Run the rest of a layer on the states (N, T, D) after one of its attentions."""
    if part.kind == "decoder_self":
        above = attention_sub_layer(model, trace, "cross", part.layer)
        module, residual = cast("DecoderLayer", layer).sublayers()["cross_attention"]
        module = cast("MultiHeadAttention", module)
        keys, values = (torch.tensor(a[None]).to(x) for a in (above.keys, above.values))
        queries = module.read(residual.enter(x))
        edit = model.edits(trace.interventions).heads("cross", part.layer)
        mask = torch.tensor(above.mask, device=x.device)
        output, _ = module(queries, keys, values, mask, True, edit)
        x = residual.leave(x, output)
    feed_forward, residual = layer.sublayers()["feed_forward"]
    after: Tensor = residual.leave(x, cast("FeedForward", feed_forward)(residual.enter(x)))
    return after


def _kept(part: AttentionSubLayer) -> Doubles:
    """The weights (H, Q, K), 0 for heads that are off."""
    weights: Doubles = part.weights * part.kept[:, None, None] * (not part.off)
    return weights


def _values(part: AttentionSubLayer) -> Doubles:
    """Each head's values as written to the residual stream, (H, K, D): v W_O."""
    heads, _, d_k = part.values.shape
    written: Doubles = part.values @ part.w_o.reshape(heads, d_k, -1)
    return written


def _through_norm(part: AttentionSubLayer, vectors: Doubles) -> Doubles:
    """Pass vectors (Q, n, D) through a post-norm with its mean and deviation fixed."""
    return vectors if part.pre else through_norm(vectors, part.total[:, None], part)


def _length(vectors: Doubles) -> Doubles:
    """The sum of absolute values, as ALTI measures length."""
    lengths: Doubles = np.abs(vectors).sum(-1)
    return lengths


def _contributions(found: Decomposition) -> tuple[Doubles, Doubles]:
    """Shares by which vectors (Q, K) and residual (Q,) come closer to the output; rows sum to 1."""
    size = _length(found.output)[:, None]
    nearer = np.maximum(0, size - _length(found.output[:, None] - found.vectors))  # (Q, K)
    own = np.maximum(0, size[:, 0] - _length(found.output - found.residual))  # (Q,)
    whole = nearer.sum(-1) + own
    whole[whole == 0] = 1
    return nearer / whole[:, None], own / whole


def _nearer_by_head(part: AttentionSubLayer, whole: Decomposition, head: int) -> Doubles:
    """How much closer one head's vectors come to the block's output, (Q, K)."""
    vectors = _kept(part)[head, :, :, None] * _values(part)[head]
    left = whole.output[:, None] - _through_norm(part, vectors)
    nearer: Doubles = np.maximum(0, _length(whole.output)[:, None] - _length(left))
    return nearer


def _mixing(own: AttentionSubLayer) -> Doubles:
    """The contributions of a self-attention (T, T), with the residual on the diagonal."""
    deadline.check()
    cells, residual = _contributions(decompose(own))
    mixing: Doubles = cells + np.diag(residual)
    return mixing


def shares(cells: Doubles) -> Doubles:
    """Divide each row (..., K) by its sum; a row of zeros stays zero."""
    sums = cells.sum(-1, keepdims=True)
    normalised: Doubles = cells / np.where(sums > 0, sums, 1)
    return normalised


def _without_residual(
    measure: Measure, part: AttentionSubLayer, cells: Doubles, heads: Doubles | None
) -> Measured:
    return Measured(measure, part.kind, part.layer, cells, np.zeros(len(cells)), heads)
