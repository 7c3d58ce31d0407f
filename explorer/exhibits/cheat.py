"""The decoder cheats: what the causal mask is there for, on a decoder trained without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments
from explorer.request import Request
from explorer.wish import granted

if TYPE_CHECKING:
    from model.explain import Explainer

TEMPLATE = """
<div class="hl-cheat">
  <p class="hl-cheat-says" id="hl-cheat-says" aria-live="polite"></p>
  <div class="hl-scroll"><table class="hl-table" id="hl-cheat-table"></table></div>
  <p class="hl-note" data-t="cheat.rows"></p>
  <p class="hl-note" data-t="cheat.note"></p>
</div>
"""


def layout() -> None:
    """A table of the tokens on show, with the probability that each of four decoders gives them."""
    panel("cheat", TEMPLATE)


def cheat(explainer: Explains, wish: Request, arguments: Arguments) -> dict[str, Any]:
    """Log-probs of the tokens on show, teacher-forced: {shipped, unmasked, cheater, blindfold}.

    shipped    the model as it is
    unmasked   the same, its causal mask off
    cheater    the decoder that was trained without the mask, and has none
    blindfold  that decoder with the mask on again: what it has learnt about translating
    """
    from model.cheat import UNMASKED, cheater  # torch comes in with the first question

    model = cast("Explainer", explainer)
    trace = granted(explainer, wish).trace
    text, ids = trace.src.text, trace.tgt_out.ids.tolist()
    other = cheater(model)
    passes = {
        "shipped": model.trace(text, ids),
        "unmasked": model.trace(text, ids, interventions=UNMASKED),
        "cheater": other.trace(text, ids, interventions=UNMASKED),
        "blindfold": other.trace(text, ids),
    }
    return {name: one.log_prob.tolist() for name, one in passes.items()}


CHEAT = Exhibit("cheat", "masks", layout, {"cheat": cheat})
