"""Positions: the sinusoids, what a model has instead, and their sum with the embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit, Wanted
from explorer.openers import effects
from model.config import SIDES

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.trace import Trace

BASE = 10_000  # the base in section 3.5, and in every model that can be loaded
LAYOUTS = ("interleaved", "halves")  # those whose waves the picture computes
MAX_ROWS = 64  # of a table that is sent
REACH = 64  # distance of two tokens that a bias is sent for, and more if the sentence is longer


def positions(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The input of each stack's first layer: embeddings, positions and their sums.

    {base, layout, d_model, scale, normed, own, source, target: {tokens, embedding, position, sum}};
    `embedding` is already times `scale`: sqrt(d_model), or 1 in a model without this factor. Each
    of the three is packed float32, (tokens, d_model). With `normed` the sum has passed a norm.
    `own` is what the model has where the picture computes no waves: see `_own`.
    """
    from model.labs.dissect import inputs  # torch is imported with the first question

    trace = explain(explainer, request).trace
    source = inputs(explainer.model, trace, "source")
    target = inputs(explainer.model, trace, "target")

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
        "normed": source.has_norm,
        "own": None if source.layout in LAYOUTS else _own(explainer, trace),
        "source": packed(source.tokens, source.positions, trace.encoder_states[0]),
        "target": packed(target.tokens, target.positions, trace.decoder_states[0]),
    }


def _own(explainer: Explainer, trace: Trace) -> Payload | None:
    """The positions of a model without the paper's waves; None if it has none.

    {kind: "table", rows, source, target}: the first vectors of each side, packed float32 (rows,
    d_model); or {kind: "distance", reach, count, buckets, heads: {source, target}, source, target}: the
    tables of each stack, one or one for each layer, packed float32 (layers, count, heads), and
    `buckets` {source, target}, of each distance from -reach to reach, packed float32.
    """
    from model.labs.dissect import distance_tables, position_rows

    config = explainer.model.config
    if config.positions == "relative":
        reach = max(REACH, len(trace.src) - 1, len(trace.tgt_in) - 1)
        tables = {side: distance_tables(explainer.model, side, reach) for side in SIDES}
        return {
            "kind": "distance",
            "reach": reach,
            "count": config.distance_buckets,
            "heads": {side: weights.shape[2] for side, (weights, _) in tables.items()},
            "buckets": {side: pack(buckets.astype("f4")) for side, (_, buckets) in tables.items()},
            **{str(side): pack(weights) for side, (weights, _) in tables.items()},
        }
    if config.position_kind == "none":
        return None
    rows = min(MAX_ROWS, config.max_positions)
    packed = {str(side): pack(position_rows(explainer.model, side, rows)) for side in SIDES}
    return {"kind": "table", "rows": rows, **packed}


EXHIBIT = Exhibit(
    "positions",
    {"positions": positions},
    facts={"base": BASE, "layouts": LAYOUTS, "reach": REACH},
    saved=True,
    wanted=lambda _, __: [Wanted("positions", {}, {})],
    opener=effects.ANY,
)
