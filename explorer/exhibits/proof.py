"""The proof: the browser computes again what it was sent, and says how far it is off."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.sublayer import packed_layer
from explorer.wish import granted
from model.config import KINDS

TEMPLATE = """
<div class="hl-proof">
  <div class="hl-proof-top">
    <p class="hl-proof-sum" id="hl-proof-sum" role="status"></p>
    <progress id="hl-proof-progress" max="1" value="0" data-t-label="proof.progress"></progress>
    <button type="button" id="hl-proof-run"></button>
  </div>
  <p class="hl-proof-changed" id="hl-proof-changed" role="status" hidden></p>
  <div class="hl-proof-scroll">
    <table class="hl-proof-lines" id="hl-proof-lines"></table>
    <h3 data-t="proof.layers"></h3>
    <table class="hl-proof-layers" id="hl-proof-layers"></table>
    <p class="hl-note" data-t="proof.note"></p>
  </div>
</div>
"""


def layout() -> None:
    """One line for each identity, and the deviation of every sub-layer below."""
    panel("proof", TEMPLATE)


def layer(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The numbers of one sub-layer. Arguments: kind, layer; `matrix`, whether W_o is sent too."""
    trace = granted(explainer, wish).trace
    kind = arguments.choice("kind", KINDS)
    chosen = arguments.whole("layer", 0, len(trace.attention(kind).weights) - 1)
    found = explainer.inside(trace, kind, chosen)
    return packed_layer(found, matrix=arguments.flag("matrix"))


def inputs(explainer: Explains, wish: Request, _: Arguments) -> Payload:
    """What the first layers of both stacks get, and what it is the sum of.

    `shared`: the search shares the probability of tokens that may not come among the others.
    """
    trace = granted(explainer, wish).trace
    answer: Payload = {"shared": bool(explainer.rules.renormalise and explainer.rules.banned)}
    for side, states in (("source", trace.encoder_states), ("target", trace.decoder_states)):
        found = explainer.inputs(trace, side)  # type: ignore[arg-type]
        answer[side] = {
            "layout": found.layout,
            "count": len(found.tokens),
            "tokens": pack(found.tokens.astype("f4")),
            "positions": pack(found.positions.astype("f4")),
            "first": pack(states[0]),
        }
    return answer


PROOF = Exhibit("proof", "proof", layout, {"proof_layer": layer, "proof_inputs": inputs})
