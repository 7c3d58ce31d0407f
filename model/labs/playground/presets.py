"""The questions of the playground, and the models of three years that its parts make.

A question compares a run as in the paper with a modified one; a race compares two of the models.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from model.labs.playground.settings import RANGES, Settings

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


# What each model is made of: the presets of `model/training/presets.py` in the words of `Settings`.
PAPER: dict[str, Any] = {
    "positions": "sinusoids", "norm": "post", "norm_kind": "layer", "feed_forward": "relu",
    "biases": True, "embedding": "scaled", "scaling": True, "tied": True,
}  # fmt: skip
MODELS: dict[str, dict[str, Any]] = {
    "paper": PAPER,
    "bart": {**PAPER, "positions": "learned", "feed_forward": "gelu", "embedding": "normed"},
    "t5": {
        "positions": "relative", "norm": "pre", "norm_kind": "rms", "feed_forward": "gated_gelu",
        "biases": False, "embedding": "plain", "scaling": False, "tied": False,
    },
}  # fmt: skip


def with_parts(settings: Settings, model: str) -> Settings:
    """The same run with the parts of one of `MODELS`, and d_ff such that its size stays the same.

    The number of parameters is as near to that of `settings` as a whole d_ff allows.
    """
    low, high = (int(bound) for bound in RANGES["d_ff"])
    least, next_one = (replace(settings, **MODELS[model], d_ff=low + i).parameters for i in (0, 1))
    more = round((settings.parameters - least) / (next_one - least))
    return replace(settings, **MODELS[model], d_ff=min(high, max(low, low + more)))


def model_of(settings: Settings) -> str:
    """Which of `MODELS` has exactly these parts; "" if none."""
    own = asdict(settings)
    return next((name for name, parts in MODELS.items() if parts.items() <= own.items()), "")


_DEEP = Settings(
    length=6, alphabet=10, layers=6, d_model=32, d_ff=64, updates=350, batch=32, rate=2e-3
)
PRESETS = (
    _preset("positions", Settings(), positions="none"),
    _preset("count", Settings(task="count"), positions="none"),
    _preset("mask", Settings(task="add", length=4, updates=600), causal_mask=False),
    _preset("heads", Settings(), heads=1),
    _preset("residual", _DEEP, residual=False),
    _preset("warmup", Settings(), warmup=0),
    _preset("scaling", Settings(heads=1), scaling=False),
)


@dataclass(frozen=True)
class Race:
    """A question about any two of `MODELS`, trained alike. `runs` has each model's settings."""

    name: str
    runs: dict[str, Settings]


def _race(name: str, settings: Settings) -> Race:
    return Race(name, {model: with_parts(settings, model) for model in MODELS})


RACES = (
    _race("sooner", Settings()),
    _race("further", Settings(shorter=True, updates=600, rate=5e-3)),
)


def outcome(free_accuracy: float) -> str:
    """A run's result in one word: learnt, partly or failed."""
    if free_accuracy >= LEARNT:
        return "learnt"
    return "failed" if free_accuracy < FAILED else "partly"
