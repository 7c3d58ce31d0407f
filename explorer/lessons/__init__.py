"""Lessons: Markdown files that guide a tour of the page. docs/lesson.md says how to write one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from explorer.lessons.lesson import Lesson, read, worded
from model import shipped

FOLDER = Path(__file__).parent
# What a file takes from the model that it speaks of, by the name in braces: sentences and their
# steps (`late`, `close`), the head of layer 1 that links the token read to its word.
NAMED = {
    "en-zh": {
        "sentence": "Where would you like me to put this?",
        "late": "7",
        "close": "6",
        "linking": "2",
        "resting": "5",
        "grammar": "She went out of the room.",
        "lengths": "She turned off the lights.",
        "unmasked": "view=cheat&text=Where would you like me to put this?",
        "target": "Chinese",
        "目标语": "中文",
    },
    "en-de": {
        "sentence": "He asked me where I had bought this book.",
        "late": "9",
        "close": "10",
        "linking": "1",
        "resting": "4",
        "grammar": "He asked me where I had bought this book.",
        "lengths": "Open your eyes.",
        "unmasked": "view=experiments&text=He asked me where I had bought this book."
        '&experiments.draft={"causal_mask":false}',
        "target": "German",
        "目标语": "德语",
    },
}


@cache
def load(model: str = shipped.FIRST) -> dict[str, Lesson]:
    """Load every lesson by name, in the order of their numbers: `1-one-head.md` is `one-head`.

    They are worded for a shipped model that a page opens with, or for the first one.

    Raises:
        ConfigError: a file is not a lesson; the message has its name and the reason.
    """
    pair = next((one for one in shipped.PAIRS if one.name == model and one.opens), shipped.PAIRS[0])
    named = (re.fullmatch(r"([0-9]+)-(.+)\.md", file.name) for file in FOLDER.iterdir())
    files = sorted(filter(None, named), key=lambda match: int(match[1]))
    texts = {match: (FOLDER / match[0]).read_text("utf-8") for match in files}
    return {
        match[2]: read(worded(text, pair.name, NAMED[pair.name], match[0]), match[0])
        for match, text in texts.items()
    }
