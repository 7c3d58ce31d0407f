"""The network, in the order of "Attention Is All You Need" (Vaswani et al. 2017).

Section 3.2 is in `attention.py`, sections 3.4 and 3.5 are in `embedding.py`. Every layer returns
its record beside its output; nothing is stored on a module. Axis letters: B batch, S source,
T target, Q query, K key, H heads, D d_model, F d_ff, V vocabulary. Rows are queries, columns are
keys. Masks: True = may attend.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.attention import AttentionRecord as AttentionRecord
from model.attention import MultiHeadAttention as MultiHeadAttention
from model.attention import attention as attention
from model.attention import causal_mask as causal_mask
from model.config import UNTOUCHED, ModelConfig, Stack
from model.embedding import Embedding
from model.embedding import sinusoids as sinusoids
from model.interventions import (
    NO_CHANGE,
    Change,
    CompiledInterventions,
    InterventionBatch,
    compiled,
    painted,
    position_table,
)
from model.modules import Direct, Dropout, LayerNorm, Linear, Way, product


class StackRecord(NamedTuple):
    """One pass through a stack: states[0] is embedding + position, states[l] what layer l gives."""

    states: tuple[Tensor, ...]  # each (B, T, D)
    self_attention: tuple[AttentionRecord, ...]
    cross: tuple[AttentionRecord, ...]  # empty in the encoder


# --------------------------------------------------------------------------- feed-forward, 3.3

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "swish": F.silu,
    "gelu": F.gelu,
}


class FeedForward(Direct):
    """Two linear maps with a non-linearity between, at each position alike. Source: equation 2."""

    def __init__(self, config: ModelConfig, stack: Stack) -> None:
        super().__init__()
        self.inner = Linear(config.d_model, config.width(stack))
        self.outer = Linear(config.width(stack), config.d_model)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x: Tensor) -> Tensor:
        return self.outer(self.activation(self.inner(x)))


# ---------------------------------------------------------------------------------- layers, 3.1


class Residual(Direct):
    """The connection around each sub-layer. Source: section 3.1 and 5.4.

    post (the paper): LayerNorm(x + Dropout(sublayer(x))); pre: x + Dropout(sublayer(LayerNorm(x)));
    none: without LayerNorm. Without `residual` the "x +" is left out.
    Used in two halves, `enter` and `leave`, so that the layers read as straight lines.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.pre, self.residual = config.norm == "pre", config.residual
        self.norm = nn.Identity() if config.norm == "none" else LayerNorm(config.d_model)
        self.dropout = Dropout(config.dropout)

    def enter(self, x: Tensor) -> Tensor:
        return self.norm(x) if self.pre else x

    def leave(self, x: Tensor, output: Tensor) -> Tensor:
        added = self.dropout(output) if self.training else output
        x = x + added if self.residual else added
        return x if self.pre else self.norm(x)


class EncoderLayer(Direct):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config, "encoder_self")
        self.self_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config, "encoder")
        self.feed_forward_residual = Residual(config)

    def forward(
        self, x: Tensor, src_mask: Tensor, change: Change = NO_CHANGE
    ) -> tuple[Tensor, AttentionRecord]:
        inside = self.self_attention_residual.enter(x)
        keys, values = self.self_attention.project(inside)
        output, record = self.self_attention(inside, keys, values, src_mask, True, change)
        x = self.self_attention_residual.leave(x, output)

        output = self.feed_forward(self.feed_forward_residual.enter(x))
        return self.feed_forward_residual.leave(x, output), record


