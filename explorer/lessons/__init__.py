"""Lessons: Markdown files that guide a tour of the page. docs/lesson.md says how to write one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from explorer.lessons.lesson import Lesson, read

FOLDER = Path(__file__).parent


@cache
def load() -> dict[str, Lesson]:
    """Load every lesson by name, in the order of their files: `1-one-head.md` is `one-head`.

    Raises:
        ConfigError: a file is not a lesson; the message has its name and the reason.
    """
    files = sorted(FOLDER.glob("[0-9]*-*.md"), key=lambda file: int(file.stem.partition("-")[0]))
    return {file.stem.partition("-")[2]: read(file.read_text("utf-8"), file.name) for file in files}
