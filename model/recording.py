"""From the tensors of a pass over one sentence to the float32 arrays of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.attention import AttentionRecord
from model.trace import AttentionMaps
from model.transformer import StackRecord, Transformer


def maps(records: Sequence[AttentionRecord], scaling: bool) -> AttentionMaps:
    """One kind of attention in all layers, without the batch axis; `scaling` as it was run."""

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
        scaling=scaling,
    )


def states(record: StackRecord) -> np.ndarray:
    """The states of a stack, (L + 1, T, d_model)."""
    arrays: np.ndarray = torch.cat(record.states).float().cpu().numpy()
    return arrays


MAX_LOGITS = 2**22  # at a time: 16 MB, whatever the size of the vocabulary


def logits_in_chunks(model: Transformer, states: Tensor) -> Iterator[Tensor]:
    """The float32 logits of states (T, D), a few rows (n, V) at a time.

    Raises:
        InputError: the time is up (`deadline`).
    """
    for rows in states.split(max(1, MAX_LOGITS // model.config.vocab_size)):
        deadline.check()
        yield model.logits(rows).float()
