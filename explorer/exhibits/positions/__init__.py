"""Positions: the sinusoids from every angle, and their sum with the embeddings of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit, Wanted

if TYPE_CHECKING:
    from model.explain import Explainer

BASE = 10_000  # the base in section 3.5, and in every model that can be loaded
LAYOUTS = ("interleaved", "halves")  # those whose waves the picture computes
_WITHOUT_PICTURE = {
    "none": "positions.none",
    "learned": "positions.learned",
    "fairseq": "positions.others",
}


def positions(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The input of each stack's first layer: embeddings, positions and their sums.

    {base, layout, d_model, scale, source, target: {tokens, embedding, position, sum}}; `embedding`
    is already times `scale`: sqrt(d_model), or 1 in a model without this factor. Each of the three
    is packed float32, (tokens, d_model).

    Raises:
        PageError: the model has no positions, or others than the picture computes.
    """
    from model.labs.dissect import inputs  # torch is imported with the first question

    trace = explain(explainer, request).trace
    source = inputs(explainer.model, trace, "source")
    target = inputs(explainer.model, trace, "target")
    if source.layout in _WITHOUT_PICTURE:
        raise PageError(_WITHOUT_PICTURE[source.layout])

    def packed(tokens: NDArray[Any], rows: NDArray[Any], total: NDArray[Any]) -> Payload:
        arrays = {"embedding": tokens, "position": rows, "sum": total}
        return {
            "tokens": len(tokens),
            **{name: pack(array.astype("f4")) for name, array in arrays.items()},
        }

    return {
        "base": BASE,
        "layout": source.layout,
        "d_model": source.tokens.shape[-1],
        "scale": source.scale,
        "source": packed(source.tokens, source.positions, trace.encoder_states[0]),
        "target": packed(target.tokens, target.positions, trace.decoder_states[0]),
    }


EXHIBIT = Exhibit(
    "positions",
    {"positions": positions},
    facts={"base": BASE, "layouts": LAYOUTS},
    saved=True,
    wanted=lambda _, __: [Wanted("positions", {}, {})],
)
