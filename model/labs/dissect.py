"""A layer taken apart: every number between a sub-layer's input and its output.

A trace has the states between whole layers. Here the model's own modules run one layer again, on
the states of the trace and with its interventions. The output of the last sub-layer is the next
state of the trace.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.arrays import Bools, Doubles, Floats, Ints
from model.attention import MultiHeadAttention
from model.config import Kind, Layout, Side, Stack
from model.embedding import DistanceBias
from model.errors import InputError
from model.linear import Linear
from model.modules import Norm, RMSNorm
from model.trace import Trace
from model.transformer import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    Residual,
    SubLayerName,
    Transformer,
)


class _Record:
    """Makes every array of a record read-only; they are its own, so they are not copied."""

    def __post_init__(self) -> None:
        for field in fields(cast("Any", self)):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __repr__(self) -> str:
        values = ((field.name, getattr(self, field.name)) for field in fields(cast("Any", self)))
        said = (f"{k}{v.shape}" if isinstance(v, np.ndarray) else f"{k}={v!r}" for k, v in values)
        return f"{type(self).__name__}({', '.join(said)})"


@dataclass(frozen=True, eq=False, repr=False)
class SubLayer(_Record):
    """One sub-layer and the residual connection around it. T positions, D d_model.

    The arrays have the model's numbers as float64, so that sums add no further rounding.
    Source: Vaswani et al. 2017, section 3.1.
    """

    name: SubLayerName
    layer: int
    before: Doubles  # (T, D): the residual stream, which also bypasses the sub-layer
    x: Doubles  # (T, D): the sub-layer's input: `before`, or its LayerNorm in a pre-norm model
    output: Doubles  # (T, D): the sub-layer's output
    total: Doubles  # (T, D): before + output
    after: Doubles  # (T, D): the stream afterwards: `total`, or its LayerNorm in a post-norm model
    gamma: Doubles  # (D,), as beta: the sub-layer's LayerNorm
    beta: Doubles  # 0 in a norm that adds nothing
    eps: float
    rms: bool  # True: an RMSNorm, which subtracts no mean
    pre: bool  # True: LayerNorm before the sub-layer; False: after the sum


@dataclass(frozen=True, eq=False, repr=False)
class FeedForwardSubLayer(SubLayer):
    """A feed-forward sub-layer. Source: section 3.3.

    Differs from the paper in a gated one: a unit is `active` times `factor`.
    """

    hidden: Doubles  # (T, d_ff): what the outer map reads
    active: Doubles  # (T, d_ff): after the non-linearity; `hidden` if nothing is gated
    factor: Doubles | None  # (T, d_ff); None: nothing is gated


@dataclass(frozen=True, eq=False, repr=False)
class AttentionSubLayer(SubLayer):
    """An attention sub-layer. Q queries (the positions), K keys, H heads.

    The matrices have the paper's orientation, `x @ w_q + b_q`. Head h has the columns
    h * d_k to (h + 1) * d_k of `w_q`, `w_k` and `w_v`, and the same rows of `w_o`.
    Source: section 3.2.
    """

    kind: Kind
    memory: Doubles  # (K, D): the input of keys and values; x in self-attention
    w_q: Doubles  # (D, D), as the next two and w_o; the biases (D,), 0 where there are none
    b_q: Doubles
    w_k: Doubles
    b_k: Doubles
    w_v: Doubles
    b_v: Doubles
    queries: Doubles  # (H, Q, d_k)
    keys: Doubles  # (H, K, d_k), as the values
    values: Doubles
    scale: float  # the divisor of the scores: sqrt(d_k), or 1 if the scaling is off
    bias: Doubles | None  # (H, Q, K): added to the scores; None: nothing
    mask: Bools  # (Q, K), True = may attend
    weights: Doubles  # (H, Q, K)
    kept: Bools  # (H,): False for a head that is off
    context: Doubles  # (H, Q, d_k): weights @ values, 0 for a head that is off
    w_o: Doubles
    b_o: Doubles
    off: bool  # True: the whole sub-layer is off, its output is 0


@dataclass(frozen=True, eq=False, repr=False)
class Inputs(_Record):
    """The input of a stack's first layer: `tokens` + `positions`, both (T, D).

    `tokens` are the embeddings times `scale`: sqrt(d_model), or 1 in a model without this factor.
    `layout` is the order of sines and cosines; learned, relative or none: no waves. With `has_norm`
    the input is a norm of the sum (`Embedding.join`).
    """

    tokens: Doubles
    scale: float
    positions: Doubles
    layout: Layout | Literal["learned", "relative"]
    has_norm: bool


@dataclass(frozen=True, eq=False, repr=False)
class OutputLayer(_Record):
    """From the last state to log-probs: log_prob = x @ weight.T + bias - log_normaliser.

    T positions, k chosen tokens `ids`. Source: section 3.4.
    """

    ids: Ints  # (k,)
    x: Doubles  # (T, D): the last state, normed in a pre-norm model, scaled as the output reads it
    weight: Doubles  # (k, D): rows of the embedding matrix
    bias: Doubles  # (k,)
    log_normaliser: Doubles  # (T,): log of the sum of e^logit over the whole vocabulary


@torch.inference_mode()
def sub_layers(model: Transformer, trace: Trace, stack: Stack, layer: int) -> Iterator[SubLayer]:
    """The sub-layers of one layer in order, as the traced pass ran them.

    Raises:
        InputError: a layer that this model does not have, or a model built without the residual
        connections or LayerNorms that describe a sub-layer.
    """
    check_sums(model)
    layers = model.encoder if stack == "encoder" else model.decoder
    if not 0 <= layer < len(layers):
        raise InputError(f"Layer {layer + 1} was asked for; the {stack} has {len(layers)}.")
    states = trace.encoder_states if stack == "encoder" else trace.decoder_states
    before = _tensor(states[layer], model)
    parts = cast("EncoderLayer | DecoderLayer", layers[layer]).sublayers()
    for name, (part, residual) in parts.items():
        x = residual.enter(before)
        if isinstance(part, FeedForward):
            active = part.activation(part.inner(x))
            factor = None if part.factor is None else part.factor(x)
            hidden = active if factor is None else active * factor
            output = part.outer(hidden)
            after = residual.leave(before, output)
            yield FeedForwardSubLayer(
                **_common(name, layer, residual, before, output, after),
                hidden=doubles(hidden[0]),
                active=doubles(active[0]),
                factor=None if factor is None else doubles(factor[0]),
            )
        else:
            kind = kind_of(stack, name)
            output, numbers = _attention(model, part, x, trace, kind, layer)
            after = residual.leave(before, output)
            common = _common(name, layer, residual, before, output, after)
            yield AttentionSubLayer(**common, **numbers)
        before = after


def check_sums(model: Transformer) -> None:
    """Refuse a model whose layers are not sublayer, sum and norm.

    Raises:
        InputError: it is built without residual connections or LayerNorms.
    """
    if not model.config.residual or model.config.norm == "none":
        raise InputError(
            "This model was made without residual connections or without LayerNorm, so its layers "
            "cannot be split into sublayer, sum and norm.",
            key="no_parts",
        )


def attention_module(model: Transformer, kind: Kind, layer: int) -> MultiHeadAttention:
    """The module of an attention."""
    if kind == "encoder_self":
        return cast("EncoderLayer", model.encoder[layer]).self_attention
    block = cast("DecoderLayer", model.decoder[layer])
    return block.cross_attention if kind == "cross" else block.self_attention


def attention_sub_layer(
    model: Transformer, trace: Trace, kind: Kind, layer: int
) -> AttentionSubLayer:
    """The attention of this kind in that layer.

    Raises:
        InputError: a layer that this model does not have.
    """
    stack: Stack = "encoder" if kind == "encoder_self" else "decoder"
    parts = attention_sub_layers(model, trace, stack, layer)
    return next(part for part in parts if part.kind == kind)


def attention_sub_layers(
    model: Transformer, trace: Trace, stack: Stack, layer: int
) -> Iterator[AttentionSubLayer]:
    """The attentions of a layer in order: that of an encoder's layer, the two of a decoder's.

    Raises:
        InputError: as `sub_layers`.
    """
    first = itertools.islice(sub_layers(model, trace, stack, layer), 1 if stack == "encoder" else 2)
    return cast("Iterator[AttentionSubLayer]", first)


@torch.inference_mode()
def inputs(model: Transformer, trace: Trace, side: Side) -> Inputs:
    """The embeddings and position vectors of the tokens that a stack reads."""
    tokens = trace.src if side == "source" else trace.tgt_in
    ids = torch.tensor(tokens.ids[None], device=model.embedding.token.weight.device)
    edits = model.edits(trace.interventions)
    vectors, positions, _ = model.vectors(ids, range(len(tokens)), side, edits)
    positions_of = model.config.positions
    return Inputs(
        tokens=doubles(vectors[0]),
        scale=model.embedding.scale_of(side),
        positions=doubles(positions.reshape(len(tokens), -1)),
        layout=model.config.sinusoids if positions_of == "sinusoids" else positions_of,
        has_norm=model.embedding.norm(side) is not None,
    )


class NormNumbers(NamedTuple):
    """A norm's numbers, named as in a `SubLayer`."""

    gamma: Doubles  # (D,), as beta
    beta: Doubles  # 0 in a norm that adds nothing
    eps: float
    rms: bool


