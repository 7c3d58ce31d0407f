"""The page as Gradio gets it, and the files that the browser gets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import gradio as gr
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.exhibits import EXHIBITS
from explorer.interface import RECORDED, WAITING, build, read_recorded
from explorer.loading import Loading
from explorer.payload import FORMAT
from explorer.serving import launch_settings
from explorer.view import ASSETS, assets_path, assets_route


@pytest.fixture
def blocks(loading: Loading) -> gr.Blocks:
    return build(loading)


def parts(blocks: gr.Blocks) -> dict[str, dict]:
    """The properties of every named component."""
    components = blocks.get_config_file()["components"]
    return {c["props"]["elem_id"]: c["props"] for c in components if c["props"].get("elem_id")}


def test_every_exhibit_is_laid_out(blocks: gr.Blocks) -> None:
    found = parts(blocks)
    for exhibit in EXHIBITS:
        template = found[f"exhibit-{exhibit.name}"]["html_template"]
        assert f'id="panel-{exhibit.name}"' in template
        assert (ASSETS / "exhibits" / f"{exhibit.name}.js").exists()
    assert [one["name"] for one in found["hl-page"]["props"]["page"]["exhibits"]] == [
        exhibit.name for exhibit in EXHIBITS
    ]


def test_templates_hold_nothing_that_gradio_runs(blocks: gr.Blocks) -> None:
    for props in parts(blocks).values():
        for sign in ("${", "{{", "\\", "@children"):
            assert sign not in props["html_template"]


def test_the_model_works_behind_one_bounded_queue(blocks: gr.Blocks) -> None:
    assert blocks._queue.max_size == WAITING
    working = [fn for fn in blocks.fns.values() if fn.fn is not None]
    assert {fn.concurrency_id for fn in working} == {"model"}


def test_only_translate_is_public(blocks: gr.Blocks) -> None:
    assert list(blocks.get_api_info()["named_endpoints"]) == ["/translate"]


def test_the_language_is_the_servers_choice(loading: Loading) -> None:
    first, second = parts(build(loading)), parts(build(loading, "zh"))
    assert first["hl-page"]["props"]["page"]["language"] == "auto"
    assert second["hl-page"]["props"]["page"]["language"] == "zh"


def test_launch_settings() -> None:
    settings = launch_settings()
    assert settings["run_history"] is settings["ssr_mode"] is settings["enable_monitoring"] is False
    assert settings["max_file_size"] == "16kb"


def test_assets_are_served_and_nothing_else() -> None:
    client = TestClient(Starlette(routes=[assets_route()]))
    for file in ASSETS.rglob("*.js"):
        answer = client.get(assets_path() + file.relative_to(ASSETS).as_posix())
        assert answer.status_code == 200
        assert "javascript" in answer.headers["content-type"]
        assert "immutable" in answer.headers["cache-control"]
    for path in ("", "models/en-zh/config.json", "../app.py", "%2e%2e/app.py", "recorded.json"):
        assert client.get(assets_path() + path).status_code == 404


def test_modules_only_import_what_is_there() -> None:
    for file in ASSETS.rglob("*.js"):
        for name in re.findall(r'from "(\.[^"]+)"', file.read_text("utf-8")):
            assert (file.parent / name).exists(), f"{file.name} imports {name}"


def test_the_recorded_example_is_of_this_format() -> None:
    recorded = read_recorded()
    assert recorded is not None, "run python -m explorer.record"
    assert recorded["text"] == "I am a student."
    assert RECORDED.stat().st_size < 60_000


def test_a_recording_of_another_format_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    assert read_recorded(path) is None
    path.write_text("{", "utf-8")
    assert read_recorded(path) is None
    path.write_text(json.dumps({"format": FORMAT + 1}), "utf-8")
    assert read_recorded(path) is None
