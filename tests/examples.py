"""Sentences that show what a test is about, found when it runs: other weights, other sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from explorer.examples import EXAMPLES
from tests.browsing import ROOT

EVERYDAY = tuple((ROOT / "docs" / "everyday.txt").read_text("utf-8").splitlines())
SENTENCES = (
    *(example.text for example in EXAMPLES),
    "The dog bit the man.",
    "The cat saw the other cat. 🐱",
    "She said that she could not come to the station.",
    "I live in the red house.",
    "No.",
    "Thank you very much, and good night to all of you, wherever you may be.",
    *EVERYDAY,
)


def first(
    shows: str, holds: Callable[[str], bool], among: Iterable[str] = SENTENCES, skip: int = 0
) -> str:
    """The first sentence that `holds`; `shows` says in words what was looked for.

    `skip` passes over as many that hold.
    """
    tried = 0
    for text in among:
        tried += 1
        if holds(text) and (skip := skip - 1) < 0:
            return text
    raise AssertionError(
        f"None of {tried} sentences shows it with these weights: {shows}. "
        "Add sentences to tests/examples.py that may."
    )
