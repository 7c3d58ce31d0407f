"""Another measure for the cells of one head, to compare with its weights.

The measures are those of `contribution`, and occlusion: the cost to each written token of removing
each source token. Value zeroing covers all heads of a layer and occlusion the whole model; both are
still compared with one head, and `of` says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.arrays import Doubles, freeze
from model.config import Head
from model.errors import InputError, quote
from model.explain import Explainer
from model.labs import scoreboard
from model.labs.contribution import measured, shares
from model.labs.summaries import rank_correlation
from model.trace import Trace

Name = Literal["norm", "contribution", "value_zeroing", "occlusion"]
NAMES: tuple[Name, ...] = ("norm", "contribution", "value_zeroing", "occlusion")
LEAST = 1e-3  # of a row of contributions, for the output's length, or of occlusion, in log-prob


@dataclass(frozen=True, eq=False)
class Beside:
    """One measure of the cells (Q, K) of a head; rows sum to 1, or are all 0.

    A row is 0 where the measure is below `LEAST` in all: shares of it would be those of rounding.
    `rank` is Spearman's correlation with the weights, over the unmasked cells of the other rows;
    None if there is no order to compare.
    """

    measure: Name
    cells: Doubles
    of: Literal["head", "layer", "model"]
    rank: float | None

    def __post_init__(self) -> None:
        freeze(self, "cells", np.float64, np.shape(self.cells))


def beside(explainer: Explainer, trace: Trace, measure: str, head: Head) -> Beside:
    """Compute a measure for the cells of one head, layers and heads counted from 0.

    Raises:
        InputError: a measure that does not exist, or not for this kind of attention; painted mask
        cells with occlusion; the time is up (`deadline`).
    """
    kind, layer, number = head
    name = next((one for one in NAMES if one == measure), None)
    if name is None or (name == "occlusion" and kind != "cross"):
        raise InputError(
            f"measure is {quote(measure)}; expected one of {', '.join(NAMES)}; "
            "occlusion is of cross-attention alone."
        )
    maps = trace.attention(kind)
    of: Literal["head", "layer", "model"] = "head"
    size = np.full(len(maps.mask), np.inf)
    if name == "occlusion":
        costs = scoreboard.matrix(explainer, trace, (name, None, None))
        of, cells, size = "model", shares(costs), costs.sum(-1)
    else:
        found = measured(explainer.model, trace, name, kind, layer)
        if found.heads is None:
            of, cells = "layer", found.cells
        else:
            cells = found.heads[number]
        if found.reach is not None:
            size = found.reach[number]
    told = (size >= LEAST)[:, None]
    weights = np.where(maps.mask & told, maps.weights[layer, number].astype(np.float64), np.nan)
    cells = np.where(told, cells, 0)
    return Beside(name, cells, of, rank_correlation(weights, cells))
