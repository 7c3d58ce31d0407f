"""Lessons: Markdown files that guide a tour of the page. docs/lesson.md says how to write one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from explorer.lessons.lesson import Lesson, read

FOLDER = Path(__file__).parent


@cache
def load() -> dict[str, Lesson]:
    """Load every lesson by name, in the order of their numbers: `1-one-head.md` is `one-head`.

    Raises:
        ConfigError: a file is not a lesson; the message has its name and the reason.
    """
    named = (re.fullmatch(r"([0-9]+)-(.+)\.md", file.name) for file in FOLDER.iterdir())
    files = sorted(filter(None, named), key=lambda match: int(match[1]))
    return {match[2]: read((FOLDER / match[0]).read_text("utf-8"), match[0]) for match in files}
