"""The network, in the order of "Attention Is All You Need" (Vaswani et al. 2017).

Every layer returns its record beside its output; nothing is stored on a module. Axis letters:
B batch, S source, T target, Q query, K key, H heads, D d_model, F d_ff, V vocabulary.
Rows are queries, columns are keys. Masks: True = may attend.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import UNTOUCHED, ModelConfig
from model.interventions import NO_CHANGE, Change, Rows, changes, painted, position_table, shared
from model.modules import Direct, Dropout, LayerNorm, Linear


class AttentionRecord(NamedTuple):
    """One attention call, all heads: weights (B, H, Q, K); queries, keys, values (B, H, ., d_k).

    `mask` is what was allowed, broadcastable to the weights; None where everything was. The weights
    are None where they were not asked for.
    """

    weights: Tensor | None
    queries: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor | None


class StackRecord(NamedTuple):
    """One pass through a stack: states[0] is embedding + position, states[l] what layer l gives."""

    states: tuple[Tensor, ...]  # each (B, T, D)
    self_attention: tuple[AttentionRecord, ...]
    cross: tuple[AttentionRecord, ...]  # empty in the encoder


# ------------------------------------------------------------------------------- attention, 3.2


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scaling: bool = True
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention: a weighted sum of values, and the weights.

    Shapes: queries (B, H, Q, d_k), keys and values (B, H, K, d_k), mask broadcastable to
    (B, H, Q, K), None to allow everything. Every row of the mask must allow at least one key: the
    causal mask does, a source has its end token, and `interventions.painted` refuses the rest.
    Source: section 3.2.1, equation 1. Without `scaling` it is the dot-product attention that the
    section compares.
    """
    scores = queries @ keys.transpose(-2, -1)  # (B, H, Q, K)
    if scaling:
        scores = scores / math.sqrt(queries.size(-1))
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    weights = scores.softmax(dim=-1)
    return weights @ values, weights


class MultiHeadAttention(Direct):
    """h attentions side by side, each on its slice of the projections. Source: section 3.2.2."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.n_heads = config.n_heads
        self.query = Linear(config.d_model, config.d_model)
        self.key = Linear(config.d_model, config.d_model)
        self.value = Linear(config.d_model, config.d_model)
        self.output = Linear(config.d_model, config.d_model)

    def split_heads(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        return x.view(batch, length, self.n_heads, -1).transpose(
            1, 2
        )  # (B, T, D) -> (B, H, T, d_k)

    def project(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of what is read, (B, H, K, d_k) each."""
        return self.split_heads(self.key(memory)), self.split_heads(self.value(memory))

    def forward(
        self,
        x: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None,
        capture: bool = True,
        change: Change = NO_CHANGE,
    ) -> tuple[Tensor, AttentionRecord]:
        """Each of the Q positions of x reads the K positions behind keys and values.

        Without `capture` PyTorch's fused attention gives the same context and keeps no weights; a
        changed attention is always computed here.
        """
        queries = self.split_heads(self.query(x))
        weights = None
        if capture or change is not NO_CHANGE:
            context, weights = attention(queries, keys, values, mask, change.scaling)
        else:
            context = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        if change.kept is not None:
            context = context * change.kept
        output = self.output(
            context.transpose(1, 2).reshape(x.shape)
        )  # (B, H, Q, d_k) -> (B, Q, D)
        if change.off:
            output = torch.zeros_like(output)
        return output, AttentionRecord(weights, queries, keys, values, mask)


# --------------------------------------------------------------------------- feed-forward, 3.3


