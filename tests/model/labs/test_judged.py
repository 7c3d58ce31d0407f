"""The counts of marks against judgements: by hand, for sentences whose marks are given."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from model.labs import judged
from model.labs.lost import Lost

HEADING = "\t".join(judged.COLUMNS)
# What the model writes, the reasons for doubt, and the words that are lost.
MODEL: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "A b.": ("ab", (), ("b",)),
    "C d.": ("cd", ("unlikely",), ()),
    "E f.": ("ef", (), ("e",)),
    "G h.": ("gh", (), ()),
    "I j.": ("other", ("unlikely",), ("j",)),
}


def explain(text: str, _: object) -> Any:
    said = MODEL[text][0] if text in MODEL else text
    return SimpleNamespace(
        text=text,
        trace=SimpleNamespace(src=SimpleNamespace(text=text), tgt_out=SimpleNamespace(text=said)),
        search=SimpleNamespace(hypotheses=[SimpleNamespace(text=said)]),
    )


@pytest.fixture(autouse=True)
def _marks(monkeypatch: pytest.MonkeyPatch) -> None:
    explainer = SimpleNamespace(explain=explain, decoding=lambda: None, thresholds=True)
    monkeypatch.setattr(judged.Explainer, "load", lambda _: explainer)
    monkeypatch.setattr(
        judged.doubt, "judge", lambda _, one, __: SimpleNamespace(reasons=MODEL[one.src.text][1])
    )
    monkeypatch.setattr(
        judged, "lost_words", lambda source, *_: [Lost(word, 0, 1) for word in MODEL[source][2]]
    )


def test_the_counts_of_each_sort_and_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last one is translated otherwise now, so it is left out."""
    rows = [
        "x\tA b.\tab\twrong\tleft out\tb",
        "x\tC d.\tcd\twrong\tnumber\td",
        "x\tE f.\tef\tright",
    ]
    rows += ["x\tG h.\tgh\tright", "x\tI j.\tij\twrong\tnumber\tj"]
    lines = (f"{row}{chr(9) * (5 - row.count(chr(9)))}" for row in rows)
    (tmp_path / "judged.tsv").write_text("\n".join([HEADING, *lines]), "utf-8")
    assert judged.main(["--data", str(tmp_path / "judged.tsv")]) == 0
    numbers = '{{"all": {}, "before": {}, "marked": {}, "by the word": {}}}'
    assert capsys.readouterr().out.splitlines() == [
        f"x, left out: {numbers.format(1, 0, 1, 1)}",
        f"x, number: {numbers.format(1, 1, 1, 0)}",
        f"x, right: {numbers.format(2, 0, 1, 0)}",
        f"x, wrong: {numbers.format(2, 1, 2, 1)}",
    ]


def test_a_file_without_the_heading_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.tsv").write_text("a\tb\n", "utf-8")
    assert judged.main(["--data", str(tmp_path / "pairs.tsv")]) == 2
    assert "needs a heading with sort, sentence" in capsys.readouterr().err
