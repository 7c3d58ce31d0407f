"""One attention sub-layer packed for the browser; assets/kit/sublayer.js unpacks it.

{heads, queries, keys, d_model, scale, off, pre, eps, rms, kept: [bool, ...],
 mask: packed uint8 (Q, K), weights_masked: packed float32, the model's weights of the cells that
 the mask forbids, and packed float32 as in model/labs/dissect.py: entering, x, memory, q, k, v,
 b_o, output, gamma, beta, after; bias (H, Q, K) if the scores have one; w_o if the browser asks
 for it}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.exchange.packing import pack

if TYPE_CHECKING:
    from model.labs.dissect import AttentionSubLayer  # brings torch with it

Payload = dict[str, Any]


def packed_layer(found: AttentionSubLayer, *, matrix: bool) -> Payload:
    """Pack all rows and heads of one sub-layer; `matrix` includes W_o, its largest part."""
    n_heads, n_queries, _ = found.queries.shape
    arrays = {
        "entering": found.before,
        "x": found.x,
        "memory": found.memory,
        "q": found.queries,
        "k": found.keys,
        "v": found.values,
        "b_o": found.b_o,
        "output": found.output,
        "gamma": found.gamma,
        "beta": found.beta,
        "after": found.after,
        "weights_masked": found.weights[:, ~found.mask],
    }
    if found.bias is not None:
        arrays["bias"] = found.bias
    if matrix:
        arrays["w_o"] = found.w_o
    return {
        "heads": n_heads,
        "queries": n_queries,
        "keys": found.keys.shape[1],
        "d_model": found.output.shape[1],
        "scale": found.scale,
        "off": found.off,
        "pre": found.pre,
        "eps": found.eps,
        "rms": found.rms,
        "kept": found.kept.tolist(),
        "mask": pack(found.mask.astype("u1")),
        **{name: _floats(array) for name, array in arrays.items()},
    }


def packed_projections(found: AttentionSubLayer, head: int) -> Payload:
    """Pack one head's columns of the three matrices for its queries, keys and values."""
    d_k = found.queries.shape[2]
    own = slice(head * d_k, (head + 1) * d_k)
    matrices = {"w_q": found.w_q, "w_k": found.w_k, "w_v": found.w_v}
    biases = {"b_q": found.b_q, "b_k": found.b_k, "b_v": found.b_v}
    return {
        **{name: _floats(matrix[:, own]) for name, matrix in matrices.items()},
        **{name: _floats(bias[own]) for name, bias in biases.items()},
    }


def _floats(array: np.ndarray) -> str:
    return pack(array.astype("f4"))
