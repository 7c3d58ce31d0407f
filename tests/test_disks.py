"""Full disks, folders that cannot be made, files that cannot be read: one sentence and a 2.

Every command of the project is in the table below; a test compares it with the files. A limit on
the size of files stands in for a full disk: the kernel refuses what goes beyond it to everybody,
root too, whether Python writes or torch, safetensors or SentencePiece. A link to itself is a file
that nobody can read.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
import os
import re
import shutil
import subprocess
import sys
import typing
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import pytest
import torch
from safetensors import SafetensorError

from explorer import deploy, record
from explorer.session import Session
from model import cli
from model.config import DecodeConfig
from model.explain import Explainer
from model.files import replacing
from model.labs.playground import claims
from model.training import precision
from tests import tiers, tiny

resource = pytest.importorskip("resource", reason="Windows has no limits on the size of files")

ROOT = Path(__file__).parent.parent
Capture = pytest.CaptureFixture[str]
Files = Mapping[str, Path]


class Run(NamedTuple):
    """A command line that works as long as its files do.

    In braces is what it reads, a key of `BROKEN`; "{out}" is what it writes.
    """

    line: str
    writes: Literal["file", "folder", "output", "pipe"]


SMALL = (
    "--vocab-size 400 --d-model 16 --d-ff 16 --n-heads 2 --n-encoder-layers 1 --epochs 1 "
    "--n-decoder-layers 1 --workers 0 --precision float32 --dev-share 0.2 --dev-sentences 2"
)
COMMANDS: dict[str, list[Run]] = {
    "app": [Run("--model {model} --models {model}", "output")],
    "explorer.deploy": [Run("--repo me/headlight --dry-run --out {out}", "folder")],
    "explorer.record": [Run("", "file")],
    "explorer.onefile": [Run("--out {out}", "file")],
    "explorer.openers": [Run("--model {model} --pool {pairs}", "folder")],
    "explorer.publish": [Run("--out {out}", "folder")],
    "explorer.ship": [Run("--run {run} --dev {dev} --test {test}", "folder")],
    "explorer.workers": [Run("", "pipe")],  # to the page, which sends another one its requests
    "explorer.session": [Run("validate {session} --model {model}", "output")],
    "model.labs.cheat": [Run("--data {pairs} --model {model} --out {out} --updates 1", "file")],
    "model.checkpoint": [Run("export --model {model} --out {out}", "folder")],
    "model.distil": [
        Run("--data {pairs} --model {model} --out {out} --least 0 --max-length 8", "file")
    ],
    "model.evaluate": [
        Run("--data {pairs} --unlike {pairs} --model {model} --max-length 8", "output")
    ],
    "model.labs.cuts": [Run("--data {pairs} --model {model}", "output")],
    "model.labs.saturation": [Run("--data {pairs} --model {model} --sentences 2", "output")],
    "model.labs.doubting": [
        Run("--data {pairs} --model {model} --out {out} --sentences 2", "file")
    ],
    "model.labs.grounds": [Run("--model {model} --data {pairs} --sentences 2", "output")],
    "model.labs.heads": [
        Run("catalogue --model {model} --data {pairs} --gold {gold} --out {out}", "file"),
        Run("align --model {model} --gold {gold} --out {out} --table {table}", "file"),
    ],
    "model.labs.judged": [Run("--data {pairs}", "output")],
    "model.labs.copying": [Run("--data {pairs} --model {model}", "output")],
    "model.labs.gloss": [Run("--data {pairs} --model {model} --out {out}", "file")],
    "model.labs.looks": [
        Run("--model {model} --text I --kind cross --layer 1 --head 1 --row 1 --column 1", "output")
    ],
    "model.labs.patch": [Run("--model {model} --text I --into You", "file")],
    "model.labs.why": [Run("--model {model} --text I", "file")],
    "model.labs.playground": [Run("--updates 10 --batch 4", "output")],
    "model.labs.playground.claims": [Run("--names positions --out {out}", "file")],
    "model.labs.playground.worker": [Run("", "output")],
    "model.text.languages": [Run("", "output")],
    "model.train": [
        Run(f"--data {{pairs}} --out {{out}} {SMALL}", "folder"),
        Run(f"--data {{pairs}} --start-from {{model}} --out {{out}} {SMALL}", "folder"),
    ],
    "model.translate": [Run("--model {model}", "output")],
}
SERVERS = {
    "app",
    "explorer.workers",
    "model.labs.playground.worker",
}  # they serve until they are stopped
# They write into the project's own folders, or need the shipped model for minutes: not run here.
TRIED_ELSEWHERE = {
    "explorer.onefile",
    "explorer.openers",
    "explorer.publish",
    "explorer.ship",
    "model.labs.heads",
    "model.labs.judged",
    "model.labs.patch",
    "model.labs.why",
}
RUNS = [
    (name, run)
    for name, runs in COMMANDS.items()
    for run in runs
    if name not in SERVERS | TRIED_ELSEWHERE
]
each = functools.partial(pytest.mark.parametrize, ids=lambda x: x if isinstance(x, str) else "")


# ----------------------------------------------------------------------------- nothing forgotten


def runnable(sources: Mapping[str, str]) -> set[str]:
    """The modules among some files that are made to be run."""
    return {
        path.removesuffix(".py").removesuffix("/__main__").replace("/", ".")
        for path, source in sources.items()
        if path.endswith("/__main__.py")
        or any(
            isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
            for node in ast.parse(source).body
        )
    }


@pytest.mark.slow
def test_the_table_has_every_command() -> None:
    paths = [*ROOT.glob("model/**/*.py"), *ROOT.glob("explorer/**/*.py"), *ROOT.glob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    assert runnable(found) == COMMANDS.keys()
    more = {"model/new.py": 'if __name__ == "__main__":\n    work()', "model/x/__main__.py": ""}
    assert runnable(more) == {"model.new", "model.x"}


def module(name: str) -> Any:
    found = importlib.import_module(name)
    return importlib.import_module(f"{name}.__main__") if hasattr(found, "__path__") else found


def forms(name: str, monkeypatch: pytest.MonkeyPatch) -> list[type[Any]]:
    """The dataclasses that a command fills from its command line."""
    found: list[type[Any]] = []
    monkeypatch.setattr(cli, "run", lambda form, *_, **__: found.append(form))
    monkeypatch.setattr(
        cli, "run_one_of", lambda commands, *_, **__: found.extend(f for f, _ in commands.values())
    )
    module(name).main([])
    return found


def flags_for_files(form: type[Any]) -> set[str]:
    """The flags of a command that name files; a file that needs no flag is in its line anyway."""
    hints = typing.get_type_hints(form)
    names = {field.name for field in dataclasses.fields(form) if "Path" in str(hints[field.name])}
    return {f"--{name.replace('_', '-')}" for name in names - {"file"}}


def test_the_table_gives_every_file_of_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COMMANDS.keys() - SERVERS:
        given = " ".join(run.line for run in COMMANDS[name])
        for flag in {flag for form in forms(name, monkeypatch) for flag in flags_for_files(form)}:
            assert f"{flag} {{" in given, f"{name} {flag}"
    (form,) = forms("model.train", monkeypatch)
    assert flags_for_files(form) == {"--out", "--data", "--start-from"}


# ------------------------------------------------------------------------------------- the files


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """What the commands read, all of it as it should be."""
    folder = tmp_path_factory.mktemp("good")
    with (folder / "pairs.tsv").open("w", encoding="utf-8") as file:
        for n, (one, other) in enumerate(3 * list(zip(tiny.ENGLISH, tiny.CHINESE, strict=True))):
            file.write(f"{n} {one}\t{n}{other}\n")
    model = tiny.write_own(folder / "model", n_encoder_layers=1, n_decoder_layers=1)
    explainer = Explainer.load(model, device="cpu")
    explanation = explainer.explain("I am.", DecodeConfig(method="greedy", max_length=4))
    Session.of(explanation).save(folder / "session.json")
    names = ("pairs.tsv", "model", "session.json")
    return {name.split(".")[0]: folder / name for name in names}


@pytest.fixture(autouse=True)
def _project(good: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small project in place of ours, its model the tiny one, its presets trained at once."""
    project = tmp_path / "project"
    (project / "model").mkdir(parents=True)
    for name in deploy.FILES:
        shutil.copy(ROOT / name, project)
    (project / "model/explain.py").write_text("# a file in a folder\n")
    monkeypatch.setattr(deploy, "ROOT", project)
    loaded = Explainer.load
    monkeypatch.setattr(
        Explainer, "load", lambda at=None, **more: loaded(at or good["model"], **more)
    )
    monkeypatch.setattr(precision, "chosen", lambda *_: torch.float32)
    result = SimpleNamespace(to_dict=lambda: defaultdict(int))
    monkeypatch.setattr(claims, "train", lambda *_: result)


