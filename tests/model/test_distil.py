"""A model's own translations, nearest to the references."""

from __future__ import annotations

from pathlib import Path

import pytest

from model import distil
from model.training.corpus import read_lines
from tests.tiny import write_own

PAIRS = (
    "Tom asked his teacher for advice.\t汤姆向老师征求意见。\ttalk\n"
    "The old bank stands by the river bank.\t老银行在河岸边。\tplaces\n"
    "How many books did you read last year?\t你去年读了多少本书？\ttalk\n"
)


def test_the_nearest_is_chosen_and_a_stutter_never() -> None:
    hypotheses = ["我喜欢你们", "我喜欢他们。", "我喜欢他们我喜欢他们。", ""]
    text, score = distil.nearest(hypotheses, "我喜欢他们。")
    assert (text, score) == ("我喜欢他们。", 100.0)
    # Nearer than the first, as it holds all of the reference; but it says four characters twice.
    assert distil.nearest([hypotheses[0], hypotheses[2]], "我喜欢他们。")[0] == "我喜欢你们"
    assert distil.nearest(["", "哈哈哈哈哈哈哈哈"], "哈") == ("", 0.0)


def written(folder: Path, *arguments: str) -> list[tuple[str, str, str]]:
    (folder / "train.tsv").write_text(PAIRS, "utf-8")
    given = ["--model", str(folder / "model"), "--data", str(folder / "train.tsv")]
    assert distil.main([*given, "--out", str(folder / "own.tsv"), *arguments]) == 0
    if not (folder / "own.tsv").read_bytes():
        return []
    return [tuple(line) for line in read_lines(folder / "own.tsv")]


def test_sentences_and_domains_stay_as_they_are(tmp_path: Path) -> None:
    write_own(tmp_path / "model")
    rows = [row.split("\t") for row in PAIRS.splitlines()]
    own = written(tmp_path, "--least", "0", "--max-length", "3")
    assert [(source, domain) for source, _, domain in own] == [(r[0], r[2]) for r in rows]


@pytest.mark.slow
def test_what_is_far_from_the_reference_is_left_out(tmp_path: Path) -> None:
    write_own(tmp_path / "model")
    assert written(tmp_path, "--least", "99") == []
