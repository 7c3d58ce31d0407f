"""Calls: quick questions that bypass Gradio's queue.

An exhibit that follows a process (`Exhibit.calls`) asks several times a second; a queue event costs
the server 6 to 10 ms, and a visitor's translation would wait behind it. A call is a POST with JSON
to a separate path, and its reply has the same form as one from the queue.

One call needs a model: the reader's lines of a view (explorer/exchange/lines.py). They wait in a
lane of their own, one at a time, so that sentences and questions never wait behind more than one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer import exhibits
from explorer.exchange.lines import LINES, MAX_TEXTS
from explorer.exchange.question import Arguments
from explorer.exchange.reply import Reply, payload_json, sentence, to_json
from explorer.exchange.request import MAX_CHARACTERS, PageError
from explorer.exhibit import Call
from explorer.guard.lane import Full, Lane
from explorer.origin import Origin, origin
from explorer.static import assets_path
from model.errors import HeadlightError

log = logging.getLogger(__name__)

MAX_BODY = 8_192  # bytes
# The texts and the source of the first; a character is 6 bytes where JSON escapes it.
MAX_LINES_BODY = MAX_BODY + (MAX_TEXTS + 1) * 6 * MAX_CHARACTERS
Answer = Callable[[object], Reply]


def calls_route(ask: Answer) -> Route:
    """The route of every exhibit's calls, and of the one for the reader's lines, which `ask`
    answers as it does a request in the queue.
    """
    calls = {name: call for one in exhibits.load() for name, call in one.calls.items()}
    lane = Lane()

    async def respond(request: Request) -> Response:
        # Another site could send a form or plain text here, but not JSON: a browser asks us first.
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return Response(status_code=415)
        name, where = request.path_params["name"], origin(request)
        body, most = b"", MAX_LINES_BODY if name == LINES else MAX_BODY
        async for part in request.stream():
            body += part
            if len(body) > most:
                return Response(status_code=413)
        if name != LINES:
            reply = await run_in_threadpool(answer, calls, name, body, where)
        else:
            try:
                async with lane.turn(where, len(body)):
                    reply = await run_in_threadpool(lines, ask, body)
            except Full:
                return Response(status_code=503)
        headers = {"Cache-Control": "no-store"}
        return Response(reply, media_type="application/json", headers=headers)

    return Route(f"{assets_path()}call/{{name}}", respond, methods=["POST"])


def lines(ask: Answer, body: bytes) -> str:
    """The reply to a call for the reader's lines, {model, texts}: as `answer`, or {waiting}."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    named = given if isinstance(given, dict) else {}
    kind, text = ask({"question": LINES, "model": named.get("model"), "arguments": given})
    return f'{{"{kind}":{text}}}'


def answer(calls: Mapping[str, Call], name: str, body: bytes, where: Origin) -> str:
    """JSON: {payload}, or {message} with a sentence in every language. Never raises."""
    try:
        if name not in calls:
            raise PageError("error.request")
        try:
            given = json.loads(body)
        except (ValueError, RecursionError):
            raise PageError("error.request") from None
        return f'{{"payload":{payload_json(calls[name](Arguments(given), where))}}}'
    except HeadlightError as error:
        return to_json({"message": sentence(error)})
    except Exception:
        log.exception("A call could not be answered.")
        return to_json({"message": sentence(PageError("error.unexpected"))})
