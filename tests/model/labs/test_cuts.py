"""Which words a vocabulary cuts badly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.labs import cuts
from model.text.tokenizer import Tokenizer
from model.training.corpus import Line
from tests import tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vocabulary")
    tiny.train_pair(folder)
    return folder


@pytest.mark.parametrize(
    ("pieces", "badly"),
    [
        (["because"], False),
        (["be", "cause"], True),
        (["walk", "ed"], False),
        (["play", "ing", "s"], True),
        (["ing", "rid"], True),
        (["un", "happy"], True),
    ],
)
def test_a_stem_and_an_ending_are_cut_well(pieces: list[str], badly: bool) -> None:
    assert cuts.is_cut_badly(pieces) is badly


def test_words_are_seen_where_they_stand(folder: Path) -> None:
    """The space mark is no part of a word; after an apostrophe or a bracket there is none."""
    tokenizer = Tokenizer.load(folder)
    text = "I don't know (books), 3 stations!"
    found = cuts.words(tokenizer, text)
    assert ["".join(word) for word in found] == ["I", "don", "t", "know", "books", "stations"]
    pieces = [piece.strip("▁") for piece in tokenizer.encode_source(text).pieces]
    assert all(piece in pieces for word in found for piece in word)


@pytest.mark.slow
def test_counts(folder: Path) -> None:
    tokenizer = Tokenizer.load(folder)
    source, target = tiny.ENGLISH[0], tiny.CHINESE[0]
    found = cuts.count(tokenizer, [Line(source, target, "a"), Line("Tomb", "我", "a")])
    assert (found.pairs, found.words) == (2, 7)
    assert found.bad == sum(map(cuts.is_cut_badly, cuts.words(tokenizer, f"{source} Tomb")))
    assert found.bad >= 1  # "Tomb" is new
    assert found.target_tokens == len(tokenizer.encode_target(target)) + 1
    assert found.empty_first == 0


def test_empty_first_pieces_of_the_older_format_are_counted(tmp_path: Path) -> None:
    tiny.train_joint(tmp_path / "tokenizer.model")
    tokenizer = Tokenizer.load(tmp_path)
    assert tokenizer.encode_target("鱻").pieces[0] == "▁"
    assert cuts.count(tokenizer, [Line("I", "鱻", "a")]).empty_first == 1


@pytest.mark.slow
def test_the_command_counts_domains_and_groups(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev.tsv"
    pairs = zip(tiny.ENGLISH, tiny.CHINESE, strict=True)
    file.write_text("".join(f"{a}\t{b}\td{i % 3}\n" for i, (a, b) in enumerate(pairs)), "utf-8")
    given = ["--model", str(folder), "--data", str(file), "--json"]
    assert cuts.main(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: its["pairs"] for name, its in found.items()} == {"d0": 3, "d1": 3, "d2": 2}
    assert cuts.main([*given, "--groups", "some=d0,d2", "all=*"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: its["pairs"] for name, its in found.items()} == {"some": 5, "all": 8}
    assert cuts.main(given[:-1]) == 0
    assert "d2" in capsys.readouterr().out
