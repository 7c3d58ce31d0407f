"""The test inputs of a run, set aside before it begins, and the accuracy of chance.

No torch.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import NamedTuple

import numpy as np

from model.labs.playground.settings import FRESH, WATCHED, Settings
from model.labs.playground.tasks import PAD, Examples, Pair

COMMON = 1_000  # draws of training; an input among them is too common to set aside
TRIES = 20  # draws for each input wanted


def held_out(settings: Settings) -> tuple[Pair, ...]:
    """Draw up to FRESH pairs with distinct inputs, which training must leave out.

    Common inputs stay with training, since some answers are learnt from them alone: "aaaaaaaa" is
    the only word of eight letters with eight times "a". So a task of few inputs (words of three
    letters out of four) has none to spare: with fewer than WATCHED pairs the result is empty.
    """
    training, test = (np.random.default_rng((settings.seed, stream)) for stream in (1, 2))
    common = {source for source, _ in islice(settings.pairs(training, practice=True), COMMON)}
    found: dict[str, Pair] = {}
    for pair in islice(settings.pairs(test), TRIES * FRESH):
        if pair[0] not in common:
            found.setdefault(pair[0], pair)
        if len(found) == FRESH:
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
