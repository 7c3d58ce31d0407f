"""The settings of a training run. Imports no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from model.config import Config


@dataclass(frozen=True)
class TrainConfig(Config):
    """How a model is trained: the data, the regularisation, the schedule, the results kept.

    Differs from the paper (section 5): the corpus is a hundred times smaller, so dropout is strong,
    segmentations are drawn again in each epoch, and the schedule has its own peak.
    """

    vocab_size: int = 4000
    dev_share: float = 0.02
    test_share: float = 0.04
    simplify: bool = False  # targets are Chinese: simplified characters, full-width punctuation
    max_words: int = 0  # leave out longer sources; 0 keeps all
    source_script: str = ""  # LATIN, CJK, CYRILLIC, ...: required of a third of the letters
    target_script: str = ""
    length_factor: float = 0.0  # leave out pairs this many times longer or shorter than usual
    drop_repeats: bool = False  # leave out targets that repeat four characters
    turned: bool = False  # translate the file's targets to its sources; the parts stay the same
    caps: str = ""  # "news=2000,*=500": most pairs of a domain in a pass; the first that fits holds
    parts: int = 1  # epochs in a pass over the corpus; scores and state are saved after each
    dev_sentences: int = 500  # development sentences to translate after each epoch
    batch_tokens: int = 2000  # per update: sentences times the longer side of the longest
    epochs: int = 60
    peak_lr: float = 1e-3
    schedule: Literal["inverse_sqrt", "linear", "trapezoid"] = "linear"  # paper: inverse_sqrt (3)
    cooldown: float = 0.3  # trapezoid: share of the updates in which the rate falls to zero
    warmup: int = 1000  # updates of linear rise to peak_lr
    label_smoothing: float = 0.1
    subword_alpha: float = 0.3  # 1 samples by the unigram model's probabilities; 0 never
    subword_share: float = 1.0  # share of pairs with a sampled segmentation
    rough: float = 0.05  # share of pairs without capital and full stop, as visitors type
    rewritten: float = 0.0  # share in capitals, with emoji, numbers or names to be copied, ...
    clip: float = 1.0
    weight_decay: float = 0.01
    query_key_decay: float = 0.0  # additional decay for queries and keys, weights and biases
    average_last: int = 10  # number of last epochs to average
    seed: int = 1

    def __post_init__(self) -> None:
        self._check_choice("schedule", ("inverse_sqrt", "linear", "trapezoid"))
        self._check_bool("simplify")
        self._check_bool("drop_repeats")
        self._check_bool("turned")
        for name, low, high in (
            ("vocab_size", 261, 1_000_000), ("max_words", 0, 100_000), ("parts", 1, 1000),
            ("dev_sentences", 1, 1_000_000), ("batch_tokens", 16, 10_000_000),
            ("epochs", 1, 100_000), ("warmup", 1, 1_000_000), ("average_last", 1, 1000),
            ("seed", 0, 2**31),
        ):  # fmt: skip
            self._check_int(name, low, high)
        for name, least, most in (
            ("dev_share", 0.0, 0.5), ("test_share", 0.0, 0.5), ("length_factor", 0.0, 100.0),
            ("peak_lr", 1e-7, 1.0), ("cooldown", 0.0, 1.0), ("label_smoothing", 0.0, 0.9),
            ("subword_alpha", 0.0, 10.0), ("subword_share", 0.0, 1.0), ("rough", 0.0, 1.0),
            ("rewritten", 0.0, 1.0),
            ("clip", 1e-3, 1e3), ("weight_decay", 0.0, 1.0), ("query_key_decay", 0.0, 1.0),
        ):  # fmt: skip
            self._check_float(name, least, most)

    def learning_rate(self, update: int, updates: int) -> float:
        """The learning rate of update 1, 2, ..., `updates`: a linear rise, then a fall."""
        if update <= self.warmup:
            return self.peak_lr * update / self.warmup
        if self.schedule == "inverse_sqrt":
            return float(self.peak_lr * (self.warmup / update) ** 0.5)
        left = max(0, updates + 1 - update)
        return self.peak_lr * min(1.0, left / self.falling(updates))

    def falling(self, updates: int) -> int:
        """The number of last updates with a linear fall of the rate to zero (linear, trapezoid)."""
        most = max(1, updates + 1 - self.warmup)
        if self.schedule == "trapezoid":
            return max(1, min(most, math.ceil(self.cooldown * updates)))
        return most
