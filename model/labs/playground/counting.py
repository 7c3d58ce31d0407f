"""The test inputs of a run, set aside before it begins, and the accuracy of chance.

No torch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from model.labs.playground.settings import FRESH, PER_LENGTH, WATCHED, Settings
from model.labs.playground.tasks import PAD, Examples, Pair

COMMON = 1_000  # draws of training; an input among them is too common to set aside
TRIES = 20  # draws for each input wanted


def held_out(settings: Settings) -> tuple[Pair, ...]:
    """Draw up to FRESH pairs with distinct inputs, which training must leave out.

    Common inputs stay with training, since some answers are learnt from them alone: "aaaaaaaa" is
    the only word of eight letters with eight times "a". So a task of few inputs (words of three
    letters out of four) has none to spare: with fewer than WATCHED pairs the result is empty.
    """
    random = np.random.default_rng((settings.seed, 2))
    return _uncommon(settings.pairs(random), _common(settings), FRESH)


def held_out_by_length(settings: Settings) -> dict[int, tuple[Pair, ...]]:
    """Up to PER_LENGTH such pairs of every length of the task, also of those beyond training.

    Lengths with too few inputs to spare are left out, and there are none unless training has
    several lengths.
    """
    if not settings.shorter:
        return {}
    common, found = _common(settings), {}
    shortest, _, longest = settings.rule.length
    for length in range(shortest, longest + 1):
        random = np.random.default_rng((settings.seed, 4, length))
        pairs = _uncommon(settings.pairs(random, length=length), common, PER_LENGTH)
        if pairs:
            found[length] = pairs
    return found


def _common(settings: Settings) -> set[str]:
    """Inputs that training draws often."""
    training = np.random.default_rng((settings.seed, 1))
    return {source for source, _ in islice(settings.pairs(training, practice=True), COMMON)}


def _uncommon(drawn: Iterator[Pair], common: set[str], count: int) -> tuple[Pair, ...]:
    """The first `count` of them with different inputs; none if there are too few."""
    found: dict[str, Pair] = {}
    for pair in islice(drawn, TRIES * count):
        if pair[0] not in common:
            found.setdefault(pair[0], pair)
        if len(found) == count:
            break
    return tuple(found.values()) if len(found) >= WATCHED else ()


class Chance(NamedTuple):
    """The accuracy of the best constant answer, which ignores the input."""

    answers: float
    tokens: float


def chance(examples: Examples) -> Chance:
    """The best of all constant answers, chosen on these very examples.

    So no constant answer can get more of them right. For tokens it is the most frequent one at each
    place, including the end token.

        targets ab, ab, ba -> answers 2/3, tokens (2 + 2 + 3) / 9
    """
    targets = Counter(target for _, target in examples.pairs)
    places = [Counter(row[row != PAD].tolist()) for row in examples.tgt[:, 1:].T]
    right = sum(max(place.values()) for place in places)
    return Chance(
        max(targets.values()) / len(examples.pairs), right / sum(map(Counter.total, places))
    )
