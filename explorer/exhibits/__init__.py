"""The exhibits, in the order of the data's way. A new one: a folder here, a name in the tuple."""

from __future__ import annotations

from importlib import import_module

from explorer.exhibit import Exhibit

NAMES = (
    "figure",
    "lessons",
    "playground",
    "positions",
    "order",
    "attention",
    "microscope",
    "summaries",
    "library",
    "byhand",
    "scaling",
    "masks",
    "cheat",
    "experiments",
    "flow",
    "stream",
    "lens",
    "cost",
    "steps",
    "tree",
    "ledger",
    "sampling",
    "compare",
    "toy",
    "learn",
    "curves",
    "smoothing",
    "schedule",
    "dropout",
    "bleu",
    "proof",
)


def load() -> tuple[Exhibit, ...]:
    """Every exhibit, in the order of the tabs."""
    return tuple(import_module(f"{__name__}.{name}").EXHIBIT for name in NAMES)
