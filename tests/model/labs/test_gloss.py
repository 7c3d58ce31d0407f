"""What words stand for in the other language: counted on a corpus that is worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from model.errors import CheckpointError
from model.labs import gloss
from model.text import english, glossary
from model.text.glossary import Gloss, Glossary
from model.trace import Tokens

# Source and target pieces, then for each piece of the target one of the source, and the reverse.
# 了 is linked with whatever verb there is, but no verb is linked with it. Nobody, at first in a
# sentence in capitals, is a name within one; be|cause is one word, and 图书|馆 are two that
# the one "library" stands for.
CORPUS = [
    ("▁Tom ▁went .", "汤姆 去 了 。", [0, 1, 1, 2], [0, 1, 3]),
    ("▁I ▁went .", "我 去 了 。", [0, 1, 1, 2], [0, 1, 3]),
    ("▁I ▁went .", "我 走 了 。", [0, 1, 1, 2], [0, 1, 3]),
    ("▁He ▁came .", "他 来 了 。", [0, 1, 1, 2], [0, 1, 3]),
    ("▁He ▁came .", "他 来 了 。", [0, 1, 1, 2], [0, 1, 3]),
    ("▁We ▁saw ▁Tom .", "我们 见 了 汤姆 。", [0, 1, 1, 2, 3], [0, 1, 3, 4]),
    ("▁It ▁is ▁be cause ▁Tom ▁ate .", "因为 汤姆 吃 了 。", [2, 4, 5, 5, 6], [0, 0, 0, 0, 1, 2, 4]),
    ("▁be cause ▁I ▁go .", "因为 我 去 。", [1, 2, 3, 4], [0, 0, 1, 2, 3]),
    ("▁be cause ▁I ▁do n't .", "因为 我 不 。", [0, 2, 4, 5], [0, 0, 1, 2, 2, 3]),
    ("▁the ▁library .", "图书 馆 。", [1, 1, 2], [0, 1, 2]),
    ("▁the ▁library .", "图书 馆 。", [1, 1, 2], [1, 1, 2]),
    ("▁a ▁library .", "一 图书 馆 。", [0, 1, 1, 2], [0, 2, 3]),
]  # fmt: skip


def tokens(text: str) -> Tokens:
    """Tokens whose pieces are given, as they would be cut out of their text."""
    pieces, spans, whole = text.split(), [], ""
    for piece in pieces:
        shown = piece.replace("▁", " ") if whole else piece.removeprefix("▁")
        spans.append((len(whole), len(whole) + len(shown)))
        whole += shown
    return Tokens(whole, np.arange(len(pieces)), tuple(pieces), np.array(spans))


def counted(
    corpus: Sequence[tuple[str, str, list[int], list[int]]] = CORPUS,
) -> tuple[gloss.Side, gloss.Side]:
    return gloss.count((tokens(a), tokens(b), (up, down)) for a, b, up, down in corpus)


def test_words_of_both_sides_are_counted_where_both_directions_agree() -> None:
    source, target = counted()
    assert source.places["went"] == source.linked["went"] == 3
    assert source.pairs["went"] == {"去": 2, "走": 1, "去了": 2, "走了": 1}
    assert source.pairs["because"] == {"因为": 3}
    assert (source.places["the"], source.linked["the"]) == (2, 0)
    assert target.pairs["汤姆"] == {"tom": 3}
    assert (target.places["了"], target.linked["了"]) == (7, 0)
    assert (target.pairs["图书"], target.pairs["馆"]) == ({}, {"library": 3})
    assert target.near["图书"] == {"library": 3}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corpus has its words three times."""
    monkeypatch.setattr(gloss, "LEAST_PLACES", 3)


@pytest.mark.slow
def test_the_table_has_the_likeliest_word_and_its_share() -> None:
    found = gloss.table(*counted(), 10, ("▁the", "了", "x")).words
    told = {word: (one.word, one.share) for word, one in found.items() if one.word}
    assert told == {
        "because": ("因为", 1), "tom": ("汤姆", 1), "i": ("我", 1), "library": ("图书馆", 1),
        "汤姆": ("Tom", 1), "因为": ("because", 1), "我": ("I", 1), "去": ("went", 1),
        "图书": ("library", 1), "馆": ("library", 1),
        "went": ("去", 3 / 4),  # of its own three places only two; with "go", three of four
    }  # fmt: skip
    assert found["了"] == Gloss("", 0, "le")
    assert found["去"].pinyin == "qù"
    assert "." not in found and "the" not in found


