"""The page below a path: behind proxies that take the path off or leave it on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from fastapi import FastAPI

from explorer.guard.below import root_path
from explorer.page import build
from explorer.serving import launch_settings
from model.errors import InputError
from model.explain import Explainer
from tests.browsing import free_port
from tests.loops import run
from tests.tiny import only

FILES = (
    "style.css", "assets/shell/start.js", "assets/fonts/inter.woff2", "assets/engine/worker.js",
    "model/en-zh/model.safetensors", "words.json", "saved", "engine/", "lesson/masks",
)  # fmt: skip
FORWARDED = {"x-forwarded-host": "example.org, 10.0.0.1", "x-forwarded-proto": "https"}


class Running(NamedTuple):
    app: FastAPI
    path: str


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("", ""),
        ("/", ""),
        ("/lab/demo", "/lab/demo"),
        (" /lab/demo/ ", "/lab/demo"),
        ("lab/demo", "/lab/demo"),
        ("//lab//demo//", "/lab/demo"),
        ("/headlight", "/headlight"),  # the first folder of the page's own files, too
        ("/user/a.b@c/proxy/7860/", "/user/a.b@c/proxy/7860"),
        ("/a/b/c/d/e", "/a/b/c/d/e"),
        ("https://example.org/lab/demo/", "/lab/demo"),
        ("https://example.org", ""),
        ("ftp://example.org/lab", None),
        ("/lab demo", None),
        ("/lab?x=1", None),
    ],
)
def test_a_root_path_is_read(given: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(InputError, match="expected a path like /lab/demo"):
            root_path(given)
    else:
        assert urlsplit(root_path(given)).path == path


@pytest.fixture(params=["", "/lab/demo/", "a/b/c", "/headlight", "https://example.org/lab/demo"])
def running(
    request: pytest.FixtureRequest, explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Running]:
    """The page as it is launched below a path, and that path."""
    monkeypatch.setenv("GRADIO_ROOT_PATH", request.param)
    models = only(lambda: explainer)
    models.default.get(timeout=10)
    blocks, settings = build(models), launch_settings(models)
    address = {"server_name": "127.0.0.1", "server_port": free_port()}
    blocks.launch(prevent_thread_lock=True, quiet=True, **address, **settings)
    yield Running(blocks.app, urlsplit(settings["root_path"]).path)
    blocks.close()


@pytest.mark.slow
def test_the_page_and_its_files_arrive(running: Running) -> None:
    app, path = running
    outside = f"http://test{path}/"

    async def visit(client: httpx.AsyncClient, keeps: bool) -> None:
        async def get(url: str) -> httpx.Response:
            assert url.startswith(outside), f"{url} is outside of {outside}"
            return await client.get(url if keeps else url.replace(outside, "http://test/", 1))

        page = (await get(outside)).text
        (style,) = re.findall(r"\./headlight/\w+/style\.css", page)
        assert urlsplit(re.findall(r'"root":"([^"]*)"', page)[0]).path == path
        for name in FILES:
            assert (await get(urljoin(urljoin(outside, style), name))).status_code == 200, name
        for name in ("health", "gradio_api/info", "gradio_api/queue/status"):
            assert (await get(urljoin(outside, name))).status_code in (200, 503), name
        if path and keeps:
            bare = await client.get(f"{outside[:-1]}?view=tree")
            assert bare.headers["location"] == f"{path}/?view=tree"

    async def visits() -> None:
        for headers in ({}, FORWARDED):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, headers=headers) as client:
                await visit(client, keeps=False)
                await visit(client, keeps=True)

    run(visits())