def norm_numbers(norm: Norm) -> NormNumbers:
    """The numbers of a norm as float64."""
    beta = torch.zeros_like(norm.weight) if norm.bias is None else norm.bias
    return NormNumbers(doubles(norm.weight), doubles(beta), norm.eps, isinstance(norm, RMSNorm))


def through_norm(vectors: Doubles, x: Doubles, norm: NormNumbers | SubLayer) -> Doubles:
    """Parts of x (..., D) as the norm of x leaves them, without the vector that it adds.

    With the deviation of x kept, the norm is linear: gamma * (v - mean(v)) / deviation. An RMSNorm
    subtracts no mean.
    """
    if norm.rms:
        size = np.sqrt((x**2).mean(-1, keepdims=True) + norm.eps)
        normed: Doubles = norm.gamma * vectors / size
        return normed
    deviation = np.sqrt(x.var(-1, keepdims=True) + norm.eps)
    scaled: Doubles = norm.gamma * (vectors - vectors.mean(-1, keepdims=True)) / deviation
    return scaled


def distance_tables(model: Transformer, side: Side, reach: int) -> tuple[Floats, Ints]:
    """The biases by distance of a side's stack, (L or 1, buckets, H), and the bucket of each
    distance from -reach to reach.
    """
    tables = model.encoder_distances if side == "source" else model.decoder_distances
    parts = [cast("DistanceBias", table) for table in tables]
    weights = np.stack([part.table.weight.detach().cpu().float().numpy() for part in parts])
    farthest = parts[0].farthest  # from there on, all distances share a bucket
    places = np.arange(-reach, reach + 1).clip(-farthest, farthest) + farthest
    return weights, parts[0].buckets.cpu().numpy()[places]


