"""The rooms of the house: who may import whom, in either language, and how long a function is."""

from __future__ import annotations

import ast
import graphlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("model/**/*.py"), *ROOT.glob("explorer/**/*.py"), ROOT / "app.py"])

COMMANDS = ("train", "evaluate", "distil")  # thin files: the room of training is behind them

# (files that begin with, what they may never import)
FORBIDDEN = [
    ("model/", ("explorer", "gradio", "plotly")),
    ("model/trace.py", ("torch",)),
    ("model/config.py", ("torch",)),
    ("model/arrays.py", ("torch",)),
    ("model/limits.py", ("torch",)),
    ("model/sampling.py", ("torch",)),
    ("model/labs/letters.py", ("torch",)),
    ("model/labs/summaries.py", ("torch",)),
    ("model/decoding.py", ("model.transformer",)),
    ("model/beams.py", ("model.transformer",)),
    ("model/rules.py", ("model.transformer",)),
    ("model/transformer.py", ("model.decoding", "model.trace", "model.checkpoint")),
    ("explorer/", ("torch", "model.transformer", "model.decoding", "model.checkpoint")),
    ("explorer/exhibits/", ("explorer.exhibits", "explorer.page")),
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.AST) -> set[str]:
    """Every module that a file imports, at its top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def violations(file: str, source: str) -> list[str]:
    found = imports(ast.parse(source))
    return [
        f"{file} imports {module}"
        for start, forbidden in [*FORBIDDEN, *_closed_rooms(file)]
        if file.startswith(start) and file != "explorer/exhibits/__init__.py"
        for module in found
        for bad in forbidden
        if (module == bad or module.startswith(bad + ".")) and not _is_own(file, module)
    ]


# Rooms of model/ that the network, the search and the Explainer do without, and who enters them.
CLOSED = {
    "model.training": ("model/training/", "model/labs/", *(f"model/{c}.py" for c in COMMANDS)),
    "model.labs": ("model/labs/",),
}


def _closed_rooms(file: str) -> list[tuple[str, tuple[str, ...]]]:
    """The rooms that this file, if it is one of `model/`, may not import."""
    rooms = tuple(room for room, users in CLOSED.items() if not file.startswith(users))
    return [("model/", rooms)]


def _is_own(file: str, module: str) -> bool:
    """Whether an exhibit imports from its own folder."""
    folder = file.rpartition("/")[0].replace("/", ".")
    return folder.startswith("explorer.exhibits.") and (
        module == folder or module.startswith(folder + ".")
    )


def test_imports_point_the_right_way() -> None:
    found = [violations(name(path), path.read_text("utf-8")) for path in FILES]
    assert [violation for one in found for violation in one] == []


def test_a_wrong_import_is_noticed() -> None:
    source = "def f():\n    from torch import nn\n"
    assert violations("explorer/exhibits/masks/__init__.py", source)
    assert violations(
        "explorer/exhibits/masks/__init__.py", "from explorer.exhibits.positions import LAYOUTS"
    )
    assert violations("model/decoding.py", "import model.transformer")
    assert violations("model/explain.py", "from model.labs import dissect")
    assert violations("model/text/vocabulary.py", "from model.training.corpus import Pair")
    assert violations("model/training/loop.py", "from model.labs.cheat import cheater")
    assert not violations("model/train.py", "from model.training import runs")


def test_records_and_labels_load_neither_torch_nor_gradio() -> None:
    """Also not through another module, which the test above cannot see."""
    code = (
        "import sys, model.trace, model.config, model.labs.summaries;"
        "import explorer.labels, explorer.words;"
        "sys.exit(bool({'torch', 'gradio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_functions_have_at_most_40_lines() -> None:
    for path in FILES:
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"


# ------------------------------------------------------------------------------------ JavaScript

ROOMS = ("kit", "engine", "exchange", "shell")
SCRIPTS = sorted(
    path
    for room in (*(f"assets/{r}" for r in ROOMS), "explorer/exhibits")
    for path in ROOT.glob(f"{room}/**/*.js")
)
STYLES = sorted([*ROOT.glob("assets/**/*.css"), *ROOT.glob("explorer/exhibits/*/*.css")])
# (scripts that begin with, what alone they may import)
ALLOWED = [
    ("assets/kit/", ("assets/kit/", "assets/vendor/")),
    ("assets/engine/", ("assets/engine/", "assets/kit/", "assets/vendor/")),
    ("assets/exchange/", ("assets/exchange/", "assets/kit/")),
    ("assets/shell/", ("assets/",)),
    ("explorer/exhibits/", ("assets/kit/", "assets/vendor/")),
]
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']""")
AT_ITS_TOP = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']""")  # neither types nor later


