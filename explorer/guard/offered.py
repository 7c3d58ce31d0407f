"""The routes that the server offers: what the page and the documented API use, and nothing else.

Gradio has many more, some of which write files or keep what they are sent (uploads, recordings,
links to a state, edits of the code).
"""

from __future__ import annotations

import re

from gradio.route_utils import API_PREFIX
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.guard import tools
from model.errors import quote

_READ = re.compile(
    r"/|/health|/headlight/.*|/(assets|static|pwa_icon)/.*"
    r"|/(config/?|theme\.css|favicon\.ico|robots\.txt|manifest\.json|pwa_icon)"
    rf"|{API_PREFIX}/(info/?|openapi\.json|startup-events|theme\.css|app_id/?|user/?|login_check/?)"
    rf"|{API_PREFIX}/(queue/data|queue/status|heartbeat/[^/]+|call/[^/]+/[^/]+)"
    rf"|{tools.ROUTE}"
)
_SEND = re.compile(
    r"/headlight/[^/]+/(call|class)/[^/]+"
    rf"|{API_PREFIX}/(queue/join|cancel|reset/?|(call|call/v2|run|api)/[^/]+/?)"
    rf"|{tools.ROUTE}"
)
_OFFERED = {"GET": _READ, "HEAD": _READ, "OPTIONS": re.compile(".*"), "POST": _SEND}


class Offered:
    """ASGI middleware that passes on the requests that the server offers to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        method, path = scope.get("method", scope["type"]), scope["path"]
        offered = _OFFERED.get(method)
        if offered is not None and offered.fullmatch(path):
            await self._app(scope, receive, send)
            return
        told = (
            f"This server does not offer {method} {quote(path)}; open its page at / or use its "
            f"API, which {API_PREFIX}/info describes."
        )
        await JSONResponse({"detail": told}, 404)(scope, receive, send)
