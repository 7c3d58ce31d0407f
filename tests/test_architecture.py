"""The rooms of the house: who may import whom, and how long a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("model/**/*.py"), *ROOT.glob("explorer/**/*.py"), ROOT / "app.py"])

# (files that begin with, what they may never import)
FORBIDDEN = [
    ("model/", ("explorer", "gradio", "plotly")),
    ("model/trace.py", ("torch",)),
    ("model/config.py", ("torch",)),
    ("model/sampling.py", ("torch",)),
    ("model/decoding.py", ("model.transformer",)),
    ("model/transformer.py", ("model.decoding", "model.trace", "model.checkpoint")),
    ("explorer/", ("torch", "model.transformer", "model.decoding", "model.checkpoint")),
    ("explorer/figures/", ("gradio",)),
    ("explorer/exhibits/", ("explorer.exhibits", "explorer.interface")),
]


def imports(tree: ast.AST) -> set[str]:
    """Every module that a file imports, at its top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def violations(name: str, source: str) -> list[str]:
    found = imports(ast.parse(source))
    return [
        f"{name} imports {module}"
        for start, forbidden in FORBIDDEN
        if name.startswith(start) and not name.endswith("exhibits/__init__.py")
        for module in found
        for bad in forbidden
        if module == bad or module.startswith(bad + ".")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_imports_point_the_right_way(path: Path) -> None:
    assert violations(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) == []


def test_a_wrong_import_is_noticed() -> None:
    source = "def f():\n    from torch import nn\n"
    assert violations("explorer/figures/heads.py", source)
    assert violations("explorer/exhibits/masks.py", "from explorer.exhibits import attention")
    assert violations("model/decoding.py", "import model.transformer")


def test_records_and_figures_load_neither_torch_nor_gradio() -> None:
    """Also not through another module, which the test above cannot see."""
    code = (
        "import sys, model.trace, model.config, explorer.labels, explorer.words;"
        "sys.exit(bool({'torch', 'gradio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_and_functions_can_be_read_at_one_sitting(path: Path) -> None:
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= 420, "a room that wants a wall"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            length = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length <= 45, f"{node.name} has {length} lines"


def test_no_file_without_a_better_name() -> None:
    assert not [p for p in FILES if p.stem in ("utils", "helpers", "common")]
