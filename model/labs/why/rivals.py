"""Which step and which two tokens: the visitor's, or the closest decision of the search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from model.errors import InputError, quote
from model.explain import Explainer
from model.trace import Explanation


class Rival(NamedTuple):
    """Two candidates at one step of a search, after the same tokens: one is on the path shown."""

    step: int
    token: int
    instead_of: int


def closest(explanation: Explanation) -> Rival | None:
    """The step of the path where a different candidate came closest; None if there was none.

    A candidate counts if it extends the same tokens as the one shown.
    """
    best: tuple[float, Rival] | None = None
    steps = zip(explanation.search.steps, explanation.path, strict=False)
    for t, (step, chosen) in enumerate(steps):
        if step.forced[chosen]:
            continue
        siblings = np.flatnonzero(step.parents == step.parents[chosen])
        for c in siblings[siblings != chosen]:
            distance = abs(float(step.log_probs[c]) - float(step.log_probs[chosen]))
            rival = Rival(t, int(step.token_ids[chosen]), int(step.token_ids[c]))
            if np.isfinite(distance) and (best is None or distance < best[0]):
                best = distance, rival
    return None if best is None else best[1]


def token_id(explainer: Explainer, piece: str) -> int:
    """The id of a target piece, with or without its space mark.

    Raises:
        InputError: the vocabulary has no such piece.
    """
    pieces = explainer.tokenizer.pieces
    for name in (piece, f"\u2581{piece}"):
        if name and name in pieces:
            return pieces.index(name)
    raise InputError(f"The vocabulary has no piece {quote(piece)}; give one as the page writes it.")


def asked(
    explainer: Explainer, explanation: Explanation, step: int | None, instead_of: str | None
) -> tuple[int, int]:
    """Find the step (from 0) and the id of the other token.

    `step` counts from 1; the default is the closest decision of the search. The default piece is
    the closest candidate of that decision.

    Raises:
        InputError: no such piece, or a required piece was not given.
    """
    rival = closest(explanation)
    at = step - 1 if step is not None else rival.step if rival else 0
    if instead_of is not None:
        return at, token_id(explainer, instead_of)
    if rival and rival.step == at:
        return at, rival.instead_of
    raise InputError(
        f"The search had no close rival at step {at + 1}: give instead_of, a piece to compare with."
    )
