"""The decoder cheats: the purpose of the causal mask, shown with a decoder trained without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit

if TYPE_CHECKING:
    from model.explain import Explainer

UPDATES = (
    1_000  # updates that trained the shipped file, the default of `python -m model.labs.cheat`
)


def cheat(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """Log-probs of the current translation's tokens, teacher-forced, a list for each decoder.

    shipped    the original model
    unmasked   the same, its causal mask off
    cheater    the decoder trained without the mask, still without it
    blindfold  the same decoder with the mask restored: its ability to translate
    """
    from model.labs.cheat import UNMASKED, cheater  # torch is imported with the first question

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
