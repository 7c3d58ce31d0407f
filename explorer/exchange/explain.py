"""From a visitor's request to the record that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.request import PageError, Request
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

CHEAT = "cheat"


def explain(explainer: Explainer, request: Request) -> Explanation:
    """The record that answers a request; searches are cached, so asking again is cheap.

    Raises:
        HeadlightError: the model does not take this text or these settings.
    """
    begin = explainer.tokenizer.encode_target(request.begin).ids.tolist() if request.begin else []
    return explainer.explain(
        request.text,
        request.config,
        interventions=request.interventions,
        shown=request.shown,
        prefix=(*request.prefix, *begin),
        node=request.node,
    )


def with_weights(explainer: Explainer, name: str) -> Explainer:
    """A model with other weights of its own: "0.25" are those after a quarter of its training,
    "cheat" has the decoder trained without the causal mask; "" is the model itself.

    The name is only compared with those that there are, never made part of a path. What was loaded
    stays as long as the model, which has a handful of such files.

    Raises:
        HeadlightError: the model has no such weights, or they cannot be read.
    """
    if name == "":
        return explainer
    if name == CHEAT:
        from model.labs.cheat import cheater  # torch is imported with the first request

        return cheater(explainer)
    for fraction in explainer.training_fractions:
        if fraction < 1 and f"{fraction:.2f}" == name:
            return explainer.at(fraction)
    raise PageError("error.weights", name=explainer.name, weights=name)
