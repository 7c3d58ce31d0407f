"""Validates a JSON value against a schema, with only the keywords that `schema.py` uses.

Stricter than JSON Schema in one respect: 4.0 is not a whole number here.
"""

from __future__ import annotations

import re
from typing import Any

from model.errors import InputError, quote

_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "object": ((dict,), "an object"),
    "array": ((list,), "a list"),
    "string": ((str,), "a text"),
    "integer": ((int,), "a whole number"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "true or false"),
    "null": ((type(None),), "null"),
}


def check(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "") -> None:
    """Refuse a value that the schema does not allow; `where` is its path in the document.

    Raises:
        InputError: the message has the value, the expected one, and the place.
    """
    if "$ref" in schema:
        return check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "anyOf" in schema:  # null, or another type
        if value is not None:
            check(value, schema["anyOf"][1], root, where)
        return
    if "const" in schema:
        _expect(_is(value, schema["const"]), value, where, quote(schema["const"]))
    if "enum" in schema:
        known = any(_is(value, one) for one in schema["enum"])
        _expect(known, value, where, f"one of {', '.join(schema['enum'])}")
    if "type" in schema:
        types, name = _TYPES[schema["type"]]
        is_bool = isinstance(value, bool) and bool not in types
        _expect(isinstance(value, types) and not is_bool, value, where, name)
    _check_size(value, schema, where)
    if isinstance(value, dict):
        _check_fields(value, schema, root, where)
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for i, entry in enumerate(value):
            check(entry, first[i] if i < len(first) else schema["items"], root, f"{where}[{i}]")


def _check_size(value: Any, schema: dict[str, Any], where: str) -> None:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None:
        _expect(value >= low, value, where, f"{low} or more")
    if high is not None:
        _expect(value <= high, value, where, f"{high} or less")
    if isinstance(value, list):
        fewest, most = schema.get("minItems", 0), schema["maxItems"]
        if not fewest <= len(value) <= most:
            raise InputError(f"{where} has {len(value)} entries; expected {fewest} to {most}.")
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        longest = schema["maxLength"]
        raise InputError(f"{where} has {len(value)} characters; expected at most {longest}.")
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        raise InputError(f"{where} is {quote(value)}; expected packed numbers in base64.")


def _check_fields(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], where: str
) -> None:
    name = where or "The document"
    known, others = schema.get("properties", {}), schema["additionalProperties"]
    for field in schema.get("required", []):
        if field not in value:
            raise InputError(f"{name} has no field {field}.")
    for field, entry in value.items():
        if field not in known and others is False:
            raise InputError(f"{name} has a field {quote(field)}, which no session has.")
        place = f"{where}.{quote(field)[1:-1]}".lstrip(".")
        check(entry, known.get(field, others), root, place)


def _is(value: Any, wanted: Any) -> bool:
    return type(value) is type(wanted) and value == wanted


def _expect(holds: bool, value: Any, where: str, expected: str) -> None:
    if not holds:
        raise InputError(f"{where or 'The document'} is {quote(value)}; expected {expected}.")
