"""The JSON Schema of a session, generated from its records; published in docs/.

Lists, choices and fields of settings come from the Python types. `restore.py` checks conditions
that a schema cannot express (matching arrays, paths that follow their parents).
"""

from __future__ import annotations

from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from explorer.exchange import payload
from explorer.exchange.request import SETTINGS
from explorer.labels import LabelKind
from model.config import KINDS, DecodeConfig, Interventions, Thresholds
from model.labs.doubt import Signs
from model.limits import MAX_CELLS, MAX_CHARACTERS

Schema = dict[str, Any]

FORMAT = "headlight-session-1"
MAX_TOKENS = 1_024  # tokens of a source with its padding, or of a translation; no search is longer
MAX_CANDIDATES = 1_024  # candidates of one step
MAX_NAME = 500

_INDEX: Schema = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
_NUMBER: Schema = {"type": "number", "minimum": -1e9, "maximum": 1e9}
_TEXT: Schema = {"type": "string", "maxLength": 16 * MAX_CHARACTERS}
_NAME: Schema = {"type": "string", "maxLength": MAX_NAME}
_NODE: Schema = {"type": "array", "items": _INDEX, "minItems": 2, "maxItems": 2}
_PACKED: Schema = {"$ref": "#/$defs/packed"}


def schema() -> Schema:
    """Return the schema, in draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Headlight session",
        "description": "A request for an explanation, and what the model answered.",
        **_object(
            format={"const": FORMAT},
            request=_request(),
            record={"$ref": "#/$defs/record"},
        ),
        "$defs": {
            "packed": _packed(),
            "label": _label(),
            "interventions": {**_of(Interventions), "description": "What was changed."},
            "maps": _maps(),
            "record": _record(),
        },
    }


def _request() -> Schema:
    return _object(
        model=_object(name=_NAME, revision=_optional(_NAME)),
        text=_TEXT,
        settings=_of(DecodeConfig),
        interventions={"$ref": "#/$defs/interventions"},
        prefix=_list(_INDEX),
        shown=_INDEX,
        node=_optional(_NODE),
    )


def _record() -> Schema:
    """The payload of explorer/exchange/payload.py."""
    settings = {name: _of(DecodeConfig)["properties"][name] for name in SETTINGS}
    tokens = {**_list({"$ref": "#/$defs/label"}), "minItems": 1}
    return _object(
        format={"const": payload.FORMAT},
        text=_TEXT,
        translation=_TEXT,
        seconds={**_NUMBER, "minimum": 0},
        model=_object(
            key=_NAME,
            name=_NAME,
            device=_NAME,
            revision=_optional(_NAME),
            tokens=_INDEX,
            vocabulary=_INDEX,
            defaults=_object(**settings),
            examples=_list(_TEXT),
            codes=_list(_TEXT),
        ),
        settings=_object(**settings),
        interventions={"$ref": "#/$defs/interventions"},
        prefix=_list(_INDEX),
        shown=_INDEX,
        node=_optional(_NODE),
        path=_list(_INDEX),
        src=tokens,
        tgt_in=tokens,
        tgt_out=tokens,
        attention=_object(**{kind: {"$ref": "#/$defs/maps"} for kind in KINDS}),
        steps=_list(_step()),
        search=_search(),
        hypotheses={**_list(_hypothesis()), "minItems": 1},
        doubt=_optional(_doubt()),
    )


def _packed() -> Schema:
    return {
        "type": "string",
        "contentEncoding": "base64",
        "pattern": "^[A-Za-z0-9+/]*={0,2}$",
        "description": "Little-endian numbers; their bytes sorted by place (all lowest bytes "
        "first), then zlib, then base64.",
    }


def _label(**more: Schema) -> Schema:
    optional = {
        "line": _TEXT,
        "joined": {"const": True},
        "part": {"type": "array", "items": _INDEX, "minItems": 2, "maxItems": 2},
    }
    label = _object(text=_TEXT, kind={"enum": list(get_args(LabelKind))}, piece=_TEXT, id=_INDEX)
    label["required"] += list(more)
    label["properties"] |= optional | more
    return label


def _maps() -> Schema:
    return _object(
        layers={"type": "integer", "minimum": 1, "maximum": 64},
        heads={"type": "integer", "minimum": 1, "maximum": 128},
        queries={"type": "integer", "minimum": 1, "maximum": MAX_TOKENS},
        keys={"type": "integer", "minimum": 1, "maximum": MAX_TOKENS},
        mask={**_PACKED, "description": "Bits, query by query; 1 where it may read the key."},
        weights={
            **_PACKED,
            "description": f"Two bytes each, {payload.FULL} for a weight of 1, layer by layer and "
            "head by head: of the cells whose bit in the mask is 1.",
        },
    )


def _step() -> Schema:
    return _object(
        top=_list(_label(log_prob=_NUMBER)),
        chosen=_INDEX,
        log_prob=_NUMBER,
        entropy=_NUMBER,
        forced={"type": "boolean"},
    )


def _search() -> Schema:
    return _object(
        counts=_list({"type": "integer", "minimum": 0, "maximum": MAX_CANDIDATES}),
        parents={**_PACKED, "description": "int32; -1 at the first step."},
        ids={**_PACKED, "description": "int32"},
        log_probs={**_PACKED, "description": "float32"},
        totals={**_PACKED, "description": "float32"},
        fates={**_PACKED, "description": f"uint8: {', '.join(payload.FATES)}."},
        forced={**_PACKED, "description": "uint8: 0 or 1."},
        labels={"type": "object", "additionalProperties": {"$ref": "#/$defs/label"}},
    )


def _hypothesis() -> Schema:
    return _object(
        text=_TEXT,
        score=_NUMBER,
        log_prob=_NUMBER,
        length=_INDEX,
        finished={"type": "boolean"},
        path=_list(_INDEX),
    )


def _doubt() -> Schema:
    return _object(reasons=_list(_NAME), signs=_of(Signs), thresholds=_of(Thresholds))


def _of(record: Any) -> Schema:
    """The schema of a record with all its fields, each according to its type."""
    return _object(**{name: _typed(hint) for name, hint in get_type_hints(record).items()})


def _typed(hint: Any) -> Schema:
    simple = {
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        float: _NUMBER,
        str: _TEXT,
    }
    if hint in simple:
        return simple[hint]
    parts = get_args(hint)
    if get_origin(hint) is Literal:
        return {"enum": list(parts)}
    if NoneType in parts:
        return _optional(_typed(next(part for part in parts if part is not NoneType)))
    assert get_origin(hint) is tuple, hint
    if parts[-1] is Ellipsis:
        return {"type": "array", "items": _typed(parts[0]), "maxItems": MAX_CELLS}
    return {
        "type": "array",
        "prefixItems": [_typed(part) for part in parts],
        "minItems": len(parts),
        "maxItems": len(parts),
    }


def _object(**properties: Schema) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "maxItems": MAX_TOKENS}


def _optional(one: Schema) -> Schema:
    return {"anyOf": [{"type": "null"}, one]}
