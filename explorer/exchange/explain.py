"""From a visitor's request to the record that answers it, within the page's limits."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from explorer.exchange.request import PageError, Request
from model.config import Interventions
from model.errors import InputError
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer


def explain(explainer: Explainer, request: Request) -> Explanation:
    """The record that answers a request; searches are cached, so asking again is cheap.

    Raises:
        HeadlightError: the model does not take this text or these settings.
    """
    count = _source_tokens(explainer, request.text)
    # A small model may have fewer positions than a translation may have tokens.
    longest = min(request.config.max_length, explainer.max_source_tokens)
    _check_cells(request.interventions, count, longest)
    begin = explainer.tokenizer.encode_target(request.begin).ids.tolist() if request.begin else []
    return explainer.explain(
        request.text,
        dataclasses.replace(request.config, max_length=longest),
        interventions=request.interventions,
        shown=request.shown,
        prefix=(*request.prefix, *begin),
        node=request.node,
    )


def _source_tokens(explainer: Explainer, text: str) -> int:
    """Count the tokens; refuse what the model would, in words that the page can translate."""
    try:
        count = len(explainer.tokenizer.encode_source(text))
    except InputError as error:
        if error.key is not None:
            raise
        raise PageError("error.empty") from None
    if count > explainer.max_source_tokens:
        raise PageError("error.tokens", count=count, limit=explainer.max_source_tokens)
    return count


def _check_cells(interventions: Interventions, source: int, target: int) -> None:
    """Check that there are no more painted cells than the three masks of this text have."""
    source += interventions.padding
    limit = source**2 + target**2 + source * target
    if len(interventions.cells) > limit:
        raise PageError("error.cells", count=f"{len(interventions.cells):,}", limit=f"{limit:,}")
