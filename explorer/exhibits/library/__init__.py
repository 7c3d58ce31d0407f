"""Library: query, key and value in words, on a librarian's shelf and on a desk."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects

EXHIBIT = Exhibit(
    "library",
    saved=True,
    header=(),
    opener=effects.NONE,
)
