"""A language of five letters: so small that every text can be looked at beside the search.

The next letter depends on the last one only (a Markov chain), so a table of 6 rows is the whole
model. The search is the real one of `decoding.py`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import DecodeConfig
from model.decoding import Rules, search
from model.errors import ConfigError
from model.trace import Search

LETTERS = "ABCDE"
EDGE = len(LETTERS)
"""The id that is read at the start. As the end token it has probability 0: a text ends at its
length, not before."""

EXAMPLE = (
    (0.4, 0.3, 0.2, 0.1, 0.0),
    (0.1, 0.4, 0.3, 0.2, 0.0),
    (0.5, 0.2, 0.1, 0.2, 0.0),
    (0.9, 0.1, 0.0, 0.0, 0.0),
    (0.3, 0.3, 0.2, 0.1, 0.1),
    (0.2, 0.2, 0.2, 0.2, 0.2),
)
"""The table to begin with: what may come first, then after A, B, ..., E.

The first three rows are the worked example of the lesson: of beam 2, AB (.16) and BA (.15) survive.
The others are chosen: C is rather unlikely, but after C comes almost surely A, so that CA (.18) is
the best text of two letters, and beam 2 never sees it.
"""

RULES = Rules(start_id=EDGE, end_id=EDGE)
TOLERANCE = 1e-6  # how far from 1 the sum of a row may be
TRIES = 5000  # tables that `greedy_loses` looks at

Table = Sequence[Sequence[float]]
Doubles = NDArray[np.float64]


class ToyText(NamedTuple):
    """One of all the texts, and its probability: the product of its steps' entries."""

    text: str
    probability: float


class Found(NamedTuple):
    """A table in which greedy loses, and whether beam search with two beams finds the best."""

    table: tuple[tuple[float, ...], ...]
    beam_wins: bool


class ToyNames:
    """What the ids are called."""

    def piece(self, token_id: int, /) -> str:
        return (*LETTERS, "</s>")[token_id]

    def decode(self, ids: Sequence[int], /) -> str:
        return "".join(self.piece(i) for i in ids)


@dataclass(frozen=True, eq=False)
class ToyStepper:
    """A `decoding.Stepper` over a table. It knows no past: the token that is read says it all."""

    log_probs: Tensor  # (6, 6): row of the token read, column of the next; the end is never next

    @classmethod
    def start(cls, table: Table) -> ToyStepper:
        """One that has read nothing; the table as in `checked`."""
        rows = checked(table)
        by_id = np.vstack((rows[1:], rows[:1]))  # A, ..., E, and what is read at the start
        return cls(torch.from_numpy(np.pad(by_id, ((0, 0), (0, 1)))).log())

    def step(self, tokens: Tensor) -> tuple[Tensor, ToyStepper]:
        """Read one letter a row, (R,) -> log-probs of the next (R, 6)."""
        return self.log_probs[tokens], self

    def rows(self, _index: Tensor) -> ToyStepper:
        return self


def checked(table: Table) -> Doubles:
    """The table as numbers, (6, 5).

    Raises:
        ConfigError: not 6 rows of 5 probabilities that sum to 1.
    """
    rows = np.array(table, dtype=np.float64)
    if rows.shape != (len(LETTERS) + 1, len(LETTERS)):
        raise ConfigError(f"The table is {rows.shape}; expected 6 rows of 5 probabilities.")
    if not (rows >= 0).all():
        raise ConfigError("The table has a number that is no probability; expected 0 to 1.")
    if (wrong := wrong_row(table)) is not None:
        name = ("the start", *LETTERS)[wrong[0]]
        raise ConfigError(f"The probabilities after {name} sum to {wrong[1]:.6g}; expected 1.")
    return rows


def wrong_row(table: Table) -> tuple[int, float] | None:
    """The first row that does not sum to 1, and its sum; 0 is that of the start."""
    for i, row in enumerate(table):
        if abs(math.fsum(row) - 1) > TOLERANCE:
            return i, math.fsum(row)
    return None


def toy_search(
    table: Table,
    beam: int,
    length: int,
    *,
    method: Literal["beam", "greedy"] = "beam",
    alpha: float = 0.0,
) -> Search:
    """The search of `decoding.py` for texts of `length` letters, with all that it considered."""
    config = DecodeConfig(method=method, beam_size=beam, length_penalty=alpha, max_length=length)
    (found,) = search(ToyStepper.start(table), 1, config, RULES, ToyNames())
    return found


def exhaustive(table: Table, length: int) -> list[ToyText]:
    """All texts of `length` letters that can come, the likeliest first; equal ones by alphabet."""
    rows = checked(table)
    texts = []
    for ids in itertools.product(range(len(LETTERS)), repeat=length):
        before = (0, *(i + 1 for i in ids))
        probability = math.prod(float(rows[r, i]) for r, i in zip(before, ids, strict=False))
        if probability > 0:
            texts.append(ToyText(ToyNames().decode(ids), probability))
    return sorted(texts, key=lambda one: (-round(one.probability, 12), one.text))


def greedy_loses(seed: int, length: int = 2) -> Found:
    """A random table, in steps of .1, in which greedy search misses the best text.

    Of the tables that the seed draws, the first in which two beams find the best; if there is none,
    the first in which greedy loses.
    """
    random = np.random.default_rng(seed)
    fallback: Found | None = None
    for _ in range(TRIES):
        table = _random_table(random)
        best = exhaustive(table, length)[0].probability
        if _probability(table, length, "greedy") >= best - TOLERANCE:
            continue
        found = Found(table, _probability(table, length, "beam") >= best - TOLERANCE)
        if found.beam_wins:
            return found
        fallback = fallback or found
    if fallback is None:
        raise ConfigError(f"No table of seed {seed} makes greedy lose at length {length}.")
    return fallback


def _random_table(random: np.random.Generator) -> tuple[tuple[float, ...], ...]:
    tenths = [random.multinomial(10, random.dirichlet(np.ones(5))) for _ in range(6)]
    return tuple(tuple(round(int(n) / 10, 1) for n in row) for row in tenths)


def _probability(table: Table, length: int, method: Literal["beam", "greedy"]) -> float:
    """The probability of the text that two beams, or greedy, find."""
    return math.exp(toy_search(table, 2, length, method=method).hypotheses[0].log_prob)
