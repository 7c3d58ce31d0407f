"""The search as a tree that plays: every candidate, its fate, and decoding on from any of them."""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("tree", "decoding", saved=True)
