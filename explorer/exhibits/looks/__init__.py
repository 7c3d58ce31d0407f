"""Why a head looks there: a score as a table of what wrote its query times what wrote its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import KINDS

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.labs.looks import Look
    from model.trace import Explanation


LONGEST = 60  # characters of a part's name


def looks(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The score of the key `column` minus that of `against` (-1: nothing), as a sum of products.

    {query, key: the names of the parts, products: packed (query parts, key parts), distance: null
    where there is none, score: the record's}.
    """
    _, split = _look(explainer, request, arguments)
    return {
        "query": list(split.query_parts),
        "key": list(split.key_parts),
        "products": pack(split.table.astype(np.float32)),
        "distance": split.distance,
        "score": split.recorded,
    }


def looks_without(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The same score in a run in which `parts` of the keys are never written: {score}."""
    from model.labs.removal import score_without

    explanation, split = _look(explainer, request, arguments)
    known = [*split.key_parts, *([] if split.distance is None else ["distance"])]
    parts = arguments.texts("parts", 1, len(known), LONGEST)
    if not set(parts) <= set(known):
        raise PageError("error.request")
    return {"score": score_without(explainer, explanation, split, parts)}


def _look(explainer: Explainer, request: Request, arguments: Arguments) -> tuple[Explanation, Look]:
    from model.labs.looks import look  # torch is imported with the first question

    explanation = explain(explainer, request)
    kind = arguments.choice("kind", KINDS)
    shape = explanation.trace.attention(kind).weights.shape
    layer, head, row, column = (
        arguments.whole(name, 0, size - 1)
        for name, size in zip(("layer", "head", "row", "column"), shape, strict=True)
    )
    against = arguments.whole("against", -1, shape[-1] - 1)
    cell = (layer, head, row, column, None if against < 0 else against)
    return explanation, look(explainer, explanation, kind, *cell)


EXHIBIT = Exhibit("looks", {"looks": looks, "looks_without": looks_without}, opener=effects.ANY)
