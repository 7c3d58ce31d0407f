"""The exhibit of docs/exhibit.md, built from the document in a copy of the project."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from tests import npm
from tests.browsing import ROOT
from tests.declared import lacks

BLOCK = re.compile(r"## `(explorer/exhibits/surprise/[\w.]+)`.*?```\w+\n(.*?)```", re.DOTALL)
# What a visitor of the copy's page sees; its own Python answers.
VISIT = """
import json
from explorer.unstubbed import import_gradio
import_gradio()
from model.explain import Explainer
from tests.stage import Node, Stage, desk_of, unfold

node = Node()
page = Stage(node, desk_of(Explainer.load(None, device="cpu")))
page.open("?view=surprise&text=Why+do+we+work%3F")
unfold(page, "surprise", "numbers")
rows = page.locator(".hl-surprise .hl-table tbody tr td").all_inner_texts()
bars = page.locator(".hl-surprise .hl-bars b").all_inner_texts()
page.locator(".hl-surprise .hl-bars button").nth(1).click()
chosen = page.locator(".hl-surprise .hl-bars li:nth-child(2).hl-chosen").count()
page.click("#hl-language")
tab = page.inner_text("#tab-surprise")
print(json.dumps([rows, bars, chosen, tab, page.errors]))
node.stop()
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project with the documented exhibit: its folder and its row of the menu."""
    project = tmp_path / "project"
    for room in ("explorer", "model", "assets"):
        # Compiled files too: they hold for copies. The models are read alone.
        shutil.copytree(ROOT / room, project / room, ignore=shutil.ignore_patterns("models"))
    (project / "assets" / "models").symlink_to(ROOT / "assets" / "models")
    (project / "tests").mkdir()
    for name in ("stage.py", "npm.py", "declared.py"):
        shutil.copy(ROOT / "tests" / name, project / "tests")
    (project / "tests" / "javascript").symlink_to(ROOT / "tests" / "javascript")
    shutil.copy(ROOT / "package.json", project)
    blocks = BLOCK.findall((ROOT / "docs" / "exhibit.md").read_text("utf-8"))
    assert {Path(path).name for path, _ in blocks} == {"__init__.py", "words.py", "view.js"}
    for path, content in blocks:
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(content, "utf-8")
    names = project / "explorer" / "exhibits" / "__init__.py"
    source = names.read_text("utf-8")
    names.write_text(
        source.replace('("tree", "toy", "compare")', '("tree", "toy", "compare", "surprise")'),
        "utf-8",
    )
    return project


def says(project: Path) -> str:
    """What is said to lack in a copy of the project."""
    command = [sys.executable, "-m", "tests.declared"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.stderr


LEFT_OUT = {  # a part of the document's blocks: what is said without it
    '    away={"surprise": "published.server"},\n': "the question surprise of surprise is not in",
    "    opener=effects.ANY,\n": "opener",
    r'    "surprise.lead": Word\(.*?\n    \),\n': "no surprise.lead",
    r'    "proved.question.surprise".*?\n': "no proved.question.surprise",
}


@pytest.mark.slow
def test_what_a_view_lacks_is_said_at_once(copy: Path) -> None:
    folder = copy / "explorer" / "exhibits" / "surprise"
    whole = {path: path.read_text("utf-8") for path in folder.iterdir() if path.is_file()}
    assert says(copy).strip() == "en-zh has no opener for surprise: python -m explorer.openers."
    for part, said in LEFT_OUT.items():
        for path, text in whole.items():
            pattern = part if "Word" in part or "proved" in part else re.escape(part)
            path.write_text(re.sub(pattern, "", text, flags=re.DOTALL), "utf-8")
        assert said in says(copy).replace("The question", "the question"), part
        for path, text in whole.items():
            path.write_text(text, "utf-8")
    (folder / "view.js").unlink()
    assert "surprise has no view.js" in says(copy)


def test_the_page_lacks_nothing() -> None:
    assert lacks() == []


@pytest.mark.slow
def test_a_folder_and_a_row_of_the_menu_show_an_exhibit(copy: Path, explainer: Explainer) -> None:
    done = subprocess.run(
        [sys.executable, "-c", VISIT], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows, bars, chosen, tab, errors = json.loads(done.stdout.splitlines()[-1])
    assert errors == []
    assert (chosen, tab) == (1, "意外程度")
    explanation = explainer.explain("Why do we work?", DecodeConfig())
    log_probs = explanation.trace.log_prob
    assert bars == [f"{-p / math.log(2):.2f}" for p in log_probs]
    best = explanation.search.hypotheses[:3]
    means = [-one.log_prob / math.log(2) / len(one.path) for one in best]
    assert rows == [f"{mean:.2f}" for mean in means]


def documented_view() -> str:
    blocks = BLOCK.findall((ROOT / "docs" / "exhibit.md").read_text("utf-8"))
    return str(dict(blocks)["explorer/exhibits/surprise/view.js"])


def test_its_parameters_have_types_as_those_of_every_new_exhibit(tmp_path: Path) -> None:
    view = tmp_path / "explorer" / "exhibits" / "surprise" / "view.js"
    view.parent.mkdir(parents=True)
    view.write_text(documented_view(), "utf-8")
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    alone = {
        "extends": str(ROOT / "tsconfig.typed.json"),
        "include": [str(view), str(ROOT / "assets" / "vendor" / "*.d.ts")],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(alone), "utf-8")
    done = subprocess.run(
        [npm.tool("tsc"), "--project", tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_document_is_about_as_long_as_it_says() -> None:
    assert len(documented_view().splitlines()) <= 45