def targets(script: str, source: str, pattern: re.Pattern[str] = IMPORT) -> list[str]:
    """The scripts that one imports."""
    folder = script.rpartition("/")[0]
    return [os.path.normpath(f"{folder}/{target}") for target in pattern.findall(source)]


def script_violations(script: str, source: str) -> list[str]:
    folder = script.rpartition("/")[0]
    found = targets(script, source)
    allowed = next(rooms for start, rooms in ALLOWED if script.startswith(start))
    own = (f"{folder}/",) if script.startswith("explorer/exhibits/") else ()
    return [
        f"{script} imports {target}" for target in found if not target.startswith(allowed + own)
    ]


def test_scripts_import_the_right_way() -> None:
    found = [script_violations(name(path), path.read_text("utf-8")) for path in SCRIPTS]
    assert [violation for one in found for violation in one] == []


def test_a_wrong_import_of_a_script_is_noticed() -> None:
    exhibit = "explorer/exhibits/tree/view.js"
    assert script_violations(exhibit, 'import { a } from "../ledger/sums.js";')
    assert script_violations(exhibit, 'import { page } from "../../../assets/shell/state.js";')
    assert script_violations(exhibit, 'const a = await import("../ledger/sums.js");')
    assert script_violations("assets/kit/table.js", 'import "../exchange/channel.js";')
    assert not script_violations(exhibit, 'import { draw } from "./canvas.js";')


def kept_outside(source: str) -> list[str]:
    """What a script keeps at module level or looks up in the page; a table may stand there, but
    nothing is written to it.
    """
    found = re.findall(r"^(?:let|var) \w+|getElementById|document\.querySelector", source, re.M)
    tables = re.findall(r"^(?:export )?const (\w+) = new (?:Weak)?(?:Map|Set)\b", source, re.M)
    written = r"\b{}\.(?:set|add|delete|clear)\("
    return found + [table for table in tables if re.search(written.format(table), source)]


def circles(sources: Mapping[str, str]) -> list[list[str]]:
    """Scripts that import each other at their top."""
    graph = {one: {*targets(one, source, AT_ITS_TOP)} for one, source in sources.items()}
    found = []
    while True:
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            circle = error.args[1]
            found.append(circle)
            graph[circle[1]].discard(circle[0])
        else:
            return found


def test_no_script_imports_itself_by_way_of_others() -> None:
    """Such scripts cannot be read one after the other, and what one needs of the other may be
    missing while it is loaded."""
    sources = {name(path): path.read_text("utf-8") for path in SCRIPTS}
    assert circles(sources) == []
    kit = {"assets/kit/map.js": 'import { html } from "./table.js";'}
    back = {"assets/kit/table.js": 'export { a } from "./list.js";\nimport("./map.js");'}
    assert circles({**kit, **back, "assets/kit/list.js": "import * as map from './map.js';"})
    assert not circles({**kit, **back})  # when it runs, both are there


def test_an_exhibit_keeps_nothing_outside_its_mount() -> None:
    """Neither state at module level nor an id of the page: two of them must not meet."""
    exhibits = [path for path in SCRIPTS if name(path).startswith("explorer/exhibits/")]
    assert {name(path): kept_outside(path.read_text("utf-8")) for path in exhibits} == {
        name(path): [] for path in exhibits
    }


