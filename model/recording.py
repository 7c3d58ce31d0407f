"""From the tensors of a pass to the arrays of a record; the batch axis of one sentence goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor

from model.config import Interventions
from model.trace import AttentionMaps
from model.transformer import AttentionRecord, StackRecord


def maps(records: Sequence[AttentionRecord], interventions: Interventions) -> AttentionMaps:
    """All layers' records of one kind, the batch axis of one sentence taken away."""

    def joined(layers: Sequence[Tensor]) -> np.ndarray:
        return torch.cat(tuple(layers)).float().cpu().numpy()

    weights, mask = cast("Tensor", records[0].weights), records[0].mask
    if mask is None:
        mask = torch.ones((), dtype=torch.bool)
    return AttentionMaps(
        weights=joined([cast("Tensor", record.weights) for record in records]),
        queries=joined([record.queries for record in records]),
        keys=joined([record.keys for record in records]),
        values=joined([record.values for record in records]),
        mask=mask.expand(weights.shape)[0, 0].cpu().numpy(),
        scaling=interventions.scaling,
    )


def states(record: StackRecord) -> np.ndarray:
    """The states of a stack, (L + 1, T, d_model)."""
    found: np.ndarray = torch.cat(record.states).float().cpu().numpy()
    return found
