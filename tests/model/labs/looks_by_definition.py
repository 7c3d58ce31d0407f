"""The parts of a score by their definition: what it loses without them. Plain numpy.

Nothing here knows the product: it reads a model's weights and the fields of its config. A stream is
a tape of what was written into it, in order, a norm among it with the deviation that it had; what
a sub-layer reads is the tape played. Played again without one name, it is the stream in which that
was never written and every deviation is kept. A cell of the table is a difference of four scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from model.config import Kind, ModelConfig
from tests.model.test_parts_since import bucket_by_hand

Array = NDArray[np.float64]
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "swish": lambda z: z / (1 + np.exp(-z)),
    "gelu_new": lambda z: z / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))),
}


TABLES = ("sinusoids", "learned")  # positions that are vectors


class Written(NamedTuple):
    """A vector added at every position (T or 1, D); before that a norm, if it is one's shift."""

    name: str
    vector: Array
    gamma: Array | None = None
    deviation: Array | None = None  # (T, 1)


Tape = tuple[Written, ...]


class ByDefinition:
    """One pass over a source and what the decoder reads, in float64."""

    def __init__(
        self,
        weights: Mapping[str, Array],
        config: ModelConfig,
        src: Sequence[int],
        tgt: Sequence[int],
    ) -> None:
        self.weights, self.config = weights, config
        self.reads: dict[tuple[Kind, int], tuple[Tape, Tape]] = {}  # of queries, of keys
        memory = self.stack("encoder", config.n_encoder_layers, self.embedded("source", src))
        self.stack("decoder", config.n_decoder_layers, self.embedded("target", tgt), memory)

    def of(self, name: str) -> Array | None:
        return self.weights.get(name)

    # ------------------------------------------------------------------------------ the stream

    def played(self, tape: Tape, without: str = "") -> Array:
        x = np.zeros_like(tape[0].vector)
        for name, vector, gamma, deviation in tape:
            if gamma is not None:
                centre = 0 if self.config.norm_kind == "rms" else x.mean(-1, keepdims=True)
                x = (x - centre) / deviation * gamma
            if name != without:
                x = x + vector
        return x

    def normed(self, tape: Tape, place: str, key: str) -> Tape:
        x = self.played(tape)
        if self.config.norm_kind == "layer":
            x = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((x**2).mean(-1, keepdims=True) + self.config.norm_eps)
        gamma, beta = self.weights[f"{key}.weight"], self.of(f"{key}.bias")
        name = f"{place} norm bias" if beta is not None else ""
        vector = np.zeros(1) if beta is None else beta
        return (*tape, Written(name, vector, gamma, deviation))

    def embedded(self, side: str, ids: Sequence[int]) -> Tape:
        config = self.config
        own = self.of("embedding.source.weight") if side == "source" else None
        table = self.weights["embedding.token.weight"] if own is None else own
        normed_alone = side == "target" and config.embedding_norm == "target_token"
        is_scaled = config.scale_embedding and not normed_alone
        token = Written("embedding", table[ids] * (math.sqrt(config.d_model) if is_scaled else 1))
        places = Written("position", self.places(side, len(ids)))
        key = f"embedding.{side}_norm"
        if normed_alone:
            return (*self.normed((token,), "embedding", key), places)
        tape: Tape = (token, places) if config.positions in TABLES else (token,)
        has_norm = config.embedding_norm != "none"
        return self.normed(tape, "embedding", key) if has_norm else tape

    def places(self, side: str, count: int) -> Array:
        config = self.config
        if config.positions == "learned":
            return self.weights[f"embedding.{side}_positions.weight"][config.position_offset :][
                :count
            ]
        rows = np.zeros((count, config.d_model))
        for place in range(count):
            for i in range(config.d_model // 2):
                angle = place / 10_000 ** (2 * i / config.d_model)
                at = (2 * i, 2 * i + 1)
                if config.sinusoids == "halves":
                    at = (i, config.d_model // 2 + i)
                rows[place, at] = math.sin(angle), math.cos(angle)
        return rows.astype(np.float32).astype(np.float64)  # as every model keeps its table

    # ------------------------------------------------------------------------------ the layers

    def stack(self, stack: str, layers: int, tape: Tape, memory: Tape = ()) -> Tape:
        for i in range(layers):
            names = ("self", "cross", "feed-forward") if memory else ("self", "feed-forward")
            for name in names:
                place, key = f"{stack} {i + 1} {name}", f"{stack}.{i}.{PARTS[name]}"
                is_pre, norm = self.config.norm == "pre", f"{key}_residual.norm"
                inside = self.normed(tape, place, norm) if is_pre else tape
                if name == "feed-forward":
                    tape = (*tape, Written(place, self.fed_forward(key, self.played(inside))))
                else:
                    kind: Kind = "cross"
                    if name == "self":
                        kind = "encoder_self" if stack == "encoder" else "decoder_self"
                    read = memory if name == "cross" else inside
                    self.reads[kind, i] = inside, read
                    tape = (*tape, *self.attended(kind, i, place))
                tape = tape if is_pre else self.normed(tape, place, norm)
        return self.normed(tape, stack, f"{stack}_norm") if self.config.norm == "pre" else tape

    def fed_forward(self, key: str, x: Array) -> Array:
        units = ACTIVATIONS[self.config.activation](self.mapped(f"{key}.inner", x))
        if self.config.gated:
            units = units * self.mapped(f"{key}.factor", x)
        return self.mapped(f"{key}.outer", units)

    def mapped(self, key: str, x: Array, has_bias: bool = True) -> Array:
        product: Array = x @ self.weights[f"{key}.weight"].T
        bias = self.of(f"{key}.bias") if has_bias else None
        return product if bias is None else product + bias

    def attended(self, kind: Kind, layer: int, place: str) -> list[Written]:
        key, size = self.key(kind, layer), self.config.d_k(kind)
        values = self.mapped(f"{key}.value", self.played(self.reads[kind, layer][1]))
        written = []
        for head in range(self.config.heads(kind)):
            scores = self.scores(kind, layer, head)
            if kind == "decoder_self":
                scores[np.triu_indices(len(scores), 1)] = -np.inf
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            own = slice(head * size, (head + 1) * size)
            output = self.weights[f"{key}.output.weight"][:, own]
            written.append(Written(f"{place} {head + 1}", weights @ values[:, own] @ output.T))
        bias = self.of(f"{key}.output.bias")
        return written if bias is None else [*written, Written(f"{place} bias", bias)]

    # ------------------------------------------------------------------------------ the scores

    def key(self, kind: Kind, layer: int) -> str:
        stack = "encoder" if kind == "encoder_self" else "decoder"
        return f"{stack}.{layer}.{'cross' if kind == 'cross' else 'self'}_attention"

    def scores(
        self, kind: Kind, layer: int, head: int, without: tuple[str, str] = ("", "")
    ) -> Array:
        """The scores (Q, K) before any mask, without a part of the queries and one of the keys."""
        size = self.config.d_k(kind)
        own = slice(head * size, (head + 1) * size)
        queries, keys = (
            self.mapped(f"{self.key(kind, layer)}.{name}", self.played(tape, left), left != "bias")
            for name, tape, left in zip(
                ("query", "key"), self.reads[kind, layer], without, strict=True
            )
        )
        products: Array = queries[:, own] @ keys[:, own].T
        if self.config.scaling:
            products /= math.sqrt(size)
        if kind != "cross" and self.config.positions == "relative":
            products += self.distances(kind, layer, head, len(products))
        return products

    def distances(self, kind: Kind, layer: int, head: int, count: int) -> Array:
        config, stack = self.config, kind.removesuffix("_self")
        table = layer if config.distances_by_layer else 0
        rows = self.weights[f"{stack}_distances.{table}.table.weight"][:, head]
        sizes = config.distance_buckets, config.max_distance
        places = range(count)
        both_ways = kind == "encoder_self"
        return np.array(
            [[rows[bucket_by_hand(k - q, both_ways, *sizes)] for k in places] for q in places]
        )

    def names(self, kind: Kind, layer: int) -> list[list[str]]:
        """The parts of the queries and those of the keys."""
        own = ["bias"] if self.config.biases else []
        return [[one.name for one in tape if one.name] + own for tape in self.reads[kind, layer]]

    def table(self, kind: Kind, layer: int, head: int) -> Array:
        """The value of each pair of parts in each cell, (query parts, key parts, Q, K)."""
        queries, keys = self.names(kind, layer)
        left = [
            [self.scores(kind, layer, head, (q, k)) for k in ("", *keys)] for q in ("", *queries)
        ]
        scores = np.array(left)
        whole, by_query, by_key = scores[:1, :1], scores[1:, :1], scores[:1, 1:]
        return whole - by_query - by_key + scores[1:, 1:]


class NeverWritten(ByDefinition):
    """The same pass where some parts of one side are not written at some places."""

    def __init__(self, side: str, places: Sequence[int], parts: Sequence[str], *given: Any) -> None:
        self.side, self.columns, self.parts = side, list(places), parts
        self.first: Written | None = None  # of that side's tape, by which it is known
        self.is_begun = False
        super().__init__(*given)

    def embedded(self, side: str, ids: Sequence[int]) -> Tape:
        self.is_begun = side == self.side
        tape = super().embedded(side, ids)
        if self.is_begun:
            self.first, self.is_begun = tape[0], False
        return tape

    def played(self, tape: Tape, without: str = "") -> Array:
        if self.is_begun or tape[0] is self.first:
            tape = tuple(self.cleared(one, tape) if one.name in self.parts else one for one in tape)
        return super().played(tape, without)

    def cleared(self, one: Written, tape: Tape) -> Written:
        vector = np.broadcast_to(one.vector, tape[0].vector.shape).copy()
        vector[self.columns] = 0
        return one._replace(vector=vector)


PARTS = {"self": "self_attention", "cross": "cross_attention", "feed-forward": "feed_forward"}
