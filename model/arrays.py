"""Array types, and read-only arrays for records. numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import TraceError

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def freeze(record: object, name: str, dtype: Any, shape: tuple[int, ...] | None = None) -> None:
    """Replace an array field of a record by a contiguous, read-only copy.

    Raises:
        TraceError: the array does not have the expected `shape`.
    """
    array = np.array(getattr(record, name), dtype=dtype)
    if shape is not None and array.shape != shape:
        raise TraceError(
            f"{type(record).__name__}.{name} has shape {array.shape}; expected {shape}."
        )
    array.flags.writeable = False
    object.__setattr__(record, name, array)
