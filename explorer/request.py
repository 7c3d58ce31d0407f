"""What the browser asks for, checked here whatever the page promised to send."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import ConfigError, InputError

MAX_CHARACTERS = 2_000  # of a text, before it is cut into tokens
LARGEST_BEAM = 16  # keeps one visitor's search bounded
MAX_WRITTEN = 128  # tokens that a translation may have

# What a visitor may set; max_length is the page's own.
SETTINGS = tuple(f.name for f in dataclasses.fields(DecodeConfig) if f.name != "max_length")

Node = tuple[int, int]


class PageError(InputError):
    """An InputError that the page can say in every language: a key of `words` and its values."""

    def __init__(self, key: str, **values: int | str) -> None:
        super().__init__(key, key=key, **values)


@dataclass(frozen=True)
class Request:
    """One wish of a visitor: this text, decoded so, and this hypothesis traced.

    prefix         target ids that every hypothesis is forced to begin with
    begin          the same as a text, for one who types it; it is put after `prefix`
    node           step and candidate of the search: trace the prefix that ends there, in place of
                   hypothesis number `shown`
    interventions  what is changed on the running model
    """

    text: str
    config: DecodeConfig
    shown: int = 0
    prefix: tuple[int, ...] = ()
    begin: str = ""
    node: Node | None = None
    interventions: Interventions = UNTOUCHED


def parse(raw: object) -> Request:
    """Read a request as the browser sends it: an object with the fields of `Request`.

    Raises:
        PageError: not such an object, or a text that is not a text or too long.
        ConfigError: a setting that does not exist or is out of range.
    """
    if not isinstance(raw, dict):
        raise PageError("error.request")
    text, begin, settings = raw.get("text"), raw.get("begin", ""), raw.get("settings")
    interventions = raw.get("interventions", {})
    if not isinstance(text, str) or not isinstance(begin, str):
        raise PageError("error.request")
    if not isinstance(settings, dict) or not isinstance(interventions, dict):
        raise PageError("error.request")
    for written in (text, begin):
        if len(written) > MAX_CHARACTERS:
            count, limit = f"{len(written):,}", f"{MAX_CHARACTERS:,}"
            raise PageError("error.characters", count=count, limit=limit)
    node = raw.get("node")
    return Request(
        text,
        _config(settings),
        shown=_indices([raw.get("shown", 0)], 1)[0],
        prefix=_indices(raw.get("prefix", []), MAX_WRITTEN),
        begin=begin,
        node=None if node is None else _node(node),
        interventions=Interventions.from_dict(interventions),
    )


def _indices(raw: object, most: int) -> tuple[int, ...]:
    """At most `most` whole numbers from 0."""
    if not isinstance(raw, list) or len(raw) > most:
        raise PageError("error.request")
    if any(isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < 2**31 for i in raw):
        raise PageError("error.request")
    return tuple(raw)


def _node(raw: object) -> Node:
    found = _indices(raw, 2)
    if len(found) != 2:
        raise PageError("error.request")
    return found[0], found[1]


def _config(settings: dict[str, object]) -> DecodeConfig:
    if not set(settings) <= set(SETTINGS):
        raise PageError("error.request")
    config = DecodeConfig.from_dict({**settings, "max_length": MAX_WRITTEN})
    if config.beam_size > LARGEST_BEAM:
        raise ConfigError(
            f"beam_size is {config.beam_size}; expected a whole number from 1 to {LARGEST_BEAM}."
        )
    return config
