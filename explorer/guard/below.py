"""The path below which a proxy shows the page, such as /lab/demo of https://example.org/lab/demo/.

Some proxies take it off each request, others leave it on.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from model.errors import InputError, quote

_PATH = re.compile(r"[\w.~%@:+,=/-]*", re.ASCII)


def root_path(given: str) -> str:
    """The path or address in the one form that Gradio takes: /lab/demo, without a slash at its end.

    Raises:
        InputError: it is neither.
    """
    address = urlsplit(re.sub("^//+", "/", given.strip()))
    host = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    is_plain = _PATH.fullmatch(address.path) and not (address.query or address.fragment)
    if not is_plain or address.scheme not in (("http", "https") if host else ("",)):
        raise InputError(
            f"GRADIO_ROOT_PATH is {quote(given)}; expected a path like /lab/demo or an address "
            "like https://example.org/lab/demo."
        )
    return host + "".join(f"/{part}" for part in address.path.split("/") if part)


class Below:
    """ASGI middleware that takes this path off each request that still has it.

    Starlette does so itself, but not for a whole address, and it takes /headlight off the path of
    the page's own files as well.
    """

    def __init__(self, app: ASGIApp, root: str, files: str) -> None:
        self._app, self._path, self._files = app, urlsplit(root).path, files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._path or scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path == self._path:  # the page's own links are relative to the path with a slash
            query = scope["query_string"].decode("latin-1")
            await RedirectResponse(f"{path}/?{query}".rstrip("?"))(scope, receive, send)
            return
        if path.startswith(f"{self._path}/") and not path.startswith(self._files):
            path = path.removeprefix(self._path)
        await self._app({**scope, "path": path, "root_path": ""}, receive, send)
