"""The largest honest request is read, larger ones are not, and each wrong one gets a sentence."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from gradio.routes import App
from starlette.responses import JSONResponse

from explorer.guard.bodies import IS_LARGE, LIMITS, Bodies, Limits
from explorer.guard.unread import MAX_BYTES, PATIENCE
from explorer.page import WAITING, build
from explorer.serving import launch_settings
from explorer.words import WORDS
from model.explain import Explainer
from model.limits import MAX_CELLS, MAX_CHARACTERS, MAX_SOURCE_TOKENS, MAX_TARGET_TOKENS
from tests.loops import run
from tests.tiny import only

ROOT = Path(__file__).parents[2]
JOIN = "/gradio_api/queue/join"
MB_40 = 40_000_000
PLAIN = {"text": "I am a small frog.", "settings": {}}
FILE = {"path": "/etc/hostname", "meta": {"_type": "gradio.FileData"}}


def largest() -> dict[str, Any]:
    """Every cell of the three masks painted, the longest texts, and the largest question."""
    sizes = {
        "encoder_self": (MAX_SOURCE_TOKENS, MAX_SOURCE_TOKENS),
        "decoder_self": (MAX_TARGET_TOKENS, MAX_TARGET_TOKENS),
        "cross": (MAX_TARGET_TOKENS, MAX_SOURCE_TOKENS),
    }
    cells = [
        [kind, query, key, False]
        for kind, (queries, keys) in sizes.items()
        for query in range(queries)
        for key in range(keys)
    ]
    assert len(cells) == MAX_CELLS
    ids = [65_000] * MAX_TARGET_TOKENS  # of a large vocabulary
    heads = [[kind, layer, head] for kind in sizes for layer in range(6) for head in range(16)]
    return {
        "text": "🍕" * MAX_CHARACTERS,
        "begin": "我" * MAX_CHARACTERS,
        "settings": {"method": "beam_sampling", "beam_size": 16, "seed": 2**32 - 1},
        "prefix": ids,
        "interventions": {"cells": cells, "heads_off": heads},
        "question": "next_token",
        "arguments": {"ids": ids},
    }


def event(request: object, **fields: object) -> dict[str, Any]:
    return {"fn_index": 0, "session_hash": "session", "data": [request], **fields}


@pytest.fixture(scope="module")
def app(explainer: Explainer) -> App:
    models = only(lambda: explainer)
    return App.create_app(build(models), app_kwargs=launch_settings(models)["app_kwargs"])


def post(app: App, path: str, content: bytes | Iterable[bytes], **headers: str) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.post(path, content=content, headers=headers)

    headers = {"content-type": "application/json", **headers}
    return run(send())


def sentence(answer: httpx.Response) -> str:
    said = answer.json()["detail"]
    assert isinstance(said, str) and said.endswith(".") and "\n" not in said
    assert "Traceback" not in said and len(said) < 250
    return said


@pytest.mark.slow
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["browser", "Python"])
def test_the_largest_honest_request_passes(app: App, separators: tuple[str, str]) -> None:
    text = json.dumps(event(largest()), ensure_ascii=False, separators=separators)
    assert 1_300_000 < len(text.encode()) < LIMITS.size
    assert post(app, JOIN, text.encode()).status_code == 200


def test_the_limits_are_documented() -> None:
    told = (ROOT / "docs" / "scale.md").read_text("utf-8")
    for limit in (LIMITS.size, LIMITS.values, LIMITS.groups, LIMITS.large):
        assert f"{limit:,}" in told
    assert f"| waiting requests | {WAITING:,} |" in told
    assert f"| unread replies | {MAX_BYTES / 10**6:,.0f} MB |" in told
    assert f"| a session that fetches nothing | {PATIENCE:.0f} seconds |" in told


# ------------------------------------------------------------------------ what is not read


class Sender:
    """A visitor who sends a body in parts, in front of an app that takes whatever it gets."""

    def __init__(self, limits: Limits = LIMITS, waiting: int = 0) -> None:
        self.taken, self.seen, self.sent = 0, b"", []
        large = SimpleNamespace(request=SimpleNamespace(scope={IS_LARGE: True}))
        queue = SimpleNamespace(event_ids_to_events=dict.fromkeys(range(waiting), large))
        self._blocks = SimpleNamespace(_queue=queue, fns={})
        self.bodies = Bodies(self._app, limits)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen = (await receive())["body"]
        await JSONResponse({"detail": "taken"})(scope, receive, send)

    async def send(self, parts: Iterable[bytes], **headers: str) -> httpx.Response:
        rest = iter(parts)

        async def receive() -> dict[str, Any]:
            part = next(rest, None)
            if part is None:
                await asyncio.Event().wait()  # the visitor is silent
            self.taken += len(part)
            return {"type": "http.request", "body": part, "more_body": part != b""}

        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": "POST", "path": "/anything",
            "app": SimpleNamespace(get_blocks=lambda: self._blocks),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        await self.bodies(scope, receive, send)
        return httpx.Response(sent[0]["status"], content=sent[1]["body"])


def parts(size: int) -> Iterator[bytes]:
    yield from (b"1" * 65_536 for _ in range(size // 65_536))
    yield b""


def test_forty_megabytes_are_not_read() -> None:
    for headers, most in (({"content-length": str(MB_40)}, 0), ({}, LIMITS.size + 65_536)):
        sender, started = Sender(), time.thread_time()
        answer = run(sender.send(parts(MB_40), **headers))
        assert time.thread_time() - started < 0.1
        assert answer.status_code == 413 and "2,000,000 bytes" in sentence(answer)
        assert sender.taken <= most and sender.seen == b""


def test_what_is_small_enough_arrives_whole() -> None:
    sender = Sender()
    assert run(sender.send(parts(LIMITS.size - 65_536))).status_code == 200
    assert len(sender.seen) == sender.taken > LIMITS.size - 2 * 65_536


@pytest.mark.parametrize(
    "path", ["queue/join", "call/translate", "call/v2/translate", "run/reply", "cancel"]
)
def test_every_path_has_the_limit(app: App, path: str) -> None:
    answer = post(app, f"/gradio_api/{path}", b"1" * (LIMITS.size + 1))
    assert answer.status_code == 413 and sentence(answer)


@pytest.mark.parametrize("pattern", [b"1,", b"[],", b"{},", b'"a",'])
def test_a_body_of_many_values_is_not_parsed(app: App, pattern: bytes) -> None:
    """Each value costs some 50 bytes of memory once it is parsed."""
    content = b'{"data":[' + pattern * (LIMITS.size // len(pattern) - 100) + b"1]}"
    answer = post(app, JOIN, content)
    assert answer.status_code == 413 and "values" in sentence(answer)


def test_a_body_that_does_not_come_is_not_awaited() -> None:
    sender = Sender(Limits(seconds=0.05))
    answer = run(sender.send([b"{"]))
    assert answer.status_code == 408 and "0.05 seconds" in sentence(answer)


@pytest.mark.slow
def test_few_large_requests_at_once() -> None:
    async def send(waiting: int) -> list[int]:
        sender = Sender(Limits(at_once=2, seconds=0.3), waiting)
        silent = asyncio.create_task(sender.send([b"1" * 100_000]))  # holds a place for 0.3 s
        await asyncio.sleep(0.05)
        codes = [(await sender.send(parts(200_000))).status_code]
        codes.append((await sender.send([b"small", b""])).status_code)
        await silent
        codes.append((await sender.send(parts(200_000))).status_code)
        return codes

    assert run(send(waiting=0)) == [200, 200, 200]
    assert run(send(waiting=1)) == [503, 200, 200]
    assert run(send(waiting=2)) == [503, 200, 503]


# ------------------------------------------------------------------------ what nobody can answer

MALFORMED: list[tuple[str, object, str]] = [
    ("queue/join", b"", "cannot be read as JSON"),
    ("queue/join", b"{", "cannot be read as JSON"),
    ("queue/join", b"\xff\xfe", "cannot be read as JSON"),
    ("queue/join", b"[" * 100_000, "values"),
    ("queue/join", b"[" * 5_000, "cannot be read as JSON"),
    ("queue/join", b'{"fn_index": ' + b"1" * 5_000 + b"}", "cannot be read as JSON"),
    ("queue/join", [], "The body is []; expected a JSON object"),
    ("queue/join", 3, "The body is 3"),
    ("queue/join", event(PLAIN, fn_index=99_999), "fn_index is 99999; expected one of 0, 2, 4"),
    ("queue/join", event(PLAIN, fn_index=-1), "fn_index is -1"),
    ("queue/join", event(PLAIN, fn_index=1), "fn_index is 1;"),  # it has no Python
    ("queue/join", event(PLAIN, fn_index=10**400), "fn_index is 1000"),
    ("queue/join", event(PLAIN, fn_index="0"), "fn_index is '0'"),
    ("queue/join", event(PLAIN, fn_index=True), "fn_index is True"),
    ("queue/join", event(PLAIN, fn_index=None), "fn_index is None"),
    ("queue/join", event(PLAIN, data=[]), "data has 0 values; expected 1: sent"),
    ("queue/join", event(PLAIN, data=[1, 2]), "data has 2 values"),
    ("queue/join", event(PLAIN, data={}), "data is {}; expected a list"),
    ("queue/join", event(PLAIN, data=None), "data is None"),
    ("queue/join", {"fn_index": 0, "session_hash": "a"}, "data is None"),
    ("queue/join", event(PLAIN, session_hash=""), "session_hash is ''"),
    ("queue/join", event(PLAIN, session_hash=None), "session_hash is None"),
    ("queue/join", event(PLAIN, session_hash=3), "session_hash is 3"),
    ("queue/join", event(PLAIN, session_hash="\ud800"), "session_hash is"),
    ("queue/join", event(PLAIN, session_hash="x" * 10_000), "session_hash is 'xxx"),
    ("queue/join", event(PLAIN, trigger_id="x"), "trigger_id cannot be used"),
    ("queue/join", event(PLAIN, event_id=3), "event_id cannot be used"),
    ("queue/join", event(PLAIN, oauth_token=[]), "oauth_token cannot be used"),
    ("call/nothing", {"data": []}, "no endpoint 'nothing'; expected one of translate, attention"),
    ("call/translate", {"data": []}, "data has 0 values; expected 3: text, beam_size, model"),
    ("call/translate", {}, "data is None"),
    ("call/translate", {"data": ["a"]}, "data has 1 value; expected 3: text, beam_size, model."),
    ("call/measurements", {"data": ["a", 4]}, "data has 2 values; expected 1: model."),
    ("call/measurements", {}, "data is None; expected a list of 1: model."),
    ("call/v2/measurements", {"head": 1}, "There is no argument 'head'; expected model."),
    ("call/translate", {"data": ["a", 4], "session_hash": "ä"}, "session_hash is 'ä'"),
    ("call/v2/nothing", {}, "no endpoint 'nothing'"),
    ("call/v2/translate", {}, "argument text is missing"),
    ("call/v2/translate", {"text": "a", "beams": 4}, "no argument 'beams'; expected text, beam"),
    ("run/nothing", {"data": []}, "no endpoint 'nothing'"),
    ("run/predict", event(PLAIN, fn_index=99_999), "fn_index is 99999"),
    # What gradio_client makes of a file, and what only looks like one, at any depth.
    ("queue/join", event(FILE), "A file, '/etc/hostname', stands in place of a value"),
    ("queue/join", event(PLAIN | {"text": FILE}), "A file"),
    ("call/translate", {"data": [FILE, 4, ""]}, "send the text itself"),
    ("call/ablate", {"data": ["a", [[FILE]]]}, "A file"),
    ("call/v2/translate", {"text": FILE | {"url": "http://127.0.0.1/x"}}, "A file"),
    ("run/translate", {"data": [FILE | {"meta": 5}]}, "A file"),
    ("cancel", {}, "session_hash cannot be used"),
    ("reset", [], "The body cannot be used"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body", "fragment"), MALFORMED)
def test_what_no_function_takes_gets_a_sentence(
    app: App, path: str, body: object, fragment: str
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = post(app, f"/gradio_api/{path}", content)
    assert answer.status_code in (400, 413)
    assert fragment in sentence(answer)


@pytest.mark.parametrize(("path", "body"), [
    ("queue/join", event(PLAIN)),
    ("queue/join", event(PLAIN, trigger_id=7, event_data=None)),  # as a browser sends it
    ("call/translate", {"data": ["a", 4, "en-zh"]}),
    ("call/translate", {"data": ["a", 4]}),  # the model may be left out, as before it had a place
    ("call/measurements", {"data": []}),
    ("call/v2/translate", {"text": "a"}),
])  # fmt: skip
@pytest.mark.slow
def test_what_a_function_takes_is_passed_on(app: App, path: str, body: object) -> None:
    answer = post(app, f"/gradio_api/{path}", json.dumps(body).encode())
    assert answer.status_code == 200 and answer.json()["event_id"]


def test_no_request_goes_round_the_queue(app: App) -> None:
    answer = post(app, "/gradio_api/run/translate", json.dumps({"data": ["a", 4]}).encode())
    assert answer.status_code == 404 and "queue" in sentence(answer)


def test_a_defect_is_a_sentence_and_is_logged(
    app: App, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "get_blocks", lambda _: None)
    with caplog.at_level(logging.ERROR):
        answer = post(app, JOIN, json.dumps(event(PLAIN)).encode())
    assert (answer.status_code, sentence(answer)) == (500, WORDS["error.unexpected"].en)
    assert "AttributeError" in caplog.text
