"""What the commands that write pages are given, and what they refuse in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer import onefile
from model import shipped


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["en-zh,runs/mine"], ("en-zh", "runs/mine")),
        (["en-zh", "runs/mine"], ("en-zh", "runs/mine")),
        (["a, b", "c,"], ("a", "b", "c")),
        ([""], ()),
    ],
)
def test_models_are_listed_with_commas_or_blanks(given: list[str], names: tuple[str, ...]) -> None:
    assert shipped.listed(given) == names


@pytest.mark.parametrize("model", ["zh-en", "runs/mine", "./en-zh"])
def test_a_lesson_is_not_dropped_in_silence(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lessons speak of some shipped models; with another one the file opened on nothing."""
    out = tmp_path / "lesson.html"
    assert onefile.main(["--model", model, "--lesson", "masks", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "The lessons speak of en-zh" in said and f"not of '{model}'" in said
    assert not out.exists()