def position_rows(model: Transformer, side: Side, count: int) -> Floats:
    """The vectors (count, D) of the first positions of a side."""
    rows: Floats = model.embedding.table(side)[:count].detach().cpu().float().numpy()
    return rows


@torch.inference_mode()
def output_layer(model: Transformer, trace: Trace, ids: Sequence[int]) -> OutputLayer:
    """The output layer at every target position, for the tokens `ids`.

    Raises:
        InputError: an id outside the vocabulary.
    """
    size = model.config.vocab_size
    if any(not 0 <= i < size for i in ids):
        raise InputError(f"A token id is outside the vocabulary; expected 0 to {size - 1}.")
    x = model.decoder_norm(_tensor(trace.decoder_states[-1], model))[0]
    chosen = torch.tensor(list(ids), dtype=torch.int64, device=x.device)
    bias = torch.zeros(size).to(x) if model.output_bias is None else model.output_bias
    normalisers = [model.logits(row[None]).float().logsumexp(-1) for row in x]
    return OutputLayer(
        ids=chosen.cpu().numpy(),
        x=doubles(model.read_out(x)),
        weight=doubles(model.output_weight[chosen]),
        bias=doubles(bias[chosen]),
        log_normaliser=doubles(torch.cat(normalisers)),
    )


def _common(
    name: SubLayerName,
    layer: int,
    residual: Residual,
    before: Tensor,
    output: Tensor,
    after: Tensor,
) -> dict[str, Any]:
    norm = cast("Norm", residual.norm)  # `sub_layers` refuses a model without one
    return {
        "name": name,
        "layer": layer,
        "before": doubles(before[0]),
        "x": doubles(residual.enter(before)[0]),
        "output": doubles(output[0]),
        "total": doubles((before + output)[0]),
        "after": doubles(after[0]),
        **norm_numbers(norm)._asdict(),
        "pre": residual.pre,
    }