class DecoderLayer(Direct):
    """Masked self-attention, then cross-attention over the memory, then feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config, "decoder_self")
        self.self_attention_residual = Residual(config)
        self.cross_attention = MultiHeadAttention(config, "cross")
        self.cross_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config, "decoder")
        self.feed_forward_residual = Residual(config)

    def forward(
        self,
        x: Tensor,
        past: tuple[Tensor, Tensor] | None,
        memory: tuple[Tensor, Tensor],
        tgt_mask: Tensor | None,
        src_mask: Tensor | None,
        capture: bool = True,
        self_change: Change = NO_CHANGE,
        cross_change: Change = NO_CHANGE,
    ) -> tuple[Tensor, AttentionRecord, AttentionRecord]:
        """`past` and `memory` are keys and values: of the target so far, of the memory."""
        inside = self.self_attention_residual.enter(x)
        keys, values = self.self_attention.project(inside)
        if past is not None:
            keys = torch.cat((past[0], keys), dim=2)
            values = torch.cat((past[1], values), dim=2)
        output, self_record = self.self_attention(
            inside, keys, values, tgt_mask, capture, self_change
        )
        x = self.self_attention_residual.leave(x, output)

        inside = self.cross_attention_residual.enter(x)
        output, cross_record = self.cross_attention(
            inside, *memory, src_mask, capture, cross_change
        )
        x = self.cross_attention_residual.leave(x, output)

        output = self.feed_forward(self.feed_forward_residual.enter(x))
        return self.feed_forward_residual.leave(x, output), self_record, cross_record


# ------------------------------------------------------------------------------- the whole, 3.1


class DecoderState(NamedTuple):
    """What step-by-step decoding carries from token to token, one row for each hypothesis."""

    memory: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, S, d_k)
    src_mask: Tensor | None  # (B, 1, 1, S); None where nothing is padded
    past: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, T, d_k)
    length: int  # target tokens read so far

    def rows(self, index: Tensor) -> DecoderState:
        """The chosen rows, in that order; a row may be chosen more than once."""
        return DecoderState(
            tuple((k[index], v[index]) for k, v in self.memory),
            None if self.src_mask is None else self.src_mask[index],
            tuple((k[index], v[index]) for k, v in self.past),
            self.length,
        )


class Transformer(nn.Module):
    """An encoder-decoder with one embedding matrix for source, target and output (section 3.4).

    `src_vocab_size` and `tied` of the config say where a matrix is apart; see `Embedding`.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.dropout = Dropout(config.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.n_decoder_layers))
        pre = config.norm == "pre"
        self.encoder_norm = LayerNorm(config.d_model) if pre else nn.Identity()
        self.decoder_norm = LayerNorm(config.d_model) if pre else nn.Identity()
        self.output_bias = (
            nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        )
        self.output = None if config.tied else nn.Embedding(config.vocab_size, config.d_model)
        self.output_way: Way = "linear"
        self._initialise()

    def _initialise(self) -> None:
        """Xavier for the linear maps; embeddings that have unit variance after their scaling.

        Differs from the paper, which is silent here, and from its code: what a sub-layer adds
        starts small, by (8 N)^(-1/4) for the N layers of the deeper stack. That is in the manner of
        Wang et al. 2022 ("DeepNet"), and not theirs: the factor is the one that they give for an
        encoder alone, they have two others for an encoder-decoder, and they also scale the
        residual, which is left as it is here. Without a small start the post-norm encoder gave
        every position the same vector in our runs; docs/training.md has them.
        """
        config = self.config
        small = (8 * max(config.n_encoder_layers, config.n_decoder_layers)) ** -0.25
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=config.d_model**-0.5)
        for module in self.modules():
            added: tuple[Linear, ...] = ()
            if isinstance(module, MultiHeadAttention):
                added = (module.value, module.output)
            elif isinstance(module, FeedForward):
                added = (module.inner, module.outer)
            for linear in added:
                linear.weight.detach().mul_(small)

    def encode(
        self, src: Tensor, interventions: InterventionBatch | CompiledInterventions = UNTOUCHED
    ) -> tuple[Tensor, Tensor, StackRecord]:
        """Src (B, S), padded with pad_id -> memory (B, S, D), src_mask (B, 1, 1, S), the record.

        S grows by the padding of the interventions. `src_mask` is for reading the memory; the mask
        of the encoder's own attention is in the record.
        """
        plan = compiled(interventions, self.config, len(src), self.embedding.token.weight)
        common, pad_id = plan.common, self.config.pad_id
        src = F.pad(src, (0, common.padding), value=pad_id)
        real, length = src != pad_id, src.size(1)
        src_mask = (real if common.padding_mask else torch.ones_like(real))[:, None, None, :]
        table = position_table(self.embedding.positions, common, "source", length, real)
        x = self.dropout(self.embedding(src, 0, table, "source"))
        mask = painted(src_mask, plan, "encoder_self", range(length), length, src.device)
        states, records = [x], []
        for layer, change in zip(self.encoder, plan.changes["encoder_self"], strict=True):
            x, record = layer(x, mask, change)
            states.append(x)
            records.append(record)
        memory = self.encoder_norm(x)
        return memory, src_mask, StackRecord(tuple(states), tuple(records), ())

    def start(self, memory: Tensor, src_mask: Tensor | None) -> DecoderState:
        """The state before the first target token: the memory's keys and values, once per layer."""
        attentions = (cast("DecoderLayer", layer).cross_attention for layer in self.decoder)
        # Contiguous, because every step reads them and a product would copy them each time.
        pairs = tuple(
            (keys.contiguous(), values.contiguous())
            for keys, values in (attention.project(memory) for attention in attentions)
        )
        return DecoderState(pairs, src_mask, (), 0)

    def decode(
        self,
        tgt: Tensor,
        state: DecoderState,
        interventions: InterventionBatch | CompiledInterventions = UNTOUCHED,
        capture: bool = True,
    ) -> tuple[Tensor, DecoderState, StackRecord]:
        """Read the next tokens tgt (B, T) after those that `state` has read: many at once, or one.

        Without `capture` the record has no attention weights; a search needs none.
        Returns the top of the stack (B, T, D), before `logits`; the state afterwards; the record.
        """
        plan = compiled(interventions, self.config, len(tgt), self.embedding.token.weight)
        queries = range(state.length, state.length + tgt.size(1))
        n_src, length = state.memory[0][0].size(2), queries.stop
        # A single new token may read all before it; it needs no mask.
        causal = len(queries) > 1 and plan.common.causal_mask and self.config.causal_mask
        tgt_mask = causal_mask(length, tgt.device)[queries.start :] if causal else None
        tgt_mask = painted(tgt_mask, plan, "decoder_self", queries, length, tgt.device)
        src_mask = painted(state.src_mask, plan, "cross", queries, n_src, tgt.device)
        table = position_table(self.embedding.positions, plan.common, "target", length)
        x = self.dropout(self.embedding(tgt, state.length, table))
        states, selves, crosses, past = [x], [], [], []
        for i, layer in enumerate(self.decoder):
            before = state.past[i] if state.past else None
            masks = (tgt_mask, src_mask, capture)
            changes = (plan.changes["decoder_self"][i], plan.changes["cross"][i])
            x, own, cross = layer(x, before, state.memory[i], *masks, *changes)
            states.append(x)
            selves.append(own)
            crosses.append(cross)
            past.append((own.keys, own.values))
        after = DecoderState(state.memory, state.src_mask, tuple(past), length)
        record = StackRecord(tuple(states), tuple(selves), tuple(crosses))
        return self.decoder_norm(x), after, record

    @property
    def output_weight(self) -> Tensor:
        """(V, D): the target's embedding matrix (section 3.4), or a matrix of its own."""
        return (self.embedding.token if self.output is None else self.output).weight

    def logits(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, V)."""
        return product(x, self.output_weight, self.output_bias, self.output_way)

    def forward(
        self, src: Tensor, tgt: Tensor, interventions: InterventionBatch = UNTOUCHED
    ) -> Tensor:
        """Teacher forcing: src (B, S) and the target as read, tgt (B, T) -> logits (B, T, V)."""
        plan = compiled(interventions, self.config, len(src), self.embedding.token.weight)
        memory, src_mask, _ = self.encode(src, plan)
        x, _, _ = self.decode(tgt, self.start(memory, src_mask), plan)
        return self.logits(x)
