"""Pairs to batches: the vocabulary, ids of random segmentations, rows of like length."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sentencepiece

from model.corpus import Pair
from model.errors import ConfigError
from model.tokenizer import END, PAD, START, UNKNOWN, Tokenizer
from model.train_config import TrainConfig

log = logging.getLogger(__name__)

FULL_STOPS = (".", "。", "।")


def train_tokenizer(pairs: Sequence[Pair], vocab_size: int, path: Path) -> None:
    """Train one joint unigram SentencePiece model with byte fallback, so that no input is unknown.

    Raises:
        ConfigError: the corpus is too small for that many pieces, or too rich for that few.
    """
    sentences = [text for pair in pairs for text in pair]
    partial = path.with_suffix(".partial")  # so that a stop leaves no half of a tokenizer
    try:
        with partial.open("wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sentences),
                model_writer=file,
                vocab_size=vocab_size,
                model_type="unigram",
                character_coverage=0.9995,
                byte_fallback=True,
                normalization_rule_name="identity",  # `normalise` did it, and wide signs must stay
                split_digits=True,
                pad_id=0,
                bos_id=1,
                eos_id=2,
                unk_id=3,
                pad_piece=PAD,
                bos_piece=START,
                eos_piece=END,
                unk_piece=UNKNOWN,
                num_threads=2,
                minloglevel=2,
            )
    except RuntimeError as error:
        partial.unlink()
        raise ConfigError(
            f"No vocabulary of {vocab_size} pieces for this corpus: {error}."
        ) from None
    partial.replace(path)


@dataclass(frozen=True)
class Batch:
    """Padded ids: src (B, S) ends with the end token; tgt (B, T+1) has start and end around it."""

    src: np.ndarray
    tgt: np.ndarray


def encode(
    pairs: Sequence[Pair], tokenizer: Tokenizer, config: TrainConfig, epoch: int
) -> list[tuple[list[int], list[int]]]:
    """Ids of all pairs, a fresh random segmentation each epoch, the same for the same epoch."""
    draw = random.Random(f"{config.seed}/{epoch}")  # noqa: S311 - training noise, not secrets
    result = []
    for source, target in pairs:
        if draw.random() < config.rough:
            source, target = roughen(source, target)
        alpha = config.subword_alpha if draw.random() < config.subword_share else 0.0
        src = tokenizer.sample(source, alpha, draw, target=False)
        tgt = tokenizer.sample(target, alpha, draw, target=True)
        result.append((src, tgt))
    return result


def roughen(source: str, target: str) -> Pair:
    """The pair as a hurried visitor types it: "I am here.", 我在这。 -> "i am here", 我在这."""
    if source.endswith(FULL_STOPS) and target.endswith(FULL_STOPS):
        source, target = source[:-1], target[:-1]
    return source[:1].lower() + source[1:], target


def batches(
    encoded: Sequence[tuple[list[int], list[int]]],
    tokenizer: Tokenizer,
    config: TrainConfig,
    epoch: int,
) -> Iterator[Batch]:
    """Batches of sentences of like length, in random order: `batch_tokens` is rows times width.

    Lengths are padded to multiples of 4: few different shapes keep the allocator calm.
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
    """Rows of ids as one array, padded at the end to a multiple of 4 (plus `extra`)."""
    width = max(len(row) for row in rows) - extra
    width = (width + 3) // 4 * 4 + extra
    out = np.full((len(rows), width), pad_id, dtype=np.int64)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out
