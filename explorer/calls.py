"""Calls: quick questions that need no model and bypass Gradio's queue.

An exhibit that follows a process (`Exhibit.calls`) asks several times a second; a queue event costs
the server 6 to 10 ms, and a visitor's translation would wait behind it. A call is a POST with JSON
to a separate path, and its reply has the same form as one from the queue.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer import exhibits
from explorer.exchange.question import Arguments
from explorer.exchange.reply import payload_json, sentence, to_json
from explorer.exchange.request import PageError
from explorer.exhibit import Call
from explorer.origin import Origin, origin
from explorer.static import assets_path
from model.errors import HeadlightError

log = logging.getLogger(__name__)

MAX_BODY = 8_192  # bytes


def calls_route() -> Route:
    """The route of every exhibit's calls."""
    calls = {name: call for one in exhibits.load() for name, call in one.calls.items()}

    async def respond(request: Request) -> Response:
        # Another site could send a form or plain text here, but not JSON: a browser asks us first.
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return Response(status_code=415)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY:
                return Response(status_code=413)
        name, where = request.path_params["name"], origin(request)
        reply = await run_in_threadpool(answer, calls, name, body, where)
        headers = {"Cache-Control": "no-store"}
        return Response(reply, media_type="application/json", headers=headers)

    return Route(f"{assets_path()}call/{{name}}", respond, methods=["POST"])


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
