"""The network, in the order of "Attention Is All You Need" (Vaswani et al. 2017).

Section 3.2 is in `attention.py`, sections 3.4 and 3.5 are in `embedding.py`. Every layer returns
its record with its output; nothing is stored on a module. Axis letters: B batch, S source, T
target, Q query, K key, H heads, D d_model, F d_ff, V vocabulary. Rows are queries, columns are
keys. Masks: True = may attend.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Literal, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.attention import AttentionRecord as AttentionRecord
from model.attention import MultiHeadAttention as MultiHeadAttention
from model.attention import attention as attention
from model.attention import causal_mask as causal_mask
from model.config import ModelConfig, Side, Stack
from model.edits import NO_EDIT, NO_EDITS, AttentionEdit, Edits, InterventionBatch, compile_edits
from model.embedding import DistanceBias, Embedding, distance_biases
from model.embedding import sinusoids as sinusoids
from model.linear import Linear, PackedWeight, linear
from model.modules import Dropout, NoHooks, norm_of


class StackRecord(NamedTuple):
    """A pass through a stack: states[0] is its input, states[l] the output of layer l."""

    states: tuple[Tensor, ...]  # each (B, T, D)
    self_attention: tuple[AttentionRecord, ...]
    cross: tuple[AttentionRecord, ...]  # empty in the encoder


# --------------------------------------------------------------------------- feed-forward, 3.3

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "swish": F.silu,
    "gelu": F.gelu,
    "gelu_new": functools.partial(F.gelu, approximate="tanh"),
    "tanh": torch.tanh,
}


class FeedForward(NoHooks):
    """Two linear maps with a non-linearity between, same for all positions. Source: equation 2.

    Differs from the paper where the config says `gated` (T5 1.1; Shazeer 2020): a third map, the
    factor, multiplies each unit.
    """

    def __init__(self, config: ModelConfig, stack: Stack) -> None:
        super().__init__()
        width = config.width(stack)
        self.inner = Linear(config.d_model, width, bias=config.biases)
        self.factor = Linear(config.d_model, width, bias=config.biases) if config.gated else None
        self.outer = Linear(width, config.d_model, bias=config.biases)
        self.activation = ACTIVATIONS[config.activation]

    def units(self, x: Tensor) -> Tensor:
        """The inner units: (..., D) -> (..., F)."""
        units = self.activation(self.inner(x))
        return units if self.factor is None else units * self.factor(x)

    def forward(self, x: Tensor) -> Tensor:
        return self.outer(self.units(x))


# ---------------------------------------------------------------------------------- layers, 3.1


class Residual(NoHooks):
    """The connection around each sub-layer. Source: section 3.1 and 5.4.

    post (the paper): LayerNorm(x + Dropout(sublayer(x))); pre: x + Dropout(sublayer(LayerNorm(x)));
    none: without LayerNorm. Without `residual` the "x +" is left out.
    It has two halves, `enter` and `leave`, so that the layers read as straight lines.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.pre, self.residual = config.norm == "pre", config.residual
        self.norm = nn.Identity() if config.norm == "none" else norm_of(config)
        self.dropout = Dropout(config.dropout)

    def enter(self, x: Tensor) -> Tensor:
        return self.norm(x) if self.pre else x

    def leave(self, x: Tensor, output: Tensor) -> Tensor:
        added = self.dropout(output) if self.training else output
        x = x + added if self.residual else added
        return x if self.pre else self.norm(x)


SubLayerName = Literal["self_attention", "cross_attention", "feed_forward"]
SubLayers = dict[SubLayerName, tuple[MultiHeadAttention | FeedForward, Residual]]


class EncoderLayer(NoHooks):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config, "encoder_self")
        self.self_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config, "encoder")
        self.feed_forward_residual = Residual(config)

    def sublayers(self) -> SubLayers:
        """Its sub-layers by name, in order."""
        return {
            "self_attention": (self.self_attention, self.self_attention_residual),
            "feed_forward": (self.feed_forward, self.feed_forward_residual),
        }

    def forward(
        self,
        x: Tensor,
        src_mask: Tensor,
        edit: AttentionEdit = NO_EDIT,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, AttentionRecord]:
        inside = self.self_attention_residual.enter(x)
        queries = self.self_attention.read(inside)
        keys, values = self.self_attention.remember(inside)
        output, record = self.self_attention(queries, keys, values, src_mask, True, edit, bias)
        x = self.self_attention_residual.leave(x, output)

        output = self.feed_forward(self.feed_forward_residual.enter(x))
        return self.feed_forward_residual.leave(x, output), record


