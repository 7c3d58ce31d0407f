"""The exhibits, in the order of their tabs."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.exhibits.attention import ATTENTION
from explorer.exhibits.steps import STEPS

EXHIBITS: tuple[Exhibit, ...] = (ATTENTION, STEPS)
