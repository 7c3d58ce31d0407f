"""By hand: attention on small matrices that the visitor types."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects

EXHIBIT = Exhibit(
    "byhand",
    saved=True,
    header=(),
    opener=effects.NONE,
)
