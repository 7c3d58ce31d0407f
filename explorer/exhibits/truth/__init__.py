"""Which picture is true: every picture of the cross-attention against word links made by people.

The scores are in a file beside the model (`python -m model.labs.heads align --out`); the picture of
a gold pair is computed on request. Torch is imported with the first question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.payload import token_labels
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.labs.alignment import ROW_LABELS

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.labs.scoreboard import Place

MOST = 1_000  # highest number of a layer, head or pair in a link


def scores(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Load the scoreboard beside the model, and the gold pairs: {rows, pairs: [source]}.

    `rows` is null for a model without the file, `pairs` is empty for one without gold.
    """
    from model.labs import scoreboard
    from model.labs.goldpicture import gold_pairs

    path = explainer.folder / scoreboard.FILE if explainer.folder else None
    rows = scoreboard.load(path) if path and path.exists() else None
    return {
        **({"rows": None} if rows is None else scoreboard.answer(rows)),
        "pairs": [pair.source for pair in gold_pairs(explainer)[:MOST]],
    }


def gold(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """One picture of a gold pair: {source, target, cells, strongest, sure, possible, aer}.

    As in `GoldPicture`. Layer and head count from 1; 0 means all.
    """
    from model.labs.goldpicture import gold_pairs, gold_picture

    pairs = gold_pairs(explainer)
    if not pairs:
        raise PageError("error.request")
    pair = pairs[arguments.whole("pair", 0, len(pairs) - 1)]
    label = arguments.choice("label", ROW_LABELS)
    found = gold_picture(explainer, pair, _place(explainer, arguments), label)
    return {
        "source": token_labels(found.source),
        "target": token_labels(found.target),
        "cells": pack(found.cells.astype("f4")),
        "strongest": found.strongest.tolist(),
        "sure": list(found.sure),
        "possible": list(found.possible),
        "aer": found.aer,
    }


def _place(explainer: Explainer, arguments: Arguments) -> Place:
    from model.labs.goldpicture import drawable

    layer, head = (arguments.whole(name, 0, MOST) - 1 for name in ("layer", "head"))
    asked = (arguments.text("method", 20), *(None if at < 0 else at for at in (layer, head)))
    for place in drawable(explainer):
        if place == asked:
            return place
    raise PageError("error.request")


def share(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The share of each written token from the source: {shares: [share]}, over all layers."""
    from model.labs.contribution import rolled

    found = rolled(explainer.model, explain(explainer, request).trace)
    return {"shares": found.source_share.tolist()}


EXHIBIT = Exhibit(
    "truth",
    {"scores": scores, "gold": gold, "share": share},
    facts={"most": MOST},
    away={"scores": "published.server", "gold": "published.server"},
    absent="published.server",
    opener=effects.NONE,
)
