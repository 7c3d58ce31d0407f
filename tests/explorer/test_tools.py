"""MCP with its official client: every tool is listed and called, and the route is bounded."""

from __future__ import annotations

import json
import threading
import time
from ast import literal_eval
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from mcp.types import CallToolResult, TextContent
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from explorer import api
from explorer.api import Api
from explorer.exchange.explain import explain
from explorer.guard import tools
from explorer.models import Listed, Models
from explorer.page import build
from explorer.serving import launch_settings
from model.explain import Explainer
from tests.loops import run
from tests.tiny import only, write_own

TEXT = "I am a small frog."
CALLS: dict[str, dict[str, Any]] = {
    "translate": {"text": TEXT},
    "attention": {"text": TEXT, "kind": "cross", "layer": 2, "head": 1},
    "beam_search": {"text": TEXT, "beam_size": 2},
    "next_token": {"text": TEXT, "most": 3},
    "ablate": {"text": TEXT, "heads": ["cross.2.1"]},
    "occlusion": {"text": TEXT},
    "measure": {"text": TEXT, "head": "cross.2.1"},
    "why": {"text": TEXT, "step": 1, "instead_of": "<0x30>"},
    "transplant": {"text": TEXT, "into": "I am a small."},
    "measurements": {},
    "languages": {},
    "arrays": {"text": TEXT, "beam_size": 2},
}
Served = tuple[str, Models, Explainer]


@pytest.fixture(scope="module")
def served(explainer: Explainer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    other = Explainer.load(write_own(tmp_path_factory.mktemp("other") / "tiny", seed=5), "cpu")
    models = Models(
        [Listed("tiny", "tiny", lambda: explainer), Listed("other", "other", lambda: other)]
    )
    demo = build(models)
    _, url, _ = demo.launch(
        server_name="127.0.0.1", prevent_thread_lock=True, quiet=True, mcp_server=True,
        **launch_settings(models),
    )  # fmt: skip
    yield f"{url}gradio_api/mcp/", models, other
    demo.close()


@asynccontextmanager
async def session(address: str, **headers: str) -> AsyncIterator[ClientSession]:
    async with (
        streamablehttp_client(address, headers) as (read, write, _),
        ClientSession(read, write) as found,
    ):
        await found.initialize()
        yield found


def asked(address: str, work: Callable[[ClientSession], Awaitable[Any]], **headers: str) -> Any:
    async def whole() -> Any:
        async with session(address, **headers) as found:
            return await work(found)

    return run(whole())


def text(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.slow
def test_every_tool_is_listed_with_its_arguments_and_called(served: Served) -> None:
    """For a model that is not the first: what the endpoint says where that one is alone."""
    address, _, other = served

    async def work(client: ClientSession) -> tuple[Any, dict[str, CallToolResult]]:
        listed = (await client.list_tools()).tools
        calls = CALLS.items()
        return listed, {n: await client.call_tool(n, {**a, "model": "other"}) for n, a in calls}

    listed, results = asked(address, work)
    assert {tool.name for tool in listed} == set(CALLS)
    for tool in listed:
        assert tool.description
        for given in tool.inputSchema["properties"].values():
            assert given["description"]
    alone = Api(only(lambda: other))
    for name, arguments in CALLS.items():
        kind, body = alone.answer({"endpoint": name, "arguments": arguments})
        assert results[name].isError == (kind == "message"), name
        if kind == "message":
            assert json.loads(body)["en"] in text(results[name])
        else:
            assert literal_eval(text(results[name])) == json.loads(body), name
    assert not results["translate"].isError and not results["why"].isError


def test_a_call_keeps_its_own_address_and_gives_its_place_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Gradio calls the endpoint from this machine, with these headers; a client claims anything."""
    arrived: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        arrived.append(scope)
        await JSONResponse({})(scope, receive, send)

    app.get_blocks = lambda: SimpleNamespace(mcp_server=True)  # type: ignore[attr-defined]
    guarded = tools.Tools(app)
    monkeypatch.setattr(tools, "AT_ONCE", 1)

    async def visit(scope: Scope, receive: Receive, send: Send) -> None:
        await guarded({**scope, "app": app}, receive, send)

    async def call() -> int:
        transport = httpx.ASGITransport(visit, client=("9.9.9.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
            claimed = {"X-Forwarded-For": "10.1.2.3", "Forwarded": "for=10.1.2.3"}
            return (await client.post("/gradio_api/mcp/", headers=claimed)).status_code

    assert [run(call()), run(call())] == [200, 200]
    headers = Headers(scope=arrived[-1])
    assert headers.getlist("x-forwarded-for") == ["9.9.9.9"] and "forwarded" not in headers


@pytest.mark.slow
def test_what_no_client_needs_is_closed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    address, _, _ = served
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    assert httpx.post(address, json=call, headers=accept).status_code == 200
    for method in ("GET", "HEAD"):
        assert httpx.request(method, address, headers=accept).status_code == 405
    for path in ("sse", "schema", "messages/", "http"):
        for method in ("GET", "POST"):
            assert httpx.request(method, address + path).status_code == 404
    long = httpx.post(address, content=b" " * 2_000_001, headers=accept)
    assert long.status_code == 413
    monkeypatch.setattr(tools, "AT_ONCE", 0)
    refused = httpx.post(address, json=call, headers=accept)
    assert (refused.status_code, refused.json()) == (503, {"detail": tools.BUSY})


@pytest.mark.slow
def test_a_call_keeps_its_place_when_its_client_hangs_up(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, begun, go_on = served[0], threading.Event(), threading.Event()

    def slow(*given: Any) -> Any:
        begun.set()
        go_on.wait(60)
        return explain(*given)

    monkeypatch.setattr(api, "explain", slow)
    monkeypatch.setattr(tools, "AT_ONCE", 1)

    def sent(method: str, seconds: float, **params: Any) -> int:
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"accept": "application/json, text/event-stream"}
        return httpx.post(address, json=call, headers=headers, timeout=seconds).status_code

    with pytest.raises(httpx.ReadTimeout):
        sent("tools/call", 3, name="translate", arguments={"text": TEXT})
    assert begun.wait(60)
    time.sleep(0.5)  # the server has noticed
    assert sent("tools/list", 60) == 503
    go_on.set()
    end = time.monotonic() + 60
    while sent("tools/list", 60) == 503 and time.monotonic() < end:
        time.sleep(0.1)
    assert sent("tools/list", 60) == 200


@pytest.mark.slow
def test_without_it_the_address_says_how_to_start_it(explainer: Explainer) -> None:
    models = only(lambda: explainer)
    demo = build(models)
    _, url, _ = demo.launch(
        server_name="127.0.0.1", prevent_thread_lock=True, quiet=True, **launch_settings(models)
    )
    try:
        refused = httpx.post(f"{url}gradio_api/mcp/", json={})
    finally:
        demo.close()
    assert (refused.status_code, refused.json()) == (404, {"detail": tools.OFF})
