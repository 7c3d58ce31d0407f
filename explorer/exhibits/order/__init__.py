"""Order: the running model without positions, or with shuffled or shifted ones."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from model.config import KINDS, UNTOUCHED, Interventions
from model.labs.differences import text_difference
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

FARTHEST = 300  # the largest shift of positions
PAIRS = {  # sentences of the same tokens in a different order
    "dog": ("The dog bit the man.", "The man bit the dog."),
    "tom": ("Tom loves Mary.", "Mary loves Tom."),
}


def order(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The translation with the usual positions and with modified ones.

    Arguments: positions, sides, shift, seed; kind, layer and head, whose weights are sent for both
    runs: the current one, and the modified model reading and writing the same tokens.
    """
    asked = arguments.choice("kind", KINDS)
    kind = next(one for one in KINDS if one == asked)
    layer, head = arguments.whole("layer", 0, 1000), arguments.whole("head", 0, 1000)
    before = explain(explainer, _moved(request, UNTOUCHED))
    changed = _moved(request, _asked(arguments))
    after = explain(explainer, changed)
    ids = before.trace.tgt_out.ids.tolist()
    same = explainer.trace(request.text, ids, interventions=changed.interventions)
    difference = text_difference(before.trace.tgt_out.text, after.trace.tgt_out.text)
    weights = before.trace.attention(kind).weights
    if layer >= weights.shape[0] or head >= weights.shape[1]:
        raise PageError("error.request")
    return {
        "before": _said(before),
        "after": _said(after),
        "difference": [part._asdict() for part in difference],
        "ids": ids,
        "again": pack(np.stack([before.trace.log_prob, same.log_prob])),
        "weights": pack(
            np.stack([weights[layer, head], same.attention(kind).weights[layer, head]])
        ),
        "interventions": dataclasses.asdict(changed.interventions),
    }


def equivariance(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Encode the source in its own order and in a random one, with and without positions.

    {order, none, kept, size}: `order[i]` is the token at place i of the random order;
    `none` and `kept` the largest deviation of each token's vector between the two runs; `size` the
    root mean square of the vectors with positions, to compare with.
    """
    ids = explain(explainer, _moved(request, UNTOUCHED)).trace.src.ids
    ids = ids[: len(ids) - request.interventions.padding]
    drawn = _other_order(ids, np.random.default_rng(arguments.whole("seed", 0, 2**31)))
    found: Payload = {"order": drawn.tolist()}
    for name, change in (("none", Interventions(positions="none")), ("kept", UNTOUCHED)):
        own = explainer.encoded(ids.tolist(), interventions=change)
        moved = explainer.encoded(ids[drawn].tolist(), interventions=change)
        back = np.empty_like(moved)
        back[drawn] = moved
        found[name] = [float(most) for most in np.abs(back - own).max(-1)]
        found["size"] = float(np.sqrt(np.mean(own**2)))
    return found


def _other_order(ids: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random order that differs from the original, if there is one."""
    while True:
        drawn = rng.permutation(len(ids))
        if len(set(ids.tolist())) < 2 or (ids[drawn] != ids).any():
            return drawn


def pair(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Two sentences of the same tokens, each translated with and without the source's positions."""
    found = []
    for text in PAIRS[arguments.choice("pair", tuple(PAIRS))]:
        said = {}
        for name in ("kept", "none"):
            change = Interventions.from_dict({"positions": name, "sides": "source"})
            plain = Request(text, request.config, interventions=change)
            said[name] = _said(explain(explainer, plain))
        found.append({"text": text, **said})
    return {"sentences": found}


def _asked(arguments: Arguments) -> Interventions:
    return Interventions.from_dict(
        {
            "positions": arguments.choice("positions", ("none", "shuffled", "shifted")),
            "sides": arguments.choice("sides", ("source", "target", "both")),
            "shift": arguments.whole("shift", 0, FARTHEST),
            "position_seed": arguments.whole("seed", 0, 2**31),
        }
    )


def _moved(request: Request, positions: Interventions) -> Request:
    """The request with different positions; its other changes stay.

    A different search has different hypotheses, so the best one is shown.
    """
    names = ("positions", "sides", "shift", "position_seed")
    values = {name: getattr(positions, name) for name in names}
    interventions = dataclasses.replace(request.interventions, **values)
    if interventions == request.interventions:
        return request
    return dataclasses.replace(request, interventions=interventions, shown=0, node=None)


def _said(explanation: Explanation) -> Payload:
    trace = explanation.trace
    return {
        "text": trace.tgt_out.text,
        "log_prob": float(trace.log_prob.sum(dtype=np.float64)),
        "length": len(trace.tgt_out),
    }


EXHIBIT = Exhibit(
    "order",
    {"order": order, "equivariance": equivariance, "pair": pair},
    facts={"farthest": FARTHEST, "pairs": PAIRS},
)
