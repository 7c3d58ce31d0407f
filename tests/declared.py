"""What the declarations of the page's exhibits lack, in sentences: docs/exhibit.md."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from explorer import exhibits, openers
from explorer.card import FOLDER
from explorer.exhibit import Exhibit
from explorer.words import WORDS

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "assets" / "engine" / "questions.js"
PROVED = "proved.question."


def answered() -> set[str]:
    """The questions that the engine answers."""
    listed = ENGINE.read_text("utf-8").split("QUESTIONS = {")[1].split("};")[0]
    return set(re.findall(r"^  (\w+)[,:]", listed, re.MULTILINE))


def of_questions(one: Exhibit, by_engine: set[str]) -> Iterator[str]:
    """Each question is answered by the engine, or declared as away, and then named."""
    for question in one.questions:
        if question not in by_engine | {*one.away}:
            yield (
                f"The question {question} of {one.name} is not in QUESTIONS of "
                "assets/engine/questions.js; answer it there, or say in `away` why not."
            )
        if question in one.away and PROVED + question not in WORDS:
            yield f"{one.name}/words.py has no {PROVED}{question}: the proof cannot compare it."
    for question in one.away:
        if question in by_engine or question not in one.questions:
            yield f"{question} in `away` of {one.name} is answered by the engine, or never asked."


def lacks() -> list[str]:
    """What is missing, each with the place where it belongs; empty if all is there."""
    by_engine, known = answered(), openers.load(FOLDER)
    opened = {one.view for one in known.views} if known else set()
    faults = [
        f"{view.exhibits[0]}/words.py has no view.{view.name}: its name in the menu."
        for view in exhibits.VIEWS
        if f"view.{view.name}" not in WORDS
    ]
    for one in exhibits.load():
        parts = ("title", "about", "lead")
        words = [f"{one.name}.{part}" for part in parts if f"{one.name}.{part}" not in WORDS]
        faults += [f"{one.name}/words.py has no {key}." for key in words]
        faults += of_questions(one, by_engine)
        if not (ROOT / "explorer" / "exhibits" / one.name / "view.js").exists():
            faults.append(f"{one.name} has no view.js.")
        if one.name not in opened:
            faults.append(
                f"{FOLDER.name} has no opener for {one.name}: python -m explorer.openers."
            )
    return faults


if __name__ == "__main__":
    sys.exit("\n".join(lacks()) or 0)
