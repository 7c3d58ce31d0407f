"""What labels carry of the table of glosses, in Python and in the browser's engine."""

from __future__ import annotations

import copy
import json
import subprocess
from typing import Any

import pytest

from explorer.exchange.gloss import glossed
from model.text.glossary import Gloss, Glossary
from tests import npm
from tests.npm import FOLDER

WORDS = {
    "because": Gloss("因为", 0.9), "can": Gloss("能", 0.5), "再": Gloss("again", 0.36, "zài"),
    "了": Gloss("", 0, "le"), "图书": Gloss("library", 0.6, "túshū"),
}  # fmt: skip
MODULE = FOLDER.parents[1] / "assets" / "engine" / "gloss.js"


def label(piece: str, *, joined: bool = False, kind: str = "word") -> dict[str, Any]:
    entry = {"text": piece.removeprefix("▁"), "kind": kind, "piece": piece, "id": 1}
    return entry | ({"joined": True} if joined else {})


CASES: list[tuple[Any, list[str | None]]] = [
    ([label("▁be"), label("cause", joined=True), label(".")], ["因为", "因为", None]),
    ([label("▁Be"), label("cause", joined=True)], ["因为", "因为"]),  # as at a sentence's begin
    ([label("▁va"), label("can", joined=True)], [None, None]),  # a part of a word is no word
    ([label("("), label("can")], [None, "能"]),
    ([label("x"), label("can")], [None, None]),  # candidates, of which one may continue a word
    (label("can"), [None]),
    (label("▁can"), ["能"]),
    ({"top": [label("再"), label("了")], "other": [[label("图书")]]}, ["again", "", "library"]),
    ([label("</s>", kind="special"), label("再")], [None, "again"]),
    ({"rows": [[1.5, 2]], "text": "再"}, []),
]


def glosses(value: Any) -> list[str | None]:
    """The words on the labels in the order in which they stand."""
    if isinstance(value, list):
        return [word for one in value for word in glosses(one)]
    if not isinstance(value, dict):
        return []
    own = [value["gloss"][0] if "gloss" in value else None] if "piece" in value else []
    return own + [word for one in value.values() for word in glosses(one)]


@pytest.mark.parametrize(("value", "expected"), CASES)
def test_labels_carry_what_their_word_stands_for(value: Any, expected: list[str | None]) -> None:
    told = glossed(copy.deepcopy(value), Glossary(7, WORDS))
    assert glosses(told) == expected
    assert glosses(glossed(copy.deepcopy(value), None)) == [None] * len(expected)


def test_the_engine_tells_the_same() -> None:
    values = [value for value, _ in CASES]
    given = json.dumps([values, Glossary(7, WORDS).for_browser()])
    script = f"""import {{ glossed }} from {json.dumps(MODULE.as_uri())};
        const [values, table] = {given};
        console.log(JSON.stringify(values.map((one) => glossed(one, table))));"""
    told = subprocess.run(
        [npm.node(), "--input-type=module", "--eval", script], capture_output=True, check=True
    )
    assert json.loads(told.stdout) == [
        glossed(copy.deepcopy(value), Glossary(7, WORDS)) for value in values
    ]
