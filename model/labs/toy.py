"""A language of five letters, small enough to list all its texts beside a search.

The next letter depends only on the last one (a Markov chain), so the whole model is a table of 6
rows. The search is the real one of `decoding.py`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.arrays import Doubles
from model.config import DecodeConfig
from model.decoding import Rules, search
from model.errors import ConfigError
from model.labs.letters import EDGE as EDGE
from model.labs.letters import EXAMPLE as EXAMPLE
from model.labs.letters import LETTERS as LETTERS
from model.labs.letters import TOLERANCE as TOLERANCE
from model.trace import Search

RULES = Rules(start_id=EDGE, end_id=EDGE)
MAX_TRIES = 5000  # tables that `greedy_loses` tries

Table = Sequence[Sequence[float]]


class ToyText(NamedTuple):
    """A possible text and its probability: the product of its steps' entries."""

    text: str
    probability: float


class LosingTable(NamedTuple):
    """A table in which greedy loses, and whether beam search with two beams finds the best."""

    table: tuple[tuple[float, ...], ...]
    beam_wins: bool


class ToyVocabulary:
    """Maps ids to letters."""

    def piece(self, token_id: int, /) -> str:
        return (*LETTERS, "</s>")[token_id]

    def decode(self, ids: Sequence[int], /) -> str:
        return "".join(self.piece(i) for i in ids)


@dataclass(frozen=True, eq=False)
class ToyStepper:
    """A `decoding.Stepper` over a table. It keeps no history: only the last letter matters."""

    log_probs: Tensor  # (6, 6): row of the token read, column of the next; the end is never next
    normalisers: Tensor | None = None

    @classmethod
    def start(cls, table: Table) -> ToyStepper:
        """A new stepper that has read nothing; see `checked` for the table."""
        rows = checked(table)
        by_id = np.vstack((rows[1:], rows[:1]))  # A, ..., E, and the start
        return cls(torch.from_numpy(np.pad(by_id, ((0, 0), (0, 1)))).log())

    def step(self, tokens: Tensor) -> tuple[Tensor, ToyStepper]:
        """Read one letter per row, (R,) -> log-probs of the next (R, 6)."""
        return self.log_probs[tokens], self

    def rows(self, _index: Tensor) -> ToyStepper:
        return self


def checked(table: Table) -> Doubles:
    """Return the table as numbers, (6, 5).

    Raises:
        ConfigError: not 6 rows of 5 probabilities that sum to 1.
    """
    rows = np.array(table, dtype=np.float64)
    if rows.shape != (len(LETTERS) + 1, len(LETTERS)):
        raise ConfigError(f"The table is {rows.shape}; expected 6 rows of 5 probabilities.")
    if not (rows >= 0).all():
        raise ConfigError("The table has a number that is not a probability; expected 0 to 1.")
    if (wrong := wrong_row(table)) is not None:
        name = ("the start", *LETTERS)[wrong[0]]
        raise ConfigError(f"The probabilities after {name} sum to {wrong[1]:.6g}; expected 1.")
    return rows


def wrong_row(table: Table) -> tuple[int, float] | None:
    """The first row that does not sum to 1, and its sum; row 0 is the start."""
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
    """Run the search of `decoding.py` for texts of `length` letters, with all candidates."""
    config = DecodeConfig(method=method, beam_size=beam, length_penalty=alpha, max_length=length)
    (found,) = search(ToyStepper.start(table), 1, config, RULES, ToyVocabulary())
    return found


def exhaustive(table: Table, length: int) -> list[ToyText]:
    """All possible texts of `length` letters, most likely first, ties in alphabetical order."""
    rows = checked(table)
    texts = []
    for ids in itertools.product(range(len(LETTERS)), repeat=length):
        before = (0, *(i + 1 for i in ids))
        probability = math.prod(float(rows[r, i]) for r, i in zip(before, ids, strict=False))
        if probability > 0:
            texts.append(ToyText(ToyVocabulary().decode(ids), probability))
    return sorted(texts, key=lambda one: (-round(one.probability, 12), one.text))


def greedy_loses(seed: int, length: int = 2) -> LosingTable:
    """Draw a random table, in steps of .1, in which greedy search misses the best text.

    It is the first table in which two beams find the best text, otherwise the first in which greedy
    loses.
    """
    random = np.random.default_rng(seed)
    fallback: LosingTable | None = None
    for _ in range(MAX_TRIES):
        table = _random_table(random)
        best = exhaustive(table, length)[0].probability
        if _probability(table, length, "greedy") >= best - TOLERANCE:
            continue
        found = LosingTable(table, _probability(table, length, "beam") >= best - TOLERANCE)
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
    """The probability of the text found by two beams, or by greedy search."""
    return math.exp(toy_search(table, 2, length, method=method).hypotheses[0].log_prob)
