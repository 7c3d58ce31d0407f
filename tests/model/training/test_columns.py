"""Data that are obviously no pairs are told before a model learns from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.errors import InputError
from model.training.corpus import read_pairs

PAIRS = [(f"We sold {name} last week.", f"上个星期我们卖了{name}。") for name in "abcdefghijklmno"]
NUMBERED = [*enumerate(PAIRS)]

REFUSED = {
    "scores first": ([(f"{1.25 - i / 1000}", *p) for i, p in NUMBERED], "column 1 holds numbers"),
    "dates": ([(f"2024-01-{i:02} 10:00", *p) for i, p in NUMBERED], "column 1 holds numbers"),
    "ids": ([(f"sent-{i}", *p) for i, p in NUMBERED], "column 1 holds ids"),
    "ids and scores": ([(f"d{i}", f"0.{i}", *p) for i, p in NUMBERED], "column 1 holds ids"),
    "a language": ([("eng", *p) for p in PAIRS], "column 1 holds one and the same text"),
    "score between": ([(a, f"0.9{i}", b) for i, (a, b) in NUMBERED], "column 2 holds numbers"),
    "empty": ([("", *p) for p in PAIRS], "column 1 holds nothing"),
}
WARNED = {
    "numbers": ([(f"{i}", b) for i, (_, b) in NUMBERED], "column 1 holds numbers"),
    "twice": ([(a, a.replace("sold", "bought")) for a, _ in PAIRS], "hold the same language"),
    "Chinese twice": ([(b, b + "了") for _, b in PAIRS], "hold the same language"),
    "score last": ([(*p, f"0.9{i}") for i, p in NUMBERED], "column 3 holds numbers"),
    "header": ([("source", "target"), *PAIRS], "line 1 looks like a header"),
    "codes": ([("en", "zh-CN"), *PAIRS], "line 1 looks like a header"),
}
FINE = {
    "plain": PAIRS,
    "domains": [(*p, "news") for p in PAIRS],
    "attributions": [(*p, f"CC-BY 2.0 (France) Attribution: tatoeba #{i}") for i, p in NUMBERED],
    "prices": [(f"It costs {i} dollars.", f"{i}元") for i in range(12)],
    "short": [("1", "one"), ("2", "two")],
    "relatives": [(f"Das ist ein {c}.", f"Dat is een {c}.") for c in "abcdefghijkl"],
}


def written(rows: list[tuple[str, ...]], folder: Path) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_text_is_refused_where_there_is_text(name: str, tmp_path: Path) -> None:
    rows, told = REFUSED[name]
    with pytest.raises(InputError) as caught:
        read_pairs(written(rows, tmp_path))
    text = str(caught.value)
    assert told in text and repr("\t".join(rows[1]))[1:20] in text and "cut -f" in text
    assert len(text) <= 300


@pytest.mark.parametrize("name", [*WARNED, *FINE])
def test_what_may_be_meant_is_a_warning(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows, told = WARNED.get(name) or (FINE[name], "")
    read_pairs(written(rows, tmp_path))
    assert [told in line for line in caplog.messages] == [True] * (told != "")
    assert all(len(line) <= 300 for line in caplog.messages)
