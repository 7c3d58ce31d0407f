"""What an exhibit is: one view of the page, in a folder of its own.

The folder `explorer/exhibits/<name>/` holds all of it: `__init__.py` (this record and the questions
that it answers), `words.py`, `view.js` and the scripts that only it needs, `style.css`, and
`template.html` if part of it never changes. docs/exhibit.md builds one from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from explorer.exchange.question import Arguments, Question
from explorer.origin import Origin
from model.config import Head
from model.trace import Explanation

Call = Callable[[Arguments, Origin], dict[str, Any]]
"""A light question that needs no model and waits behind none: see explorer/calls.py."""


class Wanted(NamedTuple):
    """A question that is answered ahead; `when`: the arguments that the answer belongs to."""

    question: str
    arguments: dict[str, Any]
    when: dict[str, Any]


def nothing(_: Explanation, __: Head) -> list[Wanted]:
    """The questions of a view that needs the payload alone: none."""
    return []


@dataclass(frozen=True)
class Exhibit:
    """One picture of a view: its name, the questions it asks Python, and its constants.

    The name is that of its folder and the beginning of its words: `<name>.title` is its name in the
    menu, `<name>.lead` explains the picture, `<name>.about` is its line in the list of all views.
    `facts` are the constants that Python and the browser share:
    the view reads them as `page.facts`. `saved`: it works in a session that is saved as one file,
    where no model answers; its view.js exports the `questions` whose answers go into the file, and
    `wanted` gives the same ones of an explanation and a chosen head, for a notebook. `aliases` are
    names that it, or a view that became part of it, had in links of the past: an address with such
    a name opens it, with the choices that the link holds.
    """

    name: str
    questions: Mapping[str, Question] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    calls: Mapping[str, Call] = field(default_factory=dict)
    saved: bool = False
    wanted: Callable[[Explanation, Head], list[Wanted]] = nothing
    aliases: tuple[str, ...] = ()
