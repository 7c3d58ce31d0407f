"""The example sentences of the page, each with the point that it shows."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.openers import Openers


@dataclass(frozen=True)
class Example:
    """A sentence, and the key of the words that say why to try it."""

    text: str
    shows: str


EXAMPLES: tuple[Example, ...] = (
    Example("I am a student.", "example.plain"),
    Example("Why do we work?", "example.question"),
    Example("Where is the station?", "example.question"),
    Example("I know that you know that I know.", "example.repeated"),
    Example("She is taller than her brothers are.", "example.agreement"),
    Example("I have never been to China.", "example.negation"),
    Example("I met him at the station yesterday.", "example.reordering"),
    Example("Gandalf lives in Rivendell.", "example.unknown"),
    Example("I like cats. 😀", "example.emoji"),
)


def opening(openers: Openers | None) -> Example:
    """The opening sentence of the page: the one measured for the model, else the first example."""
    return EXAMPLES[0] if openers is None else Example(openers.default, "example.opening")
