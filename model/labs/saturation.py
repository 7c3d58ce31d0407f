"""Are the attention heads of a model healthy? `python -m model.labs.saturation --data F`.

A head is collapsed if nearly all queries put nearly all of their weight on one key: its output is
then the same for every query. The cause is large scores: softmax of scores that are far apart has
no gradient.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from model import checkpoint, cli
from model.checkpoint import SHIPPED, Checkpoint
from model.config import KINDS, Kind
from model.errors import InputError
from model.training import corpus
from model.training.corpus import Pair
from model.transformer import AttentionRecord

COLLAPSED_SHARE, COLLAPSED_WEIGHT = 0.6, 0.9
FAVOURING_SHARE = 0.7
MIN_TOKENS = 6  # tokens of either side: shorter sentences always have a favourite key
MAX_TOKENS = 100


@dataclass(frozen=True)
class Head:
    """One head over all sentences; layers and heads count from 0.

    `favourite` is the share of queries whose largest weight is on the sentence's favourite key: the
    key that most queries choose. `largest` is the mean of the largest weights.
    """

    kind: Kind
    layer: int
    head: int
    favourite: float
    largest: float

    @property
    def is_collapsed(self) -> bool:
        return self.favourite > COLLAPSED_SHARE and self.largest > COLLAPSED_WEIGHT


@dataclass(frozen=True)
class Health:
    """All heads, and the spread of the scores of each kind and layer.

    The spread is the standard deviation of the scaled scores around the mean of their query, over
    all heads of the layer. A constant added to all keys of a query changes nothing.
    """

    heads: tuple[Head, ...]
    spread: dict[Kind, tuple[float, ...]]
    n_sentences: int

    @property
    def collapsed(self) -> tuple[Head, ...]:
        return tuple(head for head in self.heads if head.is_collapsed)

    @property
    def favouring(self) -> tuple[Head, ...]:
        """Heads of the decoder's self-attention that prefer one key for most queries."""
        own = (head for head in self.heads if head.kind == "decoder_self")
        return tuple(head for head in own if head.favourite > FAVOURING_SHARE)


class _Layer:
    """Sums for one attention over all sentences, without queries that may read only one key."""

    def __init__(self, n_heads: int) -> None:
        self.chosen, self.largest = np.zeros(n_heads), np.zeros(n_heads)
        self.squares = 0.0
        self.queries = self.cells = 0

    def add(self, record: AttentionRecord) -> None:
        """One sentence: weights (1, H, Q, K)."""
        assert record.weights is not None
        weights = record.weights[0].double().cpu().numpy()
        products = (record.queries @ record.keys.transpose(-2, -1))[0]  # (H, Q, K)
        scores = products.double().cpu().numpy() / record.queries.size(-1) ** 0.5
        allowed = np.ones(weights.shape[1:], bool)
        if record.mask is not None:
            allowed &= record.mask.reshape(-1, weights.shape[2]).cpu().numpy()
        rows = allowed.sum(1) > 1
        choices = weights[:, rows].argmax(-1)  # (H, Q)
        self.chosen += [np.bincount(choice).max() for choice in choices]
        self.largest += weights[:, rows].max(-1).sum(-1)
        self.queries += int(rows.sum())
        allowed = allowed[rows]
        means = (scores[:, rows] * allowed).sum(-1) / allowed.sum(-1)
        self.squares += float((((scores[:, rows] - means[..., None]) * allowed) ** 2).sum())
        self.cells += len(weights) * int(allowed.sum())


