"""Which routes the server answers: all others of Gradio's are closed, and nothing is written."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from gradio.routes import App
from starlette.routing import BaseRoute

from explorer.page import build
from explorer.serving import launch_settings
from model.explain import Explainer
from tests.loops import run
from tests.tiny import only

# What the page, gradio_client and a monitor ask for, and the programs of docs/api.md.
OPEN = {
    ("GET", "/"), ("HEAD", "/"), ("GET", "/health"), ("GET", "/config"), ("GET", "/config/"),
    ("GET", "/theme.css"), ("GET", "/favicon.ico"), ("GET", "/robots.txt"),
    ("GET", "/manifest.json"), ("GET", "/pwa_icon"), ("GET", "/pwa_icon/{size}"),
    ("GET", "/static/{path:path}"), ("GET", "/assets/{path:path}"),
    ("GET", "/gradio_api/info"), ("GET", "/gradio_api/info/"), ("GET", "/gradio_api/openapi.json"),
    ("GET", "/gradio_api/startup-events"), ("GET", "/gradio_api/theme.css"),
    ("GET", "/gradio_api/app_id"), ("GET", "/gradio_api/app_id/"), ("GET", "/gradio_api/user"),
    ("GET", "/gradio_api/user/"), ("GET", "/gradio_api/login_check"),
    ("GET", "/gradio_api/login_check/"), ("GET", "/gradio_api/heartbeat/{session_hash}"),
    ("GET", "/gradio_api/queue/data"), ("GET", "/gradio_api/queue/status"),
    ("GET", "/gradio_api/call/{api_name}/{event_id}"), ("POST", "/gradio_api/queue/join"),
    ("POST", "/gradio_api/cancel"), ("POST", "/gradio_api/reset"), ("POST", "/gradio_api/reset/"),
    *(("POST", f"/gradio_api/{way}/{{api_name}}{end}") for way in ("call", "call/v2", "run", "api")
      for end in ("", "/")),
}  # fmt: skip


@pytest.fixture(scope="module")
def app(explainer: Explainer) -> App:
    models = only(lambda: explainer)
    return App.create_app(build(models), app_kwargs=launch_settings(models)["app_kwargs"])


def routes(app: App) -> Iterator[tuple[str, str]]:
    """Every method and path of the server; FastAPI keeps the routes of a router below it."""

    def below(found: list[BaseRoute]) -> Iterator[BaseRoute]:
        for one in found:
            inner = getattr(one, "original_router", None)
            yield from below(inner.routes) if inner is not None else [one]

    for route in below(app.router.routes):
        path = getattr(route, "path", "")
        if isinstance(route, APIRoute) and not path.startswith("/headlight"):
            yield from ((method, path) for method in route.methods)


def test_no_route_is_open_that_is_not_needed(app: App) -> None:
    async def refused() -> set[tuple[str, str]]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        found = set()
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            for method, path in set(routes(app)) - OPEN:
                answer = await client.request(method, path.replace("{", "").replace("}", ""))
                if answer.status_code == 404 and (method == "HEAD" or "not offer" in answer.text):
                    found.add((method, path))
        return found

    every = set(routes(app))
    assert len(every) > 60, "Gradio keeps its routes elsewhere"
    assert every - run(refused()) == OPEN - {("GET", "/health")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["upload", "upload/", "process_recording", "vibe-code", "stream/a", "component_server"]
)
def test_nothing_that_is_sent_is_kept(app: App, path: str) -> None:
    kept = Path(tempfile.gettempdir()) / "gradio"
    before = sorted(kept.rglob("*"))

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            files = [("files", (f"{i}.txt", b"x" * 1_000)) for i in range(5)]
            return await client.post(f"/gradio_api/{path}", files=files)

    answer = run(send())
    assert (answer.status_code, sorted(kept.rglob("*"))) == (404, before)
    said = answer.json()["detail"]
    assert said.startswith("This server does not offer POST") and len(said) < 200
