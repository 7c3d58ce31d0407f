"""Scaling: why the scores are divided by sqrt(d_k), with random vectors."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects

EXHIBIT = Exhibit(
    "scaling",
    saved=True,
    header=(),
    opener=effects.NONE,
)
