"""A question to a class: its choices, and the guesses, each page's first one alone."""

from __future__ import annotations

import json
import re
from typing import Any

from explorer.exchange.request import PageError

MAX_QUESTION = 3_000  # bytes, with all of its choices in both languages
MAX_CHOICES = 12  # a lesson may ask for one of a sentence's tokens
LANGUAGES = {"en", "zh"}
_KEY = re.compile(r"[\w./-]{1,80}", re.ASCII)


class Question:
    """What the teacher asked, as its page words it, and what the class guessed.

    Raises:
        PageError: it is no question, or too long.
    """

    def __init__(self, asked: object) -> None:
        if not isinstance(asked, dict) or asked.keys() != {"key", "text", "choices", "right"}:
            raise PageError("error.request")
        key, choices, right = asked["key"], asked["choices"], asked["right"]
        if not isinstance(key, str) or not _KEY.fullmatch(key) or not _is_text(asked["text"]):
            raise PageError("error.request")
        if not isinstance(choices, list) or not all(map(_is_choice, choices)):
            raise PageError("error.request")
        if not 2 <= len(choices) <= MAX_CHOICES:
            raise PageError("error.request")
        if right is not None and (type(right) is not int or not 0 <= right < len(choices)):
            raise PageError("error.request")
        self.key, self.size, self.is_shown = key, len(choices), False
        self.body = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
        if len(self.body) > MAX_QUESTION:
            raise PageError("class.error.question")
        self._guesses: dict[str, int] = {}

    def guess(self, student: str, choice: object) -> None:
        """Count a guess, unless the page has made one or the counts are shown already.

        Raises:
            PageError: there is no such choice.
        """
        if type(choice) is not int or not 0 <= choice < self.size:
            raise PageError("error.request")
        if not self.is_shown:
            self._guesses.setdefault(student, choice)

    def forget(self, student: str) -> None:
        """Another page has this one's place in the class."""
        self._guesses.pop(student, None)

    @property
    def guessed(self) -> int:
        """How many pages have guessed."""
        return len(self._guesses)

    def told(self, student: str | None) -> dict[str, Any]:
        """What a page may know: the answer and the counts only once they are shown."""
        asked = json.loads(self.body)
        if not self.is_shown:
            del asked["right"]
            for choice in asked["choices"]:
                del choice["value"]
            return {**asked, "own": self._own(student), "isShown": False}
        given = list(self._guesses.values())
        counts = [given.count(choice) for choice in range(self.size)]
        return {**asked, "own": self._own(student), "isShown": True, "counts": counts}

    def _own(self, student: str | None) -> int | None:
        return None if student is None else self._guesses.get(student)


def _is_text(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != LANGUAGES:
        return False
    return all(isinstance(text, str) and text for text in value.values())


def _is_choice(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {"label", "value"}:
        return False
    return _is_text(value["label"]) and isinstance(value["value"], str)
