"""What labels carry of the table of glosses, in Python and in the browser's engine."""

from __future__ import annotations

import copy
import json
import subprocess
from typing import Any

import pytest

from explorer.exchange.gloss import glossed
from model.text.glossary import Entry, Gloss, Glossary, Texts
from tests import npm
from tests.npm import FOLDER

# Worked out by hand: none of the numbers is of a real table.
WORDS = {
    "because": Entry(Gloss("因为", 0.9)),
    "can": Entry(Gloss("能", 0.5)),
    "再": Entry(Gloss("again", 0.36, "zài"), {"another": 0.15}),
    "了": Entry(Gloss("", 0, "le")),
    "图书": Entry(Gloss("library", 0.6, "túshū")),
    "close": Entry(Gloss("特写", 0.48), {"近": 0.19, "关": 0.16, "关上": 0.05}),
    "left": Entry(Gloss("", 0), {"左": 0.29, "离开": 0.18}),
    "back": Entry(Gloss("回", 0.5), {"来": 0.1, "背": 0.1}),
    "给": Entry(Gloss("", 0, "gěi"), {"give": 0.3, "for": 0.2}),
    "隔壁": Entry(Gloss("door", 0.67, "gébì"), {"next": 0.33}),
    "汤姆": Entry(Gloss("Tom", 1, "tāngmǔ"), {"tommy": 0.1}),
    "不": Entry(Gloss("", 0, "bù"), {"never": 0.3, "not": 0.2}),
}
MODULE = FOLDER.parents[1] / "assets" / "engine" / "gloss.js"
NONE: tuple[str, str] = ("", "")


def label(piece: str, *, joined: bool = False, kind: str = "word") -> dict[str, Any]:
    entry = {"text": piece.removeprefix("▁"), "kind": kind, "piece": piece, "id": 1}
    return entry | ({"joined": True} if joined else {})


def text(words: str) -> list[dict[str, Any]]:
    """The labels of words with blanks between them, after "+" a further piece of a word."""
    return [
        label(one[1:], joined=True) if one.startswith("+") else label(f"▁{one}")
        for one in words.split()
    ]


def pair(source: str, target: str) -> dict[str, Any]:
    return {"src": text(source), "tgt_out": text(target)}


Case = tuple[Any, tuple[str, str], list[str | None]]
CASES: list[Case] = [
    ([label("▁be"), label("cause", joined=True), label(".")], NONE, ["因为", "因为", None]),
    ([label("▁Be"), label("cause", joined=True)], NONE, ["因为", "因为"]),  # a sentence's begin
    ([label("▁va"), label("can", joined=True)], NONE, [None, None]),  # a part of one
    ([label("("), label("can")], NONE, [None, "能"]),
    ([label("x"), label("can")], NONE, [None, None]),  # it may continue a word
    (label("can"), NONE, [None]),
    (label("▁can"), NONE, ["能"]),
    ({"top": [label("再"), label("了")], "other": [[label("图书")]]}, NONE,
     ["again", "", "library"]),
    ([label("</s>", kind="special"), label("再")], NONE, [None, "again"]),
    ({"rows": [[1.5, 2]], "text": "再"}, NONE, []),
    # A part of a file's name or of an address, of which the words are none.
    ([label("▁"), label("can"), label("."), label("a")], NONE, [None] * 4),
    ([label("▁a"), label("@"), label("can"), label("."), label("</s>", kind="special")], NONE,
     [None] * 5),
    ([label("▁can"), label("."), label("</s>", kind="special")], NONE, ["能", None, None]),
    ([label("▁can"), label("."), label("▁can")], NONE, ["能", None, "能"]),
    ([label("."), label("can")], NONE, [None, "能"]),
    ([label("再"), label("."), label("再")], NONE, ["again", None, "again"]),
    ([label("▁can"), label("."), label("再")], NONE, ["能", None, "again"]),
    # Beside the page's texts: the likeliest word that is there, else the likeliest by itself.
    ([label("▁close")], ("close the window", "关 窗户"), ["关"]),
    ([label("▁close")], ("close the window", "关 上 窗户"), ["关"]),
    ([label("▁close")], ("close by", "近 关 了"), ["近关"]),  # likelier, with what touches it
    ([label("▁close")], ("close by", "关 得 近"), ["近"]),
    ([label("▁close")], ("close", "关系"), ["特写"]),  # a part of a word is not the word
    ([label("▁left"), label("▁Left")], ("", "他 离开 了"), ["离开", "离开"]),
    ([label("▁left")], ("", "剩 下"), [""]),
    ([label("给"), label("再")], ("he gave me another one", ""), ["gave", "another"]),
    ([label("隔壁")], ("who lives Next door .", ""), ["next door"]),
    ([label("隔壁")], ("the next house has no door", ""), ["door"]),
    ([label("隔壁")], ("the doors are open", ""), ["doors"]),
    ([label("汤姆")], ("TOM , not tommy", ""), ["Tom"]),
    ([label("不")], ("I do +n't", ""), ["not"]),
    ([label("不")], ("he never does", ""), ["never"]),
    ([label("给")], ("given or give", ""), ["give"]),  # of its forms the table's own
    ([label("不")], ("never , not never not never", ""), ["never"]),
    ([label("不")], ("not not never", ""), ["not never"]),
    ([label("▁back")], ("", "他 回 来"), ["回来"]),
    # A part of a reply with texts of its own is told beside these, whatever the page shows.
    (pair("close", "关 了"), ("close", "近"), ["关", None, ""]),
    ({"rows": [pair("close", "关"), pair("close", "近")]}, NONE, ["关", None, "近", None]),
    ({"src": text("close"), "top": [label("关")]}, ("close", "近"), ["近", None]),
    ({"giver": text("give"), "receiver": text("for"), "read": text("给")}, NONE,
     [None, None, "give"]),
]  # fmt: skip


