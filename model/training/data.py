"""Pairs to batches: ids of random segmentations, rows of similar length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model.text.tokenizer import Tokenizer
from model.training.config import TrainConfig
from model.training.corpus import Pair
from model.training.writing import rewritten, roughen


@dataclass(frozen=True)
class Batch:
    """Padded ids: src (B, S) ends with the end token; tgt (B, T+1) has start and end around it."""

    src: np.ndarray
    tgt: np.ndarray


def encode(
    pairs: Sequence[Pair], tokenizer: Tokenizer, config: TrainConfig, epoch: int
) -> list[tuple[list[int], list[int]]]:
    """Ids of all pairs, randomly segmented anew each epoch, reproducible for a given epoch."""
    draw = random.Random(f"{config.seed}/{epoch}")  # noqa: S311 - training noise, not secrets
    result = []
    for pair in pairs:
        if draw.random() < config.rough:
            pair = roughen(pair)
        if config.rewritten and draw.random() < config.rewritten:
            pair = rewritten(pair, draw)
        source, target = pair
        alpha = config.subword_alpha if draw.random() < config.subword_share else 0.0
        src = tokenizer.sample(source, alpha, draw, target=False)
        tgt = tokenizer.sample(target, alpha, draw, target=True)
        result.append((src, tgt))
    return result


def batches(
    encoded: Sequence[tuple[list[int], list[int]]],
    tokenizer: Tokenizer,
    config: TrainConfig,
    epoch: int,
) -> Iterator[Batch]:
    """Batches of sentences of similar length, in random order: `batch_tokens` is rows times width.

    Lengths are padded to multiples of 2: fewer different shapes are easier on the allocator.
    """
    rng = random.Random(f"order {config.seed}/{epoch}")  # noqa: S311
    noise = [rng.random() for _ in encoded]
    order = sorted(
        range(len(encoded)),
        key=lambda i: (len(encoded[i][1]) // 2, len(encoded[i][0]) + 3 * noise[i]),
    )
    groups: list[list[int]] = [[]]
    widest = 0
    for i in order:
        width = max(len(encoded[i][0]), len(encoded[i][1])) + 1
        widest = max(widest, width)
        if groups[-1] and widest * (len(groups[-1]) + 1) > config.batch_tokens:
            groups.append([])
            widest = width
        groups[-1].append(i)
    rng.shuffle(groups)
    for group in groups:
        yield Batch(
            pad([[*encoded[i][0], tokenizer.end_id] for i in group], tokenizer.pad_id),
            pad(
                [[tokenizer.start_id, *encoded[i][1], tokenizer.end_id] for i in group],
                tokenizer.pad_id,
                1,
            ),
        )


def pad(rows: Sequence[Sequence[int]], pad_id: int, extra: int = 0) -> np.ndarray:
    """Put rows of ids in one array, padded at the end to a multiple of 2 (plus `extra`)."""
    width = max(len(row) for row in rows) - extra
    width = (width + 1) // 2 * 2 + extra
    out = np.full((len(rows), width), pad_id, dtype=np.int64)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out
