"""Two models on one sentence: the output and one head of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.payload import read_labels, token_labels
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from model.config import KINDS

if TYPE_CHECKING:
    from model.explain import Explainer

MOST = 64  # highest number of a layer or head; a model with fewer shows its last one


def written(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The best translation of the request's model, and the weights of a head.

    {name, tokens, log_prob, score, length, seconds, layers, heads, layer, head, rows, columns,
    weights: packed float32 (queries, keys), NaN where the mask forbids}. A row of the decoder's
    maps is labelled with the token that it writes. Layer and head count from 0; a model with fewer
    shows its last one and returns its number.
    """
    kind = arguments.choice("kind", KINDS)
    layer, head = (arguments.whole(name, 0, MOST - 1) for name in ("layer", "head"))
    found = explain(explainer, request)
    best, trace = found.search.hypotheses[found.shown], found.trace
    maps = trace.attention(kind)
    n_layers, n_heads = maps.weights.shape[:2]
    layer, head = min(layer, n_layers - 1), min(head, n_heads - 1)
    weights = np.where(maps.mask, maps.weights[layer, head], np.nan).astype(np.float32)
    return {
        "name": explainer.name,
        "tokens": token_labels(trace.tgt_out),
        "log_prob": best.log_prob,
        "score": best.score,
        "length": len(best.path),
        "seconds": found.seconds,
        "layers": n_layers,
        "heads": n_heads,
        "layer": layer,
        "head": head,
        "rows": token_labels(trace.src if kind == "encoder_self" else trace.tgt_out),
        "columns": read_labels(trace) if kind == "decoder_self" else token_labels(trace.src),
        "weights": pack(weights),
    }
