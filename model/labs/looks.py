"""Why does a head look there? A score as an exact sum of parts of its query times parts of its key.

    python -m model.labs.looks --text "I am a frog." --kind cross --layer 1 --head 2 --row 3 \
        --column 4

A query and a key are linear maps of two vectors of the residual stream, and the stream is a sum of
all that was written into it. With the deviations of its norms kept at their values in the pass, a
norm is linear too (`dissect.through_norm`), so a score is a table, each part of the query times
each part of the key, that adds up to it. Parts have the names of what wrote them:

    embedding                   the token's vector, times its scale
    position                    the vector of its position
    decoder 1 self 3            head 3 of the decoder's first self-attention
    decoder 1 cross 3           head 3 of its first cross-attention
    decoder 1 self bias         what the output map of that attention adds
    encoder 2 feed-forward      a feed-forward network, its biases included
    encoder 2 self norm bias    what that sub-layer's norm adds; also of the embedding's norm and,
                                in a pre-norm model, of the last one: encoder norm bias
    bias                        of the map that makes the query or the key itself
    distance                    T5's number for the distance of the two, not a product of parts

What came through several heads has the name of the last one. Parts say what a score is made of.
What the head would do without one is a different question, because the norms on the way would then
have different deviations.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits" (the product of a
head's two maps as a bilinear form on the stream); Kobayashi et al. 2021, "Incorporating Residual
and Normalization Layers into Analysis of Masked Language Models" (norms with their deviation kept).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from model import cli
from model.arrays import Doubles, freeze
from model.checkpoint import SHIPPED
from model.config import Kind, ModelConfig, Side, Stack
from model.errors import InputError
from model.explain import Explainer
from model.labs.dissect import (
    AttentionSubLayer,
    NormNumbers,
    SubLayer,
    inputs,
    norm_numbers,
    sub_layers,
    through_norm,
)
from model.modules import Norm
from model.trace import Explanation, Trace
from model.transformer import SubLayerName, Transformer

Parts = dict[str, Doubles]
"""Vectors that add up to a vector of the stream, each (n, D), by the name of what wrote them."""

NAMES: dict[SubLayerName, str] = {
    "self_attention": "self",
    "cross_attention": "cross",
    "feed_forward": "feed-forward",
}


@dataclass(frozen=True, eq=False)
class Look:
    """One score of a head as a sum: `table` (query parts, key parts) and `distance`.

    Indices count from 0. The score is that of the record, before mask and softmax. With `against`
    everything is a difference: the score of `column` minus that of the key `against`.
    """

    kind: Kind
    layer: int
    head: int
    row: int
    column: int
    against: int | None
    query_parts: tuple[str, ...]
    key_parts: tuple[str, ...]
    table: Doubles
    distance: float | None  # None: this attention adds nothing by distance
    recorded: float

    def __post_init__(self) -> None:
        freeze(self, "table", np.float64, (len(self.query_parts), len(self.key_parts)))

    @property
    def score(self) -> float:
        """The sum of all parts."""
        return float(self.table.sum() + (self.distance or 0.0))

    @property
    def left(self) -> float:
        """The remainder between the recorded score and its parts: rounding."""
        return self.recorded - self.score

    @property
    def by_key(self) -> dict[str, float]:
        """What each part of the key adds to the score; the distance belongs to neither side."""
        return dict(zip(self.key_parts, self.table.sum(0).tolist(), strict=True))

    @property
    def parts(self) -> list[tuple[str, str, float]]:
        """Part of the query, part of the key, their product; the distance last."""
        pairs = [
            (query, key, float(self.table[i, j]))
            for i, query in enumerate(self.query_parts)
            for j, key in enumerate(self.key_parts)
        ]
        by_distance = [] if self.distance is None else [("distance", "distance", self.distance)]
        return pairs + by_distance

    def __repr__(self) -> str:
        head = f"{self.kind} {self.layer + 1}·{self.head + 1}"
        return f"Look({head}, row {self.row + 1}, {self.recorded:.4f}, {self.left:.1e} left)"


def look(
    explainer: Explainer,
    explanation: Explanation,
    kind: Kind,
    layer: int,
    head: int,
    row: int,
    column: int,
    against: int | None = None,
) -> Look:
    """Split the score of a cell (indices from 0) under the explanation's interventions.

    Raises:
        InputError: a layer, head, row or column that is not there, or a model built without the
            residual connections or LayerNorms that make its stream a sum.
    """
    model, trace = explainer.model, explanation.trace
    columns = [column] if against is None else [column, against]
    for key in columns:
        _check(trace, kind, layer, head, row, key)
    part, queries, keys = _read(model, trace, kind, layer, row, columns)
    d_k = part.queries.shape[-1]
    own = slice(head * d_k, (head + 1) * d_k)
    has_bias = model.config.biases
    by_query = _mapped(queries, part.w_q[:, own], part.b_q[own], has_bias)
    by_key = _mapped(keys, part.w_k[:, own], part.b_k[own], has_bias)
    scores = trace.attention(kind).scores(layer, head)[row].astype(np.float64)
    signs = np.array([1.0, -1.0])[: len(columns)]
    distances = None if part.bias is None else part.bias[head, row, columns]
    return Look(
        kind, layer, head, row, column, against,
        query_parts=tuple(by_query),
        key_parts=tuple(by_key),
        table=_stacked(by_query)[:, 0] @ (signs @ _stacked(by_key)).T / part.scale,
        distance=None if distances is None else float(signs @ distances),
        recorded=float(signs @ scores[columns]),
    )  # fmt: skip


def _check(trace: Trace, kind: Kind, layer: int, head: int, row: int, column: int) -> None:
    sizes = trace.attention(kind).weights.shape
    asked = zip(("layer", "head", "row", "column"), (layer, head, row, column), sizes, strict=True)
    for name, index, size in asked:
        if not 0 <= index < size:
            raise InputError(
                f"{name.capitalize()} {index + 1} was asked for; this attention has {name}s 1 to "
                f"{size}."
            )


def _mapped(parts: Parts, weight: Doubles, bias: Doubles, has_bias: bool) -> Parts:
    """The parts of queries or keys (n, d_k): those of the stream, and the map's own bias."""
    mapped = {name: vectors @ weight for name, vectors in parts.items()}
    rows = len(next(iter(parts.values())))
    return {**mapped, "bias": np.tile(bias, (rows, 1))} if has_bias else mapped


