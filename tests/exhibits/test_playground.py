"""Training on the page: what is drawn is what Python trains, and runs end as visitors want it."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import calls
from explorer.exhibits import playground
from explorer.static import assets_path
from explorer.words import WORDS
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from tests.browsing import Server, Watched

Open = Callable[..., Watched]

SMALL = Settings(length=3, alphabet=4, d_model=16, d_ff=16, heads=2, batch=8, updates=30)
PATIENCE = 120_000

# ---------------------------------------------------------------------------------- the route


def post(name: str, body: object, **headers: str) -> Any:
    client = TestClient(Starlette(routes=[calls.calls_route()]))
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = {"content-type": "application/json", **headers}
    return client.post(f"{assets_path()}call/{name}", content=content, headers=kind)


def test_examples_are_asked_for_without_a_model() -> None:
    reply = post("playground_examples", {"settings": {"task": "add"}}).json()["payload"]
    assert reply["parameters"] == Settings(task="add").parameters
    for source, target in reply["pairs"]:
        a, b = source.split("+")
        assert int(a) + int(b) == int(target[::-1])


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"[" * 4000,
        {"settings": {"layers": 10**6}}, {"settings": {"task": {"a": 1}}},
        {"settings": {"updates": 1e9}}, {"settings": {"d_model": "64; import os"}},
        {"settings": [1]}, {}, {"settings": {"layers": 6, "d_model": 128, "d_ff": 512}},
    ],
)  # fmt: skip
def test_hostile_calls_get_a_sentence(body: object) -> None:
    reply = post("playground_examples", body).json()
    assert reply["message"]["en"] and reply["message"]["zh"]
    assert reply["message"]["en"] != WORDS["error.unexpected"].en


def test_a_call_is_json_and_small() -> None:
    assert post("playground_examples", {}, **{"content-type": "text/plain"}).status_code == 415
    assert post("playground_examples", {"settings": "x" * 10_000}).status_code == 413
    assert "message" in post("no_such_call", {}).json()
    wrong = {"settings": {}, "visitor": "x" * 100, "since": 0, "paused": False}
    assert "message" in post("playground_follow", wrong).json()
    assert playground.POOL.started == 0


# ----------------------------------------------------------------------------------- the page


@pytest.fixture
def opened(open_page: Open) -> Watched:
    watched = open_page("?view=playground")
    watched.page.wait_for_selector(".hl-play-examples li", timeout=PATIENCE)
    return watched


def make_small(page: Page, **changes: Any) -> None:
    """Set the form to `SMALL`, as a visitor would."""
    page.click(".hl-play-presets button:last-child")
    for name in ("length", "alphabet"):
        type_in(page, name, getattr(SMALL, name))
    for summary in page.query_selector_all(".hl-play-form details:not([open]) summary"):
        summary.click()
    for name in ("heads", "batch", "updates"):
        type_in(page, name, changes.get(name, getattr(SMALL, name)))
    for name in ("d_model", "d_ff"):
        page.select_option(f".hl-play-{name} select", str(getattr(SMALL, name)))


def type_in(page: Page, name: str, value: object) -> None:
    """Type a number at once: a redraw between two keys would write the old one again."""
    page.eval_on_selector(
        f".hl-play-{name} .hl-typed",
        "(field, value) => { field.value = value; field.dispatchEvent(new Event('change')); }",
        str(value),
    )


def wait_until(page: Page, state: str) -> None:
    page.wait_for_selector(f".hl-play-status[data-state={state}]", timeout=PATIENCE)


def downloaded(page: Page, form: str) -> str:
    with page.expect_download() as waiting:
        page.click(f".hl-play-below [data-format={form}]")
    return waiting.value.path().read_text("utf-8-sig")


@pytest.mark.browser
def test_what_is_drawn_is_what_python_trains(opened: Watched) -> None:
    page = opened.page
    make_small(page)
    page.click(".hl-play-train")
    wait_until(page, "done")
    result = train(SMALL)
    (told,) = json.loads(downloaded(page, "json"))
    assert Settings.from_dict(told["settings"]) == SMALL
    for name in ("free_accuracy", "teacher_forced_accuracy", "loss", "updates", "parameters"):
        assert told["result"][name] == getattr(result, name)
    assert [one["loss"] for one in told["curve"]] == [one.loss for one in result.frames]
    rows = [line.split(",") for line in downloaded(page, "csv").strip().splitlines()[1:]]
    assert [int(row[1]) for row in rows] == [one.update for one in result.frames]
    # The map that is drawn, read cell by cell by its keyboard.
    weights = result.frames[-1].attention["cross"][0, 0]
    page.focus(".hl-play-heads .hl-small-field")
    for col in range(3):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            """(weight) => {
                const said = document.querySelector(".hl-play-maps .hl-note b")?.textContent ?? "";
                return Math.abs(Number(said.split(" ").at(-1)) - weight) < 0.008;
            }""",
            arg=float(weights[0, col + 1]),
        )
    # Step back: the slider goes through what was recorded.
    page.fill(".hl-play-at [type=range]", "0")
    page.wait_for_selector(".hl-play-at output:text-is('update 0')")
    assert opened.errors == []


@pytest.mark.browser
def test_start_pause_go_on_stop_and_compare(opened: Watched) -> None:
    page = opened.page
    make_small(page, updates=3000)
    page.click(".hl-play-train")
    page.wait_for_selector(".hl-play-heads canvas", timeout=PATIENCE)
    page.click(".hl-play-pause")
    page.wait_for_function(
        "() => document.querySelector('.hl-play-status').textContent.includes('paused')",
        timeout=PATIENCE,
    )
    page.wait_for_timeout(700)
    before = page.text_content(".hl-play-status")
    page.wait_for_timeout(500)
    assert page.text_content(".hl-play-status") == before
    page.click(".hl-play-pause")
    page.wait_for_function(
        "(before) => document.querySelector('.hl-play-status').textContent !== before",
        arg=before,
        timeout=PATIENCE,
    )
    page.click(".hl-play-stop")
    wait_until(page, "stopped")
    # Two runs, laid over each other, and what they differ in.
    type_in(page, "updates", 30)
    page.click(".hl-play-train")
    wait_until(page, "done")
    page.check(".hl-play-controls .hl-toggle input")
    page.uncheck(".hl-play-positions input")
    page.click(".hl-play-train")
    page.wait_for_selector(".hl-play-results tbody tr:nth-child(2)", timeout=PATIENCE)
    assert page.text_content(".hl-play-apart") == "Positions: A on, B off"
    told = json.loads(downloaded(page, "json"))
    assert [one["result"]["loss"] for one in told] == [
        train(SMALL).loss,
        train(replace(SMALL, positions=False)).loss,
    ]
    assert opened.errors == []


@pytest.mark.browser
def test_a_question_asks_first_and_tells_after(opened: Watched) -> None:
    page = opened.page
    # The first preset, with both runs made tiny, so that the test is short.
    page.evaluate(
        """(small) => {
            const { constants } = headlight.page.shared;
            const [preset] = constants.playground.presets;
            preset.first = small;
            preset.second = { ...small, positions: false };
        }""",
        json.loads(SMALL.to_json()),
    )
    page.check(".hl-play-guess input[value=failed]")
    page.click(".hl-play-train")
    said = (page.text_content(".hl-play-verdict", timeout=PATIENCE) or "").strip()
    free = train(replace(SMALL, positions=False)).free_accuracy
    assert said.startswith("As you guessed: few." if free < 0.4 else "You guessed few;")
    assert f"{100 * free:.1f} % with the change" in said
    assert opened.errors == []


@pytest.mark.browser
def test_a_bad_setting_gets_a_sentence_on_the_page(opened: Watched) -> None:
    page = opened.page
    make_small(page)
    type_in(page, "heads", 5)
    page.wait_for_selector(".hl-play-form .hl-failed")
    assert "even multiple of n_heads (5)" in (page.text_content(".hl-play-form .hl-failed") or "")
    page.click(".hl-play-train")
    page.wait_for_selector(".hl-play-controls .hl-failed")
    assert opened.errors == []


def call(server: Server, name: str, **body: object) -> Any:
    """A call to the running page, as another visitor's browser makes it."""
    url = f"{server.url.rstrip('/')}{assets_path()}call/{name}"
    kind = {"Content-Type": "application/json"}
    asked = urllib.request.Request(url, json.dumps(body).encode(), kind, method="POST")
    with urllib.request.urlopen(asked, timeout=30) as reply:
        return json.loads(reply.read())["payload"]


@pytest.mark.browser
def test_a_visitor_who_leaves_makes_room_for_the_next(opened: Watched, server: Server) -> None:
    page = opened.page
    page.click(".hl-play-presets button:last-child")
    page.click(".hl-play-form details:last-of-type summary")
    type_in(page, "updates", 5000)
    page.click(".hl-play-train")
    page.wait_for_selector(".hl-play-heads canvas", timeout=PATIENCE)
    mine = json.loads(replace(SMALL, seed=77).to_json())
    other = {"settings": mine, "visitor": "x", "since": 0, "paused": False}
    assert call(server, "playground_follow", **other)["place"] == 1
    page.close()
    started = time.monotonic()
    while call(server, "playground_follow", **other)["state"] == "waiting":
        assert time.monotonic() - started < 2
        time.sleep(0.05)
    call(server, "playground_leave", visitor="x")
