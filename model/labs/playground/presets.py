"""The questions of the playground: each compares a run as in the paper with a modified one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from model.labs.playground.settings import Settings

CLAIMS = Path(__file__).with_name("claims.json")  # written by claims.py
LEARNT = 0.95  # share of correct outputs: it has learnt the task
FAILED = 0.4  # below that: it has not


@dataclass(frozen=True)
class Preset:
    """A question: how does the second run compare with the first?"""

    name: str
    first: Settings
    second: Settings

    @property
    def changes(self) -> dict[str, Any]:
        """The settings in which the second run differs."""
        first, second = asdict(self.first), asdict(self.second)
        return {name: value for name, value in second.items() if value != first[name]}


def _preset(name: str, first: Settings, **changes: Any) -> Preset:
    return Preset(name, first, replace(first, **changes))


_DEEP = Settings(
    length=6, alphabet=10, layers=6, d_model=32, d_ff=64, updates=350, batch=32, rate=2e-3
)
PRESETS = (
    _preset("positions", Settings(), positions=False),
    _preset("count", Settings(task="count"), positions=False),
    _preset("mask", Settings(task="add", length=4, updates=600), causal_mask=False),
    _preset("heads", Settings(), heads=1),
    _preset("residual", _DEEP, residual=False),
    _preset("warmup", Settings(), warmup=0),
    _preset("scaling", Settings(heads=1), scaling=False),
)


def outcome(free_accuracy: float) -> str:
    """A run's result in one word: learnt, partly or failed."""
    if free_accuracy >= LEARNT:
        return "learnt"
    return "failed" if free_accuracy < FAILED else "partly"
