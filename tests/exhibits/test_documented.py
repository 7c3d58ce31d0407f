"""The exhibit of docs/exhibit.md, built from the document in a copy of the project."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import ROOT, Server
from tests.stage import Stage, unfold

BLOCK = re.compile(r"## `(explorer/exhibits/surprise/[\w.]+)`.*?```\w+\n(.*?)```", re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project with the documented exhibit in it: one folder and one line."""
    project = tmp_path / "project"
    for room in ("explorer", "model", "assets"):
        shutil.copytree(ROOT / room, project / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", project)
    blocks = BLOCK.findall((ROOT / "docs" / "exhibit.md").read_text("utf-8"))
    assert {Path(path).name for path, _ in blocks} == {"__init__.py", "words.py", "view.js"}
    for path, content in blocks:
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(content, "utf-8")
    names = project / "explorer" / "exhibits" / "__init__.py"
    source = names.read_text("utf-8")
    names.write_text(
        source.replace('("sampling", "compare")', '("sampling", "compare", "surprise")'), "utf-8"
    )
    return project


def test_one_folder_and_one_line_make_an_exhibit(
    copy: Path, tmp_path: Path, browser: Browser, explainer: Explainer
) -> None:
    server = Server(tmp_path / "log.txt", folder=copy)
    try:
        server.wait()
        watched = Stage(browser.new_page(locale="en-GB"))
        watched.page.goto(f"{server.url}?view=surprise&text=Why+do+we+work%3F")
        page = watched.settle()
        unfold(page, "surprise", "numbers")
        page.wait_for_selector(".hl-surprise .hl-table tbody tr:nth-child(3)")
        shown = page.locator(".hl-surprise .hl-bars b").all_inner_texts()
        rows = page.locator(".hl-surprise .hl-table tbody tr td").all_inner_texts()
        page.locator(".hl-surprise .hl-bars button").nth(1).click()
        page.wait_for_selector(".hl-surprise .hl-bars li:nth-child(2).hl-chosen")
        page.click("#hl-language")
        page.wait_for_function(
            "() => document.querySelector('#tab-surprise').innerText === '意外程度'"
        )
        assert not watched.errors
    finally:
        server.stop()
    explanation = explainer.explain("Why do we work?", DecodeConfig())
    log_probs = explanation.trace.log_prob
    assert shown == [f"{-p / math.log(2):.2f}" for p in log_probs]
    best = explanation.search.hypotheses[:3]
    means = [-one.log_prob / math.log(2) / len(one.path) for one in best]
    assert rows == [f"{mean:.2f}" for mean in means]


def test_the_document_is_about_as_long_as_it_says() -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "exhibit.md").read_text("utf-8"))
    view = dict(blocks)["explorer/exhibits/surprise/view.js"]
    assert len(view.splitlines()) <= 40
