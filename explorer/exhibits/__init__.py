"""The views of the page in the order of its menu, and the exhibits that each shows.

To add an exhibit, add a folder here, a name to this table, and a row to `VIEWS` of
`explorer/openers/effects.py` (docs/exhibit.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import Literal, NamedTuple

from explorer.exchange.question import Question
from explorer.exhibit import Exhibit

Part = Literal["", "decoding", "layers", "attention", "masks", "positions"]


class View(NamedTuple):
    """An entry of the menu: its exhibits, one at a time, and the part of Figure 1 it is about.

    `header`: the parts of the header it uses besides the sentence: the step, the hypothesis.
    """

    name: str
    exhibits: tuple[str, ...]
    part: Part = ""
    is_first: bool = True  # in the list; the others are under "More"
    is_research: bool = False  # in a separate group, below the others
    header: tuple[str, ...] = ("sentence", "step")


VIEWS = (
    View("whole", ("figure", "steps")),
    View("lessons", ("lessons",)),
    View("playground", ("playground",), header=()),
    View("attention", ("attention", "summaries"), "attention"),
    View("microscope", ("microscope",), "attention"),
    View("byhand", ("byhand", "scaling", "library"), "attention", header=()),
    View("positions", ("positions",), "positions"),
    View("masks", ("masks", "cheat"), "masks"),
    View("inside", ("stream", "lens"), "layers"),
    View("experiments", ("experiments",), "layers"),
    View("tree", ("tree",), "decoding"),
    View("next", ("sampling", "compare"), "decoding"),
    View("toy", ("toy",), "decoding", is_first=False, header=()),
    View("learn", ("learn",), is_first=False),
    View("recipe", ("smoothing", "schedule", "dropout"), is_first=False),
    View("bleu", ("bleu",), is_first=False, header=()),
    View("cost", ("cost",), "layers", is_first=False, header=()),
    View("proof", ("proof",), is_first=False, header=("sentence",)),
    View("truth", ("truth",), "attention", is_research=True),
    View("why", ("why",), "decoding", is_research=True),
    View("transplant", ("transplant",), "layers", is_first=False, is_research=True, header=()),
)
NAMES = tuple(name for view in VIEWS for name in view.exhibits)


def load() -> tuple[Exhibit, ...]:
    """Load every exhibit, in the order of the menu."""
    return tuple(import_module(f"{__name__}.{name}").EXHIBIT for name in NAMES)


def questions() -> dict[str, Question]:
    """Every question of the page, by its name."""
    from explorer import session  # here: it checks sessions against the views' names

    return {"session": session.file, **{n: ask for e in load() for n, ask in e.questions.items()}}
