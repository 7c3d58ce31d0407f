"""What the browser asks for, checked here whatever the page promised to send."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from model.config import DecodeConfig
from model.errors import ConfigError, InputError

MAX_CHARACTERS = 2_000  # of a text, before it is cut into tokens
LARGEST_BEAM = 16  # keeps one visitor's search bounded
MAX_WRITTEN = 128  # tokens that a translation may have

# What a visitor may set; max_length is the page's own.
SETTINGS = tuple(f.name for f in dataclasses.fields(DecodeConfig) if f.name != "max_length")


class PageError(InputError):
    """An InputError that the page can say in every language: a key of `words` and its values."""

    def __init__(self, key: str, **values: int | str) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass(frozen=True)
class Request:
    """One wish of a visitor: this text, decoded so, and this hypothesis traced."""

    text: str
    config: DecodeConfig
    shown: int = 0


def parse(raw: object) -> Request:
    """Read a request as the browser sends it: an object with text, settings and shown.

    Raises:
        PageError: not such an object, or a text that is not a text or too long.
        ConfigError: a setting that does not exist or is out of range.
    """
    if not isinstance(raw, dict):
        raise PageError("error.request")
    text, settings, shown = (raw.get(name) for name in ("text", "settings", "shown"))
    if not isinstance(text, str) or not isinstance(settings, dict):
        raise PageError("error.request")
    if isinstance(shown, bool) or not isinstance(shown, int) or shown < 0:
        raise PageError("error.request")
    if len(text) > MAX_CHARACTERS:
        raise PageError("error.characters", count=f"{len(text):,}", limit=f"{MAX_CHARACTERS:,}")
    return Request(text, _config(settings), shown)


def _config(settings: dict[str, object]) -> DecodeConfig:
    if not set(settings) <= set(SETTINGS):
        raise PageError("error.request")
    config = DecodeConfig.from_dict({**settings, "max_length": MAX_WRITTEN})
    if config.beam_size > LARGEST_BEAM:
        raise ConfigError(
            f"beam_size is {config.beam_size}; expected a whole number from 1 to {LARGEST_BEAM}."
        )
    return config
