"""What words stand for in the other language: counted on a corpus that is worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from model.errors import CheckpointError
from model.labs import gloss
from model.text import english, glossary
from model.text.glossary import Entry, Gloss, Glossary
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
    told = {word: entry.gloss[:2] for word, entry in found.items() if entry.gloss.word}
    assert told == {
        "because": ("因为", 1), "tom": ("汤姆", 1), "i": ("我", 1), "library": ("图书馆", 1),
        "汤姆": ("Tom", 1), "因为": ("because", 1), "我": ("I", 1), "去": ("went", 1),
        "图书": ("library", 1), "馆": ("library", 1),
        "went": ("去", 3 / 4),  # of its own three places only two; with "go", three of four
    }  # fmt: skip
    assert found["了"] == Entry(Gloss("", 0, "le"))
    assert found["去"].gloss.pinyin == "qù"
    assert "." not in found and "the" not in found
    assert {word: entry.others for word, entry in found.items() if entry.others} == {}


def test_words_of_two_languages_in_one_script_have_a_table_each() -> None:
    corpus = [
        ("▁Der ▁Hund ▁will ▁nicht", "▁The ▁dog ▁wants ▁not", [0, 1, 2, 3], [0, 1, 2, 3]),
        ("▁Er ▁will ▁die ▁Hunde", "▁He ▁wants ▁the ▁dogs", [0, 1, 2, 3], [0, 1, 2, 3]),
        ("▁Er ▁wird ▁es ▁und ▁ist", "▁He ▁will ▁it ▁and ▁is", [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
    ] * 3  # fmt: skip
    found = gloss.table(*counted(corpus), 9)
    assert found.languages == ("de", "en") and found.target is not None
    assert found.words["will"].gloss == Gloss("wants", 1)
    assert found.target["will"].gloss == Gloss("wird", 1)
    assert found.words["hunde"].gloss == Gloss("dogs", 1)
    assert not {"wird", "hunde"} & found.target.keys()
    assert gloss.table(*counted(), 10).target is None  # the script tells


def test_forms_of_a_german_word_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too rare by itself has the gloss of all: Hunde, of Hund and Hunden too."""
    corpus = [
        (f"▁der ▁{form} ▁ist ▁und", "▁the ▁dog ▁is ▁and", [0, 1, 2, 3], [0, 1, 2, 3])
        for form in ("Hund", "Hunde", "Hunden", "Hundes")
    ]
    monkeypatch.setattr(gloss, "LEAST_PLACES", 1)
    words = gloss.table(*counted(corpus), 4).words
    assert {words[one].gloss.word for one in ("hund", "hunde", "hunden", "hundes")} == {"dog"}