def call(name: str, run: Run, files: Files, out: Path) -> int:
    """Run a command in this process; gives its exit code."""
    record.FILE = str(out)  # not the project's own
    return module(name).main([part.format(out=out, **files) for part in run.line.split()])


def sentence(capsys: Capture) -> str:
    """What a command said at its end: one sentence for a person."""
    said = capsys.readouterr().err
    bars = ("epoch ", "\r")  # of training's progress
    lines = [line for line in said.split("\n") if line and not line.startswith(bars)]
    assert len(lines) == 1, said
    assert lines[0].endswith(".") and len(lines[0]) < 400, said
    assert not any(word in said for word in ("Traceback", "Exception")), said
    return lines[0]


# ------------------------------------------------------------------------------------- full disks


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes meanwhile."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def content(out: Path) -> dict[Path, bytes]:
    files = [out] if out.is_file() else [path for path in out.rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in files}


SLOW = {"model.train": [pytest.mark.slow]}  # it writes some fifteen files
WRITING = [
    pytest.param(*one, marks=SLOW.get(one[0], [])) for one in RUNS if one[1].writes != "output"
]


@pytest.mark.slow
@each(("name", "run"), WRITING)
def test_a_full_disk_is_told(
    name: str, run: Run, good: Files, tmp_path: Path, capsys: Capture
) -> None:
    """Filled anew for sizes of the files that are written, a little too small.

    By some bytes, because a recorded time has more or fewer digits from run to run.
    """
    whole = tmp_path / "whole"
    assert call(name, run, good, whole) == 0
    sizes = sorted({max(0, len(data) - 64) for data in content(whole).values()})
    capsys.readouterr()
    for size in sorted({0, *tiers.some(sizes, min(3, len(sizes)))}):
        out = tmp_path / f"out{size}"
        with files_of_at_most(size):
            assert call(name, run, good, out) == 2, size
        said = sentence(capsys)
        assert "File too large" in said and "free some space, try again" in said
        assert not [path for path in content(out) if path.suffix == ".part"]
        assert call(name, run, good, out) == 0, "once there is space, the same command works"
        assert content(out).keys() >= {out / path.relative_to(whole) for path in content(whole)}
        capsys.readouterr()


