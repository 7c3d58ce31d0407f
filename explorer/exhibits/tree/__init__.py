"""The search as a tree with scores: every candidate, its fate, and decoding from any of them."""

from __future__ import annotations

from typing import get_args, get_type_hints

from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import DecodeConfig

# The alphas of the slider (extended to the search's own), and the forms of the penalty.
FACTS = {
    "low": -1,
    "high": 3,
    "forms": list(get_args(get_type_hints(DecodeConfig)["penalty_form"])),
}

EXHIBIT = Exhibit(
    "tree",
    facts=FACTS,
    saved=True,
    aliases={"ledger": {}},
    opener=effects.View(effects.as_opened, effects.alpha_decides),
)