@torch.inference_mode()
def measure(loaded: Checkpoint, pairs: Sequence[Pair]) -> Health:
    """Measure a model's heads while it reads the sources and is forced to write the targets."""
    model, config = loaded.model, loaded.model.config
    sums: dict[Kind, list[_Layer]] = {}
    for kind in KINDS:
        depth = config.n_encoder_layers if kind == "encoder_self" else config.n_decoder_layers
        sums[kind] = [_Layer(config.heads(kind)) for _ in range(depth)]
    n_sentences = 0
    for src, tgt in _encoded(loaded, pairs):
        memory, src_mask, encoder = model.encode(src)
        _, _, decoder = model.decode(tgt, model.start(memory, src_mask))
        records = (encoder.self_attention, decoder.self_attention, decoder.cross)
        for kind, its in zip(KINDS, records, strict=True):
            for layer, record in zip(sums[kind], its, strict=True):
                layer.add(record)
        n_sentences += 1
    if not n_sentences:
        raise InputError(
            f"None of the {len(pairs)} pairs has {MIN_TOKENS} tokens on both sides; give others."
        )
    heads = [
        Head(kind, i, h, chosen / layer.queries, largest / layer.queries)
        for kind, layers in sums.items()
        for i, layer in enumerate(layers)
        for h, (chosen, largest) in enumerate(
            zip(layer.chosen.tolist(), layer.largest.tolist(), strict=True)
        )
    ]
    spread = {k: tuple((x.squares / x.cells) ** 0.5 for x in layers) for k, layers in sums.items()}
    return Health(tuple(heads), spread, n_sentences)


def _encoded(
    loaded: Checkpoint, pairs: Sequence[Pair]
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Src (1, S) and the decoder's input tgt (1, T) of the pairs that are long enough."""
    device = loaded.model.embedding.token.weight.device
    for source, target in pairs:
        src = loaded.tokenizer.encode_source(source).ids.tolist()
        tgt = loaded.tokenizer.encode_target(target).ids.tolist()
        if min(len(src), len(tgt)) >= MIN_TOKENS and max(len(src), len(tgt)) < MAX_TOKENS:
            rules = loaded.rules.of_source(src, loaded.tokenizer.target_language(source))
            read = [rules.start_id, *tgt]
            yield torch.tensor([src], device=device), torch.tensor([read], device=device)


def sample(pairs: Sequence[Pair], n: int) -> list[Pair]:
    """At most n pairs, evenly spaced."""
    step = max(1, len(pairs) // n)
    return list(pairs[::step])[:n]


@dataclass(frozen=True)
class Command:
    """Measure the attention heads of a model on held-out sentences."""

    data: tuple[Path, ...]  # files of source <tab> target, not used in training
    model: str = str(SHIPPED)  # folder or Hub name
    sentences: int = 60  # evenly spaced
    json: bool = False  # print JSON: every head, and the spreads


def report(health: Health) -> str:
    """Format the numbers as text: a line for each kind and layer, then the counts."""
    lines = ["kind           layer  spread of scores  favourite key (largest weight), head by head"]
    for kind, spreads in health.spread.items():
        for layer, spread in enumerate(spreads):
            row = [h for h in health.heads if (h.kind, h.layer) == (kind, layer)]
            cells = (
                f"{100 * h.favourite:3.0f}% ({h.largest:.2f}){'*' if h.is_collapsed else ' '}"
                for h in row
            )
            lines.append(f"{kind:14} {layer + 1:5}  {spread:16.2f}  {' '.join(cells)}")
    own = sum(head.kind == "decoder_self" for head in health.heads)
    lines += [
        f"collapsed (*): {len(health.collapsed)} of {len(health.heads)} heads; more than "
        f"{COLLAPSED_SHARE:.0%} of queries on one key, largest weight above {COLLAPSED_WEIGHT}",
        f"decoder_self heads with more than {FAVOURING_SHARE:.0%} of queries on one key: "
        f"{len(health.favouring)} of {own}",
        f"{health.n_sentences} sentences",
    ]
    return "\n".join(lines)


def run(command: Command) -> None:
    """Measure the heads and print the result."""
    pairs = [pair for path in command.data for pair in corpus.read_pairs(path)]
    health = measure(checkpoint.load(command.model), sample(pairs, command.sentences))
    if not command.json:
        print(report(health))
        return
    values = {
        "sentences": health.n_sentences,
        "collapsed": len(health.collapsed),
        "decoder_self_favouring": len(health.favouring),
        "spread": health.spread,
        "heads": [
            {**dataclasses.asdict(head), "is_collapsed": head.is_collapsed} for head in health.heads
        ],
    }
    print(json.dumps(values, indent=2))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.saturation", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
