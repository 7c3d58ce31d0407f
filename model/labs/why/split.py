"""The difference of two logits as an exact sum.

The last state of the decoder is a sum: the embedding, the position, and the output of every
sub-layer, each scaled by the LayerNorms after it. With the mean and deviation of those norms fixed
at their values in the pass, that scaling is linear, so the difference of two logits splits exactly
into one number for each head and each token that it read, for each feed-forward network, for the
embedding, the position and the biases. This covers only the direct path, not a head's effect
through later layers; `without_heads` (`heads.py`) measures the whole effect by switching them off.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits" (direct effects on
the logits); for post-norm, where the norms are on the residual stream: Ferrando et al. 2022, ALTI.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn

from model.arrays import Doubles, freeze
from model.attention import AttentionRecord as Record
from model.attention import MultiHeadAttention
from model.config import Kind
from model.edits import AttentionEdit, Edits
from model.errors import InputError
from model.explain import Explainer
from model.modules import LayerNorm, RMSNorm
from model.trace import Explanation, Tokens, Trace
from model.transformer import DecoderLayer, FeedForward, StackRecord, Transformer


@dataclass(frozen=True, eq=False)
class LogitSplit:
    """The difference of two logits at one step, as an exact sum. L layers, H heads of the decoder.

    The parts add up to `total`; `left` is the remainder to the model's `difference`, which is
    rounding. They are float64, so that the sum adds no further rounding.
    """

    src: Tokens
    tgt_in: Tokens
    step: int  # the row of the decoder, counted from 0
    token: int  # the id whose logit is explained
    instead_of: int  # the id to compare with
    difference: float  # logit of `token` minus logit of `instead_of`, the model's own
    embedding: float  # from the token that the decoder read at this step
    position: float  # from its position
    decoder_self: Doubles  # (L, H, T): by the target token read; row 0 of T is the start
    cross: Doubles  # (L, H, S): by the source token read
    feed_forward: Doubles  # (L,): including its biases
    biases: Doubles  # (L,): from the attentions' output maps and the shifts of the LayerNorms
    output_bias: (
        float  # from the output layer and the shifts of a last and of the input's LayerNorm
    )

    def __post_init__(self) -> None:
        layers, heads = np.shape(self.cross)[:2]
        freeze(self, "cross", np.float64, (layers, heads, len(self.src)))
        freeze(self, "decoder_self", np.float64, (layers, heads, len(self.tgt_in)))
        freeze(self, "feed_forward", np.float64, (layers,))
        freeze(self, "biases", np.float64, (layers,))

    @property
    def layers(self) -> Doubles:
        """The contribution of each layer, (L,)."""
        attentions = self.decoder_self.sum((1, 2)) + self.cross.sum((1, 2))
        added: Doubles = attentions + self.feed_forward + self.biases
        return added

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return float(self.embedding + self.position + self.layers.sum() + self.output_bias)

    @property
    def left(self) -> float:
        """The remainder between the parts and the model's difference."""
        return self.difference - self.total

    def __repr__(self) -> str:
        return f"LogitSplit(step {self.step + 1}, {self.difference:.4f}, {self.left:.1e} left)"


