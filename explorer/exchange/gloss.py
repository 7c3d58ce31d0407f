"""What the tokens of a reply stand for in the other language, put on their labels.

One place for all replies: a label in a list is a token of a text, where the pieces of a word are
told together; a label by itself is told if it is a whole word. Its twin is assets/engine/gloss.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.labels import SPACE_PIECE
from model.text.glossary import Gloss, Glossary
from model.text.words import stands_alone

Words = Mapping[str, Gloss]


def glossed(value: Any, glossary: Glossary | None) -> Any:
    """The answer to a request, whose labels carry `gloss`: [word, share, pinyin]."""
    if glossary is not None:
        _visit(value, glossary.words)
    return value


def glossed_record(record: dict[str, Any], glossary: Glossary | None) -> dict[str, Any]:
    """The same for an explanation, whose model says how many pairs were counted; 0: no glosses."""
    record["model"]["glossed"] = glossary.pairs if glossary else 0
    glossed(record, glossary)
    return record


def _visit(value: Any, words: Words) -> None:
    if isinstance(value, dict):
        _tell([value], words)
        for one in value.values():
            _visit(one, words)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        _tell(value, words)
        for one in value:
            for part in one.values() if isinstance(one, dict) else one:
                _visit(part, words)


def _tell(labels: Sequence[Any], words: Words) -> None:
    """Put its gloss on each label of a text."""
    if not all(isinstance(one, dict) and {"text", "kind", "piece"} <= one.keys() for one in labels):
        return
    for first, last in _runs(labels):
        word = "".join(one["text"] for one in labels[first:last])
        gloss = words.get(word.lower())
        if gloss is not None and _is_whole(labels, first):
            for one in labels[first:last]:
                one["gloss"] = gloss.listed()


def _runs(labels: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """The words: a label and those that continue it."""
    first = 0
    for i in range(1, len(labels) + 1):
        if i == len(labels) or not labels[i].get("joined"):
            yield first, i
            first = i


def _is_whole(labels: Sequence[Any], first: int) -> bool:
    """Whether a word begins here: "can" without a space may be a part of "vacant"."""
    piece, text = labels[first]["piece"], labels[first]["text"]
    if labels[first]["kind"] != "word":
        return False
    if piece.startswith(SPACE_PIECE) or stands_alone(text[0]):
        return True
    before = labels[first - 1]["text"] if first else ""
    return bool(before) and not before[-1].isalnum()