def test_one_direction_alone_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: what a word is linked with counts, whether or not it is linked back."""
    monkeypatch.setattr(
        gloss,
        "_both",
        lambda forth, back: {word: (theirs, {*theirs}) for word, theirs in forth.items()},
    )
    assert gloss.table(*counted(), 10).words["了"].gloss.word == "went"


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


def side_of(words: dict[str, dict[str, int]], **there: dict[str, int]) -> gloss.Side:
    """A side whose words stand for others so often, of places where these are there so often."""
    side = gloss.Side()
    for word, pairs in words.items():
        side.places[word] = side.linked[word] = sum(pairs.values())
        side.pairs[word].update(pairs)
        side.runs[word].update(pairs)
        side.meant[word].update(pairs)
        side.there[word].update(there.get(word, pairs))
    return side


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "pairs", "there", "expected"),
    [
        ("上", {"on": 8, "last": 3, "very": 3}, {"last": 5, "very": 6}, ("on", {"last": 0.21})),
        ("左", {"left": 8, "very": 3, "last": 3}, {"very": 3, "last": 4},
         ("left", {"very": 0.21, "last": 0.21})),
        ("走", {"go": 4, "walk": 4, "leave": 4, "run": 3}, {}, ("", {"walk": 0.27, "leave": 0.27,
         "go": 0.27, "run": 0.2})),
        ("left", {"左": 3, "离开": 3, "剩": 3, "走": 3}, {"左": 3, "离开": 4, "剩": 9, "走": 9},
         ("", {"离开": 0.25, "左": 0.25})),
        ("do", {"做": 9, "干": 3}, {"做": 9, "干": 3}, ("", {"做": 0.75, "干": 0.25})),
        ("having", {"有": 9}, {}, ("", {"有": 1})),  # "do you", "having seen" are none
        # Of several pieces the likelier part is there too; a piece may hold it.
        ("want", {"想": 8, "不想": 4}, {}, ("想", {})),
        ("close", {"近": 3, "关": 3, "合": 3, "靠": 3}, {"近": 3}, ("", {"近": 0.25})),
        ("put", {"把": 9, "放": 3}, {"把": 9, "放": 3}, ("", {"放": 0.25})),  # an object's mark
        ("把", {"put": 9, "take": 3}, {}, ("", {})),
    ],
)  # fmt: skip
def test_other_words_are_kept_where_being_there_says_something(
    word: str, pairs: dict[str, int], there: dict[str, int], expected: tuple[str, dict[str, float]]
) -> None:
    side = side_of({word: pairs}, **{word: there} if there else {})
    entry = gloss.table(side, gloss.Side(), 1).words.get(word, Entry())
    assert (entry.gloss.word, entry.others) == expected


def test_a_word_that_is_in_every_sentence_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: what was aligned with a word often enough is kept, wherever else it is."""
    monkeypatch.setattr(gloss, "LEAST_MEANT", 0)
    side = side_of({"上": {"on": 8, "very": 3}}, 上={"very": 60})
    assert gloss.table(side, gloss.Side(), 1).words["上"].others == {"very": 0.27}


def test_a_form_is_not_told_what_another_word_of_its_key_is() -> None:
    """Care and cars share a key, which is mostly a car's; washed says itself what wash is."""
    words = {
        "cars": {"车": 20}, "care": {"照顾": 3, "护理": 3, "在乎": 3, "管": 3},
        "wash": {"洗": 20}, "washed": {"洗": 3, "洗过": 3, "刷": 3, "擦": 3},
    }  # fmt: skip
    found = gloss.table(side_of(words), gloss.Side(), 1).words
    assert (found["care"].gloss.word, found["washed"].gloss.word) == ("", "洗")


def test_where_a_word_is_there_and_where_it_is_meant() -> None:
    """A is 甲 in three places of five in which 甲 is there: in the others 甲 is told by another."""
    linked = [("▁a ▁b", "甲 乙", [0, 1], [0, 1])] * 3
    corpus = [*linked, *[("▁a ▁c", "丙 甲", [1, 1], [1, 0])] * 2]
    source, target = counted(corpus)
    assert (source.there["a"], source.meant["a"]) == ({"甲": 5}, {"甲": 3})
    assert (target.there["乙"], target.meant["乙"]) == ({"b": 3}, {"b": 3})
    assert source.there["c"] == {}  # too few


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
    table = Glossary(7, {
        "再": Entry(Gloss("again", 0.35, "zài"), {"another": 0.12, "more": 0.1}),
        "tom": Entry(Gloss("汤姆", 1)), "left": Entry(Gloss("", 0), {"左": 0.29}),
        "hund": Entry(Gloss("dog", 0.8, "", "source"), {"hound": 0.1}),
        "了": Entry(Gloss("", 0, "le")),
    })  # fmt: skip
    assert glossary.load(tmp_path) is None
    (tmp_path / glossary.FILE).write_text(table.to_json(), "utf-8")
    assert glossary.load(tmp_path) == table
    for damaged in ('{"a": 3}', '{"a": []}', '{"a": ["b", 1, [["c"]]]}', '["a"]'):
        (tmp_path / glossary.FILE).write_text(f'{{"pairs": 1, "words": {damaged}}}', "utf-8")
        with pytest.raises(CheckpointError, match=r"gloss\.json cannot be used; make it again"):
            glossary.load(tmp_path)
