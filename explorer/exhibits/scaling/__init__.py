"""Scaling: why the scores are divided by sqrt(d_k), with random vectors."""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("scaling", saved=True)
