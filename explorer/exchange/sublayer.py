"""One attention sub-layer packed for the browser; assets/kit/sublayer.js unpacks it.

{heads, queries, keys, d_model, scale, off, pre, eps, kept: [bool, ...],
 mask: packed uint8 (Q, K), weights_masked: packed float32, the model's weights of the cells that
 the mask forbids, and packed float32 as in model/labs/dissect.py: entering, x, memory, q, k, v,
 b_o, output, gamma, beta, after; w_o if the browser asks for it}
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


def packed_sums(found: AttentionSubLayer, signs: np.ndarray) -> Payload:
    """The three projections along one direction per head: {signs, w_q_s, b_q_s, ...}.

    Each matrix (D, D) is multiplied by `signs` (D,), one head's columns at a time, which leaves
    (D, H); each bias leaves (H,). A reader with x and the queries can check one against the other:
    the signed sum of a query's numbers is x @ w_q_s + b_q_s. This takes D * H numbers instead of
    the matrix's D * D, and detects any single wrong number.
    Source: Freivalds 1977, "Probabilistic machines can use less running time".
    """
    n_heads = len(found.queries)
    answer: Payload = {"signs": _floats(signs)}
    for name in "qkv":
        matrix, bias = getattr(found, f"w_{name}"), getattr(found, f"b_{name}")
        answer[f"w_{name}_s"] = _floats(_summed(matrix * signs, n_heads))
        answer[f"b_{name}_s"] = _floats(_summed(bias * signs, n_heads))
    return answer


def _summed(array: np.ndarray, n_heads: int) -> np.ndarray:
    """(..., D) -> (..., H): the sum of each head's columns."""
    found: np.ndarray = array.reshape(*array.shape[:-1], n_heads, -1).sum(-1)
    return found


def _floats(array: np.ndarray) -> str:
    return pack(array.astype("f4"))