class DecoderLayer(NoHooks):
    """Masked self-attention, then cross-attention over the memory, then feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config, "decoder_self")
        self.self_attention_residual = Residual(config)
        self.cross_attention = MultiHeadAttention(config, "cross")
        self.cross_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config, "decoder")
        self.feed_forward_residual = Residual(config)

    def sublayers(self) -> SubLayers:
        """Its sub-layers by name, in order."""
        return {
            "self_attention": (self.self_attention, self.self_attention_residual),
            "cross_attention": (self.cross_attention, self.cross_attention_residual),
            "feed_forward": (self.feed_forward, self.feed_forward_residual),
        }

    def forward(
        self,
        x: Tensor,
        past: tuple[Tensor, Tensor] | None,
        memory: tuple[Tensor, Tensor],
        tgt_mask: Tensor | None,
        src_mask: Tensor | None,
        capture: bool = True,
        self_edit: AttentionEdit = NO_EDIT,
        cross_edit: AttentionEdit = NO_EDIT,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, AttentionRecord, AttentionRecord]:
        """`past` and `memory` have the keys and values of the target so far and of the memory.

        x may have several adjacent rows for each row of the memory, which then share it.
        """
        inside = self.self_attention_residual.enter(x)
        queries = self.self_attention.read(inside)
        keys, values = self.self_attention.remember(inside)
        if past is not None:
            keys = torch.cat((past[0], keys), dim=2)
            values = torch.cat((past[1], values), dim=2)
        output, self_record = self.self_attention(
            queries, keys, values, tgt_mask, capture, self_edit, bias
        )
        x = self.self_attention_residual.leave(x, output)

        inside = self.cross_attention_residual.enter(x)
        sharing = inside.reshape(memory[0].size(0), -1, x.size(-1))  # (S n, 1, D) -> (S, n, D)
        queries = self.cross_attention.read(sharing)
        output, cross_record = self.cross_attention(queries, *memory, src_mask, capture, cross_edit)
        x = self.cross_attention_residual.leave(x, output.view_as(x))

        output = self.feed_forward(self.feed_forward_residual.enter(x))
        return self.feed_forward_residual.leave(x, output), self_record, cross_record


# ------------------------------------------------------------------------------- the whole, 3.1


class DecoderState(NamedTuple):
    """The state of step-by-step decoding between tokens, with a row for each hypothesis.

    Adjacent hypotheses of one sentence may share a row of the memory, if all rows of it have the
    same number of hypotheses.
    """

    memory: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, S, d_k)
    src_mask: Tensor | None  # (B, 1, 1, S); None if nothing is padded
    past: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, T, d_k)
    length: int  # target tokens read so far

    def of(self, layer: int) -> tuple[tuple[Tensor, Tensor] | None, tuple[Tensor, Tensor]]:
        """A layer's keys and values for the target so far and for the memory."""
        return self.past[layer] if self.past else None, self.memory[layer]

    def after(self, record: StackRecord, length: int) -> DecoderState:
        """The state after the tokens of a record are read, `length` tokens in all."""
        past = tuple((own.keys, own.values) for own in record.self_attention)
        return DecoderState(self.memory, self.src_mask, past, length)

    def chosen(self, memory: Tensor | None, past: Tensor) -> DecoderState:
        """The state of the chosen rows; `memory` is None if the memory keeps its rows."""
        state = self._replace(past=_rows(self.past, past))
        if memory is None:
            return state
        mask = self.src_mask
        mask = None if mask is None else mask.index_select(0, memory)
        return state._replace(memory=_rows(self.memory, memory), src_mask=mask)


def _rows(
    pairs: tuple[tuple[Tensor, Tensor], ...], index: Tensor
) -> tuple[tuple[Tensor, Tensor], ...]:
    return tuple((k.index_select(0, index), v.index_select(0, index)) for k, v in pairs)


