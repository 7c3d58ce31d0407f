"""The views of the page in the order of its menu, and the exhibits that each shows.

To add an exhibit, add a folder here and a name to this table (docs/exhibit.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import Literal, NamedTuple

from explorer.exchange import question
from explorer.exhibit import Exhibit

Part = Literal["", "decoding", "layers", "attention", "masks", "positions"]
Question = Literal["begin", "look", "choose", "learn", "break", "believe"]


class View(NamedTuple):
    """An entry of the menu: its exhibits, one at a time, and the part of Figure 1 it is about.

    The menu and the map of the views list it below the question that it answers, whose words are
    `map.<question>`.
    """

    name: str
    question: Question
    exhibits: tuple[str, ...]
    part: Part = ""


VIEWS = (
    View("whole", "begin", ("figure", "steps")),
    View("lessons", "begin", ("lessons",)),
    View("attention", "look", ("attention",), "attention"),
    View("microscope", "look", ("microscope", "looks"), "attention"),
    View("byhand", "look", ("library", "scaling", "byhand"), "attention"),
    View("masks", "look", ("masks", "cheat"), "masks"),
    View("positions", "look", ("positions",), "positions"),
    View("cost", "look", ("cost",), "layers"),
    View("inside", "choose", ("stream", "lens"), "layers"),
    View("next", "choose", ("sampling",), "decoding"),
    View("tree", "choose", ("tree", "toy", "compare"), "decoding"),
    View("why", "choose", ("why",), "decoding"),
    View("learn", "learn", ("learn", "smoothing", "schedule", "dropout")),
    View("playground", "learn", ("playground",)),
    View("experiments", "break", ("experiments",), "layers"),
    View("transplant", "break", ("transplant",), "layers"),
    View("truth", "believe", ("truth", "summaries"), "attention"),
    View("bleu", "believe", ("bleu",)),
    View("proof", "believe", ("proof",)),
)
NAMES = tuple(name for view in VIEWS for name in view.exhibits)


def load() -> tuple[Exhibit, ...]:
    """Load every exhibit, in the order of the menu."""
    return tuple(import_module(f"{__name__}.{name}").EXHIBIT for name in NAMES)


def questions() -> dict[str, question.Question]:
    """Every question of the page, by its name."""
    from explorer import session  # here: it checks sessions against the views' names

    own = {"session": session.file, "arrays": session.arrays}
    return {**own, **{n: ask for e in load() for n, ask in e.questions.items()}}
