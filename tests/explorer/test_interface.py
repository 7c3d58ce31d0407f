"""The page as Gradio gets it, and the files that the browser gets."""

from __future__ import annotations

import inspect
import json
import os
import re
from pathlib import Path

import gradio as gr
import pytest
from fastapi import FastAPI
from gradio.state_holder import StateHolder
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import card, exhibits, onefile, openers, publish, recorded
from explorer.examples import opening
from explorer.exchange.payload import FORMAT
from explorer.models import Models
from explorer.page import LOOK, WAITING, build
from explorer.saved import saved_page
from explorer.serving import launch_settings
from explorer.static import assets_path, assets_route, files, model_files
from model import shipped

EXHIBITS = exhibits.load()


@pytest.fixture
def blocks(models: Models) -> gr.Blocks:
    return build(models)


def parts(blocks: gr.Blocks) -> dict[str, dict]:
    """The properties of every named component."""
    components = blocks.get_config_file()["components"]
    return {c["props"]["elem_id"]: c["props"] for c in components if c["props"].get("elem_id")}


def test_every_exhibit_is_laid_out(blocks: gr.Blocks) -> None:
    found = parts(blocks)
    template = found["hl-exhibits"]["html_template"]
    names = [exhibit.name for exhibit in EXHIBITS]
    for name in names:
        assert f'id="panel-{name}"' in template
        assert f"explorer/exhibits/{name}/view.js" in files()
    told = json.loads(files()["facts.json"])
    assert [one["name"] for one in told["exhibits"]] == names


def test_templates_hold_nothing_that_gradio_runs(blocks: gr.Blocks) -> None:
    for props in parts(blocks).values():
        for sign in ("${", "{{", "\\", "@children"):
            assert sign not in props["html_template"]


@pytest.mark.parametrize("number", [1, None])
def test_a_visitor_gets_no_answer_of_a_program(blocks: gr.Blocks, number: int | None) -> None:
    call = {"endpoint": "languages", "arguments": {}, "number": number}
    channels = [fn.fn for fn in blocks.fns.values() if fn.inputs and fn.api_visibility == "private"]
    assert len(channels) == 2
    for ask in channels:
        assert ask is not None and set(json.loads(ask(call))) == {"number", "message"}


@pytest.mark.slow
def test_the_model_works_behind_one_bounded_queue(blocks: gr.Blocks) -> None:
    assert blocks._queue.max_size == WAITING
    assert not blocks.api_open, "a request that goes round the queue is not counted by it"
    working = [fn for fn in blocks.fns.values() if fn.fn is not None]
    assert {fn.concurrency_id for fn in working} == {"model"}


def test_nobody_asking_takes_no_core(blocks: gr.Blocks) -> None:
    """The queue looks for work as often as the page says, and Gradio still reads it there."""
    assert blocks._queue.sleep_when_free == LOOK < 0.02
    assert "sleep_when_free" in inspect.getsource(type(blocks._queue).start_processing)


def test_only_the_endpoints_are_public(blocks: gr.Blocks) -> None:
    names = ["translate", "attention", "beam_search", "next_token", "ablate", "occlusion"]
    names += ["measure", "why", "transplant", "measurements", "languages", "arrays"]
    assert list(blocks.get_api_info()["named_endpoints"]) == [f"/{name}" for name in names]


@pytest.mark.slow
def test_the_language_is_the_servers_choice(models: Models) -> None:
    first, second = parts(build(models)), parts(build(models, "zh"))
    assert first["hl-page"]["props"]["facts"]["language"] == "auto"
    assert second["hl-page"]["props"]["facts"]["language"] == "zh"


def test_launch_settings(models: Models) -> None:
    settings = launch_settings(models)
    assert settings["run_history"] is settings["ssr_mode"] is settings["enable_monitoring"] is False
    assert settings["max_file_size"] == "16kb"


