"""The batches of a run, each epoch's made while previous epochs train."""

from __future__ import annotations

import dataclasses
import functools
import logging
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from types import TracebackType

from model.text.tokenizer import Tokenizer
from model.training import corpus, data
from model.training.config import TrainConfig
from model.training.corpus import Line, Pair

log = logging.getLogger(__name__)


@functools.lru_cache(maxsize=1)
def _opened(folder: Path, train: Path) -> tuple[Tokenizer, list[Line]]:
    return Tokenizer.load(folder), corpus.read_lines(train)


def epoch_batches(
    folder: Path, train: Path, config: TrainConfig, room: int, epoch: int
) -> tuple[list[data.Batch], int]:
    """The batches of an epoch, and the number of pairs left out (more than `room` tokens)."""
    tokenizer, lines = _opened(folder, train)
    pairs = corpus.draw(lines, config.caps, config.parts, config.seed, epoch)
    return made(pairs, tokenizer, config, room, epoch)


def made(
    pairs: Sequence[Pair], tokenizer: Tokenizer, config: TrainConfig, room: int, epoch: int
) -> tuple[list[data.Batch], int]:
    """The batches of pairs up to `room` tokens, and the number of pairs left out."""
    encoded = data.encode(pairs, tokenizer, config, epoch)
    fitting = [pair for pair in encoded if max(map(len, pair)) <= room]
    left_out = len(encoded) - len(fitting)
    return list(data.batches(fitting, tokenizer, config, epoch)), left_out


class Feed:
    """Provides the batches of an epoch; each worker makes those of a next one meanwhile.

    A context manager: the workers end with it.
    """

    def __init__(
        self, folder: Path, train: Path, config: TrainConfig, max_positions: int, workers: int
    ) -> None:
        self.folder, self.train, self.config = folder, train, config
        self.room = max_positions - 2  # the end token, and padding to a multiple of 2
        self.pool: ProcessPoolExecutor | None = None
        self.workers = workers
        if workers:
            # A new interpreter: running threads must not be copied into another process.
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(workers, mp_context=context)
        self.ahead: dict[int, Future[tuple[list[data.Batch], int]]] = {}

    def __enter__(self) -> Feed:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def epoch(self, number: int) -> list[data.Batch]:
        """The batches of an epoch, counted from 0."""
        if self.pool is None:
            batches, left_out = self._make(number)
        else:
            for n in range(number, number + self.workers + 1):
                if n not in self.ahead and n < self.config.epochs:
                    self.ahead[n] = self.pool.submit(epoch_batches, *self._arguments(n))
            batches, left_out = self.ahead.pop(number).result()
        if left_out:
            log.warning("%d pairs are too long and left out.", left_out)
        return batches

    def plain(self, pairs: Sequence[Pair]) -> list[data.Batch]:
        """Batches of other pairs, each cut into its best pieces, without sampling."""
        config = dataclasses.replace(self.config, subword_alpha=0.0, rough=0.0)
        tokenizer, _ = _opened(self.folder, self.train)
        return made(pairs, tokenizer, config, self.room, 0)[0]

    def _make(self, number: int) -> tuple[list[data.Batch], int]:
        return epoch_batches(*self._arguments(number))

    def _arguments(self, number: int) -> tuple[Path, Path, TrainConfig, int, int]:
        return self.folder, self.train, self.config, self.room, number
