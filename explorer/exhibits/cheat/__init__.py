"""The decoder cheats: the purpose of the causal mask, shown with a decoder trained without it."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects
from model import shipped

UPDATES = 1_000  # that trained the shipped file, the default of `python -m model.labs.cheat`

EXHIBIT = Exhibit(
    "cheat",
    facts={"updates": f"{UPDATES:,}", "model": shipped.FIRST},
    opener=effects.View(effects.as_opened, effects.cheats),
)
