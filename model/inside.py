"""Inside one attention sub-layer: every number between what enters it and what leaves it.

A trace has the states between whole layers. Here one sub-layer of it is run again, by the model's
own modules, on the states of the trace and under its interventions; nothing is stored or hooked.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import Kind
from model.errors import InputError
from model.interventions import changes, position_table
from model.modules import Linear
from model.trace import Bools, Trace
from model.transformer import (
    DecoderLayer,
    EncoderLayer,
    MultiHeadAttention,
    Residual,
    Transformer,
)

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SubLayer:
    """One attention sub-layer over one sentence. Q queries, K keys, H heads, D d_model.

    The arrays hold the model's float32 numbers as float64, so that sums by hand round nothing. The
    matrices are written as the paper multiplies them, `x @ w_q + b_q`; head h owns the columns
    h * d_k to (h + 1) * d_k of the first three, and these rows of `w_o`.
    Source: Vaswani et al. 2017, sections 3.1 and 3.2.
    """

    kind: Kind
    layer: int
    entering: Doubles  # (Q, D): what the residual connection leads around the sub-layer
    x: Doubles  # (Q, D): what queries are made of; `entering`, or its LayerNorm in a pre-norm model
    memory: Doubles  # (K, D): what keys and values are made of; x but for cross-attention
    w_q: Doubles  # (D, D), as the next two and w_o; the biases (D,)
    b_q: Doubles
    w_k: Doubles
    b_k: Doubles
    w_v: Doubles
    b_v: Doubles
    queries: Doubles  # (H, Q, d_k)
    keys: Doubles  # (H, K, d_k), as the values
    values: Doubles
    scale: float  # what the scores are divided by: sqrt(d_k), or 1 where the scaling is off
    mask: Bools  # (Q, K), True = may attend
    weights: Doubles  # (H, Q, K)
    kept: Bools  # (H,): False for a head that is off
    context: Doubles  # (H, Q, d_k): weights @ values, 0 for a head that is off
    w_o: Doubles
    b_o: Doubles
    off: bool  # the whole sub-layer is off: its output is 0
    output: Doubles  # (Q, D): concat @ w_o + b_o
    gamma: Doubles  # (D,), as beta: the sub-layer's LayerNorm
    beta: Doubles
    eps: float
    pre: bool  # where the LayerNorm stands: before the sub-layer, or after the sum
    after: Doubles  # (Q, D): entering + output, its LayerNorm in a post-norm model

    def __post_init__(self) -> None:
        _freeze(self)


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the first layer of a stack gets: `tokens` + `positions`, both (T, D).

    `tokens` are the embeddings times sqrt(d_model); `layout` is how the model orders sines and
    cosines.
    """

    tokens: Doubles
    positions: Doubles
    layout: Literal["interleaved", "halves"]

    def __post_init__(self) -> None:
        _freeze(self)


@torch.inference_mode()
def sub_layer(model: Transformer, trace: Trace, kind: Kind, layer: int) -> SubLayer:
    """The sub-layer of this kind in that layer, as the traced pass ran it.

    Raises:
        InputError: a layer that this model does not have.
    """
    maps = trace.attention(kind)
    if not 0 <= layer < len(maps.weights):
        raise InputError(f"Layer {layer + 1} was asked for; the model has {len(maps.weights)}.")
    attention, residual = _modules(model, kind, layer)
    entering = _entering(model, trace, kind, layer)
    x = residual.enter(entering)
    memory = x
    if kind == "cross":
        memory = model.encoder_norm(_tensor(trace.encoder_states[-1], model))
    keys, values = attention.project(memory)
    mask = torch.tensor(maps.mask, device=x.device)
    change = changes(trace.interventions, model.config, x)[kind][layer]
    output, record = attention(x, keys, values, mask, True, change)
    kept = np.ones(attention.n_heads) if change.kept is None else _array(change.kept).reshape(-1)
    context = _array((record.weights @ values)[0]) * kept[:, None, None]
    return SubLayer(
        kind=kind,
        layer=layer,
        entering=_array(entering[0]),
        x=_array(x[0]),
        memory=_array(memory[0]),
        w_q=_matrix(attention.query),
        b_q=_array(attention.query.bias),
        w_k=_matrix(attention.key),
        b_k=_array(attention.key.bias),
        w_v=_matrix(attention.value),
        b_v=_array(attention.value.bias),
        queries=_array(record.queries[0]),
        keys=_array(keys[0]),
        values=_array(values[0]),
        scale=float(np.sqrt(model.config.d_k)) if maps.scaling else 1.0,
        mask=maps.mask,
        weights=_array(record.weights[0]),
        kept=kept > 0,
        context=context,
        w_o=_matrix(attention.output),
        b_o=_array(attention.output.bias),
        off=change.off,
        output=_array(output[0]),
        gamma=_array(residual.norm.weight),
        beta=_array(residual.norm.bias),
        eps=residual.norm.eps,
        pre=residual.pre,
        after=_array(residual.leave(entering, output)[0]),
    )


@torch.inference_mode()
def inputs(model: Transformer, trace: Trace, side: Literal["source", "target"]) -> Inputs:
    """What was added to what before the first layer, for the tokens that a stack has read."""
    tokens = trace.src if side == "source" else trace.tgt_in
    ids = torch.tensor(tokens.ids[None], device=model.embedding.token.weight.device)
    real = ids != model.config.pad_id if side == "source" else None
    table = position_table(model.embedding.positions, trace.interventions, side, len(tokens), real)
    return Inputs(
        tokens=_array((model.embedding.token(ids) * model.embedding.scale)[0]),
        positions=_array(table.reshape(-1, table.size(-1))[: len(tokens)]),
        layout=model.config.sinusoids,
    )


def _modules(model: Transformer, kind: Kind, layer: int) -> tuple[MultiHeadAttention, Residual]:
    if kind == "encoder_self":
        encoder = cast("EncoderLayer", model.encoder[layer])
        return encoder.self_attention, encoder.self_attention_residual
    decoder = cast("DecoderLayer", model.decoder[layer])
    if kind == "decoder_self":
        return decoder.self_attention, decoder.self_attention_residual
    return decoder.cross_attention, decoder.cross_attention_residual


def _entering(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Tensor:
    """(1, Q, D). Before the cross-attention of a layer stands its self-attention."""
    if kind == "cross":
        return _tensor(sub_layer(model, trace, "decoder_self", layer).after, model)
    states = trace.encoder_states if kind == "encoder_self" else trace.decoder_states
    return _tensor(states[layer], model)


def _tensor(array: NDArray[np.floating], model: Transformer) -> Tensor:
    like = model.embedding.token.weight
    return torch.tensor(array[None], dtype=like.dtype, device=like.device)


def _array(tensor: Tensor) -> Doubles:
    found: Doubles = tensor.detach().double().cpu().numpy()
    return found


def _matrix(linear: Linear) -> Doubles:
    """PyTorch keeps (out, in); the paper multiplies from the right."""
    return _array(linear.weight).T


def _freeze(record: SubLayer | Inputs) -> None:
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            value = np.array(value)
            value.flags.writeable = False
            object.__setattr__(record, field.name, value)