def table() -> Glossary:
    return Glossary(7, WORDS)


def told(value: Any, page: tuple[str, str], glossary: Glossary | None) -> Any:
    texts = [[one.replace(" +", "").split()] for one in page]
    return glossed(copy.deepcopy(value), glossary, lambda table: table.texts(*texts))


def glosses(value: Any) -> list[str | None]:
    """The words on the labels in the order in which they stand."""
    if isinstance(value, list):
        return [word for one in value for word in glosses(one)]
    if not isinstance(value, dict):
        return []
    own = [value["gloss"][0] if "gloss" in value else None] if "piece" in value else []
    return own + [word for one in value.values() for word in glosses(one)]


@pytest.mark.parametrize(("value", "page", "expected"), CASES)
def test_labels_carry_what_their_word_stands_for_here(
    value: Any, page: tuple[str, str], expected: list[str | None]
) -> None:
    assert glosses(told(value, page, table())) == expected
    assert glosses(told(value, page, None)) == [None] * len(expected)


def test_the_share_is_that_of_the_word_shown() -> None:
    page = ("who lives next door", "近")
    given = [label(one) for one in ("▁close", "隔壁", "了")]
    assert [one["gloss"] for one in told(given, page, table())] == [
        ["近", 0.19],
        ["next door", 0.67, "gébì"],
        ["", 0, "le"],
    ]


# English and German have the same letters: each word is told by its own side.
GERMAN = Glossary(
    7,
    {
        "die": Entry(Gloss("sterben", 0.6)),
        "dogs": Entry(Gloss("", 0), {"hunde": 0.3}),
        "will": Entry(Gloss("wird", 0.4), {"werden": 0.3}),
    },
    ("en", "de"),
    {
        "die": Entry(Gloss("the", 0.6), {"who": 0.2, "die": 0.1}),
        "will": Entry(Gloss("wants", 0.5), {"want": 0.3}),
        "haus": Entry(Gloss("house", 0.9)),
    },
)
SIDED: list[Case] = [
    ({"src": text("die"), "tgt_out": text("Haus")}, NONE, ["sterben", "house"]),
    ({"tgt_out": text("die leute"), "src": text("people who")}, NONE, ["who", None, None, None]),
    ({"src": text("dogs"), "tgt": text("der Hund")}, NONE, ["hund", None, None]),  # another form
    ([label("▁will")], ("he wanted to", "er will"), ["wanted"]),  # what may be written next
    ({"source": [label("▁will")]}, ("he will", "er werden"), ["werden"]),
    ({"top": [label("▁die")], "rows": [[label("▁haus")]]}, ("", ""), ["the", "house"]),
]


@pytest.mark.parametrize(("value", "page", "expected"), SIDED)
def test_words_of_two_languages_in_one_script_are_told_apart(
    value: Any, page: tuple[str, str], expected: list[str | None]
) -> None:
    assert glosses(told(value, page, GERMAN)) == expected


def test_a_label_says_the_side_of_its_word_where_the_script_does_not() -> None:
    """So the page knows whose language the gloss is in."""
    found = told({"src": text("die"), "top": [label("▁die")]}, NONE, GERMAN)
    assert found["src"][0]["gloss"] == ["sterben", 0.6, "", "source"]
    assert found["top"][0]["gloss"] == ["the", 0.6, "", "target"]
    turned = told({"src": text("die")}, NONE, GERMAN.turned())
    assert turned["src"][0]["gloss"] == ["the", 0.6, "", "source"]
    assert GERMAN.turned().turned() == GERMAN


def test_the_page_is_asked_for_its_texts_only_where_they_decide() -> None:
    def page(_: Glossary) -> Texts:
        raise AssertionError

    for value in ([label("▁zebra"), label("了")], pair("close", "关"), {"cells": [[0.5]]}):
        glossed(value, table(), page)
    with pytest.raises(AssertionError):
        glossed([label("▁close")], table(), page)


def test_the_texts_of_a_reply_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    texts = Glossary.texts
    monkeypatch.setattr(Glossary, "texts", lambda *given: read.append(0) or texts(*given))
    value = {**pair("close the close", "关"), "top": [label("▁close"), label("▁close")]}
    glossed(value, table())
    assert len(read) == 1 and value["top"][1]["gloss"]


@pytest.mark.parametrize(("table", "cases"), [(table(), CASES), (GERMAN, SIDED)])
def test_the_engine_tells_the_same(table: Glossary, cases: list[Case]) -> None:
    values = [[value, [text(one) for one in page]] for value, page, _ in cases]
    script = f"""import {{ glossed, textsOf }} from {json.dumps(MODULE.as_uri())};
        const [values, table] = {json.dumps([values, table.for_browser()])};
        const page = ([src, written]) =>
            textsOf({{ src: {{ entries: src }}, written: {{ entries: written }} }}, table);
        const told = ([value, texts]) => glossed(value, table, () => page(texts));
        console.log(JSON.stringify(values.map(told)));"""
    engine = subprocess.run(
        [npm.node(), "--input-type=module", "--eval", script], capture_output=True, check=True
    )
    assert json.loads(engine.stdout) == [told(value, page, table) for value, page, _ in cases]