class Transformer(nn.Module):
    """An encoder-decoder with one embedding matrix for source, target and output (section 3.4).

    `src_vocab_size` and `tied` in the config say which matrices are separate; see `Embedding`.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.dropout = Dropout(config.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.n_decoder_layers))
        pre = config.norm == "pre"
        self.encoder_norm = norm_of(config) if pre else nn.Identity()
        self.decoder_norm = norm_of(config) if pre else nn.Identity()
        self.encoder_distances = distance_biases(config, "encoder_self", config.n_encoder_layers)
        self.decoder_distances = distance_biases(config, "decoder_self", config.n_decoder_layers)
        self.output_bias = (
            nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        )
        self.output = None if config.tied else nn.Embedding(config.vocab_size, config.d_model)
        self.packed: PackedWeight | None = None  # a copy of the output's weight
        self._initialise()

    def _initialise(self) -> None:
        """Xavier for the linear maps; embeddings with unit variance after scaling.

        Differs from the paper, which is silent here, and from its code: a sub-layer's output starts
        small, by (8 N)^(-1/4) for the N layers of the deeper stack. This follows Wang et al. 2022
        ("DeepNet") loosely: their factor for an encoder alone is used here, while they give two
        others for an encoder-decoder and also scale the residual, which is unchanged here. Without
        a small start the post-norm encoder gave every position the same vector in our runs;
        docs/training.md has them. T5, which does not divide the scores by sqrt(d_k), divides the
        first weights of the queries instead.
        """
        config = self.config
        is_t5 = config.positions == "relative" and not config.scaling
        small = (8 * max(config.n_encoder_layers, config.n_decoder_layers)) ** -0.25
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=config.d_model**-0.5)
        for matrix in (self.embedding.token, self.embedding.source, self.output):
            if config.scale_output and matrix is not None:
                nn.init.normal_(matrix.weight)
        for module in self.modules():
            added: tuple[Linear, ...] = ()
            if isinstance(module, MultiHeadAttention):
                added = (module.value, module.output)
                if is_t5:
                    d_k = module.query.weight.size(0) // module.n_heads
                    module.query.weight.detach().div_(math.sqrt(d_k))
            elif isinstance(module, FeedForward):
                added = (module.inner, module.outer)
            for part in added:
                part.weight.detach().mul_(small)

    def encode(self, src: Tensor, edits: Edits = NO_EDITS) -> tuple[Tensor, Tensor, StackRecord]:
        """Src (B, S), padded with pad_id -> memory (B, S, D), src_mask (B, 1, 1, S), the record.

        `src_mask` is for reading the memory; the mask of the encoder's attention is in the record.
        Source: section 3.1, on the left of figure 1.
        """
        src = edits.source(src)
        src_mask = (src != self.config.pad_id)[:, None, None, :]  # (B, 1, 1, S)
        positions = range(src.size(1))
        mask = edits.mask("encoder_self", src_mask, positions, len(positions))

        x = self.dropout(self.embedding.join(*self.vectors(src, positions, "source", edits)))
        bias = self.biases(positions, len(positions), "source", src, edits)
        states, records = [edits.state("encoder", 0, x)], []
        for i, layer in enumerate(self.encoder):
            x, record = layer(states[-1], mask, edits.heads("encoder_self", i), bias(i))
            states.append(edits.state("encoder", i + 1, x))
            records.append(record)
        stack = StackRecord(tuple(states), tuple(records), ())
        return self.encoder_norm(states[-1]), src_mask, stack

    def vectors(
        self, ids: Tensor, at: range, side: Side, edits: Edits = NO_EDITS
    ) -> tuple[Tensor, Tensor, Side]:
        """Token vectors (B, T, D), position vectors (T or B, T, D): the parts of a stack's input.

        Source: sections 3.4 and 3.5.
        """
        rows = edits.positions(self.embedding.table(side), at, side, ids)
        return self.embedding(ids, side), self.embedding.counted(rows, ids), side

    def biases(
        self, at: range, n_keys: int, side: Side, ids: Tensor, edits: Edits = NO_EDITS
    ) -> Callable[[int], Tensor | None]:
        """What each layer's self-attention adds to the scores (H, Q, K) of the queries at `at`.

        None in a model whose positions are vectors. One table may serve all layers.
        """
        tables = self.encoder_distances if side == "source" else self.decoder_distances
        given = [edits.distances(cast("DistanceBias", t), at, n_keys, side, ids) for t in tables]
        return lambda layer: given[layer % len(given)] if given else None

    def start(self, memory: Tensor, src_mask: Tensor | None) -> DecoderState:
        """The state before the first target token: the memory's keys and values, once per layer."""
        # Contiguous, because every step reads them and a product would otherwise copy them.
        layers = [cast("DecoderLayer", layer).cross_attention for layer in self.decoder]
        pairs = [cross.remember(memory) for cross in layers]
        contiguous = tuple((keys.contiguous(), values.contiguous()) for keys, values in pairs)
        return DecoderState(contiguous, src_mask, (), 0)

    def decode(
        self, tgt: Tensor, state: DecoderState, edits: Edits = NO_EDITS, capture: bool = True
    ) -> tuple[Tensor, DecoderState, StackRecord]:
        """Read the next tokens tgt (B, T) after those in `state`, one or many at once.

        Without `capture` the record has no attention weights; a search does not need them.
        Returns the top of the stack (B, T, D), before `logits`; the state afterwards; the record.
        Source: section 3.1, on the right of figure 1.
        """
        positions = range(state.length, state.length + tgt.size(1))
        tgt_mask = self.future_mask(positions, tgt.device)
        tgt_mask = edits.mask("decoder_self", tgt_mask, positions, positions.stop)
        src_mask = edits.mask("cross", state.src_mask, positions, state.memory[0][0].size(2))

        x = self.dropout(self.embedding.join(*self.vectors(tgt, positions, "target", edits)))
        bias = self.biases(positions, positions.stop, "target", tgt, edits)
        states, selves, crosses = [edits.state("decoder", 0, x)], [], []
        for i, layer in enumerate(self.decoder):
            changed = (edits.heads("decoder_self", i), edits.heads("cross", i), bias(i))
            x, own, cross = layer(states[-1], *state.of(i), tgt_mask, src_mask, capture, *changed)
            states.append(edits.state("decoder", i + 1, x))
            selves.append(own)
            crosses.append(cross)
        record = StackRecord(tuple(states), tuple(selves), tuple(crosses))
        return self.decoder_norm(states[-1]), state.after(record, positions.stop), record

    def future_mask(self, positions: range, device: torch.device) -> Tensor | None:
        """Row t reads the target up to its own position, (T, length); None if it may read all.

        A single new token may read all before it, so it needs no mask. `ModelConfig.causal_mask` is
        the model's own; a visitor's acts in `CompiledEdits.mask`. Source: section 3.2.3.
        """
        if len(positions) == 1 or not self.config.causal_mask:
            return None
        return causal_mask(positions.stop, device)[positions.start :]

    @property
    def output_weight(self) -> Tensor:
        """(V, D): the target's embedding matrix (section 3.4), or a separate matrix."""
        return (self.embedding.token if self.output is None else self.output).weight

    def read_out(self, x: Tensor) -> Tensor:
        """The last vectors as the output's map reads them. Differs with `scale_output`: T5."""
        return x * self.config.output_scale if self.config.scale_output else x

    def logits(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, V)."""
        return linear(self.read_out(x), self.output_weight, self.output_bias, self.packed)

    def forward(self, src: Tensor, tgt: Tensor, edits: Edits = NO_EDITS) -> Tensor:
        """Teacher forcing: src (B, S) and the decoder's input tgt (B, T) -> logits (B, T, V)."""
        memory, src_mask, _ = self.encode(src, edits)
        x, _, _ = self.decode(tgt, self.start(memory, src_mask), edits)
        return self.logits(x)

    def edits(self, interventions: InterventionBatch, n_rows: int = 1) -> Edits:
        """The edits of `Interventions` for this model; a list has one for each of `n_rows`.

        Raises:
            InputError, ConfigError: as `compile_edits`.
        """
        return compile_edits(interventions, self.config, n_rows, self.embedding.token.weight)
