"""The logits of one step, and the data of every step for a smoothed loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.arrays import Doubles, Floats
from model.config import UNTOUCHED, Interventions
from model.errors import InputError
from model.explain import Explainer


class SmoothingTable(NamedTuple):
    """T target positions, V vocabulary; log-probs are natural logs.

    The loss with label smoothing eps is -(1 - eps) * log_probs - eps * means, up to how eps is
    shared among the tokens.
    """

    logits: Floats  # (V,) of the chosen step
    log_probs: Doubles  # (T,) of the tokens that were written
    means: Doubles  # (T,) of the log-probs of the whole vocabulary


@torch.inference_mode()
def smoothing_table(
    explainer: Explainer,
    text: str,
    ids: Sequence[int],
    step: int,
    *,
    interventions: Interventions = UNTOUCHED,
) -> SmoothingTable:
    """Run the target ids teacher-forced, keeping all logits of step `step`, counted from 0.

    Raises:
        InputError: as `Explainer.trace`; a step that does not exist.
    """
    if not 0 <= step < len(ids):
        raise InputError(f"Step {step + 1} was asked for; there are {len(ids)}.")
    chosen: Floats | None = None
    log_probs, means, first = [], [], 0
    for logits in explainer.logits_in_chunks(text, ids, interventions=interventions):
        exact = logits.cpu().double()
        rows = exact.log_softmax(-1)
        last = first + len(rows)
        log_probs += [float(row[i]) for row, i in zip(rows, ids[first:last], strict=True)]
        means += rows.mean(-1).tolist()
        if first <= step < last:
            chosen = logits[step - first].cpu().numpy()
        first = last
    assert chosen is not None
    return SmoothingTable(chosen, np.array(log_probs), np.array(means))
