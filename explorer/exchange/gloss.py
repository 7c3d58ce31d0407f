"""What the tokens of a reply stand for in the other language, put on their labels.

One place for all replies: a label in a list is a token of a text, where the pieces of a word are
told together; a label by itself is told if it is a whole word. Which of its words it stands for,
the other text says: that of the reply, if it has texts of its own, else that of the page. Its twin
is assets/engine/gloss.js.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from explorer.exchange.payload import token_labels
from explorer.labels import SPACE_PIECE
from model.text.glossary import Glossary, Texts, gloss_of
from model.text.words import stands_alone
from model.trace import Trace

# The names under which replies have texts.
SOURCES = ("src", "source", "giver", "receiver")
TARGETS = ("tgt_out", "tgt", "target", "read")

INSIDE = (".", "@", "_")  # what stands between the words of an address

Side = Literal["source", "target"]
SIDES: Mapping[str, Side] = {
    **dict.fromkeys(SOURCES, "source"),
    **dict.fromkeys(TARGETS, "target"),
}

Source = Callable[[], Texts]


def texts_of(trace: Trace, glossary: Glossary) -> Texts:
    """The texts of an explanation."""
    sides = (token_labels(trace.src), token_labels(trace.tgt_out))
    return glossary.texts(*([_words(one)] for one in sides))


def glossed(
    value: Any, glossary: Glossary | None, page: Callable[[Glossary], Texts] = lambda _: Texts()
) -> Any:
    """The answer to a request, whose labels carry `gloss`: [word, share, pinyin, side].

    `page` gives the texts of the page; it is called if an answer without texts has labels. A label
    is of the side under whose name it stands, else a word of the target: what may be written next.
    """
    if glossary is not None:
        _visit(value, glossary, functools.cache(lambda: page(glossary)), "target")
    return value


def glossed_record(record: dict[str, Any], glossary: Glossary | None) -> Any:
    """The same for an explanation, whose model says how many pairs were counted; 0: no glosses."""
    record["model"]["glossed"] = glossary.pairs if glossary else 0
    return glossed(record, glossary)


def _visit(value: Any, glossary: Glossary, texts: Source, side: Side) -> None:
    if isinstance(value, dict):
        _tell([value], glossary, texts, side)
        _enter(value, glossary, texts, side)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        _tell(value, glossary, texts, side)
        for one in value:
            _enter(one, glossary, texts, side)


def _enter(value: Any, glossary: Glossary, texts: Source, side: Side) -> None:
    if isinstance(value, dict):
        texts = _own(value, glossary) or texts
        for name, part in value.items():
            _visit(part, glossary, texts, SIDES.get(name, side))
    else:
        for part in value:
            _visit(part, glossary, texts, side)


def _own(value: Mapping[str, Any], glossary: Glossary) -> Source | None:
    """The texts of both sides that a part of a reply has; None if it has not both."""
    source, target = (
        [_words(value[name]) for name in names if _is_text(value.get(name))]
        for names in (SOURCES, TARGETS)
    )
    if not (source and target):
        return None
    return functools.cache(lambda: glossary.texts(source, target))  # asked for each word


def _is_text(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_label, value))


def _is_label(value: Any) -> bool:
    return isinstance(value, dict) and {"text", "kind", "piece"} <= value.keys()


def _words(labels: Sequence[Any]) -> list[str]:
    return [_word(labels[first:last]) for first, last in _runs(labels)]


def _word(labels: Sequence[Any]) -> str:
    return "".join(one["text"] for one in labels).lower()


def _tell(labels: Sequence[Any], glossary: Glossary, texts: Source, side: Side) -> None:
    """Put its gloss on each label of a text."""
    if not all(map(_is_label, labels)):
        return
    for first, last in _runs(labels):
        entry = glossary.entry(_word(labels[first:last]), side)
        if entry is not None and _is_whole(labels, first) and not _is_part(labels, first, last):
            has_words = entry.gloss.word or entry.others
            gloss = gloss_of(entry, texts().beside(entry.gloss.side) if has_words else ())
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


def _is_part(labels: Sequence[Any], first: int, last: int) -> bool:
    """Whether it belongs to the name of a file or an address: "report" in report.pdf is none."""
    if stands_alone(labels[first]["text"][0]):  # Chinese, which has no spaces
        return False
    behind = [one["text"] for one in labels[last : last + 2] if _is_bare(one)]
    if len(behind) == 2 and behind[0] in INSIDE and behind[1][:1].isalnum():
        return not stands_alone(behind[1][0])
    return first > 1 and _is_bare(labels[first]) and labels[first - 1]["text"] in INSIDE


def _is_bare(label: Any) -> bool:
    return not label["piece"].startswith(SPACE_PIECE)
