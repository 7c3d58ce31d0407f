"""The alignment error rate: a picture of attention against word links made by people.

A file of gold pairs has one JSON object a line, with links as spans of characters, half open:

    {"source": "I see.", "target": "我明白。", "sure": [[[0, 1], [0, 1]], ...], "possible": [...]}

Spans do not depend on a tokeniser, so any model can be scored on the same file. A matrix of target
rows and source columns becomes links: each target piece links its characters to the word of its
strongest source piece. With A these links, S the sure and P the possible ones, as pairs of a word
of the source and a character of the target, AER = 1 - (|A & S| + |A & (S or P)|) / (|A| + |S|):
0 if every link is good and no sure one is missing. Source: Och and Ney 2003, section 4.1. numpy
only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

from model.arrays import Ints
from model.errors import InputError
from model.files import read_text
from model.text.kinds import short
from model.trace import Tokens

RowLabel = Literal["written", "read"]
ROW_LABELS: tuple[RowLabel, ...] = ("written", "read")
Link = tuple[int, int]  # a word of the source and a character of the target, counted from 0
Span = tuple[int, int]

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
RESAMPLES = 1000
FILE = "gold.jsonl"  # the file of pairs beside a model
SCORES = "alignment.json"  # the scoreboard beside it


@dataclass(frozen=True)
class GoldPair:
    """Two sentences with links between words of the first and characters of the second."""

    source: str
    target: str
    words: tuple[Span, ...]  # of the source, in their order
    sure: frozenset[Link]
    possible: frozenset[Link]  # without the sure ones


@dataclass(frozen=True)
class Score:
    """An alignment error rate and its 95 % interval, from resampled sentences."""

    aer: float
    low: float
    high: float


def read_gold(path: Path) -> list[GoldPair]:
    """Read a file of gold links.

    Raises:
        InputError: there is no such file, or a line does not have the form above.
    """
    lines = [line for line in read_text(path).split("\n") if line.strip()]
    if not lines:
        raise InputError(f"{short(path)} holds no pairs; expected one JSON object a line.")
    pairs = []
    for number, line in enumerate(lines, 1):
        try:
            pairs.append(gold_pair(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{short(path)}, line {number}: expected source, target, sure and possible, with "
                f"links such as [[0, 2], [0, 1]] inside the sentences ({str(error)[:60]})."
            ) from None
    return pairs


def gold_pair(raw: dict[str, Any]) -> GoldPair:
    """Make a pair from its JSON object.

    Raises:
        ValueError, KeyError, TypeError: it does not have the form of a gold pair.
    """
    source, target = str(raw["source"]), str(raw["target"])
    links = [
        (kind, (a, b), (c, d)) for kind in ("sure", "possible") for (a, b), (c, d) in raw[kind]
    ]
    for _, (a, b), (c, d) in links:
        if not (0 <= a < b <= len(source) and 0 <= c < d <= len(target)):
            raise ValueError(f"link {[a, b], [c, d]}")
    spans = {span for _, span, _ in links}
    covered = {i for a, b in spans for i in range(a, b)}
    others = {m.span() for m in _WORD.finditer(source) if not covered & set(range(*m.span()))}
    words = tuple(sorted(spans | others))
    cells = {
        kind: {(words.index(span), i) for k, span, run in links if k == kind for i in range(*run)}
        for kind in ("sure", "possible")
    }
    sure = frozenset(cells["sure"])
    return GoldPair(source, target, words, sure, frozenset(cells["possible"]) - sure)


def turned(raw: dict[str, Any]) -> dict[str, Any]:
    """The JSON object of a gold pair for the other direction.

    A word of a source has one span, and the runs of a target may overlap (盖满了 and 盖满): they
    are cut wherever one of them begins or ends.
    """
    kinds = ("sure", "possible")
    edges = sorted({edge for kind in kinds for _, run in raw[kind] for edge in run})
    links = {
        kind: [
            [[a, b], span]
            for span, (first, last) in raw[kind]
            for a, b in pairwise(edge for edge in edges if first <= edge <= last)
        ]
        for kind in kinds
    }
    return {"source": raw["target"], "target": raw["source"]} | links


def word_of_pieces(pair: GoldPair, src: Tokens) -> Ints:
    """For each source piece, the word that shares most characters with it, (S,); -1 for none."""
    found = np.full(len(src), -1)
    for s, (start, end) in enumerate(src.spans.tolist()):
        shared = [min(end, b) - max(start, a) for a, b in pair.words]
        if shared and max(shared) > 0:
            found[s] = int(np.argmax(shared))
    return found


def links(
    pair: GoldPair, matrix: np.ndarray, label: RowLabel, words: Ints, target: Tokens
) -> set[Link]:
    """The links of a matrix (T, S); T is the number of `target` pieces plus one for the end.

    Row t writes piece t and has read piece t - 1. `words` has the word of each source piece.
    """
    first = 0 if label == "written" else 1
    columns = np.flatnonzero(words >= 0)
    strongest = columns[matrix[first : first + len(target), columns].argmax(-1)]
    return {
        (int(words[s]), i)
        for s, (start, end) in zip(strongest, target.spans.tolist(), strict=True)
        for i in range(start, end)
        if not pair.target[i].isspace()
    }


def diagonal(n_rows: int, words: Ints, label: RowLabel) -> np.ndarray:
    """A matrix (T, S) based only on order: piece t of n links to s = t S / n."""
    columns = np.flatnonzero(words >= 0)
    pieces = np.arange(n_rows) - (label == "read")
    at = np.clip(np.round((pieces + 0.5) / max(1, n_rows - 1) * len(columns) - 0.5), 0, None)
    matrix = np.zeros((n_rows, len(words)))
    matrix[np.arange(n_rows), columns[np.minimum(at.astype(int), len(columns) - 1)]] = 1
    return matrix


def counts(pair: GoldPair, found: set[Link]) -> tuple[int, int, int, int]:
    """|A & S|, |A & (S or P)|, |A|, |S| of one sentence."""
    sure = len(found & pair.sure)
    return sure, sure + len(found & pair.possible), len(found), len(pair.sure)


def error_rate(sums: np.ndarray) -> np.ndarray:
    """The AER of counts (..., 4) summed over sentences."""
    rates: np.ndarray = 1 - (sums[..., 0] + sums[..., 1]) / np.maximum(
        1, sums[..., 2] + sums[..., 3]
    )
    return rates


def score(table: Iterable[Sequence[int]] | np.ndarray, seed: int = 0) -> Score:
    """The AER of all sentences' counts (n, 4), with a percentile bootstrap over sentences."""
    rows = np.array(table)
    draws = np.random.default_rng(seed).integers(len(rows), size=(RESAMPLES, len(rows)))
    low, high = np.quantile(error_rate(rows[draws].sum(1)), (0.025, 0.975))
    return Score(float(error_rate(rows.sum(0))), float(low), float(high))
