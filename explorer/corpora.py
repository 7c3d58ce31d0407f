"""The sentences that the shipped models learnt from: a row for two languages, in both directions.

What a model is shipped with depends on them (`explorer/ship.py`). The first model of a row has its
own gold pairs, sentences and glosses; those of the second are the same, turned round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from model import shipped
from model.errors import InputError
from model.training import corpus
from model.training.runs import Run

DOCS = Path(__file__).parent.parent / "docs"


@dataclass(frozen=True)
class Corpus:
    """The sentences of two languages; `groups` and the rest name domains of the training data."""

    first: str  # the shipped model that reads the first column
    second: str  # the one that was trained with `--turned`
    groups: Mapping[str, str]  # whose scores are told together; the first one's are the model's
    glossed: str  # domains that the glosses are counted in, names or patterns
    everyday: Mapping[str, Path] = field(default_factory=dict)  # sentences in each model's card
    simplify: bool = False  # the second column is Chinese, with simplified characters
    cheat: str = ""  # domain for the decoder without a mask; empty: there is none
    snapshots: tuple[str, ...] = ()  # of a first run, that are shipped with the first model
    table: Path | None = None  # with the errors of the first model's heads


CORPORA = (
    Corpus(
        "en-zh",
        "zh-en",
        groups={
            "Tatoeba, both files": "cmn-eng,tatoeba-opus-new",
            "dialogue: xpersona, crosswoz_en-human": "xpersona,crosswoz_en-human",
            "photo captions: 3am-train": "3am-train",
            "travel: crosswoz_en-mt": "crosswoz_en-mt",
        },
        glossed="cmn-eng,tatoeba-*,xpersona,3am-train,global-asp-*",
        everyday={"zh-en": DOCS / "everyday.zh.txt"},
        simplify=True,
        cheat="cmn-eng",
        table=DOCS / "alignment.md",
    ),
    Corpus(
        "en-de",
        "de-en",
        groups={
            "Tatoeba": "tatoeba",
            "dialogue: bcontrast": "bcontrast",
            "questions about pictures: xgqa": "xgqa",
            "a course and applications": "ms-beginners-iot,aosp-apps",
        },
        glossed="tatoeba,bcontrast,xgqa,global-asp-*",
        everyday={
            "en-de": DOCS / "german" / "everyday.en.txt",
            "de-en": DOCS / "german" / "everyday.de.txt",
        },
        snapshots=("0.00", "0.10", "0.30"),
        table=DOCS / "german" / "alignment.md",
    ),
)


def of_model(name: str) -> Corpus:
    """The row of a shipped model."""
    return next(row for row in CORPORA if name in (row.first, row.second))


def of_run(run: Run) -> Corpus:
    """The row that a run was trained on, known by the first domains of its development part.

    Raises:
        InputError: there is none.
    """
    own = {line.domain for line in corpus.read_lines(run.part("dev"), str)}
    for row in CORPORA:
        if own & set(next(iter(row.groups.values())).split(",")):
            return row
    raise InputError(
        f"{run.folder} was trained on sentences of {', '.join(sorted(own))}, which no row of "
        "explorer/corpora.py names; add one."
    )


def folders(row: Corpus) -> tuple[Path, Path]:
    """Where its two models are."""
    return shipped.FOLDERS[row.first], shipped.FOLDERS[row.second]
