"""How a part of the page is made: a fixed piece of HTML, and a browser module that brings it alive.

The template never changes and never holds a value: Gradio runs `${...}` and braces of a template
as script. Words and data are written by the modules in `assets/`, as text.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.responses import FileResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ASSETS = Path(__file__).parents[1] / "assets"
_SERVED = (".js", ".css", ".svg")
PLOTLY = (
    "plotly.min.js"  # served from the installed package; assets/figure.js loads it on first use
)

# What Gradio runs when the template stands in the page. `start.js` waits for the words, then mounts
# the module. Behind a proxy Gradio's root may have the wrong scheme, so only its path is used.
# A failure before any words are there can only be told in the language of this file.
_MOUNT = """
const root = new URL(window.gradio_config?.root || "/", window.location.href);
import(window.location.origin + root.pathname.replace(/[/]$/, "") + props.assets + "start.js")
  .then((start) => start.mount(props.module, element, { props, trigger, watch }))
  .catch((error) => {
    console.error(error);
    element.textContent = "This part could not be loaded. Reload the page. 未能加载，请刷新。";
  });
"""


def view(module: str, template: str, *, elem_id: str, value: Any = None, **props: Any) -> gr.HTML:
    """A part of the page, drawn by `assets/<module>.js`; `props` are what that module is given."""
    # gr.HTML looks for the names of custom events in js_on_load; ours are all standard ones.
    return gr.HTML(
        value=value,
        html_template=template,
        js_on_load=_MOUNT,
        apply_default_css=False,
        elem_id=elem_id,
        module=module,
        assets=assets_path(),
        **props,
    )


@cache
def served() -> tuple[Path, ...]:
    """The files that browsers may have: those of the folder itself and of `exhibits/`."""
    found = (*ASSETS.iterdir(), *(ASSETS / "exhibits").iterdir())
    return tuple(sorted(file for file in found if file.suffix in _SERVED))


def styles() -> str:
    """All style sheets as one: the page's, then each exhibit's, nested to win as that does."""
    page = (ASSETS / "style.css").read_text("utf-8")
    own = [f for f in served() if f.suffix == ".css" and f.parent != ASSETS]
    rules = "\n".join(file.read_text("utf-8") for file in own)
    return f"{page}\n.gradio-container.gradio-container {{\n{rules}\n}}"


@cache
def assets_path() -> str:
    """Where the browser finds the assets.

    The path changes with their content: a browser may keep them for ever and mixes no versions.
    """
    digest = hashlib.sha256(importlib.metadata.version("plotly").encode())
    for file in served():
        digest.update(file.relative_to(ASSETS).as_posix().encode() + b"\0" + file.read_bytes())
    return f"/headlight/{digest.hexdigest()[:12]}/"


@cache
def plotly_file() -> Path:
    """The browser's half of the installed plotly package, found without importing it."""
    found = importlib.util.find_spec("plotly")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent / "package_data" / PLOTLY


def assets_route() -> Mount:
    """The route that serves browser code, styles and plotly.min.js, and nothing else."""
    return Mount(assets_path().rstrip("/"), app=_Assets(directory=ASSETS))


class _Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        if path == PLOTLY:
            response: Response = FileResponse(plotly_file())
        elif ASSETS / path in served():
            response = await super().get_response(path, scope)
        else:
            return Response(status_code=404)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
