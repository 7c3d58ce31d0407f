"""What does each head look by: what is written, where it stands, or the same for every query?

python -m model.labs.grounds
python -m model.labs.grounds --data sentences.txt --sentences 200 --json

A score is a sum over who wrote into its query and who into its key (`looks`). A softmax sees only
differences between the keys of a query, so the scores of a query are taken around their mean over
the keys that it may read: the variation of a score. Each pair of writers has a share of it, their
covariance with the whole score over its variance, over all queries of all sentences. The shares add
up to 1; one is negative where a pair works against the rest.

    content    both were written by tokens, heads and feed-forward networks
    position   one of them is the vector of a position, or it is T5's bias by distance
    bias       one of them is a bias, and neither is a position: mostly a bias of the query, which
               prefers the same keys whatever is there

A head whose weight is mostly on one piece rests there: its favourite.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from model import cli
from model.arrays import Doubles, freeze
from model.checkpoint import SHIPPED
from model.config import KINDS, Kind
from model.errors import InputError
from model.explain import Explainer
from model.files import read_text
from model.labs.alignment import FILE, read_gold
from model.labs.dissect import AttentionSubLayer, attention_sub_layer
from model.labs.looks import Parts, Stream
from model.trace import Explanation, Tokens, Trace

Writer = Literal["embedding", "heads", "feed-forward", "position", "bias"]
WRITERS: tuple[Writer, ...] = ("embedding", "heads", "feed-forward", "position", "bias")
CONTENT = slice(0, 3)  # of them
POSITION, BIAS = WRITERS.index("position"), WRITERS.index("bias")
RESTING = 0.5  # of a head's weight on its favourite


def writer(name: str) -> Writer:
    """Who wrote a part of `looks`."""
    if name.endswith("bias"):
        return "bias"
    if name.endswith("feed-forward"):
        return "feed-forward"
    return "embedding" if name == "embedding" else "position" if name == "position" else "heads"


@dataclass(frozen=True, eq=False)
class Grounds:
    """One head over all sentences; layer and head count from 0.

    `shares` (query's writer, key's writer) of the variation of its scores, and `by_distance`, add
    up to 1. `weight` is the share of its weight that is on the piece `favourite`.
    """

    kind: Kind
    layer: int
    head: int
    shares: Doubles
    by_distance: float
    favourite: str
    weight: float

    def __post_init__(self) -> None:
        freeze(self, "shares", np.float64, (len(WRITERS), len(WRITERS)))

    @property
    def content(self) -> float:
        return float(self.shares[CONTENT, CONTENT].sum())

    @property
    def position(self) -> float:
        placed = self.shares[POSITION].sum() + self.shares[:, POSITION].sum()
        return float(placed - self.shares[POSITION, POSITION] + self.by_distance)

    @property
    def bias(self) -> float:
        return 1.0 - self.content - self.position

    @property
    def largest(self) -> tuple[str, float]:
        """The pair of writers with the largest share, the query's first, and its share."""
        query, key = np.unravel_index(self.shares.argmax(), self.shares.shape)
        pair = f"{WRITERS[query]} x {WRITERS[key]}", float(self.shares[query, key])
        return max(pair, ("distance", self.by_distance), key=lambda one: one[1])

    @property
    def rests(self) -> bool:
        return self.weight > RESTING


class _Sums:
    """Sums for the heads of one attention over all sentences."""

    def __init__(self, n_heads: int) -> None:
        self.covariance = np.zeros((n_heads, len(WRITERS), len(WRITERS)))
        self.by_distance, self.variance = np.zeros(n_heads), np.zeros(n_heads)
        self.weights = [defaultdict[str, float](float) for _ in range(n_heads)]

    def add(self, part: AttentionSubLayer, queries: Parts, keys: Parts, read: Tokens) -> None:
        """One sentence, without queries that may read only one key."""
        by_query = _by_writer(queries, part.w_q, part.b_q, len(self.weights))
        by_key = _by_writer(keys, part.w_k, part.b_k, len(self.weights))
        rows = part.mask.sum(1) > 1
        mask = part.mask[rows]
        for head, by_piece in enumerate(self.weights):
            left = by_query[:, rows, head], by_key[:, :, head]
            parts = np.einsum("iqd,jkd->ijqk", *left) / part.scale
            distances = np.zeros(mask.shape) if part.bias is None else part.bias[head, rows]
            products = part.queries[head, rows] @ part.keys[head].T / part.scale
            score = _varying(products + distances, mask)
            self.covariance[head] += np.einsum("ijqk,qk->ij", parts, score)
            self.by_distance[head] += (distances * score).sum()
            self.variance[head] += (score**2).sum()
            for piece, weight in zip(read.pieces, part.weights[head, rows].sum(0), strict=True):
                by_piece[piece] += float(weight)

    def grounds(self, kind: Kind, layer: int) -> Iterator[Grounds]:
        for head, by_piece in enumerate(self.weights):
            favourite = max(by_piece, key=lambda piece: by_piece[piece])
            variance = self.variance[head] or 1.0
            yield Grounds(
                kind, layer, head,
                shares=self.covariance[head] / variance,
                by_distance=float(self.by_distance[head] / variance),
                favourite=favourite,
                weight=by_piece[favourite] / sum(by_piece.values()),
            )  # fmt: skip


