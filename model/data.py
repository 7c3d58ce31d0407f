"""Parallel corpora: a file of lines to training, development and test pairs, and pairs to batches.

A corpus is a UTF-8 text file, one pair a line: English <tab> Chinese [<tab> attribution].
"""

from __future__ import annotations

import hashlib
import logging
import random
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import opencc
import sentencepiece

from model.config import TrainConfig
from model.errors import ConfigError, InputError
from model.tokenizer import END, PAD, START, UNKNOWN, Tokenizer, normalise

log = logging.getLogger(__name__)

Pair = tuple[str, str]

_CONTRACTIONS = (
    (r"\bcan't\b", "can not"),
    (r"\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
)


def key(english: str) -> str:
    """What two nearly equal English sentences share: "I'm a student." -> "i am a student".

    Lower case, contractions written out, no punctuation. Splits are made by it, so that no
    sentence of the test has a twin in training.
    """
    text = normalise(english).lower()
    for pattern, expansion in _CONTRACTIONS:
        text = re.sub(pattern, expansion, text)
    return " ".join(re.findall(r"\w+", text))


def read_pairs(path: Path) -> list[Pair]:
    """The distinct pairs of a corpus file, normalised, Chinese in simplified characters.

    Raises:
        InputError: the file cannot be read, or a line has no tab.
    """
    try:
        # Only \n ends a line: other separators of Unicode may stand inside a sentence.
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}.") from None
    simplify = opencc.OpenCC("t2s").convert
    pairs: dict[Pair, None] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            raise InputError(
                f"{path}, line {number}: expected English <tab> Chinese, found no tab."
            )
        english, chinese = normalise(columns[0]), chinese_form(simplify(columns[1]))
        if english and chinese:
            pairs[english, chinese] = None
    if not pairs:
        raise InputError(f"{path} holds no pairs; expected lines of English <tab> Chinese.")
    return list(pairs)


_WIDE = "\u3000-\u9fff\uff00-\uffef"  # Chinese characters and full-width signs
_SPACE_BESIDE_WIDE = re.compile(f"(?<=[{_WIDE}]) | (?=[{_WIDE}])|(?<=[{_WIDE}]) (?=[,!?:;)])")
_NARROW_AFTER_WIDE = re.compile(f"(?<=[{_WIDE}])[,!?:;()]+|(?<=[\u3400-\u9fff])\\.(?=\\s|$)")
_WIDER = str.maketrans(",!?:;().", "，！？：；（）。")


def chinese_form(text: str) -> str:
    """Chinese as the model writes it: full-width punctuation, no space between characters.

    "你 好 , 汤姆!!" -> "你好，汤姆！！"; what has this form already stays as it is.
    """
    text, before = normalise(text), ""
    while text != before:  # a sign that was widened can touch the next one
        before = text
        text = _SPACE_BESIDE_WIDE.sub("", text)
        text = _NARROW_AFTER_WIDE.sub(lambda match: match[0].translate(_WIDER), text)
    return text


@dataclass(frozen=True)
class Split:
    """Three sets of pairs that share no English sentence (by `key`)."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]


def split(pairs: Sequence[Pair], dev: float, test: float) -> Split:
    """Divide by a hash of the English key: the same sentence always falls into the same set."""
    parts: tuple[list[Pair], list[Pair], list[Pair]] = ([], [], [])
    for pair in pairs:
        digest = hashlib.sha256(key(pair[0]).encode()).digest()
        place = int.from_bytes(digest[:8], "big") / 2**64
        parts[2 if place < test else 1 if place < test + dev else 0].append(pair)
    return Split(*parts)


def references(pairs: Sequence[Pair]) -> tuple[list[str], list[list[str]]]:
    """Distinct English sentences, and for each all its Chinese sentences."""
    grouped: dict[str, list[str]] = {}
    for english, chinese in pairs:
        grouped.setdefault(english, []).append(chinese)
    return list(grouped), list(grouped.values())


def unlike(
    sentences: Sequence[str], answers: Sequence[Sequence[str]], train: Sequence[Pair]
) -> list[int]:
    """Indices of the sentences whose like is not in training.

    None of its Chinese references is in training, and with no training sentence does it share 0.6
    of their words or more (words in common over words in either).
    """
    chinese = {pair[1] for pair in train}
    seen = [frozenset(words.split()) for words in {key(pair[0]) for pair in train}]
    by_word: dict[str, set[int]] = {}
    for i, words in enumerate(seen):
        for word in words:
            by_word.setdefault(word, set()).add(i)
    result = []
    for i, (sentence, refs) in enumerate(zip(sentences, answers, strict=True)):
        words = frozenset(key(sentence).split())
        near = set().union(*(by_word.get(word, set()) for word in words))
        overlap = max((len(words & seen[j]) / len(words | seen[j]) for j in near), default=0.0)
        if overlap < 0.6 and not chinese.intersection(refs):
            result.append(i)
    return result


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
    """Ids of all pairs, a fresh random segmentation each epoch, the same for the same epoch.

    SentencePiece seeds its generator once a thread: a new thread with a new seed makes an epoch
    repeatable, also after an interruption.
    """
    result: list[tuple[list[int], list[int]]] = []

    def work() -> None:
        rng = random.Random(f"{config.seed}/{epoch}")  # noqa: S311 - training noise, not secrets
        for english, chinese in pairs:
            if rng.random() < config.rough:
                english, chinese = roughen(english, chinese)
            src = tokenizer.sample(english, config.subword_alpha, target=False)
            tgt = tokenizer.sample(chinese, config.subword_alpha, target=True)
            result.append((src, tgt))

    sentencepiece.set_random_generator_seed((config.seed * 100_003 + epoch) % 2**32)
    with ThreadPoolExecutor(1) as pool:  # a new thread each time
        pool.submit(work).result()
    return result


def roughen(english: str, chinese: str) -> Pair:
    """The pair as a hurried visitor types it: "I am here.", 我在这。 -> "i am here", 我在这."""
    if english.endswith(".") and chinese.endswith("。"):
        chinese = chinese[:-1]
        english = english[:-1]
    return english[:1].lower() + english[1:], chinese


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
