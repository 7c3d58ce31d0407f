"""The sentences that students hand in: text, for the teacher alone until the teacher opens one."""

from __future__ import annotations

from collections import Counter
from typing import Any

from explorer.exchange.request import PageError

MAX_SENTENCE = 200  # characters


class Sentences:
    """One sentence of each page: the last that it handed in."""

    def __init__(self) -> None:
        self.changes = 0  # how often one came
        self._own: dict[str, str] = {}

    def hand_in(self, student: str, text: object) -> None:
        """Take a sentence in place of the page's last one.

        Raises:
            PageError: it is no sentence, or too long.
        """
        if not isinstance(text, str) or not text.strip():
            raise PageError("error.request")
        if len(text) > MAX_SENTENCE:
            raise PageError("class.error.sentence", most=MAX_SENTENCE)
        self._own.pop(student, None)
        self._own[student] = text.strip()
        self.changes += 1

    def forget(self, student: str) -> None:
        """Another page has this one's place in the class."""
        self._own.pop(student, None)

    def clear(self) -> None:
        """Forget all, for the next task."""
        self._own.clear()
        self.changes += 1

    def of(self, student: str) -> str | None:
        """What a page has handed in."""
        return self._own.get(student)

    @property
    def counted(self) -> list[dict[str, Any]]:
        """Each sentence, with the number of pages that handed it in."""
        return [
            {"text": text, "count": count} for text, count in Counter(self._own.values()).items()
        ]
