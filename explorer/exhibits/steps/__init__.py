"""Step by step: the decoder's input, its prediction, and the token fed back."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects

EXHIBIT = Exhibit(
    "steps",
    saved=True,
    opener=effects.View(effects.steps, effects.is_unsure),
)