class FeedForward(Direct):
    """Two linear maps with a non-linearity between, at each position alike. Source: equation 2."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.inner = Linear(config.d_model, config.d_ff)
        self.outer = Linear(config.d_ff, config.d_model)
        self.activation = F.relu if config.activation == "relu" else F.silu

    def forward(self, x: Tensor) -> Tensor:
        return self.outer(self.activation(self.inner(x)))


# ------------------------------------------------------------- embeddings and positions, 3.4, 3.5


def sinusoids(n_positions: int, d_model: int, layout: str = "interleaved") -> Tensor:
    """The position table (n_positions, d_model). Source: section 3.5.

    PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos of the same.
    Differs from the paper with layout "halves" (Marian): all sines first, then all cosines.
    """
    position = torch.arange(n_positions, dtype=torch.float64).unsqueeze(1)
    rate = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sines, cosines = torch.sin(position * rate), torch.cos(position * rate)
    pair = (sines, cosines)
    table = torch.stack(pair, dim=-1).flatten(1) if layout == "interleaved" else torch.cat(pair, 1)
    return table


class Embedding(Direct):
    """Token vectors times sqrt(d_model), plus positions; one matrix for source, target, output."""

    positions: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.scale = math.sqrt(config.d_model)
        self.token = nn.Embedding(config.vocab_size, config.d_model)
        table = sinusoids(config.max_positions, config.d_model, config.sinusoids)
        self.register_buffer("positions", table.to(torch.get_default_dtype()), persistent=False)

    def forward(self, ids: Tensor, start: int = 0, table: Tensor | None = None) -> Tensor:
        """Ids (B, T), of which the first stands at position `start` -> (B, T, D).

        `table` stands in for the position table; it may have one for each row of the batch.
        """
        positions = self.positions if table is None else table
        return self.token(ids) * self.scale + positions[..., start : start + ids.size(1), :]


# ---------------------------------------------------------------------------------- layers, 3.1


class Residual(Direct):
    """The connection around each sub-layer. Source: section 3.1 and 5.4.

    post (the paper): LayerNorm(x + Dropout(sublayer(x))); pre: x + Dropout(sublayer(LayerNorm(x))).
    Used in two halves, `enter` and `leave`, so that the layers read as straight lines.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = LayerNorm(config.d_model)
        self.dropout = Dropout(config.dropout)

    def enter(self, x: Tensor) -> Tensor:
        return self.norm(x) if self.pre else x

    def leave(self, x: Tensor, output: Tensor) -> Tensor:
        x = x + (self.dropout(output) if self.training else output)
        return x if self.pre else self.norm(x)


class EncoderLayer(Direct):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.self_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config)
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
        self.self_attention = MultiHeadAttention(config)
        self.self_attention_residual = Residual(config)
        self.cross_attention = MultiHeadAttention(config)
        self.cross_attention_residual = Residual(config)
        self.feed_forward = FeedForward(config)
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
    """What step-by-step decoding carries from token to token. One row a hypothesis."""

    memory: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, S, d_k)
    src_mask: Tensor | None  # (B, 1, 1, S); None where nothing is padded
    past: tuple[tuple[Tensor, Tensor], ...]  # per layer: keys, values (B, H, T, d_k)
    length: int  # target tokens read so far

    def rows(self, index: Tensor) -> DecoderState:
        """The state of the chosen rows, in that order; a row may be chosen more than once."""
        return DecoderState(
            tuple((k[index], v[index]) for k, v in self.memory),
            None if self.src_mask is None else self.src_mask[index],
            tuple((k[index], v[index]) for k, v in self.past),
            self.length,
        )