def _stacked(parts: Parts) -> Doubles:
    """(parts, n, ...)."""
    return np.stack(list(parts.values()))


# ------------------------------------------------------------------------- the parts of a stream


def _read(
    model: Transformer, trace: Trace, kind: Kind, layer: int, row: int, columns: Sequence[int]
) -> tuple[AttentionSubLayer, Parts, Parts]:
    """An attention and what it reads: the query's vector at a row, the keys' vectors at columns."""
    stack: Stack = "encoder" if kind == "encoder_self" else "decoder"
    rows = [row] if kind == "cross" else [row, *columns]
    stream = Stream(model, trace, stack, rows)
    part, parts = next(
        (part, parts) for part, parts in stream.run() if (part.kind, part.layer) == (kind, layer)
    )
    queries = {name: vectors[:1] for name, vectors in parts.items()}
    if kind == "cross":
        return part, queries, _memory(model, trace, columns)
    return part, queries, {name: vectors[1:] for name, vectors in parts.items()}


def _memory(model: Transformer, trace: Trace, columns: Sequence[int]) -> Parts:
    """The parts of the encoder's output at some positions."""
    stream = Stream(model, trace, "encoder", columns)
    for _ in stream.run():
        pass
    return stream.memory()


class Stream:
    """What was written into a stack's stream at some positions, as the norms since then left it.

    Parts for which `label` gives one name are kept as their sum.
    """

    def __init__(
        self,
        model: Transformer,
        trace: Trace,
        stack: Stack,
        rows: Sequence[int],
        label: Callable[[str], str] = str,
    ) -> None:
        self.model, self.trace, self.stack, self.label = model, trace, stack, label
        self.config, self.rows = model.config, list(rows)
        first = self._embedded("source" if stack == "encoder" else "target")
        self.parts = self.joined({}, first)

    def run(self) -> Iterator[tuple[AttentionSubLayer, Parts]]:
        """Each attention and the parts of what its queries are made of; afterwards `parts` are
        those of the last state.
        """
        for layer in range(_n_layers(self.config, self.stack)):
            for part in sub_layers(self.model, self.trace, self.stack, layer):
                place = f"{self.stack} {layer + 1} {NAMES[part.name]}"
                if isinstance(part, AttentionSubLayer):
                    yield part, self._entering(part, place)
                self.parts = self.joined(self.parts, self._written(part, place))
                if not part.pre:
                    self.parts = self.normed(self.parts, part.total, part, place)

    def joined(self, parts: Parts, more: Parts) -> Parts:
        """The parts and others, under their labels."""
        all_of_them = dict(parts)
        for name, vectors in more.items():
            label = self.label(name)
            known = all_of_them.get(label)
            all_of_them[label] = vectors if known is None else known + vectors
        return all_of_them

    def memory(self) -> Parts:
        """Once the encoder has run: the parts of what the cross-attention reads."""
        if self.config.norm != "pre":
            return self.parts
        last = norm_numbers(cast("Norm", self.model.encoder_norm))
        x = self.trace.encoder_states[-1].astype(np.float64)
        return self.normed(self.parts, x, last, "encoder")

    def _entering(self, part: SubLayer, place: str) -> Parts:
        return self.normed(self.parts, part.before, part, place) if part.pre else self.parts

    def normed(self, parts: Parts, x: Doubles, norm: NormNumbers | SubLayer, place: str) -> Parts:
        """The parts after a norm of the states x (T, D), and what the norm adds."""
        x = x[self.rows]
        left = dict(zip(parts, through_norm(_stacked(parts), x, norm), strict=True))
        if norm.rms or not self.config.biases:
            return left
        return self.joined(left, {f"{place} norm bias": np.tile(norm.beta, (len(x), 1))})

    def _embedded(self, side: Side) -> Parts:
        """The parts of the stack's input."""
        given, embedding = inputs(self.model, self.trace, side), self.model.embedding
        token = {"embedding": given.tokens[self.rows]}
        has_place = self.config.position_kind in ("sinusoids", "learned")
        place = {"position": given.positions[self.rows]} if has_place else {}
        norm = embedding.norm(side)
        if norm is None:
            return token | place
        numbers = norm_numbers(norm)
        if embedding.norms_token(side):
            return self.normed(token, given.tokens, numbers, "embedding") | place
        return self.normed(token | place, given.tokens + given.positions, numbers, "embedding")

    def _written(self, part: SubLayer, place: str) -> Parts:
        """What a sub-layer writes into the stream."""
        if not isinstance(part, AttentionSubLayer):
            return {place: part.output[self.rows]}
        heads, _, d_k = part.context.shape
        contexts = part.context[:, self.rows] * (not part.off)
        outputs = contexts @ part.w_o.reshape(heads, d_k, -1)  # (H, n, D)
        written = {f"{place} {head + 1}": output for head, output in enumerate(outputs)}
        if not self.config.biases:
            return written
        bias = np.tile(part.b_o * (not part.off), (len(self.rows), 1))
        return {**written, f"{place} bias": bias}


