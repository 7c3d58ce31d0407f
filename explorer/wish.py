"""From what a visitor wishes to the record of it, within the page's limits."""

from __future__ import annotations

import dataclasses

from explorer.loading import Explains
from explorer.request import PageError, Request
from model.errors import InputError
from model.trace import Explanation


def granted(explainer: Explains, wish: Request) -> Explanation:
    """The explanation of a wish; searches are remembered, so asking again costs little.

    Raises:
        HeadlightError: the model does not take this text or these settings.
    """
    _check_tokens(explainer, wish.text)
    # A small model may have fewer positions than a translation may have tokens.
    longest = min(wish.config.max_length, explainer.max_source_tokens)
    begin = explainer.tokenizer.encode_target(wish.begin).ids.tolist() if wish.begin else []
    return explainer.explain(
        wish.text,
        dataclasses.replace(wish.config, max_length=longest),
        interventions=wish.interventions,
        shown=wish.shown,
        prefix=(*wish.prefix, *begin),
        node=wish.node,
    )


def _check_tokens(explainer: Explains, text: str) -> None:
    """Refuse what the model refuses, but in words that the page can translate."""
    try:
        count = len(explainer.tokenizer.encode_source(text))
    except InputError:
        raise PageError("error.empty") from None
    if count > explainer.max_source_tokens:
        raise PageError("error.tokens", count=count, limit=explainer.max_source_tokens)
