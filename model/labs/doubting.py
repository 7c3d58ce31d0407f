"""Choose the thresholds of doubt on development data.

python -m model.labs.doubting --model DIR --data dev.tsv --out DIR/doubt.json
"""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from model import cli
from model.config import DecodeConfig, Thresholds
from model.errors import InputError
from model.explain import Explainer
from model.files import check_file, write_text
from model.labs.doubt import Signs, reasons, signs
from model.text.chinese import simplified
from model.training import corpus
from model.training.corpus import as_given
from model.training.scores import sentence_chrf

log = logging.getLogger(__name__)


def choose(
    found: Sequence[Signs], scores: Sequence[float], poor: float, precision: float
) -> Thresholds:
    """Choose the thresholds that doubt most while keeping the precision of each sign.

    `scores` are chrF, 0 to 100. A sign that never reaches the precision on ten sentences or more is
    not used: its threshold is out of reach.
    """
    bad = np.array(scores) < poor
    log_prob = round(_lowest([s.log_prob for s in found], bad, precision, -1e6), 4)
    read = round(_lowest([s.read for s in found], bad, precision, 0.0), 4)
    source = round(_lowest([s.source for s in found], bad, precision, 0.0), 4)
    # A count is doubtful if it is high, the others if they are low.
    repeats = 1 - _lowest([-float(s.repeats) for s in found], bad, precision, -1e9 + 1)
    limits = Thresholds(log_prob, int(repeats), read, poor, 1.0, 1.0, 0, 0, source)
    doubted = np.array([bool(reasons(signs_, limits)) for signs_ in found])
    right = int((doubted & bad).sum())
    return Thresholds(
        log_prob, int(repeats), read, poor,
        round(right / max(1, int(doubted.sum())), 3), round(right / max(1, int(bad.sum())), 3),
        int(doubted.sum()), len(scores), source,
    )  # fmt: skip


def _lowest(values: Sequence[float], bad: np.ndarray, precision: float, none: float) -> float:
    """The largest threshold below which at least the `precision` of the values are bad."""
    array = np.array(values)
    best = none
    for threshold in np.unique(array):
        below = array < threshold
        if below.sum() >= 10 and bad[below].mean() >= precision:
            best = float(threshold)
    return best


@dataclass(frozen=True)
class Command:
    """Choose the thresholds of doubt on development data."""

    model: str  # folder, shipped name or Hub name
    data: tuple[Path, ...]  # files of source <tab> target, not used for training or testing
    out: Path  # the file to write, doubt.json beside the model
    sentences: int = 2000  # at most this many, evenly spaced
    poor: float = 12.0  # chrF below which a translation counts as wrong
    precision: float = 0.65  # least precision of each sign's doubts
    simplify: bool = False  # convert the references to simplified Chinese


def measure(command: Command) -> None:
    """Translate, read the signs, choose thresholds and write them."""
    check_file(command.out)
    change = simplified if command.simplify else as_given
    pairs = [pair for file in command.data for pair in corpus.read_pairs(file, change, as_given)]
    sources, answers = corpus.references(pairs)
    step = max(1, math.ceil(len(sources) / command.sentences))
    explainer = Explainer.load(command.model)
    found, scores = [], []
    for source, refs in zip(sources[::step], answers[::step], strict=True):
        try:
            explanation = explainer.explain(source, DecodeConfig())
        except InputError:
            continue
        found.append(signs(explainer, explanation.trace))
        output = explanation.search.hypotheses[0].text
        scores.append(sentence_chrf(output, refs))
    thresholds = choose(found, scores, command.poor, command.precision)
    log.info("%s", thresholds)
    write_text(command.out, thresholds.to_json())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, measure, arguments, prog="model.labs.doubting", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
