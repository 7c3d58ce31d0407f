"""Why this word: the difference of two logits as an exact sum, and each head's effect on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.explain import explain
from explorer.exchange.payload import token
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_WRITTEN, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.labs.why.split import LogitSplit
    from model.trace import Explanation


def why(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The logit of the token written at `step` minus that of `rival`, as a sum of parts.

    {rival, difference, left, embedding, position, output_bias, feed_forward: [layer],
    biases: [layer], decoder_self, cross: [layer][head][token read]}.
    """
    _, split = _split(explainer, request, arguments)
    return {
        "rival": token(explainer, split.instead_of),
        "difference": split.difference,
        "left": split.left,
        "embedding": split.embedding,
        "position": split.position,
        "output_bias": split.output_bias,
        "feed_forward": split.feed_forward.tolist(),
        "biases": split.biases.tolist(),
        "decoder_self": split.decoder_self.tolist(),
        "cross": split.cross.tolist(),
    }


def why_off(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The part of the difference that disappears with each head of the decoder: {decoder_self,
    cross}.

    Each is [layer][head]: the difference with all heads minus that without this one.
    """
    from model.labs.why.heads import without_heads

    explanation, split = _split(explainer, request, arguments)
    off = without_heads(explainer, explanation, split)
    return {
        "decoder_self": off.effects("decoder_self").tolist(),
        "cross": off.effects("cross").tolist(),
    }


def _split(
    explainer: Explainer, request: Request, arguments: Arguments
) -> tuple[Explanation, LogitSplit]:
    # Imports torch, which the page starts without; the model has already loaded it.
    from model.labs.why.split import why as split

    step = arguments.whole("step", 0, MAX_WRITTEN - 1)
    rival = arguments.whole("rival", 0, explainer.model.config.vocabulary("target") - 1)
    explanation = explain(explainer, request)
    return explanation, split(explainer, explanation, step, rival)


EXHIBIT = Exhibit(
    "why",
    {"why": why, "why_off": why_off},
    opener=effects.View(effects.steps, effects.is_unsure),
)
