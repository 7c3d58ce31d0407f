"""Heads against occlusion: many heads in one map, beside a measure that is not attention.

Python computes both and their agreement; the browser only draws them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exchange.turns import turn
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.arrays import Doubles, Floats
from model.config import KINDS, Kind
from model.labs.summaries import attention_rollout, pooled_attention, rank_correlation
from model.trace import Trace

if TYPE_CHECKING:
    from model.explain import Explainer

WAYS = ("mean", "max", "rollout")
AT_ONCE = 8  # source tokens left out in one batch, each in its own row
MOST_LAYERS = 1_000  # highest layer in an argument; a smaller model stops at its last


def summary(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Summarise the heads of a kind in one map: {queries, keys, cells}, float32, NaN where masked.

    `layer` counts from 1; 0 stands for all layers. A rollout goes up to that layer.
    """
    kind = arguments.choice("kind", KINDS)
    way = arguments.choice("way", WAYS)
    layer = arguments.whole("layer", 0, MOST_LAYERS)
    cells = summarised(explain(explainer, request).trace, kind, way, layer)
    queries, keys = cells.shape
    return {"queries": queries, "keys": keys, "cells": pack(cells.astype("f4"))}


def occlusion(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The loss of each output token without each source token, and the summaries' agreement.

    `changes` holds (rows, columns) float32, the change of a log-prob: its first row is without
    `src[first]`, column t is `tgt_out[t]`; `next` says where to continue (`turns`). The last reply
    adds results that need all rows: `agreement[way][layer]` is the rank correlation of a summary of
    cross-attention with the loss: {all, rows}, over all cells and in each row, None if there is no
    order to compare; `cells` counts them. Layers are those of `summary`.

    Raises:
        HeadlightError: the request is refused, or mask cells of the source are painted.
    """
    # Imports torch, which the page starts without; the model has already loaded it.
    from model.labs.ablation import occlusion as measure

    loaded, explanation = explainer, explain(explainer, request)
    trace = explanation.trace
    total = len(trace.src) - 1 - request.interventions.padding
    about = (request.text, trace.tgt_out.ids.tobytes(), request.interventions)

    def work(part: range) -> Floats:
        key = ("occlusion", *about, part)  # the last reply needs the results of the first
        return loaded.remembered(key, lambda: measure(loaded, explanation, part).changes)

    first = arguments.whole("first", 0, total - 1)
    found, following = turn(first, total, AT_ONCE, work)
    changes = np.concatenate(found)
    answer = {"columns": changes.shape[1], "changes": pack(changes), "next": following}
    if following is None:
        whole = [work(range(at, min(at + AT_ONCE, total))) for at in range(0, total, AT_ONCE)]
        answer["agreement"] = agreement(trace, np.concatenate(whole))
    return answer


def agreement(trace: Trace, changes: Floats) -> dict[str, list[Payload]]:
    """How well each summary of cross-attention ranks the source like `changes` (S, T)."""
    rows = len(changes)
    layers = range(len(trace.cross.weights) + 1)
    loss = -changes.T.astype(np.float64)  # (T, S)
    return {
        way: [agreed(summarised(trace, "cross", way, n)[:, :rows], loss) for n in layers]
        for way in WAYS
    }


def summarised(trace: Trace, kind: Kind, way: str, layer: int) -> Doubles:
    """One map (query, key) of the heads of one layer, or of all if it is 0; NaN where masked."""
    maps = trace.attention(kind)
    last = min(layer, len(maps.weights)) - 1 if layer else None
    if way == "rollout":
        cells = attention_rollout(trace, kind, last)
    else:
        cells = pooled_attention(maps, "max" if way == "max" else "mean", last)
    masked: Doubles = np.where(maps.mask, cells, np.nan)
    return masked


def agreed(weights: Doubles, loss: Doubles) -> Payload:
    """The rank correlation of weights and losses: over all cells, and in each row."""
    counted = ~np.isnan(weights)
    return {
        "all": rank_correlation(weights, loss),
        "rows": [rank_correlation(a, b) for a, b in zip(weights, loss, strict=True)],
        "cells": [int(counted.sum()), *map(int, counted.sum(-1))],
    }


EXHIBIT = Exhibit(
    "summaries",
    {"summary": summary, "occlusion": occlusion},
    facts={"ways": WAYS},
    opener=effects.View(effects.steps, effects.matters),
)