def _by_writer(parts: Parts, weight: Doubles, bias: Doubles, n_heads: int) -> Doubles:
    """Queries or keys as sums over their writers, (writers, T, H, d_k)."""
    nothing = np.zeros_like(parts["embedding"])
    mapped = np.stack([parts.get(name, nothing) for name in WRITERS]) @ weight
    mapped[BIAS] += bias
    by_head: Doubles = mapped.reshape(*mapped.shape[:2], n_heads, -1)
    return by_head


def _varying(scores: Doubles, mask: np.ndarray) -> Doubles:
    """Scores (Q, K) around the mean over the keys that a query may read; 0 for other keys."""
    means = (scores * mask).sum(1, keepdims=True) / mask.sum(1, keepdims=True)
    varying: Doubles = (scores - means) * mask
    return varying


def grounds(explainer: Explainer, explanations: Iterable[Explanation]) -> list[Grounds]:
    """What each head looks by, over some sentences and their translations.

    Raises:
        InputError: a model built without the residual connections or LayerNorms that make its
            stream a sum.
    """
    sums: dict[tuple[Kind, int], _Sums] = {}
    for explanation in explanations:
        trace = explanation.trace
        for part, queries, keys in _attentions(explainer, trace):
            heads = sums.setdefault((part.kind, part.layer), _Sums(len(part.weights)))
            heads.add(
                part, queries, keys, trace.tgt_in if part.kind == "decoder_self" else trace.src
            )
    ordered = sorted(sums, key=lambda place: (KINDS.index(place[0]), place[1]))
    return [one for place in ordered for one in sums[place].grounds(*place)]


def _attentions(
    explainer: Explainer, trace: Trace
) -> Iterator[tuple[AttentionSubLayer, Parts, Parts]]:
    """Every attention and what was written into its queries and its keys, by writer."""
    model = explainer.model
    encoder = Stream(model, trace, "encoder", range(len(trace.src)), writer)
    for kind, layer, parts in encoder.run():
        yield attention_sub_layer(model, trace, kind, layer), parts, parts
    memory = encoder.memory()
    decoder = Stream(model, trace, "decoder", range(len(trace.tgt_in)), writer)
    for kind, layer, parts in decoder.run():
        part = attention_sub_layer(model, trace, kind, layer)
        yield part, parts, memory if kind == "cross" else parts


# ----------------------------------------------------------------------------------- the command


@dataclass(frozen=True)
class Command:
    """Say for every head whether it looks by content, by position, or rests."""

    data: Path | None = None  # a sentence a line; default: the gold pairs beside the model
    sentences: int = 60  # at most this many, evenly spaced
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    json: bool = False


def run(command: Command) -> None:
    """Translate the sentences, sum, print."""
    explainer = Explainer.load(command.model, device="cpu")
    texts = _texts(command, explainer)
    count = min(len(texts), command.sentences)
    chosen = (texts[i * len(texts) // count] for i in range(count))
    heads = grounds(explainer, map(explainer.explain, chosen))
    if command.json:
        print(json.dumps([answer(one) for one in heads], ensure_ascii=False))
    else:
        print(table(heads))


def _texts(command: Command, explainer: Explainer) -> list[str]:
    if command.data is not None:
        texts = [line for line in read_text(command.data).splitlines() if line.strip()]
    else:
        gold = (explainer.folder or Path()) / FILE
        if not gold.exists():
            raise InputError("This model has no gold pairs beside it; give --data.")
        texts = [pair.source for pair in read_gold(gold)]
    if not texts:
        raise InputError(f"{command.data} has no sentences; write one a line.")
    return texts


def answer(one: Grounds) -> dict[str, Any]:
    """A head as JSON; layer and head count from 1, shares by query's writer and key's writer."""
    by_query = (dict(zip(WRITERS, row, strict=True)) for row in one.shares.tolist())
    return {
        "kind": one.kind,
        "layer": one.layer + 1,
        "head": one.head + 1,
        "content": one.content,
        "position": one.position,
        "bias": one.bias,
        "shares": dict(zip(WRITERS, by_query, strict=True)),
        "by_distance": one.by_distance,
        "favourite": one.favourite,
        "weight": one.weight,
    }


def table(heads: Sequence[Grounds]) -> str:
    """A Markdown table of all heads; the favourite of one that rests is bold."""
    lines = [
        "| attention | head | content | position | bias | largest: query x key | favourite |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in heads:
        favourite = f"`{one.favourite}` {one.weight:.0%}"
        pair, share = one.largest
        cells = (
            one.kind.replace("_", " "),
            f"{one.layer + 1}·{one.head + 1}",
            *(f"{share:.0%}" for share in (one.content, one.position, one.bias)),
            f"{pair} {share:.0%}",
            f"**{favourite}**" if one.rests else favourite,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.grounds")


if __name__ == "__main__":
    sys.exit(main())
