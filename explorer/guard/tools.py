"""The route of MCP, by which language models use the endpoints as tools: open if asked for.

Gradio answers a call by calling its own endpoint from this machine. So the call waits in the same
line as everyone's, but in a thread of its own, and the line would take it for a visitor of this
machine, wherever it came from.
"""

from __future__ import annotations

import asyncio
import re

from gradio.route_utils import API_PREFIX
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROUTE = rf"{API_PREFIX}/mcp/?"
# Calls that wait or run, also of clients that have hung up; each holds one of the 40 threads that
# also send files.
AT_ONCE = 16
OFF = (
    "This page offers no tools (MCP). Start it with GRADIO_MCP_SERVER=True, after "
    'pip install "gradio[mcp]".'
)
NO_STREAM = "This is the address of an MCP server: give it to a client, which sends POST."
BUSY = "Too many tools are at work; try again in a minute."


class Tools:
    """ASGI middleware that answers for MCP, or passes a few calls on, each with its origin."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not re.fullmatch(ROUTE, scope["path"]):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        self._running += 1
        try:
            await self._app(_with_origin(scope), _staying(receive), send)
        finally:
            self._running -= 1

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        if not scope["app"].get_blocks().mcp_server:
            return JSONResponse({"detail": OFF}, 404)
        if scope["method"] not in ("POST", "OPTIONS"):  # no session lasts: nothing to listen to
            return JSONResponse({"detail": NO_STREAM}, 405, {"Allow": "POST"})
        if self._running >= AT_ONCE:
            return JSONResponse({"detail": BUSY}, 503)
        return None


def _staying(receive: Receive) -> Receive:
    """A client that never hangs up: the work goes on without it, and keeps its place until the end.

    What waits for it to hang up is cancelled after the reply.
    """

    async def received() -> Message:
        message = await receive()
        if message["type"] == "http.disconnect":
            await asyncio.Event().wait()
        return message

    return received


def _with_origin(scope: Scope) -> Scope:
    """The request with the address that it came from as what its own call is forwarded for."""
    headers = MutableHeaders(scope={**scope, "headers": list(scope["headers"])})
    del headers["forwarded"]
    headers["x-forwarded-for"] = scope["client"][0] if scope["client"] else ""
    return {**scope, "headers": headers.raw}
