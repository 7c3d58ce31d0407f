"""A checkpoint's rules for decoding: its start, its end, and its banned tokens.

The stopping rule of beam search is not among them: see `SentenceSearch` in `beams.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.errors import ConfigError


@dataclass(frozen=True)
class Rules:
    """A checkpoint's rules for decoding.

    `start_id` is read first and never written. `banned` ids are never written; with `renormalise`
    (Marian's `renormalize_logits`) their probability is shared among the others. With
    `forced_end_id`, only the end token may come at the last allowed position (Marian). `more_ends`
    end a translation too; unlike the end token, they are part of its text.
    """

    start_id: int
    end_id: int
    banned: tuple[int, ...] = ()
    forced_end_id: int | None = None
    renormalise: bool = False
    more_ends: tuple[int, ...] = ()

    @property
    def ends(self) -> tuple[int, ...]:
        """Every token after which nothing is written."""
        return (self.end_id, *self.more_ends)

    def __post_init__(self) -> None:
        if not set(self.banned).isdisjoint(self.ends):
            raise ConfigError(f"An end token of {self.ends} is banned; no translation could end.")
        if self.forced_end_id not in (None, self.end_id):
            raise ConfigError(
                f"forced_end_id is {self.forced_end_id}; expected the end token, "
                f"{self.end_id}, or None."
            )


def mask_banned(log_probs: Tensor, rules: Rules) -> Tensor:
    """Log-probs (R, V) with -inf for banned tokens, renormalised if the rules say so."""
    banned = torch.tensor(rules.banned, dtype=torch.int64, device=log_probs.device)
    left = log_probs.index_fill(-1, banned, -math.inf)
    return left.log_softmax(-1) if rules.renormalise else left


def repeating(ids: Sequence[int], n: int) -> list[int]:
    """The tokens that would repeat a run of n in `ids`: (1, 2, 3, 1, 2), 3 -> [3]."""
    start = tuple(ids[len(ids) - n + 1 :]) if len(ids) >= n else None
    runs = (tuple(ids[i : i + n]) for i in range(len(ids) - n + 1))
    return sorted({run[-1] for run in runs if run[:-1] == start})
