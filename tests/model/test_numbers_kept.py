"""The rule of numbers: what our models write takes no number of the source apart."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import Tensor

from model import checkpoint, shipped
from model.config import DecodeConfig
from model.decoding import search
from model.rules import Rules, numbers_of
from model.trace import Search
from tests import tiny

PIECES = ["</s>", "a", "▁", "9", "▁9", "0", "▁0", ":", ".", ",", "▁in", "洗", "...", "：", "Éa"]
END, NINE, ZERO, COLON, POINT = (PIECES.index(one) for one in ("</s>", "9", "0", ":", "."))
RULES = Rules(start_id=-1, end_id=END, numbers=numbers_of(PIECES))
# Behind a digit and the sign: no blank and digit; no digit, letter or point.
APART, JOINED = {"▁", "▁9", "▁0"}, {"9", "▁9", "0", "▁0", "a", ".", "...", "Éa"}
SOURCES: dict[tuple[str, ...], dict[str, set[str]]] = {
    ("9", ":", "0"): {":": APART},
    ("a", "▁9", "：", "0", "0"): {":": APART},
    ("9", ":", "▁0"): {},  # two numbers
    ("9", ":", "▁", "0"): {},
    ("9", ":", "a"): {},
    ("a", ":", "0"): {},
    ("9", ".", "▁in"): {".": JOINED},
    ("9", ".", "洗"): {".": JOINED},
    ("9", "."): {".": JOINED},
    ("a", "."): {},
    ("9", ".", "0"): {},  # 9.0
    ("9", ".", "▁0"): {},  # and the next sentence has a number, which may be the first
    ("9", ".", "▁", "0"): {},
    ("9", ".", "a"): {},  # 9.m, a file
    ("9", ",", "0", "a", "9", "."): {},  # may be 9.0 in the other language
    ("9", ":", "0", "a", "9", "."): {":": APART},  # 9:0 may be 9.0
}


@dataclass
class Table:
    """A Stepper with the same probabilities at each step, in each row its own."""

    rows_: list[dict[str, float]]
    normalisers: None = None

    def step(self, tokens: Tensor) -> tuple[Tensor, Table]:
        probs = torch.full((len(self.rows_), len(PIECES)), 1e-4)
        for row, likely in zip(probs, self.rows_, strict=True):
            for piece, p in likely.items():
                row[PIECES.index(piece)] = p
        return probs.log(), self

    def rows(self, index: Tensor) -> Table:
        return Table([self.rows_[i] for i in index.tolist()])


class Joined:
    def piece(self, token_id: int, /) -> str:
        return PIECES[token_id]

    def decode(self, ids: Sequence[int], /) -> str:
        return "".join(PIECES[i] for i in ids).replace("▁", " ")


def ids(pieces: Sequence[str]) -> list[int]:
    return [*map(PIECES.index, pieces), END]


def run(table: Table, sources: list[Sequence[str]], prefix: Sequence[str]) -> list[Search]:
    rules = [RULES.of_source(ids(one), None) for one in sources]
    config = DecodeConfig(method="greedy", max_length=len(prefix) + 1)
    start = [PIECES.index(one) for one in prefix]
    return search(table, len(sources), config, rules, Joined(), prefix=start)


@pytest.mark.parametrize("source", SOURCES, ids="".join)
def test_what_may_not_follow_is_as_the_source_has_it(source: tuple[str, ...]) -> None:
    rules = RULES.of_source(ids(source), None)
    for sign in (":", "."):
        even = Table([dict.fromkeys(PIECES, 1 / len(PIECES))])
        (found,) = run(even, [source], ["9", sign])
        never = {PIECES[one.token_id] for one in found.steps[-1].forbidden}
        assert never == SOURCES[source].get(sign, set())
        assert {one.rule for one in found.steps[-1].forbidden} <= {"numbers"}
    assert rules.changes_scores == bool(SOURCES[source])


def test_the_record_keeps_the_models_numbers_of_what_was_likely() -> None:
    table = Table([{"▁0": 0.6, "▁9": 0.005, "0": 0.2}])
    (found,) = run(table, [("9", ":", "0")], ["9", ":"])
    assert found.hypotheses[0].text == "9:0"
    assert found.steps[-1].log_probs[found.hypotheses[0].path[-1]] == pytest.approx(math.log(0.2))
    (one,) = found.steps[-1].forbidden
    assert (PIECES[one.token_id], one.rule) == ("▁0", "numbers")
    assert one.log_prob == pytest.approx(math.log(0.6))


@pytest.mark.parametrize("order", [1, -1])
def test_of_sentences_that_are_searched_together_each_has_its_own(order: int) -> None:
    rows = [{"▁0": 0.6, "0": 0.2}, {"▁9": 0.6, "9": 0.2}][::order]
    sources: list[Sequence[str]] = [("9", ":", "0"), ("9", ":", "▁0")][::order]
    texts = [found.hypotheses[0].text for found in run(Table(rows), sources, ["9", ":"])]
    assert texts[::order] == ["9:0", "9: 9"]


def test_only_our_models_with_words_have_it(tmp_path: Path) -> None:
    assert checkpoint.load(tiny.write_marian(tmp_path / "marian")).rules.numbers is None
    assert numbers_of(["</s>", "0", "1", ":", "."]) is None  # a model of letters
    own = checkpoint.load(shipped.FOLDERS["zh-en"])
    assert own.rules.numbers is not None and own.rules.kept == ()
    assert [own.tokenizer.pieces[i] for i in own.rules.numbers.blank] == ["▁"]
    assert dataclasses.replace(own.rules, numbers=None).of_source([1, 2], None).kept == ()
