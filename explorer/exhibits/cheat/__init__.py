"""The decoder cheats: what the causal mask is for, shown on a decoder trained without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit

if TYPE_CHECKING:
    from model.explain import Explainer

UPDATES = (
    1_000  # what the shipped file was trained for, the default of `python -m model.labs.cheat`
)


def cheat(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """Log-probs of the current translation's tokens, teacher-forced, a list for each decoder.

    shipped    the model as it is
    unmasked   the same, its causal mask off
    cheater    the decoder that was trained without the mask, and has none
    blindfold  that decoder with the mask on again: what it has learnt about translating
    """
    from model.labs.cheat import UNMASKED, cheater  # torch comes in with the first question

    model = explainer
    trace = explain(explainer, request).trace
    text, ids = trace.src.text, trace.tgt_out.ids.tolist()
    other = cheater(model)
    passes = {
        "shipped": model.trace(text, ids),
        "unmasked": model.trace(text, ids, interventions=UNMASKED),
        "cheater": other.trace(text, ids, interventions=UNMASKED),
        "blindfold": other.trace(text, ids),
    }
    return {name: one.log_prob.tolist() for name, one in passes.items()}


EXHIBIT = Exhibit("cheat", {"cheat": cheat}, {"updates": f"{UPDATES:,}"})
