"""From a visitor's request to the record that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.request import Request
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer


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