def test_what_is_kept_outside_is_noticed() -> None:
    assert kept_outside("let last = 0;\n") == ["let last"]
    assert kept_outside("const a = new Map();\nconst f = (k) => a.set(k, 1);\n") == ["a"]
    assert kept_outside("export const a = new WeakMap();\na.delete(b);\n") == ["a"]
    own = (
        "const NAMES = new Set(['a']);\nfunction f() {\n  const a = new Map();\n  a.set(1, 2);\n}\n"
    )
    assert kept_outside(own) == []


def test_lines_of_scripts_and_styles_fit_a_window() -> None:
    for path in [*SCRIPTS, *STYLES]:
        lines = path.read_text("utf-8").splitlines()
        long = [line for line in lines if len(line) > 100]
        # A line of a template is the string's own: no formatter breaks it.
        assert [line for line in long if len(line) > 140 or not re.search("[`${}]", line)] == []


CLASS = re.compile(r"\bhl-[a-z0-9-]+")


def leaks(files: Mapping[str, str]) -> list[str]:
    """Classes that an exhibit styles, and that the shell or another exhibit has in its elements.

    What the kit styles or draws is everybody's.
    """
    rooms: dict[str, dict[str, set[str]]] = {"css": {}, "elements": {}}
    for file, text in files.items():
        room = file.rpartition("/")[0] if file.startswith("explorer/") else file.split("/")[1]
        kind = "css" if file.endswith(".css") else "elements"
        rooms[kind].setdefault(room, set()).update(CLASS.findall(text))
    shared = rooms["css"].pop("kit") | rooms["css"].pop("shell") | rooms["elements"].pop("kit")
    return sorted(
        f"{one}: {room} styles it, {other} has it"
        for room, styled in rooms["css"].items()
        for other, had in rooms["elements"].items()
        if other != room
        for one in (styled & had) - shared
    )


def test_the_style_of_an_exhibit_is_its_own() -> None:
    paths = [*SCRIPTS, *STYLES, *ROOT.glob("assets/**/*.html"), *ROOT.glob("explorer/**/*.html")]
    files = {name(path): path.read_text("utf-8") for path in paths}
    assert leaks(files) == []
    menu = files["assets/shell/below.html"].replace("hl-at-end", "hl-end")
    assert leaks({**files, "assets/shell/below.html": menu})


def test_every_file_that_a_comment_names_exists() -> None:
    """A newcomer follows these paths. docs/tests.md leaves out `tests/`."""
    path = re.compile(
        r"(?<![\w/])(?:assets|bench|docs|explorer|model|tests)/[\w/-]+\.(?:py|js|md|css|json)\b"
    )
    named = {
        (name(file), target)
        for file in [*FILES, *SCRIPTS, *STYLES, *ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
        for target in path.findall(file.read_text("utf-8"))
    }
    assert len(named) > 20
    example = "explorer/exhibits/surprise/"  # a test builds it: tests/exhibits/test_documented.py
    lost = {
        (file, target)
        for file, target in named
        if not any((ROOT / room / target).exists() for room in ("", "tests"))
    }
    assert [pair for pair in sorted(lost) if not pair[1].startswith(example)] == []


def test_encode_and_decode_read_like_the_paper() -> None:
    """Fifteen lines each, without the blank ones: no plan, no padding, no painted mask before."""
    lines = (ROOT / "model/transformer.py").read_text("utf-8").splitlines()
    for name in ("encode", "decode"):
        (function,) = [
            node
            for node in ast.walk(ast.parse("\n".join(lines)))
            if isinstance(node, ast.FunctionDef) and node.name == name
        ]
        body = lines[function.body[1].lineno - 1 : function.end_lineno]
        assert sum(map(bool, body)) <= 15, name


def test_whoever_opens_the_model_sees_the_paper() -> None:
    """What is beside the network, its search and its records stands in rooms."""
    assert len(list(ROOT.glob("model/*.py"))) <= 30


def test_no_file_without_a_better_name() -> None:
    assert not [p for p in FILES if p.stem in ("utils", "helpers", "common")]
