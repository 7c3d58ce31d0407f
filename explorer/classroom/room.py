"""One class: what its teacher shows, and who is here. It has no names and keeps nothing."""

from __future__ import annotations

import asyncio
import re
import secrets
from typing import Any
from urllib.parse import parse_qsl

from explorer.classroom.question import Question
from explorer.classroom.sentences import Sentences
from explorer.exchange.request import PageError

MAX_STUDENTS = 100
MAX_QUESTIONS = 20  # whose guesses a class remembers
MAX_STATE = 4_000  # characters
MAX_FIELDS = 100  # of a state
HERE = 45.0  # seconds after its last request in which a page is counted; it asks every 15
AWAY = 120.0  # seconds after which a page's place in a full class is free
# As assets/shell/address.js writes the names of a link.
_NAME = re.compile(r"[a-z][a-z_]{0,19}(\.[a-z][a-z_]{0,19})?")


def checked_state(value: object) -> str:
    """What a page shows: the query string of a link, and maybe a lesson's name and step.

    Its values are checked where it is opened, by the rules of any link (assets/shell/address.js).

    Raises:
        PageError: it is no query string, or too long.
    """
    if not (isinstance(value, str) and value and value.isascii() and value.isprintable()):
        raise PageError("error.request")
    if len(value) > MAX_STATE:
        raise PageError("class.error.long")
    try:
        fields = parse_qsl(value, True, strict_parsing=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise PageError("error.request") from None
    if not all(_NAME.fullmatch(name) for name, _ in fields):
        raise PageError("error.request")
    return value


class Room:
    """A class.

    opener   the address that began it
    secret   known to the teacher's page alone
    version  grows with everything that the pages of the class are told
    question what the class is asked now
    sentences what students handed in
    presses  number of states the teacher has shown; a page ignores one that it has passed
    calls    how often the teacher called everybody back
    pressed  when the teacher last did something
    heard    when any page last asked
    """

    def __init__(self, code: str, now: float, opener: str = "") -> None:
        self.code, self.opener, self.secret = code, opener, secrets.token_urlsafe(16)
        self.version, self.presses, self.calls, self.state = 0, 0, 0, ""
        self.pressed = self.heard = now
        self.question: Question | None = None
        self.sentences = Sentences()
        self._questions: dict[str, Question] = {}
        self._students: dict[str, float] = {}  # a random id, and when its page last asked
        self._bell = asyncio.Event()

    def show(self, state: str, now: float) -> None:
        """Show a state to everybody who follows."""
        self.state, self.presses, self.pressed = state, self.presses + 1, now
        self.ring()

    def call_back(self, now: float) -> None:
        """Ask those who went their own ways to follow again."""
        self.calls, self.pressed = self.calls + 1, now
        self.ring()

    def ask(self, question: Question | None, now: float) -> None:
        """Ask the class, or go on; a question that was asked before keeps its guesses."""
        if question is not None:
            known = self._questions.pop(question.key, None)
            if known is not None and known.body == question.body:
                question = known
            self._questions[question.key] = question
            if len(self._questions) > MAX_QUESTIONS:
                del self._questions[next(iter(self._questions))]
        self.question, self.pressed = question, now
        self.ring()

    def guess(self, student: str, key: object, choice: object) -> None:
        """A page guessed; of a question that the class has left it is too late.

        Raises:
            PageError: there is no such choice.
        """
        if self.question is not None and self.question.key == key:
            self.question.guess(student, choice)

    def reveal(self, now: float) -> None:
        """Show the counts to everybody."""
        if self.question is not None:
            self.question.is_shown, self.pressed = True, now
            self.ring()

    def clear_sentences(self, now: float) -> None:
        """Forget what students handed in, and tell them."""
        self.sentences.clear()
        self.pressed = now
        self.ring()

    def join(self, student: object, now: float) -> str:
        """The id of a student's page: the one it had, if the class still knows that.

        Raises:
            PageError: the class is full.
        """
        own = str(student) if self.knows(student) else self._place(now)
        self._students[own] = self.heard = now
        return own

    def _place(self, now: float) -> str:
        if len(self._students) >= MAX_STUDENTS:
            first = min(self._students, key=self._students.__getitem__)
            if now - self._students[first] < AWAY:
                raise PageError("class.error.full", most=MAX_STUDENTS)
            del self._students[first]
            self.sentences.forget(first)
            for question in self._questions.values():
                question.forget(first)
        return secrets.token_urlsafe(12)

    def knows(self, student: object) -> bool:
        """Whether this is the id of one of the students' pages."""
        return isinstance(student, str) and student in self._students

    def is_led_by(self, secret: object) -> bool:
        """Whether this is the secret of the teacher's page."""
        is_text = isinstance(secret, str) and secret.isascii()
        return is_text and secrets.compare_digest(str(secret), self.secret)

    def leave(self, student: object, now: float) -> None:
        """A student's page left. It is known until its place is needed, so that it guesses once."""
        if self.knows(student):
            self._students[str(student)] = now - AWAY

    def inside(self, now: float) -> dict[str, int]:
        """What the teacher alone is told, in numbers: the pages that have asked of late, those that
        have guessed, and how often a sentence came.
        """
        here = sum(now - seen < HERE for seen in self._students.values())
        guessed = self.question.guessed if self.question else 0
        return {"here": here, "guessed": guessed, "changes": self.sentences.changes}

    def news(self, student: str | None = None) -> dict[str, Any]:
        """What a page of the class is told: a student's, or its teacher's."""
        question = self.question and self.question.told(student)
        own = {} if student is None else {"handed": self.sentences.of(student)}
        return {
            **own,
            "question": question,
            "version": self.version,
            "presses": self.presses,
            "calls": self.calls,
            "reveals": sum(one.is_shown for one in self._questions.values()),
            "state": self.state,
        }

    def course(self, student: str | None) -> list[dict[str, Any]]:
        """The questions that the class remembers, for a page that came late or slept."""
        return [question.told(student) for question in self._questions.values()]

    def ring(self) -> None:
        """Wake the pages that wait for news."""
        self.version += 1
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    async def wait(self, seconds: float) -> None:
        """Wait for news."""
        try:
            await asyncio.wait_for(self._bell.wait(), seconds)
        except asyncio.TimeoutError:
            return
