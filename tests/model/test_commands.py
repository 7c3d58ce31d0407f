"""What is wrong with a command line is told in a sentence, before any work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from explorer import record, session
from model import cli, evaluate, train
from model.checkpoint.__main__ import main as export
from model.labs import cheat, doubting
from model.labs.playground import claims

Capture = pytest.CaptureFixture[str]
PAIRS = "Hello.\t你好。\tgreetings\n"


def make_claims(arguments: list[str]) -> int:
    return cli.run(claims.Command, claims.make, arguments, prog="claims")


def refused(command: Callable[[list[str]], int], arguments: list[str], capsys: Capture) -> str:
    """What a command says, which must end with 2."""
    assert command(arguments) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said and said.count("\n") == 1
    return said


def test_a_wrong_place_is_told_before_the_work(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked(*_: object) -> None:
        raise AssertionError("the work began")

    monkeypatch.setattr(cheat, "load", worked)
    monkeypatch.setattr(doubting.Explainer, "load", worked)
    monkeypatch.setattr(claims, "train", worked)
    data, folder = tmp_path / "pairs.tsv", str(tmp_path)
    data.write_text(PAIRS)
    given = ["--data", str(data), "--out"]
    assert "is a file; give a folder" in refused(train.main, [*given, str(data)], capsys)
    for command, arguments in (
        (cheat.main, given),
        (doubting.main, ["--model", folder, *given]),
        (make_claims, ["--names", "positions", "--out"]),
    ):
        assert "is a folder; give a file" in refused(command, [*arguments, folder], capsys)
        assert "make" in refused(command, [*arguments, f"{folder}/none/file"], capsys)
    for out, what in ((str(data), "is a file"), (folder, "holds other files")):
        said = refused(export, ["export", "--model", "x/y", "--out", out], capsys)
        assert what in said
    assert data.read_text() == PAIRS


def test_a_file_that_cannot_be_read_is_told_as_what_it_is(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "binary").write_bytes(b"ab\xff")
    (tmp_path / "empty").write_bytes(b"")
    for name, what in (
        ("none", "There is no file"),
        ("binary", "is not UTF-8 text (byte 3)"),
        ("empty", "holds no pairs"),
        ("", "cannot be read (Is a directory)"),
    ):
        path = str(tmp_path / name)
        assert what in refused(evaluate.main, ["--data", path], capsys)
        out = tmp_path / "run"
        refused(train.main, ["--data", path, "--out", str(out)], capsys)
        assert not out.exists(), "nothing is left of a run that did not begin"
    said = refused(session.main, ["validate", str(tmp_path / "empty")], capsys)
    assert "not a session" in said and "Give a file that the page" in said


def test_what_is_not_there_is_named_with_what_is(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    data = ["--data", str(tmp_path / "pairs.tsv")]
    assert "give --data" in refused(evaluate.main, [], capsys)
    said = refused(evaluate.main, [*data, "--domains", "film"], capsys)
    assert "in film; the data has greetings" in said
    assert "positions" in refused(make_claims, ["--names", "foo"], capsys)


def test_asking_for_help_records_nothing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "explanation_payload", None)
    with pytest.raises(SystemExit) as ended:
        record.main(["--help"])
    assert ended.value.code == 0 and "python -m explorer.record" in capsys.readouterr().out
