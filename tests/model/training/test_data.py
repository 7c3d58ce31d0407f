"""What a batch holds, and that an epoch is repeatable."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from model.text import vocabulary
from model.text.tokenizer import Tokenizer
from model.training import corpus, data
from model.training.config import TrainConfig
from model.training.feed import Feed

PAIRS = [
    ("I'm a student.", "我是一名学生。"),
    ("I am a student.", "我是学生。"),
    ("Why do we work?", "我们为什么工作？"),
    ("The dog bit the man.", "狗咬了那个人。"),
    ("Where is the station?", "车站在哪里？"),
    ("We love tea.", "我们爱喝茶。"),
]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tmp_path_factory.mktemp("tokenizer")
    vocabulary.train(PAIRS * 5, 320, folder)
    return Tokenizer.load(folder)


def test_a_failure_while_encoding_is_not_swallowed() -> None:
    with pytest.raises(AttributeError):
        data.encode(PAIRS, None, TrainConfig(), 0)  # type: ignore[arg-type]


def test_an_epoch_is_repeatable_and_epochs_differ(tokenizer: Tokenizer) -> None:
    config = TrainConfig(subword_alpha=0.2, rough=0.5)
    pairs = PAIRS * 20
    first = data.encode(pairs, tokenizer, config, 3)
    data.encode(pairs, tokenizer, config, 4)
    assert data.encode(pairs, tokenizer, config, 3) == first
    assert data.encode(pairs, tokenizer, config, 4) != first
    plain = data.encode(pairs, tokenizer, TrainConfig(subword_alpha=0.0, rough=0.0), 0)
    assert [tokenizer.decode(tgt) for _, tgt in plain] == [chinese for _, chinese in pairs]


@pytest.mark.slow
def test_an_epoch_is_the_same_in_every_process(tokenizer: Tokenizer) -> None:
    """Processes that train together must cut every pair alike."""
    config = TrainConfig(subword_alpha=0.2, rough=0.5)
    here = data.encode(PAIRS * 20, tokenizer, config, 3)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(data.encode, PAIRS * 20, tokenizer, config, 3).result() == here


@pytest.mark.slow
def test_any_number_of_workers_makes_the_same_epochs(
    tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each of two workers is an epoch ahead of the other; none is left out or made twice."""
    folder = tmp_path_factory.mktemp("feed")
    tokenizer.save_pair(folder)
    train = folder / "train.tsv"
    corpus.write_lines(train, [corpus.Line(*pair, "talk") for pair in PAIRS])
    config = TrainConfig(subword_alpha=0.2, epochs=4, rough=0.5, batch_tokens=20)
    made = []
    for workers in (0, 2):
        with Feed(folder, train, config, 100, workers) as feed:
            made.append([feed.epoch(number) for number in range(config.epochs)])
            assert not feed.ahead
    for alone, shared in zip(*made, strict=True):
        for one, other in zip(alone, shared, strict=True):
            np.testing.assert_array_equal(one.src, other.src)
            np.testing.assert_array_equal(one.tgt, other.tgt)


def test_batches_hold_every_pair_once_within_the_budget(tokenizer: Tokenizer) -> None:
    config = TrainConfig(batch_tokens=64, subword_alpha=0.0, rough=0.0)
    encoded = data.encode(PAIRS, tokenizer, config, 0)
    rows = []
    for batch in data.batches(encoded, tokenizer, config, 0):
        assert batch.src.shape[1] % 2 == 0 and batch.tgt.shape[1] % 2 == 1
        for src, tgt in zip(batch.src, batch.tgt, strict=True):
            source, target = src[src != 0].tolist(), tgt[tgt != 0].tolist()
            assert source[-1] == tokenizer.end_id
            assert (target[0], target[-1]) == (tokenizer.start_id, tokenizer.end_id)
            rows.append((source[:-1], target[1:-1]))
    assert sorted(rows) == sorted(encoded)


def test_padding_stands_at_the_end() -> None:
    assert data.pad([[5, 6], [7]], 0).tolist() == [[5, 6], [7, 0]]
    assert data.pad([[5, 6, 7], [8]], 0).tolist() == [[5, 6, 7, 0], [8, 0, 0, 0]]
    assert data.pad([[5, 6, 7, 8, 9]], 0, extra=1).shape == (1, 5)
    assert data.pad([[5, 6, 7, 8]], 0, extra=1).shape == (1, 5)
    assert data.pad([[1]], 0).dtype == np.int64
