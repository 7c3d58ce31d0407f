"""What must be copied, counted on sentences whose translations are made up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from model.labs.copying import copied
from model.labs.doubt import Signs
from model.text.characters import normalise
from model.training.corpus import as_given, read_pairs
from tests.test_readme import ROOT


def trace(source: str, output: str) -> Any:
    return SimpleNamespace(src=SimpleNamespace(text=source), tgt_out=SimpleNamespace(text=output))


def translator(output: str) -> Any:
    """Writes one translation, and doubts it below a mean log-prob of -1."""
    search = SimpleNamespace(hypotheses=[SimpleNamespace(text=output)])
    return SimpleNamespace(
        explain=lambda source, *_: SimpleNamespace(search=search, trace=trace(source, output)),
        thresholds=SimpleNamespace(log_prob=-1.0, repeats=9, read=0.0, source=0.0),
    )


@pytest.mark.parametrize(
    ("output", "log_prob", "right", "doubted"),
    [
        ("我18:20从B12走。", -0.1, True, False),
        ("我18:20从b12走。", -0.1, False, True),  # a code is known to be copied
        ("我20:18从B12走。", -0.1, False, False),  # the parts of a time may change their order
        ("我18:2从B12走。", -2.0, False, True),
        ("B12，18:20", -2.0, True, True),
    ],
)
def test_a_line_is_right_if_all_of_its_items_are(
    monkeypatch: pytest.MonkeyPatch, output: str, log_prob: float, right: bool, doubted: bool
) -> None:
    monkeypatch.setattr("model.labs.doubt.signs", lambda *_: Signs(log_prob, 0, 1.0, 1.0))
    line = copied(translator(output), "I leave at 18:20 from B12.", "18:20 B12", "beam")
    assert (line.is_copied, line.is_doubted) == (right, doubted)


@pytest.mark.parametrize(("language", "count"), [("en", 100), ("zh", 40)])
def test_the_lines_hold_what_is_to_be_copied(language: str, count: int) -> None:
    lines = read_pairs(ROOT / "docs" / f"copied.{language}.tsv", as_given, as_given)
    assert len(lines) == count
    assert [s for s, items in lines if not all(i in normalise(s) for i in items.split())] == []
