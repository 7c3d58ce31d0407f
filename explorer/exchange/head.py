"""A head by its public name: kind, with layer and head counted from 1."""

from __future__ import annotations

from model.config import KINDS, Head
from model.errors import InputError, quote
from model.trace import Trace


def head_of(trace: Trace, kind: object, layer: object, head: object) -> Head:
    """Return the head, counted from 0.

    Raises:
        InputError: the model has no such head.
    """
    found = next((one for one in KINDS if one == kind), None)
    if found is None:
        raise InputError(f"kind is {quote(kind)}; expected one of {', '.join(KINDS)}.")
    n_layers, n_heads = trace.attention(found).weights.shape[:2]
    if not (_is_one_of(layer, n_layers) and _is_one_of(head, n_heads)):
        raise InputError(
            f"Layer {quote(layer)}, head {quote(head)} was asked for; this model has "
            f"{n_layers} layers of {n_heads} heads, both counted from 1."
        )
    assert isinstance(layer, int) and isinstance(head, int)
    return found, layer - 1, head - 1


def _is_one_of(value: object, count: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= count
