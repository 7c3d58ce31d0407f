"""The record of an exhibit: one picture of the page, in its own folder.

The folder `explorer/exhibits/<name>/` has all its files: `__init__.py` (this record and the
questions that it answers), `words.py`, `view.js` and further scripts, `style.css`. docs/exhibit.md
builds one from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from explorer.exchange.question import Arguments, Question
from explorer.openers.effects import View
from explorer.origin import Origin
from model.config import Head
from model.trace import Explanation

Call = Callable[[Arguments, Origin], dict[str, Any]]
"""A light question that needs no model and waits behind none: see explorer/calls.py."""


class Wanted(NamedTuple):
    """A question to answer in advance; `when`: the arguments that the answer belongs to."""

    question: str
    arguments: dict[str, Any]
    when: dict[str, Any]


def nothing(_: Explanation, __: Head) -> list[Wanted]:
    """The questions of a view that needs only the payload: none."""
    return []


@dataclass(frozen=True)
class Exhibit:
    """One picture, which a view of the menu shows: its name, its questions, its constants.

    The name is the name of its folder and the prefix of its words: `<name>.title` is its name in
    the menu, `<name>.lead` explains the picture, `<name>.about` is its line in the list of all
    views. `facts` are the constants that Python and the browser share: its script reads them as
    `page.facts`. `saved`: it works in a session saved as one file, without a model; its view.js
    exports the `questions` whose answers go into the file, and `wanted` returns the same ones for
    an explanation and a chosen head, for a notebook. `places` are the fields that say what is open
    in it: the browser's back button closes it again. `away` are the questions that only Python
    answers, each with the key of the words that tell a visitor of a page without it; the engine
    (assets/engine/questions.js) answers all others. What the proof cannot compare is named in the
    words, `proved.question.<question>`. `absent` are the words of an exhibit that as a whole needs
    a server. `header` are the parts of the page's header that it uses. `opener` measures the view's
    point on a sentence: `effects.ANY` where every sentence shows it, `effects.NONE` without one.

    `aliases` are old names, in links, of this exhibit or of others merged into it: an address with
    such a name opens it, with the link's choices. Where their fields have other names now, the
    alias has texts of this exhibit's fields: `{shift|20}` in one is the old field `shift`, or 20
    where the link has none. `old.part` is the exhibit `old` of which the field `show` was `part`.
    """

    name: str
    questions: Mapping[str, Question] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    calls: Mapping[str, Call] = field(default_factory=dict)
    saved: bool = False
    wanted: Callable[[Explanation, Head], list[Wanted]] = nothing
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    away: Mapping[str, str] = field(default_factory=dict)
    header: tuple[str, ...] = ("sentence", "step")
    absent: str = ""
    opener: View = field(kw_only=True)
