"""The files that browsers fetch in addition to the page: scripts, styles, words, facts, the
recorded example.

Every file has a path that changes with the content of all of them, so a browser may cache it
forever and never mixes two versions. The paths are those of the repository: a script imports
another one by the relative path that it has on disk. Nothing outside these lists is ever served.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import importlib.util
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from explorer import card, exhibits, recorded
from explorer.facts import fixed
from explorer.words import in_file
from model import shipped

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
EXHIBITS = ROOT / "explorer" / "exhibits"
FACE = "fonts/inter.woff2"  # for all text that is not Chinese
# Scripts that only a published model of another family needs; no other page fetches them.
FOREIGN = tuple(
    f"assets/{name}.js"
    for name in ("engine/cutters", "engine/foreign", "engine/normaliser", "vendor/tokenizers")
)
PLOTLY = "plotly.min.js"  # of the installed package; assets/kit/enlarge.js loads it on first use
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".safetensors": "application/octet-stream",
    ".spm": "application/octet-stream",
}


_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


def _compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def files() -> dict[str, bytes]:
    """Path below the route -> content, for everything built or read once at the start."""
    scripts = [*ASSETS.glob("favicon.svg"), ASSETS / FACE]
    for room in ("kit", "shell", "exchange", "engine", "vendor"):
        scripts += (ASSETS / room).rglob("*.js")
    for name in exhibits.NAMES:
        scripts += (EXHIBITS / name).glob("*.js")
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(scripts)}
    found["style.css"] = styles().encode()
    found["words.json"] = _compact(in_file())
    found["facts.json"] = _compact(fixed(exhibits.load()))
    for name in shipped.names():
        found[f"cards/{name}.txt"] = (shipped.FOLDERS[name] / card.CARD).read_bytes()
    for name in recorded.texts():
        found[f"recorded/{name}.json"] = (shipped.FOLDERS[name] / recorded.FILE).read_bytes()
    return found


@cache
def model_files() -> dict[str, Path]:
    """The same for the shipped models' own files, which are sent unchanged from the disk."""
    return {
        f"model/{name}/{file}": shipped.FOLDERS[name] / file
        for name in shipped.names()
        for file in card.FILES
    }


def styles() -> str:
    """All style sheets as one, without comments: the shell's, its parts', the kit's and each
    exhibit's.
    """
    shell = (ASSETS / "shell" / "style.css").read_text("utf-8")
    parts = [ASSETS / "shell" / f"{name}.css" for name in ("menu", "class")]
    own = [*parts, *sorted((ASSETS / "kit").glob("*.css"))]
    own += [EXHIBITS / name / "style.css" for name in exhibits.NAMES]
    rules = "\n".join(file.read_text("utf-8") for file in own if file.exists())
    return _COMMENT.sub("", f"{shell}\n.gradio-container.gradio-container {{\n{rules}\n}}")


@cache
def assets_path() -> str:
    """The path of the files for the browser, which changes with their content."""
    digest = hashlib.sha256(importlib.metadata.version("plotly").encode())
    for name, content in files().items():
        digest.update(name.encode() + b"\0" + content)
    for file in model_files().values():
        digest.update(file.read_bytes())
    return f"/headlight/{digest.hexdigest()[:12]}/"


@cache
def plotly_file() -> Path:
    """The browser's half of the installed plotly package, located without importing it."""
    found = importlib.util.find_spec("plotly")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent / "package_data" / PLOTLY


def assets_route() -> Route:
    """The route that serves only these files, plotly.min.js and the shipped models' files."""
    return Route(f"{assets_path()}{{path:path}}", _respond)


@cache
def _compressed(path: str) -> bytes:
    return gzip.compress(plotly_file().read_bytes() if path == PLOTLY else files()[path], 6)


async def _respond(request: Request) -> Response:
    path = request.path_params["path"]
    own = model_files()
    if path not in {PLOTLY, *own, *files()}:
        return Response(status_code=404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    kind = _TYPES[Path(path).suffix]
    if path in own:  # weights hardly compress, and the visitor sees the progress
        return FileResponse(own[path], media_type=kind, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(_compressed(path), media_type=kind, headers=headers)
    if path == PLOTLY:
        return FileResponse(plotly_file(), media_type=kind, headers=headers)
    return Response(files()[path], media_type=kind, headers=headers)
