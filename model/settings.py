"""The base of all settings: frozen dataclasses, checked on construction, to and from JSON."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, TypeVar

from model.errors import ConfigError, quote

C = TypeVar("C", bound="Config")


@dataclass(frozen=True)
class Config:
    """A group of settings, to and from JSON; unknown names are refused."""

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls: type[C], text: str) -> C:
        """Read the output of `to_json`.

        Raises:
            ConfigError: not a JSON object, an unknown field, or a value out of range.
        """
        try:
            values = json.loads(text)
        except ValueError as error:
            raise ConfigError(f"{cls.__name__} is not valid JSON: {error}.") from None
        if not isinstance(values, dict):
            raise ConfigError(f"{cls.__name__} must be a JSON object, not {type(values).__name__}.")
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls: type[C], values: dict[str, Any]) -> C:
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ConfigError(
                f"{cls.__name__} has no field {quote(', '.join(unknown))[1:-1]}; "
                f"it has {', '.join(sorted(known))}."
            )
        try:
            return cls(**values)
        except TypeError as error:
            raise ConfigError(f"{cls.__name__}: {error}.") from None

    def _check_int(self, name: str, low: int, high: int) -> None:
        check_whole(name, getattr(self, name), low, high)

    def _check_float(self, name: str, low: float, high: float) -> None:
        check_number(name, getattr(self, name), low, high)

    def _check_bool(self, name: str) -> None:
        value = getattr(self, name)
        if not isinstance(value, bool):
            raise ConfigError(f"{name} is {quote(value)}; expected true or false.")

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, name)
        if value not in choices:
            raise ConfigError(f"{name} is {quote(value)}; expected one of {', '.join(choices)}.")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse anything but a whole number from `low` to `high`.

    Raises:
        ConfigError: the value is refused; the message has the range.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ConfigError(
            f"{name} is {quote(value)}; expected a whole number from {low} to {high}.",
            key="whole", name=name, value=quote(value), low=low, high=high,
        )  # fmt: skip


def check_number(name: str, value: object, low: float, high: float) -> None:
    """Refuse anything but a number from `low` to `high`, including NaN and huge whole numbers.

    Raises:
        ConfigError: the value is refused; the message has the range.
    """
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # type: ignore[operator]
        raise ConfigError(
            f"{name} is {quote(value)}; expected a number from {low:g} to {high:g}.",
            key="number", name=name, value=quote(value), low=f"{low:g}", high=f"{high:g}",
        )  # fmt: skip
