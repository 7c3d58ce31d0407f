"""A lesson as a Markdown file: its parts and the parser.

    # What one head does | 一个头做什么

    minutes: 10
    learn: To read a head's map. | 读懂一个头的图。

    ## Find the squares | 找到这些方格

    show: view=steps&text=Why do we work?&step=2
    look: .hl-steps-now
    ask: strongest_word kind=cross layer=1 head=7 step=2
    then: view=attention&text=Why do we work?&kind=cross&layer=1&head=7&step=2
    see: .hl-map

    English, then the same in Chinese: paragraphs alternate.

    英文一段，中文一段，轮流写。

    ### Predict
    ### Reveal
    ### Say why

A step has a heading, `show` (a query of the page's address), optionally `look` (the part of the
view to scroll to and highlight; `see` after the guess) and `ask` (a measure of `measures.py`), its
text, and three optional parts. *Predict* has the question; *Reveal* appears with the model's
numbers, and if those would be visible beforehand, `then` has the query for after the guess. *Say
why* asks for a reason in the reader's own words.

What is true of one model alone stands with its name: `{en-zh: Chinese // en-de: German}`, in a text
as well as in a setting; a step for one alone begins with `only: en-zh`. `{sentence}` is a name of
`NAMED` (explorer/lessons/__init__.py), which has its text for each model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from model.errors import ConfigError

_ONLY = re.compile(r"^only: (\S+)\n", re.MULTILINE)
_NAMED = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\{([a-z]{2,3}-[a-z]{2,3}: [^{}]*)\}")
PARTS = ("predict", "reveal", "say why")
Text = dict[str, str]  # language -> words


@dataclass(frozen=True)
class Step:
    """One step: the state of the page, the text, and the question, if any."""

    title: Text
    show: str
    told: tuple[Text, ...]
    look: str = ""  # a selector within the view
    see: str = ""  # the same, after the guess
    then: str = ""  # the state of the page after the guess
    ask: str | None = None  # the name of a measure
    arguments: dict[str, str] = field(default_factory=dict)
    parts: dict[str, tuple[Text, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A lesson's title, its duration in class, what one learns, and its steps."""

    title: Text
    minutes: int
    learn: Text
    steps: tuple[Step, ...]

    def for_browser(self) -> dict[str, Any]:
        """The data that the page needs for the lesson; the measures stay in Python."""
        return {
            "title": self.title,
            "minutes": self.minutes,
            "learn": self.learn,
            "steps": [
                {
                    "title": step.title,
                    "show": step.show,
                    "look": step.look,
                    "see": step.see,
                    "then": step.then,
                    "told": step.told,
                    "asks": step.ask is not None,
                    "predict": step.parts.get("predict", ()),
                    "reveal": step.parts.get("reveal", ()),
                    "why": step.parts.get("say why", ()),
                }
                for step in self.steps
            ],
        }


def worded(markdown: str, model: str, named: Mapping[str, str], name: str) -> str:
    """A lesson file for one model: the steps and texts that are its own; `name` is for messages.

    Raises:
        ConfigError: the file has no text for that model somewhere, or a name that it does not know.
    """

    def own(choice: re.Match[str]) -> str:
        texts = dict(one.split(": ", 1) for one in choice[1].split(" // "))
        if model not in texts:
            raise ConfigError(f"{name} has no text for {model} in {choice[0]}.")
        return texts[model]

    def value(given: re.Match[str]) -> str:
        if given[1] not in named:
            raise ConfigError(f"{name} has {given[0]}; expected one of {', '.join(named)}.")
        return named[given[1]]

    steps = re.split(r"^(?=## )", markdown, flags=re.MULTILINE)
    kept = (step for step in steps if {*_ONLY.findall(step)} <= {model})
    return _NAMED.sub(value, _CHOICE.sub(own, _ONLY.sub("", "".join(kept))))


def read(markdown: str, name: str) -> Lesson:
    """Parse a lesson file; `name` is for messages.

    Raises:
        ConfigError: it is not a lesson.
    """
    head, *sections = re.split(r"^## ", markdown, flags=re.MULTILINE)
    match = re.fullmatch(r"# (.+)\n+minutes: (\d{1,3})\nlearn: (.+)\s*", head)
    if match is None or not sections:
        raise ConfigError(
            f"{name} does not begin with '# title | 标题', 'minutes: 10' and 'learn: what | 什么', "
            "with steps ('## title | 标题') after them."
        )
    steps = tuple(_step(section, name) for section in sections)
    return Lesson(_both(match[1], name), int(match[2]), _both(match[3], name), steps)


def _step(section: str, name: str) -> Step:
    body, *parts = re.split(r"^### ", section, flags=re.MULTILINE)
    title, _, rest = body.partition("\n")
    settings: dict[str, str] = {}
    while (line := re.match(r"\s*(show|look|ask|then|see): (.+)\n", rest)) is not None:
        settings[line[1]], rest = line[2].strip(), rest[line.end() :]
    if "show" not in settings:
        raise ConfigError(f"{name}: the step {title!r} has no line 'show: ...'.")
    said = {}
    for part in parts:
        heading, _, text = part.partition("\n")
        if heading.strip().lower() not in PARTS:
            raise ConfigError(f"{name}: a part is {heading!r}; expected Predict, Reveal, Say why.")
        said[heading.strip().lower()] = _paragraphs(text, name, title)
    if ("ask" in settings) != ("predict" in said and "reveal" in said):
        raise ConfigError(
            f"{name}: the step {title!r} needs all of 'ask: ...', Predict and Reveal, or none."
        )
    for after in ("then", "see"):
        if after in settings and "ask" not in settings:
            raise ConfigError(f"{name}: the step {title!r} has '{after}: ...' but asks nothing.")
    ask, arguments = _measure(settings.pop("ask", None), name)
    told = _paragraphs(rest, name, title)
    return Step(_both(title, name), told=told, ask=ask, arguments=arguments, parts=said, **settings)


def _measure(ask: str | None, name: str) -> tuple[str | None, dict[str, str]]:
    """Parse a measure's name and its arguments, from "strongest_word kind=cross layer=1"."""
    if ask is None:
        return None, {}
    measure, *pairs = ask.split()
    if any("=" not in pair for pair in pairs):
        raise ConfigError(f"{name}: 'ask: {ask}' is not 'measure name=value name=value'.")
    return measure, dict(pair.split("=", 1) for pair in pairs)


def _both(title: str, name: str) -> Text:
    english, bar, chinese = (part.strip() for part in title.partition("|"))
    if not (english and bar and chinese):
        raise ConfigError(f"{name}: the title {title!r} is not 'English | 中文'.")
    return {"en": english, "zh": chinese}


def _paragraphs(text: str, name: str, title: str) -> tuple[Text, ...]:
    """Split alternating English and Chinese paragraphs."""
    found = [" ".join(p.split("\n")).strip() for p in re.split(r"\n\s*\n", text) if p.strip()]
    if len(found) % 2:
        raise ConfigError(
            f"{name}: the step {title!r} has a paragraph in one language only; English and "
            "Chinese take turns."
        )
    pairs = zip(found[::2], found[1::2], strict=True)
    return tuple({"en": english, "zh": chinese} for english, chinese in pairs)
