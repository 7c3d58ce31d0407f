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
import torch

from model import cli
from model.arrays import Doubles, freeze
from model.attention import MultiHeadAttention
from model.checkpoint import SHIPPED
from model.config import Kind, Side, Stack
from model.errors import InputError
from model.explain import Explainer
from model.labs.dissect import (
    NormNumbers,
    attention_module,
    check_sums,
    doubles,
    inputs,
    kind_of,
    norm_numbers,
    through_norm,
)
from model.linear import Linear
from model.modules import Norm
from model.trace import Explanation, Trace
from model.transformer import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    SubLayerName,
    Transformer,
)

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
    maps = trace.attention(kind)
    columns = [column] if against is None else [column, against]
    for key in columns:
        _check(trace, kind, layer, head, row, key)
    queries, keys = _read(model, trace, kind, layer, row, columns)
    part = attention_module(model, kind, layer)
    query_parts, by_query = _mapped(queries, part.query, head, part.n_heads)
    key_parts, by_key = _mapped(keys, part.key, head, part.n_heads)
    scale = np.sqrt(by_key.shape[-1]) if maps.scaling else 1.0
    signs = np.array([1.0, -1.0])[: len(columns)]
    scores = maps.scores(layer, head)[row, columns].astype(np.float64)
    distances = None if maps.bias is None else maps.bias[layer, head, row, columns]
    return Look(
        kind, layer, head, row, column, against,
        query_parts=query_parts,
        key_parts=key_parts,
        table=by_query[:, 0] @ (signs @ by_key).T / scale,
        distance=None if distances is None else float(signs @ distances),
        recorded=float(signs @ scores),
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


def _mapped(
    parts: Parts, projection: Linear, head: int, n_heads: int
) -> tuple[tuple[str, ...], Doubles]:
    """The parts of a head's queries or keys (parts, n, d_k): the stream's, and the map's bias."""
    weight = doubles(projection.weight.unflatten(0, (n_heads, -1))[head])
    mapped: Doubles = _stacked(parts) @ weight.T
    if projection.bias is None:
        return tuple(parts), mapped
    bias = doubles(projection.bias.unflatten(0, (n_heads, -1))[head])
    return (*parts, "bias"), np.concatenate((mapped, np.broadcast_to(bias, mapped[:1].shape)))


def _stacked(parts: Parts) -> Doubles:
    """(parts, n, ...)."""
    return np.stack(list(parts.values()))


# ------------------------------------------------------------------------- the parts of a stream


def _read(
    model: Transformer, trace: Trace, kind: Kind, layer: int, row: int, columns: Sequence[int]
) -> tuple[Parts, Parts]:
    """What an attention reads: the query's vector at a row, the keys' vectors at columns."""
    stack: Stack = "encoder" if kind == "encoder_self" else "decoder"
    rows = [row] if kind == "cross" else [row, *columns]
    stream = Stream(model, trace, stack, rows)
    parts = next(parts for of, at, parts in stream.run() if (of, at) == (kind, layer))
    queries = {name: vectors[:1] for name, vectors in parts.items()}
    if kind == "cross":
        return queries, _memory(model, trace, columns)
    return queries, {name: vectors[1:] for name, vectors in parts.items()}


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

    def run(self) -> Iterator[tuple[Kind, int, Parts]]:
        """Each attention by kind and layer, and the parts of what its queries are made of;
        afterwards `parts` are those of the last state.
        """
        check_sums(self.model)
        layers = self.model.encoder if self.stack == "encoder" else self.model.decoder
        for layer, block in enumerate(cast("list[EncoderLayer | DecoderLayer]", layers)):
            x = self._state(layer)
            for name, (part, residual) in block.sublayers().items():
                place = f"{self.stack} {layer + 1} {NAMES[name]}"
                norm = norm_numbers(cast("Norm", residual.norm))
                if isinstance(part, FeedForward):
                    written = {place: _computed(part, _normed(x, norm) if residual.pre else x)}
                else:
                    kind = kind_of(self.stack, name)
                    pre = residual.pre
                    yield (
                        kind,
                        layer,
                        self.normed(self.parts, x, norm, place) if pre else self.parts,
                    )
                    written = self._attended(part, kind, layer, place)
                self.parts = self.joined(self.parts, written)
                x = x + sum(written.values())
                if not residual.pre:
                    self.parts = self.normed(self.parts, x, norm, place)
                    x = _normed(x, norm)

    def _state(self, layer: int) -> Doubles:
        """The state below a layer, or the last one, at the positions: (n, D)."""
        trace = self.trace
        states = trace.encoder_states if self.stack == "encoder" else trace.decoder_states
        state: Doubles = states[layer][self.rows].astype(np.float64)
        return state

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
        return self.normed(self.parts, self._state(-1), last, "encoder")

    def normed(self, parts: Parts, x: Doubles, norm: NormNumbers, place: str) -> Parts:
        """The parts after a norm of the states x (n, D), and what the norm adds."""
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
            return self.normed(token, token["embedding"], numbers, "embedding") | place
        together = (given.tokens + given.positions)[self.rows]
        return self.normed(token | place, together, numbers, "embedding")

    def _attended(self, part: MultiHeadAttention, kind: Kind, layer: int, place: str) -> Parts:
        """What an attention writes into the stream, by the weights and values of the record."""
        maps, edits = self.trace.attention(kind), self.model.edits(self.trace.interventions)
        edit = edits.heads(kind, layer)
        kept = 1.0 if edit.kept is None else doubles(edit.kept).reshape(-1, 1, 1)
        weights, values = maps.weights[layer][:, self.rows], maps.values[layer]
        contexts = weights.astype(np.float64) @ values * kept * (not edit.is_off)  # (H, n, d_k)
        w_o = doubles(part.output.weight).T.reshape(*values.shape[::2], -1)  # (H, d_k, D)
        written = {f"{place} {head + 1}": output for head, output in enumerate(contexts @ w_o)}
        if part.output.bias is None:
            return written
        bias = doubles(part.output.bias) * (not edit.is_off)
        return {**written, f"{place} bias": np.tile(bias, (len(self.rows), 1))}


@torch.inference_mode()
def _computed(part: FeedForward, x: Doubles) -> Doubles:
    """What a feed-forward network makes of some rows (n, D)."""
    return doubles(part(torch.from_numpy(x).to(part.outer.weight)))


def _normed(x: Doubles, norm: NormNumbers) -> Doubles:
    """Rows (n, D) after a norm."""
    after: Doubles = through_norm(x, x, norm) + norm.beta
    return after


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