def kind_of(stack: Stack, name: SubLayerName) -> Kind:
    """The kind of an attention sub-layer."""
    if stack == "encoder":
        return "encoder_self"
    return "decoder_self" if name == "self_attention" else "cross"


def _attention(
    model: Transformer, part: MultiHeadAttention, x: Tensor, trace: Trace, kind: Kind, layer: int
) -> tuple[Tensor, dict[str, Any]]:
    maps, memory = trace.attention(kind), x
    if kind == "cross":
        memory = model.encoder_norm(_tensor(trace.encoder_states[-1], model))
    maps_of = (part.query, part.key, part.value)
    queries, keys, values = (
        part.split_heads(m(v)) for m, v in zip(maps_of, (x, memory, memory), strict=True)
    )
    edit = model.edits(trace.interventions).heads(kind, layer)
    mask = torch.tensor(maps.mask, device=x.device)
    bias = None if maps.bias is None else torch.tensor(maps.bias[layer]).to(x)
    output, record = part(queries, keys, values, mask, True, edit, bias)
    kept = np.ones(part.n_heads) if edit.kept is None else doubles(edit.kept).reshape(-1)
    context = doubles((cast("Tensor", record.weights) @ values)[0])
    return output, {
        "kind": kind,
        "memory": doubles(memory[0]),
        "w_q": _matrix(part.query),
        "b_q": _shift(part.query),
        "w_k": _matrix(part.key),
        "b_k": _shift(part.key),
        "w_v": _matrix(part.value),
        "b_v": _shift(part.value),
        "queries": doubles(record.queries[0]),
        "keys": doubles(keys[0]),
        "values": doubles(values[0]),
        "scale": float(np.sqrt(model.config.d_k(kind))) if maps.scaling else 1.0,
        "bias": None if bias is None else doubles(bias),
        "mask": maps.mask,
        "weights": doubles(cast("Tensor", record.weights)[0]),
        "kept": kept > 0,
        "context": context * kept[:, None, None],
        "w_o": _matrix(part.output),
        "b_o": _shift(part.output),
        "off": edit.is_off,
    }


def _tensor(array: NDArray[np.floating], model: Transformer) -> Tensor:
    """(T, D) -> (1, T, D), of the model's type and on its device."""
    like = model.embedding.token.weight
    return torch.tensor(array[None]).to(like)


def doubles(tensor: Tensor) -> Doubles:
    """The tensor as float64, converted on the CPU because Apple's GPUs have no float64."""
    array: Doubles = tensor.detach().cpu().double().numpy()
    return array


def _shift(linear: Linear) -> Doubles:
    """A map's bias; zeros if it has none."""
    return np.zeros(linear.out_features) if linear.bias is None else doubles(linear.bias)


def _matrix(linear: Linear) -> Doubles:
    """PyTorch keeps (out, in); the paper multiplies from the right."""
    return doubles(linear.weight).T
