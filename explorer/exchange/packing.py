"""Numbers for the browser: JSON, and arrays packed as text (`assets/kit/packing.js`).

The bytes of an array are grouped by their position in a number (all lowest bytes first), deflated,
and written in base64. Attention weights are mostly small, so their high bytes are mostly 0 and
shrink to little.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.exchange.request import PageError

RECORD = "record"  # of an explanation, where attention weights are steps of 1/65535
# Of packed fields that are no float32 wherever they occur, and in one question's answers alone.
TYPES = {"parents": "i4", "ids": "i4", "fates": "u1", "forced": "u1", "mask": "u1"}
OWN = {
    RECORD: {"weights": "u2"},
    "figure": {"cells": "i1", "fired": "i4"},
}
LEVEL = 6  # deflate level: half a millisecond for the heads of a short sentence


def json_text(value: object, **options: Any) -> str:
    """A value as JSON, like `json.dumps`, but only with finite numbers.

    Raises:
        PageError: it would contain NaN or Infinity, which are not JSON.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    except ValueError:
        raise PageError("error.model.not_finite") from None


def packed_type(field: str, question: str = RECORD) -> str:
    """The type of the numbers in a packed field of a question's answer, or of a record."""
    return OWN.get(question, {}).get(field) or TYPES.get(field, "f4")


def pack(array: NDArray[np.generic]) -> str:
    """Pack the numbers of an array, in order, as text. The browser must know their type."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    planes = little.reshape(-1).view(np.uint8).reshape(-1, little.dtype.itemsize).T
    return base64.b64encode(zlib.compress(planes.tobytes(), LEVEL)).decode("ascii")


def unpack(text: str, dtype: str, count: int) -> NDArray[np.generic]:
    """Unpack the `count` numbers of a text; a hostile one takes no more memory than that.

    Raises:
        ValueError: a different count, or not a packed text.
    """
    size = np.dtype(dtype).itemsize
    inflating = zlib.decompressobj()
    try:
        planes = inflating.decompress(base64.b64decode(text, validate=True), count * size + 1)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if len(planes) != count * size or not inflating.eof or inflating.unused_data:
        raise ValueError(f"not {count} numbers of {size} bytes")
    sorted_bytes = np.frombuffer(planes, np.uint8).reshape(size, count).T
    return np.ascontiguousarray(sorted_bytes).view(np.dtype(dtype).newbyteorder("<")).reshape(-1)
