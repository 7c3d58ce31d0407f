"""Counts the marks of doubt against what people judged.

    python -m model.labs.judged --model en-zh --back zh-en --data docs/doubt/en-zh.tsv

For each sort of sentence: all of them, those marked by the model's own numbers ("before",
model/labs/doubt.py), those marked by them or by a lost word (model/labs/lost.py), and those where
a lost word is one that was judged wrong.

Each line of the file has a sort of sentence, the sentence, its translation, the verdict, the kind
of what is wrong and the words that it happened to. They were judged before anyone saw a mark. A
sentence that the model now translates otherwise is left out.
"""

from __future__ import annotations

import csv
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from model import cli
from model.errors import InputError
from model.explain import Explainer
from model.labs import doubt
from model.labs.lost import lost_words

COLUMNS = ("sort", "sentence", "translation", "verdict", "kind", "words")


class Judged(NamedTuple):
    """A judged sentence, and its marks: reasons of doubt, and lost words."""

    sort: str
    is_wrong: bool
    kind: str
    words: tuple[str, ...]
    reasons: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def is_marked(self) -> bool:
        """True if the page shows a doubt."""
        return bool(self.reasons or self.lost)

    @property
    def is_named(self) -> bool:
        """True if a lost word is one that was judged wrong."""
        return any(word in self.words for word in self.lost)


@dataclass(frozen=True)
class Command:
    """Count the marks of doubt against judgements."""

    data: Path  # sort, sentence, translation, verdict, kind and words, with a heading
    model: str = "en-zh"  # folder, shipped name or Hub name
    back: str = "zh-en"  # the model of the way back
    lines: bool = False  # print each marked or wrong sentence too


def read(command: Command) -> Iterator[tuple[str, Judged]]:
    """The judged sentences that are still translated so, with their marks."""
    explainer, reverse = Explainer.load(command.model), Explainer.load(command.back)
    with command.data.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {*COLUMNS} <= {*(rows.fieldnames or ())}:
            raise InputError(f"{command.data} needs a heading with {', '.join(COLUMNS)}.")
        for row in rows:
            explanation = explainer.explain(row["sentence"], explainer.decoding())
            if explanation.trace.tgt_out.text != row["translation"]:
                continue
            thresholds = explainer.thresholds
            found = thresholds and doubt.judge(explainer, explanation.trace, thresholds)
            lost = lost_words(
                row["sentence"], row["translation"], _read(reverse, row["translation"]), reverse
            )
            yield (
                row["sentence"],
                Judged(
                    row["sort"],
                    row["verdict"] == "wrong",
                    row["kind"],
                    tuple(row["words"].split("|")),
                    found.reasons if found else (),
                    tuple(one.text for one in lost),
                ),
            )


def _read(reverse: Explainer, translation: str) -> str:
    """What the model of the way back makes of a translation; nothing of one that it refuses."""
    try:
        return reverse.explain(translation, reverse.decoding()).search.hypotheses[0].text
    except InputError:
        return ""


def measure(command: Command) -> None:
    """Print the counts, for each sort of sentence and each kind of what is wrong."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence, one in read(command):
        for name in (one.kind or "right", *(("wrong",) if one.is_wrong else ())):
            counts[one.sort, name, "all"] += 1
            counts[one.sort, name, "before"] += bool(one.reasons)
            counts[one.sort, name, "marked"] += one.is_marked
            counts[one.sort, name, "by the word"] += one.is_named
        if command.lines and (one.is_marked or one.is_wrong):
            sys.stdout.write(f"{sentence}\t{one}\n")
    for sort, name in sorted({key[:2] for key in counts}):
        numbers = {
            what: counts[sort, name, what] for what in ("all", "before", "marked", "by the word")
        }
        sys.stdout.write(f"{sort}, {name}: {json.dumps(numbers)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, measure, arguments, prog="model.labs.judged", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
