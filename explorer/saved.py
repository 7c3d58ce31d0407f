"""A session saved as one file: the page's own templates, styles and scripts in one HTML document.

The browser adds the session itself (assets/shell/saving.js). A page opened from disk cannot import
scripts from there, so each script is a `data:` address in an import map, and imports the others by
their names in the map.
"""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re
from collections.abc import Collection
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer import exhibits
from explorer.exchange.reply import to_json
from explorer.parts import PARTS, UNTRANSLATED, standing
from explorer.static import FACE, FOREIGN, assets_path, files

PREFIX = "headlight/"
SESSION = "<!--session-->"  # the place of the session
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.[^"']+)\2""")
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)  # whose imports are of types
_NAME = re.compile(rf"""["'`]({PREFIX}[^"'`]+\.js)["'`]""")

# Nothing is loaded from anywhere, whatever a visitor's text contains.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)


@cache
def saved_page(alone: str | None = None) -> str:
    """The document without the session; given a view, only that view without the frame."""
    shown = tuple(one for one in exhibits.load() if alone in (None, one.name))
    kept = {one.name for one in shown if one.saved}
    frame = "" if alone is None else " data-alone"
    imports = json.dumps({"imports": scripts("saved", kept)})
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>Headlight</title>{policy}'
        f'{UNTRANSLATED}<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{styles()}</style>"
        f'<script type="importmap">{imports}</script></head>'
        f'<body data-saved{frame} style="margin:0">'
        f"{standing(shown)}{SESSION}"
        f'<script type="module">import "{PREFIX}assets/shell/saved.js";</script></body></html>\n'
    )


def with_session(page: str, session: object) -> str:
    """The document with a session, whose texts cannot end the script that contains them."""
    script = f'<script type="application/json" id="headlight-session">{to_json(session)}</script>'
    return page.replace(SESSION, script)


def saved_route() -> Route:
    """The route of the document."""

    async def respond(request: Request) -> Response:
        content, headers = saved_page().encode(), {"Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["Content-Encoding"] = _compressed(), "gzip"
        # As text: opened directly it would be a page without a session.
        return Response(content, media_type="text/plain", headers=headers)

    return Route(f"{assets_path()}saved", respond)


@cache
def _compressed() -> bytes:
    return gzip.compress(saved_page().encode(), 6)


def styles() -> str:
    """Return the page's styles, with the text face in them."""
    face = base64.b64encode(files()[f"assets/{FACE}"]).decode()
    styles = files()["style.css"].decode()
    return styles.replace(f"url(assets/{FACE})", f"url(data:font/woff2;base64,{face})")


def scripts(first: str, kept: set[str], more: Collection[str] = ()) -> dict[str, str]:
    """Return the name of each script that the document needs, and the script as an address.

    It needs those that the `first` leads to, the parts of the page and the `kept` exhibits; `more`
    are those of `FOREIGN` that it needs too. A comment that imports a type leads nowhere.
    """
    sources = {
        PREFIX + path: _renamed(path, content.decode())
        for path, content in files().items()
        if path.endswith(".js") and _is_needed(path, kept) and path not in {*FOREIGN} - {*more}
    }
    # What a script only names when it runs: the parts, and the exhibits' views.
    named = (f"assets/shell/{part}.js" for part in (first, *PARTS, "exhibits", "lesson", "page"))
    views = (path for path in sources if path.endswith("/view.js"))
    ahead = [*(PREFIX + path for path in (*named, *more)), *views]
    needed: set[str] = set()
    while ahead:
        name = ahead.pop()
        if name in sources and name not in needed:
            needed.add(name)
            ahead += _NAME.findall(_COMMENT.sub("", sources[name]))
    return {name: _address(source) for name, source in sources.items() if name in needed}


def _is_needed(path: str, kept: set[str]) -> bool:
    folder, _, rest = path.removeprefix("explorer/exhibits/").partition("/")
    return not path.startswith("explorer/") or (folder in kept and bool(rest))


def _renamed(path: str, source: str) -> str:
    """The script with its paths replaced by names of the map."""
    folder = posixpath.dirname(path)

    def name(found: re.Match[str]) -> str:
        start, quote, target = found.groups()
        return f"{start}{quote}{PREFIX}{posixpath.normpath(f'{folder}/{target}')}{quote}"

    return _IMPORT.sub(name, source)


def _address(source: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()
