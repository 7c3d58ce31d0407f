"""Events posted to Gradio's queue: a message for each that it could not answer.

Gradio itself answers some of these with a bare 500, others with an empty error.
"""

from __future__ import annotations

import inspect
import json
import re
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from gradio.route_utils import API_PREFIX
from starlette.requests import Request
from starlette.responses import JSONResponse

from model.errors import InputError, quote

if TYPE_CHECKING:
    from gradio import Blocks
    from gradio.block_function import BlockFunction

Event = dict[str, Any]

_ROUTE = re.compile(rf"{API_PREFIX}/(queue/join|run|api|call/v2|call)(?:/([^/]+))?/?$")
_SESSION = re.compile(r"[\w.:-]{1,100}", re.ASCII)  # browsers send 11 letters, gradio_client 36


def checked(path: str, body: bytes, blocks: Blocks) -> bytes:
    """The body of an event, with the model's place filled where it is left out.

    Fields of other types are left to Gradio.

    Raises:
        InputError: no function can handle it; a message with the given and the expected value.
    """
    found = _ROUTE.search(path)
    if found is None:
        return body
    route, name = found.groups()
    event = _object(body)
    function = _function(route, name, event, blocks)
    if route == "call/v2":
        _check_named(event, function)
        return body
    if _lacks_model(event, function):
        event["data"].append("")
        body = json.dumps(event).encode()
    _check_values(event, function)
    _check_session(event.get("session_hash"), route)
    return body


def _lacks_model(event: Event, function: BlockFunction) -> bool:
    """Whether only the model is left out, as by programs from before a call could name one."""
    data, names = event.get("data"), function.input_parameter_names
    return isinstance(data, list) and names[len(data) :] == ["model"]


def _check_session(session: object, route: str) -> None:
    if session is None and route != "queue/join":
        return
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        raise InputError(
            f"session_hash is {quote(session)}; expected 1 to 100 letters, digits, -, _, . or :."
        )


def _object(body: bytes) -> Event:
    try:
        event = json.loads(body, object_hook=_no_file)
    except (ValueError, RecursionError):
        raise InputError("The body cannot be read as JSON; expected an object.") from None
    if not isinstance(event, dict):
        raise InputError(f"The body is {quote(event)}; expected a JSON object.")
    return event


def _no_file(found: dict[str, Any]) -> dict[str, Any]:
    """The object itself; Gradio would look for the file that it names, or fetch it."""
    if "path" in found and "meta" in found:
        raise InputError(
            f"A file, {quote(found['path'])}, stands in place of a value; send the text itself."
        )
    return found


def _function(route: str, name: str | None, event: Event, blocks: Blocks) -> BlockFunction:
    """The function that an event names: by its number, or in the path."""
    functions = {i: fn for i, fn in blocks.fns.items() if fn.fn is not None}
    if route == "queue/join" or (not route.startswith("call") and "fn_index" in event):
        index = event.get("fn_index")
        if isinstance(index, bool) or not isinstance(index, int) or index not in functions:
            numbers = ", ".join(map(str, functions))
            raise InputError(f"fn_index is {quote(index)}; expected one of {numbers}.")
        return functions[index]
    for function in functions.values():
        if function.api_name == name:
            return function
    names = ", ".join(fn.api_name for fn in functions.values() if fn.api_visibility == "public")
    raise InputError(f"There is no endpoint {quote(name)}; expected one of {names}.")


def _check_values(event: Event, function: BlockFunction) -> None:
    data, names = event.get("data"), function.input_parameter_names
    expected = f"{len(names)}: {', '.join(names)}" if names else "none: []"
    if not isinstance(data, list):
        raise InputError(f"data is {quote(data)}; expected a list of {expected}.")
    if len(data) != len(names):
        values = "1 value" if len(data) == 1 else f"{len(data)} values"
        raise InputError(f"data has {values}; expected {expected}.")


def _check_named(event: Event, function: BlockFunction) -> None:
    """An event of `call/v2`: the arguments by name, optional if they have a default."""
    known = inspect.signature(function.fn).parameters
    unknown = sorted(set(event) - set(known) - {"oauth_token"})
    if unknown:
        expected = ", ".join(known) or "none"
        raise InputError(f"There is no argument {quote(unknown[0])}; expected {expected}.")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in event:
            raise InputError(f"The argument {name} is missing; expected {', '.join(known)}.")


async def wrong_field(_: Request, error: Exception) -> JSONResponse:
    """The message for a body whose fields Gradio does not accept."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"][1:])) or "The body"
    return JSONResponse({"detail": f"{field} cannot be used: {first['msg']}."}, 400)
