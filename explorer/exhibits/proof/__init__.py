"""The proof: the browser runs the model again and compares everything on the page."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.openers import effects

EXHIBIT = Exhibit(
    "proof",
    header=("sentence",),
    absent="published.proof",
    opener=effects.ANY,
)