class Transformer(nn.Module):
    """An encoder-decoder with one embedding matrix for source, target and output (section 3.4)."""

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
        self._initialise()

    def _initialise(self) -> None:
        """Xavier for the maps; embeddings that have unit variance after their scaling.

        Differs from the paper, which is silent here, and from its code: what a sub-layer adds
        starts small, by the factor beta of Wang et al. 2022 ("DeepNet"). Without it the post-norm
        encoder gave every position the same vector in our runs; docs/training.md has them.
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
        self, src: Tensor, interventions: Rows = UNTOUCHED
    ) -> tuple[Tensor, Tensor, StackRecord]:
        """Src (B, S), padded with pad_id -> memory (B, S, D), src_mask (B, 1, 1, S), the record.

        S grows by the padding of the interventions. The mask is that for reading the memory; the
        record has the one of the encoder's own attention.
        """
        config = self.config
        one = shared(interventions, config, len(src))
        src = F.pad(src, (0, one.padding), value=config.pad_id)
        real = src != config.pad_id
        src_mask = (real if one.padding_mask else torch.ones_like(real))[:, None, None, :]
        table = position_table(self.embedding.positions, one, "source", src.size(1), real)
        x = self.dropout(self.embedding(src, 0, table))
        length = src.size(1)
        mask = painted(src_mask, one, "encoder_self", range(length), length, src.device)
        change = changes(interventions, config, x)["encoder_self"]
        states, records = [x], []
        for i, layer in enumerate(self.encoder):
            x, record = layer(x, mask, change[i])
            states.append(x)
            records.append(record)
        memory = self.encoder_norm(x)
        return memory, src_mask, StackRecord(tuple(states), tuple(records), ())

    def start(self, memory: Tensor, src_mask: Tensor | None) -> DecoderState:
        """The state before the first target token: the memory's keys and values, once per layer."""
        attentions = (cast("DecoderLayer", layer).cross_attention for layer in self.decoder)
        # In one piece: every step reads them, and a product copies what is in several.
        pairs = tuple(
            (keys.contiguous(), values.contiguous())
            for keys, values in (attention.project(memory) for attention in attentions)
        )
        return DecoderState(pairs, src_mask, (), 0)

    def decode(
        self,
        tgt: Tensor,
        state: DecoderState,
        interventions: Rows = UNTOUCHED,
        capture: bool = True,
    ) -> tuple[Tensor, DecoderState, StackRecord]:
        """Read the next tokens tgt (B, T) after what `state` has read: many at once, or one.

        Without `capture` the record has no attention weights: a search reads none.
        Returns the top of the stack (B, T, D), before `logits`; the state afterwards; the record.
        """
        one = shared(interventions, self.config, len(tgt))
        queries = range(state.length, state.length + tgt.size(1))
        n_src, length = state.memory[0][0].size(2), queries.stop
        # A single new token may read all before it; it needs no mask.
        causal = len(queries) > 1 and one.causal_mask
        tgt_mask = causal_mask(length, tgt.device)[queries.start :] if causal else None
        tgt_mask = painted(tgt_mask, one, "decoder_self", queries, length, tgt.device)
        src_mask = painted(state.src_mask, one, "cross", queries, n_src, tgt.device)
        table = position_table(self.embedding.positions, one, "target", length)
        x = self.dropout(self.embedding(tgt, state.length, table))
        change = changes(interventions, self.config, x)
        states, selves, crosses, past = [x], [], [], []
        for i, layer in enumerate(self.decoder):
            before = state.past[i] if state.past else None
            masks = (tgt_mask, src_mask, capture)
            its = (change["decoder_self"][i], change["cross"][i])
            x, own, cross = layer(x, before, state.memory[i], *masks, *its)
            states.append(x)
            selves.append(own)
            crosses.append(cross)
            past.append((own.keys, own.values))
        after = DecoderState(state.memory, state.src_mask, tuple(past), length)
        record = StackRecord(tuple(states), tuple(selves), tuple(crosses))
        return self.decoder_norm(x), after, record

    def logits(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, V), with the embedding matrix itself (section 3.4)."""
        return F.linear(x, self.embedding.token.weight, self.output_bias)

    def forward(self, src: Tensor, tgt: Tensor, interventions: Rows = UNTOUCHED) -> Tensor:
        """Teacher forcing: src (B, S) and the target as read, tgt (B, T) -> logits (B, T, V)."""
        memory, src_mask, _ = self.encode(src, interventions)
        x, _, _ = self.decode(tgt, self.start(memory, src_mask), interventions)
        return self.logits(x)


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """(length, length): row t may attend to columns 0 to t. Source: section 3.2.3."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()