@torch.inference_mode()
def why(
    explainer: Explainer,
    explanation: Explanation,
    step: int,
    instead_of: int,
    token: int | None = None,
) -> LogitSplit:
    """Split the difference of two logits at a step (from 0) under the current interventions.

    `token` is the id to explain, by default the one written.

    Raises:
        InputError: a step or id that does not exist, two equal ids, or a model built without
        residual connections.
    """
    model, trace = explainer.model, explanation.trace
    _check_step(model, trace, step)
    token = int(trace.tgt_out.ids[step]) if token is None else token
    _check_ids(model, token, instead_of)
    edits = model.edits(explanation.interventions)
    top, record, tokens, positions = _run(model, trace, edits, step)
    rows = model.output_weight[[token, instead_of]]
    logits = model.logits(top[step][None])[0, [token, instead_of]].double()
    parts = list(_parts(model, record, edits, step))
    bias = 0.0
    if model.output_bias is not None:
        bias = float(model.output_bias[token].double() - model.output_bias[instead_of].double())
    direction = (double(rows[0]) - double(rows[1])) * model.config.output_scale
    direction, shift = _through(model.decoder_norm, double(record.states[-1][0, step]), direction)
    found = _split(model, parts, direction, step)
    embedding, position, input_shift = _through_input(
        model, tokens, positions, found.pop("direction")
    )
    return LogitSplit(
        src=trace.src,
        tgt_in=trace.tgt_in,
        step=step,
        token=token,
        instead_of=instead_of,
        difference=float(logits[0] - logits[1]),
        embedding=embedding,
        position=position,
        output_bias=bias + shift + input_shift,
        **found,
    )


def _check_step(model: Transformer, trace: Trace, step: int) -> None:
    if not model.config.residual:
        raise InputError(
            "This model was made without residual connections, so its last state is not a sum that "
            "could be split. Choose another model.",
            key="no_parts",
        )
    n = len(trace.tgt_in)
    if not 0 <= step < n:
        raise InputError(f"Step {step + 1} was asked for; this translation has steps 1 to {n}.")


def _check_ids(model: Transformer, token: int, instead_of: int) -> None:
    size = model.config.vocab_size
    if not (0 <= token < size and 0 <= instead_of < size) or token == instead_of:
        raise InputError(
            f"The token ids {token} and {instead_of} were given; expected two different ones, "
            f"from 0 to {size - 1}."
        )


# ------------------------------------------------------------------------- the pass and its parts


class _Part(NamedTuple):
    """One sub-layer of the decoder at the row of the step, as the model ran it."""

    layer: int
    kind: Kind | None  # of an attention; None: the feed-forward network
    module: MultiHeadAttention | FeedForward
    norm: nn.Module | None  # the norm on the stream after it; None in a pre-norm model
    total: Tensor  # (D,): the stream before it plus its output
    output: Tensor  # (D,): its output
    attention: Record | None
    edit: AttentionEdit | None


def _run(
    model: Transformer, trace: Trace, edits: Edits, step: int
) -> tuple[Tensor, StackRecord, Tensor, Tensor]:
    """One teacher-forced pass: the top (T, D), the decoder's record, the step's token and position
    vectors (D,).
    """
    device = model.embedding.token.weight.device
    n_src = len(trace.src) - trace.interventions.padding
    src, tgt = (
        torch.tensor(ids[None], device=device) for ids in (trace.src.ids[:n_src], trace.tgt_in.ids)
    )
    memory, src_mask, _ = model.encode(src, edits)
    top, _, record = model.decode(tgt, model.start(memory, src_mask), edits)
    tokens, positions, _ = model.vectors(tgt, range(tgt.size(1)), "target", edits)
    return top[0], record, tokens[0, step], positions.expand_as(tokens)[0, step]


def _parts(model: Transformer, record: StackRecord, edits: Edits, step: int) -> Iterator[_Part]:
    """The sub-layers of the decoder in their order, at one row."""
    kinds: dict[str, tuple[Kind, Sequence[Record]]] = {
        "self_attention": ("decoder_self", record.self_attention),
        "cross_attention": ("cross", record.cross),
    }
    for i, layer in enumerate(model.decoder):
        x = record.states[i][0, step]
        for name, (module, residual) in cast("DecoderLayer", layer).sublayers().items():
            kind, attention, edit = None, None, None
            if isinstance(module, MultiHeadAttention):
                kind, records = kinds[name]
                attention, edit = records[i], edits.heads(kind, i)
                output = _attended(module, attention, edit, step)
            else:
                output = module(residual.enter(x))
            norm = None if residual.pre else residual.norm
            yield _Part(i, kind, module, norm, x + output, output, attention, edit)
            x = residual.leave(x, output)


