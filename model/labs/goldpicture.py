"""A method's picture of one gold pair, together with the human links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.arrays import Doubles, Ints, freeze
from model.explain import Explainer
from model.labs import alignment, catalogue, scoreboard
from model.labs.alignment import GoldPair, Link, RowLabel
from model.labs.scoreboard import Place
from model.trace import Tokens, Trace

JOINED: Place = ("joined", None, None)
DIAGONAL: Place = ("diagonal", None, None)


@dataclass(frozen=True, eq=False)
class GoldPicture:
    """A method's picture of a gold pair under a row label. N target pieces, S source tokens.

    Row n of `cells` (N, S) is labelled by piece n, written or read. `strongest` (N,) has the column
    that each row links to; `sure` and `possible` the cells (row, column) of human links.
    """

    source: Tokens
    target: Tokens
    cells: Doubles
    strongest: Ints
    sure: tuple[Link, ...]
    possible: tuple[Link, ...]  # without the sure ones
    aer: float  # of this pair alone

    def __post_init__(self) -> None:
        freeze(self, "cells", np.float64, (len(self.target), len(self.source)))
        freeze(self, "strongest", np.int64, (len(self.target),))


def gold_pairs(explainer: Explainer) -> list[GoldPair]:
    """The gold pairs beside a model; empty if there is no such file."""
    path = explainer.folder / alignment.FILE if explainer.folder else None
    if path is None or not path.exists():
        return []
    return explainer.remembered(("gold pairs", path), lambda: alignment.read_gold(path))


def drawable(explainer: Explainer) -> list[Place]:
    """Every method, layer and head of the scoreboard that has a picture."""
    return [*scoreboard.places(explainer), *scoreboard.GRADIENTS, JOINED, DIAGONAL]


def gold_picture(
    explainer: Explainer, pair: GoldPair, place: Place, label: RowLabel
) -> GoldPicture:
    """A method's picture of a gold pair, for a place from `drawable`.

    Raises:
        InputError: a pair that the model cannot read unchanged.
    """
    trace = explainer.remembered(
        ("gold", pair.source, pair.target), lambda: scoreboard.gold_trace(explainer, pair)
    )
    target = explainer.tokenizer.encode_target(pair.target)
    words = alignment.word_of_pieces(pair, trace.src)
    matrix = _matrix(explainer, trace, words, place, label)
    first = 0 if label == "written" else 1
    cells = matrix[first : first + len(target)]
    found = alignment.links(pair, matrix, label, words, target)
    sure = _linked(pair.sure, words, target)
    return GoldPicture(
        trace.src,
        target,
        cells,
        np.where(words >= 0, cells, -np.inf).argmax(-1),
        sure,
        tuple(cell for cell in _linked(pair.possible, words, target) if cell not in sure),
        float(alignment.error_rate(np.array(alignment.counts(pair, found)))),
    )


def _matrix(
    explainer: Explainer, trace: Trace, words: Ints, place: Place, label: RowLabel
) -> np.ndarray:
    if place == DIAGONAL:
        return alignment.diagonal(len(trace.tgt_in), words, label)
    if place == JOINED:
        sentences = [pair.source for pair in gold_pairs(explainer)] or [trace.src.text]
        heads = catalogue.catalogue_of(explainer, sentences)
        return scoreboard.joined(explainer, trace, words, heads, label)
    return scoreboard.matrix(explainer, trace, place)


def _linked(links: frozenset[Link], words: Ints, target: Tokens) -> tuple[Link, ...]:
    """The cells of pieces whose characters and words are linked."""
    return tuple(
        (row, column)
        for row, (start, end) in enumerate(target.spans.tolist())
        for column, word in enumerate(words.tolist())
        if any((word, place) in links for place in range(start, end))
    )
