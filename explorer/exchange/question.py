"""Questions of exhibits to Python, beside the payload: each has one JSON answer.

An exhibit lists its questions by name (`Exhibit.questions`); its view names one in `ask`
(`assets/kit/exhibit.js`) or calls `s.ask`. A question receives the model, the request whose record
is on the page, and its own arguments. `Arguments` checks these and refuses a wrong one with a
message for the visitor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from explorer.exchange.request import PageError, Request

if TYPE_CHECKING:
    from model.explain import Explainer

Payload = dict[str, Any]
S = TypeVar("S", bound=str)


class Arguments:
    """The arguments of a question, each read with its bounds."""

    def __init__(self, raw: object) -> None:
        if not isinstance(raw, dict):
            raise PageError("error.request")
        self._raw = raw

    def given(self, name: str) -> bool:
        """True if an optional argument was given."""
        return self._raw.get(name) is not None

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`, inclusive."""
        return _whole(self._raw.get(name), low, high)

    def number(self, name: str, low: float, high: float) -> float:
        return _number(self._raw.get(name), low, high)

    def text(self, name: str, longest: int) -> str:
        """A text of at most `longest` characters."""
        value = self._raw.get(name)
        if not isinstance(value, str) or len(value) > longest:
            raise PageError("error.request")
        return value

    def texts(self, name: str, least: int, most: int, longest: int) -> list[str]:
        """From `least` to `most` texts of at most `longest` characters each."""
        found = self._list(name, most)
        if len(found) < least or any(not isinstance(t, str) or len(t) > longest for t in found):
            raise PageError("error.request")
        return found

    def choice(self, name: str, choices: tuple[S, ...]) -> S:
        value = self._raw.get(name)
        for choice in choices:
            if choice == value:
                return choice
        raise PageError("error.request")

    def flag(self, name: str) -> bool:
        value = self._raw.get(name)
        if not isinstance(value, bool):
            raise PageError("error.request")
        return value

    def record(self, name: str) -> dict[str, Any]:
        """A dict; the handler checks its fields."""
        value = self._raw.get(name)
        if not isinstance(value, dict):
            raise PageError("error.request")
        return value

    def whole_list(self, name: str, most: int, low: int, high: int) -> list[int]:
        """At most `most` whole numbers."""
        return [_whole(value, low, high) for value in self._list(name, most)]

    def table(
        self, name: str, rows: int, columns: int, low: float, high: float
    ) -> list[list[float]]:
        """`rows` rows of `columns` numbers each."""
        found = self._list(name, rows)
        if len(found) != rows or any(not isinstance(r, list) or len(r) != columns for r in found):
            raise PageError("error.request")
        return [[_number(value, low, high) for value in row] for row in found]

    def _list(self, name: str, most: int) -> list[Any]:
        value = self._raw.get(name)
        if not isinstance(value, list) or len(value) > most:
            raise PageError("error.request")
        return value


Question = Callable[["Explainer", Request, Arguments], Payload]


def _whole(value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PageError("error.request")
    return value


def _number(value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PageError("error.request")
    if not low <= value <= high:  # NaN is not, and whole numbers of any size can be compared
        raise PageError("error.request")
    return float(value)
