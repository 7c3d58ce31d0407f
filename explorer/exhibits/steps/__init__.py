"""Step by step: the decoder's input, its prediction, and the token fed back."""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("steps", saved=True)