def test_no_document_is_offered_for_translation(models: Models) -> None:
    """The page has its own two languages, and shows words that are nobody's to translate."""
    mark = '<meta name="google" content="notranslate">'
    lesson = onefile._assembled({}, {})
    documents = [launch_settings(models)["head"], saved_page(), saved_page("attention"), lesson]
    assert [mark in one for one in (*documents, publish._index("page", {}))] == [True] * 5


@pytest.mark.slow
def test_gradio_keeps_the_replies_of_few_sessions(models: Models) -> None:
    """Each session's last replies stay in memory: 10,000 of them, by default, are gigabytes."""
    capacity = launch_settings(models)["state_session_capacity"]
    assert capacity <= 4  # of up to 4 MB each
    blocks = build(models)
    blocks.state_session_capacity = capacity
    holder = StateHolder()
    holder.set_blocks(blocks)
    for i in range(3 * capacity):
        holder[f"visitor {i}"]
    assert len(holder.session_data) <= capacity


@pytest.mark.slow
def test_files_are_served_compressed_and_nothing_else_is() -> None:
    with TestClient(Starlette(routes=[assets_route()])) as client:
        for path, content in files().items():
            answer = client.get(assets_path() + path)
            assert answer.status_code == 200 and answer.content == content
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["content-encoding"] == "gzip"
            plain = client.get(assets_path() + path, headers={"accept-encoding": "identity"})
            assert plain.content == content and "content-encoding" not in plain.headers
        for path in ("", "app.py", "../app.py", "%2e%2e/app.py", "explorer/page.py",
                     "assets/models/en-zh/config.json", "assets/shell/bar.html",
                     "model/README.md", "model/", "model/../config.json",
                     "model/%2e%2e/en-zh/README.md"):  # fmt: skip
            assert client.get(assets_path() + path).status_code == 404


@pytest.mark.slow
def test_the_shipped_models_files_are_served_as_they_are() -> None:
    """What a browser needs to run it, whatever encoding it accepts: the size said is what comes."""
    client = TestClient(Starlette(routes=[assets_route()]))
    assert len(model_files()) == len(card.FILES) * len(shipped.names())
    for path, file in model_files().items():
        answer = client.get(f"{assets_path()}{path}")
        assert answer.content == file.read_bytes()
        assert answer.headers["content-length"] == str(len(answer.content))
        assert "content-encoding" not in answer.headers
    told = card.weights()
    assert told is not None and told["bytes"] == (card.FOLDER / card.WEIGHTS).stat().st_size


def test_a_model_too_large_for_a_browser_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "MAX_WEIGHTS", 1000)
    assert card.weights() is None


@pytest.mark.slow
def test_the_first_page_is_light(models: Models) -> None:
    """Words, styles, scripts and the recorded example are files that a browser keeps."""
    with TestClient(gr.mount_gradio_app(FastAPI(), build(models), path="/")) as client:
        assert len(client.get("/").content) < 90_000


def test_modules_only_import_what_is_served() -> None:
    for path, content in files().items():
        if path.endswith(".js") and not path.startswith("assets/vendor"):
            for name in re.findall(r'from "(\.[^"]+)"', content.decode()):
                target = os.path.normpath(os.path.join(os.path.dirname(path), name))
                assert target in files(), f"{path} imports {name}"


@pytest.mark.parametrize("name", recorded.opening())
def test_a_recorded_first_page_is_of_this_format(name: str) -> None:
    folder = shipped.FOLDERS[name]
    assert recorded.texts().get(name) == opening(openers.load(folder)).text, "explorer.record"
    assert (folder / recorded.FILE).stat().st_size < 90_000  # of a sentence of up to 12 tokens


def test_a_recording_of_another_format_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    assert recorded.read(path) is None
    path.write_text("{", "utf-8")
    assert recorded.read(path) is None
    path.write_text(json.dumps({"format": FORMAT + 1}), "utf-8")
    assert recorded.read(path) is None