# distil writes line by line: what it has come to in hours stays.
REPLACING = [(n, run) for n, run in RUNS if run.writes == "file" and n != "model.distil"]


@pytest.mark.slow
@each(("name", "run"), REPLACING)
def test_a_full_disk_leaves_the_old_file_whole(
    name: str, run: Run, good: Files, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    assert call(name, run, good, out) == 0
    before = content(out)
    with files_of_at_most(len(before[out]) - 64):  # a recorded time may have fewer digits
        assert call(name, run, good, out) == 2
    assert content(out) == before


LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ")
PRINTING = sorted(name for name, (run, *_) in COMMANDS.items() if run.writes == "output")


@pytest.mark.slow
@tiers.each("name", PRINTING, 1)
def test_an_output_that_is_full_is_told(name: str, good: Files, tmp_path: Path) -> None:
    """As a process of its own: what is still in a buffer at the end is written then.

    It has no room for temporary files either, which Gradio and sacrebleu want to begin with.
    """
    for run in COMMANDS[name]:
        arguments = [part.format(**good) for part in run.line.split()]
        with (tmp_path / "out").open("w") as out, subprocess.Popen(
            [sys.executable, "-m", name, *arguments],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        ) as process:  # fmt: skip
            assert process.stdin is not None and process.stderr is not None
            with process.stdin:
                is_worker = name.endswith("worker")
                process.stdin.write('{"run": 1, "settings": {}}\n' if is_worker else "I am.\n")
                process.stdin.flush()
                if is_worker:  # it ends when its input does, whatever it is at
                    process.wait()
            said = process.stderr.read()
        told = [line for line in said.splitlines() if not LOGGED.match(line)]
        assert process.returncode == 2 and len(told) == 1, said
        assert "space" in said and "Traceback" not in said


def test_a_real_full_device_is_told(capsys: Capture) -> None:
    """What ENOSPC is called, in Python and in safetensors."""
    if not Path("/dev/full").is_char_device():
        pytest.skip("this system has no /dev/full")

    def write() -> None:
        with Path("/dev/full").open("w") as file:
            file.write("a")

    assert cli.finished(write) == 2
    assert "(No space left on device); free some space" in sentence(capsys)

    def serialise() -> None:
        raise SafetensorError(
            "Error while serializing: I/O error: No space left on device (os error 28)"
        )

    assert cli.finished(serialise) == 2
    assert "(No space left on device); free some space" in sentence(capsys)


@each("error", [ValueError("a"), RuntimeError("a"), SafetensorError("a header")])
def test_a_defect_of_ours_is_not_hidden(error: Exception) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error)):
        cli.finished(work)


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    """Such as /dev/stdout: a file in its place would be no use."""
    os.mkfifo(tmp_path / "pipe")
    with replacing(tmp_path / "pipe") as partial:
        assert partial == tmp_path / "pipe"
    assert (tmp_path / "pipe").is_fifo()


