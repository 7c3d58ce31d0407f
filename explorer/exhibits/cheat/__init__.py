"""The decoder cheats: the purpose of the causal mask, shown with a decoder trained without it."""

from __future__ import annotations

from explorer.exhibit import Exhibit

UPDATES = (
    1_000  # updates that trained the shipped file, the default of `python -m model.labs.cheat`
)
EXHIBIT = Exhibit("cheat", facts={"updates": f"{UPDATES:,}"})
