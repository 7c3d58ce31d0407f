"""Dropout in action: on the encoder's input for one token of the sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer import card
from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer

SHOWN = 16  # numbers of the vector to show
MAX_DRAWS = 1000
PAPER = 0.1  # the paper's probability of 0 (section 5.4)


def dropout(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """{values: packed float32 (n,), of}: the first numbers of a source token's input.

    Embedding plus position, where the paper first uses dropout; `of` is the total number of
    numbers.
    """
    states = explain(explainer, request).trace.encoder_states  # (layer+1, S, D)
    source = arguments.whole("source", 0, states.shape[1] - 1)
    return {
        "values": pack(states[0, source, :SHOWN].astype("<f4")),
        "of": int(states.shape[2]),
    }


EXHIBIT = Exhibit(
    "dropout",
    {"dropout": dropout},
    {"draws": MAX_DRAWS, "paper": PAPER, "trained": card.config().dropout},
    opener=effects.ANY,
)
