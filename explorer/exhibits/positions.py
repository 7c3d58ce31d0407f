"""Positions: the sinusoids from every side, and what was added to what in the sentence on show."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.wish import granted

TEMPLATE = """
<div class="hl-positions">
  <div class="hl-positions-chooser" id="hl-positions-chooser"></div>
  <form class="hl-positions-controls" id="hl-positions-controls"></form>
  <div class="hl-positions-view" id="hl-positions-view" aria-live="off"></div>
</div>
"""


def layout() -> None:
    """The sliders on the left, one view of the same table beside them."""
    panel("positions", TEMPLATE)


def positions(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """What the first layers got, for the tokens on show: embeddings, positions, sums.

    {layout, d_model, source, target: {tokens, embedding, position, sum}}; `embedding` is
    already times sqrt(d_model). Each of the three holds packed float32, (tokens, d_model).
    """
    trace = granted(explainer, wish).trace
    source = explainer.inputs(trace, "source")
    target = explainer.inputs(trace, "target")

    def packed(tokens: NDArray[Any], rows: NDArray[Any], total: NDArray[Any]) -> Payload:
        arrays = {"embedding": tokens, "position": rows, "sum": total}
        return {
            "tokens": len(tokens),
            **{name: pack(array.astype("f4")) for name, array in arrays.items()},
        }

    return {
        "layout": source.layout,
        "d_model": source.tokens.shape[-1],
        "source": packed(source.tokens, source.positions, trace.encoder_states[0]),
        "target": packed(target.tokens, target.positions, trace.decoder_states[0]),
    }


POSITIONS = Exhibit("positions", "positions", layout, {"positions": positions})