@pytest.mark.slow
def test_where_no_word_is_chinese_the_table_says_its_side() -> None:
    corpus = [("▁der ▁Hund ▁schläft", "▁the ▁dog ▁sleeps", [0, 1, 2], [0, 1, 2])] * 3
    found = gloss.table(*counted(corpus), 3).words
    assert (found["hund"].word, found["hund"].side) == ("dog", "source")
    assert (found["dog"].side, found["sleeps"].side) == ("target", "target")
    assert found["dog"].listed()[2:] == ["", "target"]
    assert all(one.side == "" for one in gloss.table(*counted(), 10).words.values())


def test_one_direction_alone_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: what a word is linked with counts, whether or not it is linked back."""
    monkeypatch.setattr(
        gloss,
        "_both",
        lambda forth, back: {word: (theirs, {*theirs}) for word, theirs in forth.items()},
    )
    assert gloss.table(*counted(), 10).words["了"].word == "went"


@pytest.mark.parametrize(
    ("word", "pairs", "linked", "places", "expected"),
    [
        ("做", {"do": 2, "did": 2, "make": 3}, 9, 9, ("do", 4 / 9)),  # the forms of a word are one
        ("做", {"do": 2, "make": 2, "play": 2}, 7, 7, None),  # no word reaches a third
        ("的", {"of": 3}, 3, 40, None),  # linked too seldom
        ("新", {"new": 2}, 2, 2, None),  # too few
        ("不", {"don't": 2, "not": 1, "can't": 1, "do": 1}, 5, 5, ("not", 0.8)),
    ],
)
def test_which_word_is_likeliest(
    word: str,
    pairs: dict[str, int],
    linked: int,
    places: int,
    expected: tuple[str, float] | None,
) -> None:
    side = gloss.Side()
    side.pairs[word].update(pairs)
    side.places[word], side.linked[word] = places, linked
    found = gloss.likeliest(side, word)
    assert (found and found[:2]) == (expected and pytest.approx(expected))


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ({"两个": 2, "两只": 2, "两": 2, "二": 2}, "两"),  # 两 is in six of eight
        ({"图书馆": 6, "图书": 1}, "图书馆"),  # the whole word, not a part of it
        ({"我": 5, "我的": 5}, "我的"),
    ],
)
def test_a_longer_chinese_word_counts_for_its_parts(runs: dict[str, int], expected: str) -> None:
    side = gloss.Side()
    for run, number in runs.items():
        parts = {run[a:b] for a in range(len(run)) for b in range(a + 1, len(run) + 1)}
        side.pairs["x"].update(dict.fromkeys(parts, number))
        side.runs["x"][run] = number
    side.places["x"] = side.linked["x"] = sum(runs.values())
    found = gloss.likeliest(side, "x")
    assert found is not None and found.word == expected


@pytest.mark.parametrize(
    ("words", "base"),
    [
        ("make makes making made", 1), ("see saw seen", 1), ("stop stopped stopping", 1),
        ("city cities", 1), ("box boxes", 1), ("him he", 1), ("news new", 2), ("his hi", 2),
        ("thing think", 2), ("better bet", 2), ("this thin", 2), ("bus bu", 2),
    ],
)  # fmt: skip
def test_forms_of_an_english_word_share_a_key(words: str, base: int) -> None:
    assert len({english.base(word) for word in words.split()}) == base


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("don't", "do not"), ("can’t", "can not"), ("won't", "will not"), ("i'm", "i am"),
        ("let's", "let us"), ("it's", "it is"), ("tom's", "tom"), ("you'll", "you will"),
        ("cannot", "can not"), ("o'clock", "o'clock"),
    ],
)  # fmt: skip
def test_a_contraction_is_its_words(word: str, parts: str) -> None:
    assert english.parts(word) == tuple(parts.split())


def test_the_file_reads_back(tmp_path: Path) -> None:
    table = Glossary(7, {"再": Gloss("again", 0.35, "zài"), "tom": Gloss("汤姆", 1),
        "hund": Gloss("dog", 0.8, "", "source")})  # fmt: skip
    assert glossary.load(tmp_path) is None
    (tmp_path / glossary.FILE).write_text(table.to_json(), "utf-8")
    assert glossary.load(tmp_path) == table
    (tmp_path / glossary.FILE).write_text('{"pairs": 1, "words": {"a": 3}}', "utf-8")
    with pytest.raises(CheckpointError, match=r"gloss\.json cannot be used; make it again"):
        glossary.load(tmp_path)
