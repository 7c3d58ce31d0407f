"""One run of the pool, and the visitors who follow it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from model.labs.playground.settings import Settings

GONE = 1.5  # seconds without a question after which a run is no longer trained for a visitor
Payload = dict[str, Any]


@dataclass(frozen=True)
class Visitor:
    """A visitor who follows a run: a secret name, and the address and browser they use.

    Only a visitor with the same three can pause or leave this visitor's run.
    """

    name: Hashable
    address: str = ""  # network address
    browser: str = ""  # as it calls itself


@dataclass(eq=False)
class Job:
    """One run: its followers (visitor -> time of their last call) and its results so far."""

    number: int
    settings: Settings
    state: str = "waiting"  # then running, then done or failed
    about: Payload | None = None
    frames: list[Payload] = field(default_factory=list)
    weights: bytes | None = None  # of the finished model, as a safetensors file
    result: Payload | None = None
    error: str | None = None
    followers: dict[Visitor, tuple[float, bool]] = field(default_factory=dict)  # (when, is paused)
    paused: bool = False
    dropped: bool = False  # the worker was told to stop
    size: int = 0  # bytes of the frames as sent

    def is_wanted(self, now: float) -> bool:
        """True if at least one visitor still follows the run."""
        return any(now - asked <= GONE for asked, _ in self.followers.values())

    def is_paused_by_all(self, now: float) -> bool:
        """True if every follower has paused the run, or if it has no followers."""
        return all(paused for asked, paused in self.followers.values() if now - asked <= GONE)