def _attended(module: MultiHeadAttention, record: Record, edit: AttentionEdit, step: int) -> Tensor:
    """The output of an attention at one row, (D,), from its record."""
    weights = cast("Tensor", record.weights)[0, :, step, None]  # (H, 1, K)
    context = weights @ record.values[0]  # (H, 1, d_k)
    if edit.kept is not None:
        context = context * edit.kept[0]
    output: Tensor = module.output(context.flatten()[None])[0]
    return torch.zeros_like(output) if edit.is_off else output


def _split(
    model: Transformer, parts: Sequence[_Part], direction: Tensor, step: int
) -> dict[str, Any]:
    """Follow the direction (D,) of the difference back through the norms, part by part."""
    n_layers = model.config.n_decoder_layers
    tokens: dict[Kind, list[Tensor]] = {"decoder_self": [], "cross": []}  # the last layer first
    feed_forward, biases = np.zeros(n_layers), np.zeros(n_layers)
    for part in reversed(parts):
        if part.norm is not None:
            direction, shift = _through(part.norm, double(part.total), direction)
            biases[part.layer] += shift
        if part.kind is None:
            feed_forward[part.layer] = float(direction @ double(part.output))
            continue
        module, record = cast("MultiHeadAttention", part.module), cast("Record", part.attention)
        edit = cast("AttentionEdit", part.edit)
        tokens[part.kind].append(_by_token(module, record, edit, direction, step))
        if not edit.is_off and module.output.bias is not None:
            biases[part.layer] += float(direction @ double(module.output.bias))
    return {
        **{kind: torch.stack(amounts[::-1]).numpy() for kind, amounts in tokens.items()},
        "feed_forward": feed_forward,
        "biases": biases,
        "direction": direction,
    }


def _through_input(
    model: Transformer, token: Tensor, position: Tensor, direction: Tensor
) -> tuple[float, float, float]:
    """The contributions of token and position vectors (D,), and of the shift of their norm."""
    token, position = double(token), double(position)
    norm, before = model.embedding.norm("target"), direction
    normed = token if model.embedding.norms_token("target") else token + position
    direction, shift = _through(norm, normed, direction)
    if model.embedding.norms_token("target"):
        return float(direction @ token), float(before @ position), shift
    return float(direction @ token), float(direction @ position), shift


def _by_token(
    module: MultiHeadAttention,
    record: Record,
    edit: AttentionEdit,
    direction: Tensor,
    step: int,
) -> Tensor:
    """The contribution of each head and token in a direction, (H, K): weight x value W_O . u."""
    read = (double(module.output.weight).T @ direction).view(module.n_heads, -1, 1)  # (H, d_k, 1)
    weights = double(cast("Tensor", record.weights)[0, :, step])  # (H, K)
    amounts = weights * (double(record.values[0]) @ read)[..., 0]
    if edit.kept is not None:
        amounts = amounts * double(edit.kept[0, :, 0])
    return torch.zeros_like(amounts) if edit.is_off else amounts


def _through(norm: nn.Module | None, x: Tensor, direction: Tensor) -> tuple[Tensor, float]:
    """The direction before a norm of x (D,), and the contribution of the norm's shift.

    With the deviation fixed, the norm is gamma * (v - mean(v)) / deviation + beta, linear in v; an
    RMSNorm, with its root mean square fixed, is gamma * v / size.
    """
    if isinstance(norm, RMSNorm):
        size = (x.square().mean() + norm.eps).sqrt()
        return double(norm.weight) * direction / size, 0.0
    if not isinstance(norm, LayerNorm):
        return direction, 0.0
    deviation = (x.var(unbiased=False) + norm.eps).sqrt()
    scaled = double(norm.weight) * direction / deviation
    shift = 0.0 if norm.bias is None else float(direction @ double(norm.bias))
    return scaled - scaled.mean(), shift


def double(tensor: Tensor) -> Tensor:
    """The tensor as float64, on the CPU because Apple's GPUs have no float64."""
    return tensor.detach().cpu().double()
