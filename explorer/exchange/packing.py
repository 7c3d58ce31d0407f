"""Numbers on their way to the browser: an array as text. `assets/kit/packing.js` reads it.

The bytes are sorted by their place in a number (all lowest bytes first), deflated, and written in
base64. Attention weights are mostly small, so their high bytes are mostly 0 and shrink to little.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np
from numpy.typing import NDArray

LEVEL = 6  # of deflate: half a millisecond for the heads of a short sentence


def pack(array: NDArray[np.generic]) -> str:
    """The numbers of an array, in order, as text. The browser must know their type."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    planes = little.reshape(-1).view(np.uint8).reshape(-1, little.dtype.itemsize).T
    return base64.b64encode(zlib.compress(planes.tobytes(), LEVEL)).decode("ascii")
