"""The browser's request. Everything is checked here, even if the page has checked it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.limits import MAX_CHARACTERS as MAX_CHARACTERS
from model.limits import MAX_TARGET_TOKENS
from model.settings import check_number, check_whole

MAX_WRITTEN = MAX_TARGET_TOKENS  # most tokens in a translation

# The settings of a visitor; max_length is the page's own, or the checkpoint's if that is smaller.
SETTINGS = tuple(f.name for f in dataclasses.fields(DecodeConfig) if f.name != "max_length")

# The lowest and highest value of each number that a visitor may set, in the input, in an exhibit
# and in an address. The model itself accepts more; these keep a search bounded and a slider usable.
RANGES: dict[str, tuple[float, float]] = {
    "beam_size": (1, 16),
    "length_penalty": (-5.0, 5.0),
    "temperature": (0.05, 20.0),
    "top_k": (0, 100_000),
    "top_p": (0.01, 1.0),
    "seed": (0, 2**32 - 1),
}

DEFAULTS = DecodeConfig()
Part = Literal["attention", "steps", "search", "doubt"]
PARTS: tuple[Part, ...] = get_args(Part)  # of a record, which a request may leave out
MAX_NAME = 20  # characters of the name of other weights
Node = tuple[int, int]


def intervention_facts() -> dict[str, dict[str, Any]]:
    """The fields of `Interventions` for the browser: their defaults and allowed values."""
    hints = get_type_hints(Interventions)
    entries = {name: get_args(hint)[0] for name, hint in hints.items() if _is_list(hint)}
    return {
        "defaults": dataclasses.asdict(UNTOUCHED),
        "choices": {name: get_args(h) for name, h in hints.items() if get_origin(h) is Literal},
        "largest": {"padding": 65_536, "shift": 65_536, "position_seed": 2**32 - 1},
        "entries": {name: [_part(p) for p in _parts(one)] for name, one in entries.items()},
    }


def _is_list(hint: Any) -> bool:
    return get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis


def _parts(entry: Any) -> tuple[Any, ...]:
    return get_args(entry) if get_origin(entry) is tuple else (entry,)


def _part(hint: Any) -> list[str] | str:
    """One field of an entry: its allowed words, or "flag", or "whole"."""
    return list(get_args(hint)) or ("flag" if hint is bool else "whole")


class PageError(InputError):
    """An InputError that the page can translate: a key of `words` and its values."""

    def __init__(self, key: str, **values: int | str) -> None:
        super().__init__(key, key=key, **values)


@dataclass(frozen=True)
class Request:
    """A visitor's request: a text, how to decode it, and which hypothesis to trace.

    prefix         target ids that every hypothesis must begin with
    begin          the same, typed as text; it follows `prefix`
    node           step and candidate of the search: trace the prefix that ends there instead
                   of hypothesis number `shown`
    interventions  the changes to the running model
    model          the key of the model (explorer/models.py); "" is the server's default
    weights        other weights of the model (`with_weights`); "" are its own
    parts          what of the record is wanted besides its texts and hypotheses
    """

    text: str
    config: DecodeConfig
    shown: int = 0
    prefix: tuple[int, ...] = ()
    begin: str = ""
    node: Node | None = None
    interventions: Interventions = UNTOUCHED
    model: str = ""
    weights: str = ""
    parts: tuple[Part, ...] = PARTS


def parse(raw: object, defaults: DecodeConfig = DEFAULTS) -> Request:
    """Read a request from the browser: an object with the fields of `Request`.

    A missing setting is taken from `defaults`, chosen by the model's authors.

    Raises:
        PageError: not such an object, or its beginning is too long.
        ConfigError: a setting that does not exist or is out of range.
    """
    if not isinstance(raw, dict):
        raise PageError("error.request")
    text, begin, model = raw.get("text"), raw.get("begin", ""), raw.get("model", "")
    settings = raw.get("settings")
    interventions = raw.get("interventions", {})
    if not isinstance(text, str) or not isinstance(begin, str) or not isinstance(model, str):
        raise PageError("error.request")
    if not isinstance(settings, dict) or not isinstance(interventions, dict):
        raise PageError("error.request")
    if len(begin) > MAX_CHARACTERS:  # the model checks the text
        count, limit = f"{len(begin):,}", f"{MAX_CHARACTERS:,}"
        raise PageError("error.model.characters", count=count, limit=limit)
    node = raw.get("node")
    return Request(
        text,
        _config(settings, defaults, raw.get("longest", MAX_WRITTEN)),
        shown=_indices([raw.get("shown", 0)], 1)[0],
        prefix=_indices(raw.get("prefix", []), MAX_WRITTEN),
        begin=begin,
        node=None if node is None else _node(node),
        interventions=Interventions.from_dict(interventions),
        model=model,
        weights=_name(raw.get("weights", "")),
        parts=_parts_of(raw.get("parts", list(PARTS))),
    )


def _name(raw: object) -> str:
    """The name of other weights; `with_weights` knows which there are."""
    if not isinstance(raw, str) or len(raw) > MAX_NAME:
        raise PageError("error.request")
    return raw


def _parts_of(raw: object) -> tuple[Part, ...]:
    """The parts of a record that are asked for, each once and in the order of `PARTS`."""
    if not isinstance(raw, list) or any(one not in PARTS for one in raw):
        raise PageError("error.request")
    return tuple(one for one in PARTS if one in raw)


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


def _config(settings: dict[str, object], defaults: DecodeConfig, longest: object) -> DecodeConfig:
    """The settings; `longest` are the tokens after which a translation ends in any case."""
    if isinstance(longest, bool) or not isinstance(longest, int) or not 1 <= longest <= MAX_WRITTEN:
        raise PageError("error.request")
    if not set(settings) <= set(SETTINGS):
        raise PageError("error.request")
    chosen = {**{name: getattr(defaults, name) for name in SETTINGS}, **settings}
    for name, (low, high) in RANGES.items():
        if isinstance(low, int) and isinstance(high, int):
            check_whole(name, chosen[name], low, high)
        else:
            check_number(name, chosen[name], low, high)
    return DecodeConfig.from_dict({**chosen, "max_length": min(longest, defaults.max_length)})
