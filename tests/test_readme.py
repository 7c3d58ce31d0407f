"""What the README and the map of the code promise is so."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CHINESE = (ROOT / "README.zh.md").read_text("utf-8")
PARTS = ("model", "explorer")
MAP = (ROOT / "docs/architecture.md").read_text("utf-8")


@pytest.mark.slow
def test_its_python_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    monkeypatch.chdir(ROOT)
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {"__name__": "__main__"})
        assert "▁I" in capsys.readouterr().out


def test_the_files_of_its_map_exist() -> None:
    rows = re.findall(r"^\| (`.*?) \|", MAP, re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert len(names) > 15
    for row in rows:
        folder = ROOT  # later names of a row may be relative to the folder of the first
        for name in re.findall(r"`([^`]+)`", row):
            found = [*ROOT.glob(name.rstrip("/")), *folder.glob(name.rstrip("/"))]
            assert found, f"{name} is in the map, but not there"
            folder = found[0].parent


def absent(table: str, modules: set[str]) -> list[str]:
    """The modules that no first column names; later names of a row may leave out its folder."""
    named = set()
    for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        folder = Path()
        for name in map(Path, re.findall(r"`([^`]+)`", row)):
            found = name if len(name.parts) > 1 or not folder.parts else folder / name
            named.add(found.as_posix())
            folder = found.parent
    return sorted(modules - named)


def test_every_module_is_in_the_map() -> None:
    modules = {
        one.relative_to(ROOT).as_posix()
        for room in ("explorer", "model")
        for one in (ROOT / room).iterdir()
        if one.suffix == ".py" or (one / "__init__.py").is_file()
    } - {"explorer/__init__.py", "model/__init__.py"}
    assert absent(MAP, modules) == []
    assert absent(MAP, modules | {"model/new.py"}) == ["model/new.py"]


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("| `model/a.py` | the parts `model/b.py` and `b.py` |", ["model/b.py", "model/text"]),
        ("| `model/a.py`, `b.py` | two |", ["model/text"]),
        ("| `model/a.py`, `explorer/b.py` | rooms |", ["model/b.py", "model/text"]),
        ("| `model/text/`, `a.py`, `b.py` | a folder |", []),
    ],
)
def test_only_the_first_column_counts(row: str, missing: list[str]) -> None:
    assert absent(row, {"model/a.py", "model/b.py", "model/text"}) == missing


def test_its_links_lead_somewhere() -> None:
    texts = [(README, ROOT), (CHINESE, ROOT)]
    texts += [(page.read_text("utf-8"), page.parent) for page in (ROOT / "docs").glob("*.md")]
    for text, folder in texts:
        for link in re.findall(r"\]\((?!http)([^)#]+)", text):
            assert (folder / link).exists(), link


def test_the_first_screen_is_short() -> None:
    first = README.split("\n# ")[1].split("\n## ")[0]
    assert len(first.split()) <= 260


def test_both_languages_name_the_same_commands() -> None:
    """Each line of code of the Chinese text is one of the English text."""
    ours, theirs = (
        {line.split("  #")[0].strip() for line in re.findall(r"^    (\S.*)", text, re.MULTILINE)}
        for text in (CHINESE, README)
    )
    assert len(ours) > 8 and ours <= theirs


def test_the_parts_of_the_paper_are_where_it_says() -> None:
    table = MAP.split("| in the paper | here |")[1].split("\n\n")[0]
    named = [
        (name, file)
        for names, file in re.findall(r"([^|;]*) in `([\w/]+\.py)`", table)
        for name in re.findall(r"`(\w+)`", names)
    ]
    assert len(named) > 12
    for name, file in named:
        found = re.search(rf"^ *(?:def|class) {name}\b", (ROOT / file).read_text(), re.MULTILINE)
        assert found, f"{file} has no {name}"


@pytest.mark.slow
def test_the_page_has_the_flags_that_it_lists_and_no_others() -> None:
    done = subprocess.run(
        [sys.executable, "app.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    flags = set(re.findall(r"^  (?:-h, )?--([\w-]+)", done.stdout, re.MULTILINE)) - {"help"}
    [listed] = re.findall(r"app\.py +# --help lists (.*)", README)
    assert flags == set(listed.split(", "))


def test_the_commands_have_the_flags_that_it_names() -> None:
    """Each is a field of some command's settings."""
    sources = [path.read_text("utf-8") for part in PARTS for path in (ROOT / part).rglob("*.py")]
    fields = set(re.findall(r"^    (\w+): ", "\n".join(sources), re.MULTILINE))
    lines = re.findall(r"python -m [^\n`]*", README + CHINESE)
    named = {flag.replace("-", "_") for line in lines for flag in re.findall(r" --([\w-]+)", line)}
    assert len(named) > 10 and named <= fields


def test_the_space_names_versions_that_are_installed() -> None:
    front = README.split("---")[1]
    assert f"sdk_version: {version('gradio')}" in front
    assert "app_file: app.py" in front
