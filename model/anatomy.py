"""What a layer is made of and what it does to one sentence: parameters, residual stream, lens.

Everything here is computed anew with the model's own modules from the states of a `Trace`, so it
can be compared with them: what leaves the last sub-layer of a layer is the trace's next state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn

from model.config import Kind, ModelConfig
from model.explain import Explainer
from model.trace import Floats, Ints, Trace
from model.transformer import DecoderLayer, EncoderLayer, MultiHeadAttention, Residual

Stack = Literal["encoder", "decoder"]
SubLayer = Literal["self_attention", "cross_attention", "feed_forward"]


@dataclass(frozen=True)
class Part:
    """A kind of weight: how many there are of it, of which shape, and how many numbers in all."""

    place: Literal["embedding", "encoder", "decoder", "output"]
    name: str
    times: int
    shape: tuple[int, ...]

    @property
    def numbers(self) -> int:
        return self.times * int(np.prod(self.shape))


def parameter_table(config: ModelConfig) -> tuple[Part, ...]:
    """Every weight of a model of this shape; the counts add up to that of its parameters.

    Source: section 3. The maps have biases, on which the paper is silent.
    """
    d, f = config.d_model, config.d_ff
    parts = [Part("embedding", "token", 1, (config.vocab_size, d))]
    stacks: tuple[tuple[Stack, int, int], ...] = (
        ("encoder", config.n_encoder_layers, 1),
        ("decoder", config.n_decoder_layers, 2),
    )
    for place, layers, attentions in stacks:
        n = layers * attentions
        for name in ("query", "key", "value", "output"):
            parts += [
                Part(place, f"{name}.weight", n, (d, d)),
                Part(place, f"{name}.bias", n, (d,)),
            ]
        parts += [
            Part(place, "inner.weight", layers, (f, d)),
            Part(place, "inner.bias", layers, (f,)),
            Part(place, "outer.weight", layers, (d, f)),
            Part(place, "outer.bias", layers, (d,)),
        ]
        norms = layers * (attentions + 1) + (config.norm == "pre")
        parts += [Part(place, "gamma", norms, (d,)), Part(place, "beta", norms, (d,))]
    if config.output_bias:
        parts.append(Part("output", "bias", 1, (config.vocab_size,)))
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class SubLayerParts:
    """One sub-layer and the residual connection around it, at all T positions of a sentence.

    before (T, D)  what the residual stream holds
    inside (T, D)  what the sub-layer reads: `before`, or its norm in a pre-norm model
    adds (T, D)    what the sub-layer adds
    total (T, D)   before + adds
    after (T, D)   what the stream holds then: `total`, or its norm in a post-norm model
    gamma, beta (D,)  of this norm
    hidden (T, F)  what the feed-forward network has inside after its non-linearity, else None
    """

    name: SubLayer
    before: Floats
    inside: Floats
    adds: Floats
    total: Floats
    after: Floats
    gamma: Floats
    beta: Floats
    hidden: Floats | None


@torch.inference_mode()
def dissect(explainer: Explainer, trace: Trace, stack: Stack, layer: int) -> list[SubLayerParts]:
    """The sub-layers of one layer on the sentence of a trace, under the trace's interventions."""
    model = explainer.model
    states = trace.encoder_states if stack == "encoder" else trace.decoder_states
    x = torch.tensor(states[layer], device=explainer.device)
    module: Any = (model.encoder if stack == "encoder" else model.decoder)[layer]
    return list(_walk(module, x, trace, stack, layer))


def _walk(
    module: EncoderLayer | DecoderLayer, x: Tensor, trace: Trace, stack: Stack, layer: int
) -> Iterator[SubLayerParts]:
    own: Kind = "encoder_self" if stack == "encoder" else "decoder_self"
    steps: list[tuple[SubLayer, Kind | None]] = [("self_attention", own)]
    if stack == "decoder":
        steps.append(("cross_attention", "cross"))
    for name, kind in (*steps, ("feed_forward", None)):
        residual = cast("Residual", getattr(module, f"{name}_residual"))
        inside, hidden = residual.enter(x), None
        if kind is None:
            feed_forward = module.feed_forward
            hidden = feed_forward.activation(feed_forward.inner(inside))
            adds = feed_forward.outer(hidden)
        else:
            adds = _attends(getattr(module, name), trace, kind, layer)
        after = residual.leave(x, adds)
        yield SubLayerParts(
            name=name,
            before=_floats(x),
            inside=_floats(inside),
            adds=_floats(adds),
            total=_floats(x + adds),
            after=_floats(after),
            gamma=_floats(residual.norm.weight),
            beta=_floats(residual.norm.bias),
            hidden=None if hidden is None else _floats(hidden),
        )
        x = after


def _attends(attention: MultiHeadAttention, trace: Trace, kind: Kind, layer: int) -> Tensor:
    """What an attention adds, (Q, D), from the weights and values of the trace."""
    maps, changed = trace.attention(kind), trace.interventions
    like = attention.output.weight
    context = torch.tensor(maps.weights[layer] @ maps.values[layer]).to(like)  # (H, Q, d_k)
    for off in changed.heads_off:
        if off[:2] == (kind, layer):
            context[off[2]] = 0
    adds = attention.output(context.transpose(0, 1).flatten(1))
    return torch.zeros_like(adds) if kind == "cross" and layer in changed.cross_off else adds


class Lens(NamedTuple):
    """What each decoder layer would predict: ids and log-probs (L + 1, T, k), likeliest first."""

    ids: Ints
    log_probs: Floats


@torch.inference_mode()
def lens(explainer: Explainer, trace: Trace, k: int = 5) -> Lens:
    """The output matrix put on every state of the decoder's stack, from the embedding to the top.

    Only the top layer was trained to be read so: what is read lower down is an approximation, the
    more so in a post-norm model, where every layer has a norm of its own.
    Source: nostalgebraist, "interpreting GPT: the logit lens" (2020).
    """
    model = explainer.model
    states = torch.tensor(trace.decoder_states, device=explainer.device)  # (L+1, T, D)
    log_probs = model.logits(model.decoder_norm(states)).float().log_softmax(-1)
    top, ids = log_probs.topk(k, dim=-1)
    return Lens(ids.cpu().numpy(), top.cpu().numpy())


@torch.inference_mode()
def neighbours(explainer: Explainer, token_id: int, k: int = 10) -> list[tuple[int, float]]:
    """The tokens whose embeddings point most nearly the same way: (id, cosine), itself left out.

    Embedding and output share this matrix (section 3.4), so near tokens are also predicted alike.
    """
    table = explainer.model.embedding.token.weight
    cosines = nn.functional.cosine_similarity(table[token_id], table, dim=-1)
    cosines[token_id] = -2
    cosines[list(explainer.tokenizer.special_ids)] = -2
    top, ids = cosines.topk(min(k, len(table) - 1))
    return list(zip(ids.tolist(), top.tolist(), strict=True))


def _floats(x: Tensor) -> Floats:
    found: Floats = x.float().cpu().numpy()
    return found
