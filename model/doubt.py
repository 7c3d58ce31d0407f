"""Doubt: whether a translation lies outside what the model knows, told from its own numbers.

Three signs are read from an `Explanation`, none of which needs a reference: how likely the model
itself found what it wrote, whether it repeats itself, and how much of the source any word of the
translation looked at. Where each sign becomes a doubt is chosen on development data by
`python -m model.labs.doubting`; how often such a doubt was right there is stored beside it.

    thresholds = doubt.load(explainer.folder)          # None: this model has none
    doubt.judge(explanation, thresholds).reasons       # () where nothing is wrong
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from model.config import Config
from model.errors import CheckpointError, ConfigError
from model.trace import Explanation

FILE = "doubt.json"  # beside the model that it belongs to
RUN = 3  # tokens of a run that a translation should not hold twice
LOOKED_AT = 0.1  # of the attention of a layer's heads together, at some step

Reason = Literal["unlikely", "repeats", "unread"]


class Signs(NamedTuple):
    """What is read from a translation.

    `log_prob` is the mean over its tokens (natural log, 0 or less), the end token included.
    `repeats` counts its runs of three tokens that stood in it before. `read` is the share of the
    source tokens, without the end token, that got a tenth of some layer's cross-attention (the mean
    over its heads) at some step.
    """

    log_prob: float
    repeats: int
    read: float


@dataclass(frozen=True)
class Thresholds(Config):
    """Where a sign becomes a doubt, and how such doubts fared on development data.

    A doubt was right where chrF against the best reference is below `poor`. `precision` is the
    share of right ones among the doubts, `recall` the share of the poor that were doubted, both of
    `sentences` sentences of which `doubted` were doubted.
    """

    log_prob: float  # a lower mean is unlikely
    repeats: int  # so many runs that come again are too many
    read: float  # a smaller share is unread
    poor: float
    precision: float
    recall: float
    doubted: int
    sentences: int

    def __post_init__(self) -> None:
        self._check_float("log_prob", -1e6, 0.0)
        self._check_float("poor", 0.0, 100.0)
        for name in ("read", "precision", "recall"):
            self._check_float(name, 0.0, 1.0)
        self._check_int("repeats", 1, 10**9)
        self._check_int("doubted", 0, 10**9)
        self._check_int("sentences", 0, 10**9)


class Doubt(NamedTuple):
    """What is doubtful in a translation: nothing where there are no reasons."""

    signs: Signs
    reasons: tuple[Reason, ...]


def signs(explanation: Explanation) -> Signs:
    """Read the signs from an explanation of the translation on show."""
    trace = explanation.trace
    ids = trace.tgt_out.ids.tolist()
    runs = [tuple(ids[i : i + RUN]) for i in range(len(ids) - RUN + 1)]
    weights = trace.cross.weights.mean(axis=1)  # (L, H, T, S) -> (L, T, S)
    most = weights.max(axis=(0, 1))[: max(1, len(trace.src) - 1)]  # (S - 1,)
    return Signs(
        float(trace.log_prob.mean()), len(runs) - len(set(runs)), float((most >= LOOKED_AT).mean())
    )


def judge(explanation: Explanation, thresholds: Thresholds) -> Doubt:
    """The reasons to doubt the translation on show."""
    found = signs(explanation)
    return Doubt(found, reasons(found, thresholds))


def reasons(found: Signs, thresholds: Thresholds) -> tuple[Reason, ...]:
    """Which signs lie beyond their thresholds."""
    tests: tuple[tuple[Reason, bool], ...] = (
        ("repeats", found.repeats >= thresholds.repeats),
        ("unlikely", found.log_prob < thresholds.log_prob),
        ("unread", found.read < thresholds.read),
    )
    return tuple(reason for reason, holds in tests if holds)


def load(folder: Path | None) -> Thresholds | None:
    """The thresholds of a model; None where none were chosen for it.

    Raises:
        CheckpointError: the file is damaged.
    """
    path = folder / FILE if folder else None
    if path is None or not path.exists():
        return None
    try:
        return Thresholds.from_json(path.read_text("utf-8"))
    except (OSError, ValueError, ConfigError) as error:
        raise CheckpointError(f"{path.parent.name}/{FILE} cannot be used. {error}") from None