def _n_layers(config: ModelConfig, stack: Stack) -> int:
    return config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers


# ----------------------------------------------------------------------------------- the command

SHOWN = 12  # rows of a printed list


@dataclass(frozen=True)
class Command:
    """Split the score of one cell of attention into the products of its parts."""

    text: str  # the sentence
    kind: Kind  # of attention
    layer: int  # counted from 1, as all that follow
    head: int
    row: int  # of the query; in the decoder row 1 reads the start token
    column: int  # of the key
    against: int | None = None  # split the difference to this key's score instead
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    json: bool = False


def run(command: Command) -> None:
    """Translate, split and print."""
    explainer = Explainer.load(command.model)
    explanation = explainer.explain(command.text)
    against = None if command.against is None else command.against - 1
    cell = (command.layer - 1, command.head - 1, command.row - 1, command.column - 1)
    split = look(explainer, explanation, command.kind, *cell, against)
    if command.json:
        print(json.dumps(answer(split), ensure_ascii=False))
    else:
        _print(split, explanation.trace)


def answer(split: Look) -> dict[str, Any]:
    """A split as JSON: the recorded score and its parts, which add up to it."""
    parts = [{"query": query, "key": key, "value": value} for query, key, value in split.parts]
    return {"score": split.recorded, "parts": parts, "norms": "kept"}


def _print(split: Look, trace: Trace) -> None:
    """The score, then the largest parts of the key, of the query, and the largest products."""
    read = trace.src if split.kind != "decoder_self" else trace.tgt_in
    asking = trace.src if split.kind == "encoder_self" else trace.tgt_in
    key = f"{read.pieces[split.column]} (column {split.column + 1})"
    if split.against is not None:
        key += f" and not {read.pieces[split.against]} (column {split.against + 1})"
    print(f"{asking.pieces[split.row]} (row {split.row + 1}) looks at {key}")
    print(f"score {split.recorded:.4f}, its parts {split.score:.4f}, norms kept")
    _print_largest("parts of the key", list(split.by_key.items()))
    _print_largest(
        "parts of the query", list(zip(split.query_parts, split.table.sum(1), strict=True))
    )
    products = [(f"{query} x {key}", value) for query, key, value in split.parts]
    _print_largest("products", products)


def _print_largest(title: str, parts: list[tuple[str, float]]) -> None:
    parts.sort(key=lambda part: -abs(part[1]))
    print(f"\n{title}")
    for name, value in parts[:SHOWN]:
        print(f"  {name:56} {value:9.4f}")
    if rest := parts[SHOWN:]:
        print(f"  {f'{len(rest)} others':56} {sum(value for _, value in rest):9.4f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.looks")


if __name__ == "__main__":
    sys.exit(main())