# --------------------------------------------------------------------- folders that cannot be made


@pytest.mark.slow
@each(("name", "run"), [one for one in RUNS if one[1].writes != "output"])
def test_a_folder_that_cannot_be_made_is_told(
    name: str, run: Run, good: Files, tmp_path: Path, capsys: Capture
) -> None:
    """A file stands where the folder should be, or a folder where the file should be."""
    (tmp_path / "taken").write_text("dear")
    for out in (tmp_path / "taken/out", tmp_path / "taken/deep/out"):
        assert call(name, run, good, out) == 2
        assert str(tmp_path / "taken") in sentence(capsys)
    assert (tmp_path / "taken").read_text() == "dear"


# -------------------------------------------------------------------- files that cannot be read


def absent(good: Path, bad: Path) -> None:
    pass


def unreadable(good: Path, bad: Path) -> None:
    bad.symlink_to(bad)


def other_kind(good: Path, bad: Path) -> None:
    """A file for a folder, a folder for a file."""
    bad.write_text("") if good.is_dir() else bad.mkdir()


def broken(good: Path, bad: Path) -> None:
    """Bytes that are no text, no JSON and no weights; of a model, in each of its files."""
    if good.is_file():
        bad.write_bytes(b"\xff\x00\xfe")
        return
    shutil.copytree(good, bad)
    for name in ("model.safetensors", "tokenizer.model"):  # a command may need one of them alone
        (bad / name).write_bytes(b"\xff\x00\xfe")


READING = [
    (name, run, what)
    for name, run in RUNS
    for what in ("pairs", "model", "session")
    if f"{{{what}}}" in run.line
]


@pytest.mark.slow
@each("fault", [absent, unreadable, other_kind, broken])
@each(("name", "run", "what"), READING)
def test_a_file_that_cannot_be_read_is_told(
    name: str, run: Run, what: str, fault: Callable[[Path, Path], None],
    good: Files, tmp_path: Path, capsys: Capture,
) -> None:  # fmt: skip
    bad = tmp_path / good[what].name
    fault(good[what], bad)
    assert call(name, run, {**good, what: bad}, tmp_path / "out") == 2
    assert bad.name in sentence(capsys)


def test_a_part_of_the_project_that_cannot_be_read_is_told(
    good: Files, tmp_path: Path, capsys: Capture
) -> None:
    ((name, run),) = [(name, run) for name, run in RUNS if name == "explorer.deploy"]
    (tmp_path / "project/README.md").unlink()
    assert call(name, run, good, tmp_path / "out") == 2
    assert "README.md" in sentence(capsys)


def test_claims_that_are_broken_are_told(good: Files, tmp_path: Path, capsys: Capture) -> None:
    (run,) = COMMANDS["model.labs.playground.claims"]
    for text in ("{", "[1]"):
        (tmp_path / "claims.json").write_text(text)
        assert call("model.labs.playground.claims", run, good, tmp_path / "claims.json") == 2
        assert "claims.json" in sentence(capsys)
        assert (tmp_path / "claims.json").read_text() == text


@pytest.mark.slow
@each("fault", [other_kind, broken])
def test_a_run_whose_files_are_broken_is_told(
    fault: Callable[[Path, Path], None], good: Files, tmp_path: Path, capsys: Capture
) -> None:
    """Each file of a run that training reads when it goes on."""
    whole = tmp_path / "whole"
    assert call("model.train", COMMANDS["model.train"][1], good, whole) == 0
    capsys.readouterr()
    read = (
        "TrainConfig.json", "ModelConfig.json", "state.pt", "curves.jsonl", "tokenizer.model",
        "data/train.tsv", "data/dev.tsv", "epochs/0001.safetensors",
    )  # fmt: skip
    for file in read:
        out = tmp_path / file.replace("/", "-")
        shutil.copytree(whole, out)
        (out / file).unlink()
        fault(whole / file, out / file)
        assert call("model.train", Run("--out {out}", "folder"), good, out) == 2, file
        assert Path(file).name in sentence(capsys)
