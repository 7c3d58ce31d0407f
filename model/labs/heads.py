"""Which head's picture can you trust? `python -m model.labs.heads catalogue | align`.

python -m model.labs.heads align --gold gold.jsonl --json
python -m model.labs.heads align --out alignment.json --table docs/alignment.md
python -m model.labs.heads catalogue --data dev.tsv --gold gold.jsonl --out heads.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from model import cli
from model.checkpoint import SHIPPED
from model.errors import InputError
from model.explain import Explainer
from model.files import between_marks, check_file, read_text, write_text
from model.labs import alignment, catalogue, resume, scoreboard
from model.labs.catalogue import Scores
from model.labs.scoreboard import Method, Place, Row
from model.training import corpus

MARK = "alignment"  # of the table in a Markdown file


def _rounded(scores: Scores | None) -> dict[str, list[list[float]]] | None:
    if scores is None:
        return None
    return {name: np.round(values, 4).tolist() for name, values in scores.items()}


def gather(explainer: Explainer, texts: Sequence[str], progress: Path) -> list[Scores]:
    """The scores of each text that can be used; see `resume.gather`."""
    found = resume.gather(
        explainer, texts, lambda text: _rounded(catalogue.sentence(explainer, text)), progress
    )
    return [{name: np.array(values) for name, values in one.items()} for one in found if one]


@dataclass(frozen=True)
class CatalogueCommand:
    """Describe what every head of a model does over many sentences; resumes if interrupted."""

    data: Path | None = (
        None  # source <tab> target, or gold pairs; default: the gold beside the model
    )
    out: Path = Path(catalogue.FILE)  # the file to write
    sentences: int = 1000  # at most this many, evenly spaced
    gold: Path | None = None  # gold pairs that choose each head's row label; default: occlusion
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model


def _gold_of(explainer: Explainer) -> Path:
    path = (explainer.folder or Path()) / alignment.FILE
    if not path.exists():
        raise InputError("This model has no gold pairs beside it; give --data or --gold.")
    return path


def make_catalogue(command: CatalogueCommand) -> None:
    """Read the texts, measure, summarise and write."""
    check_file(command.out)
    explainer = Explainer.load(command.model, device="cpu")
    data = command.data or _gold_of(explainer)
    if data.suffix == ".jsonl":
        texts = [pair.source for pair in alignment.read_gold(data)]
    else:
        texts = list(dict.fromkeys(source for source, _ in corpus.read_pairs(data)))
    count = min(len(texts), command.sentences)
    texts = [texts[i * len(texts) // count] for i in range(count)]
    progress = command.out.with_name(f"{command.out.name}.progress")
    found = gather(explainer, texts, progress)
    labels = None
    if command.gold is not None:
        labels = scoreboard.gold_labels(explainer, alignment.read_gold(command.gold))
    write_text(command.out, catalogue.summary(explainer, found, labels).to_json())
    progress.unlink()


@dataclass(frozen=True)
class AlignCommand:
    """Score every picture of the cross-attention against word links made by people."""

    gold: Path | None = None  # JSON lines of gold pairs; default: those beside the model
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    out: Path | None = None  # also write the scores to this file, in the page's format
    table: Path | None = None  # write the table of layers between the marks in this Markdown file
    gradients: bool = True  # also the two gradient methods, which take some seconds a pair
    json: bool = False  # end with one line of JSON


def make_scores(command: AlignCommand) -> None:
    """Score the pictures, write and print the results."""
    for path in (command.out, command.table):
        if path is not None:
            check_file(path)
    explainer = Explainer.load(command.model, device="cpu")
    pairs = alignment.read_gold(command.gold or _gold_of(explainer))
    rows = scoreboard.align(explainer, pairs, gradients=command.gradients)
    if command.out is not None:
        write_text(command.out, scoreboard.to_json(rows))
    if command.table is not None:
        text = read_text(command.table)
        write_text(command.table, between_marks(text, MARK, table(rows)))
    if command.json:
        print(json.dumps(scoreboard.answer(rows)))
    elif command.out is command.table is None:
        _print(rows)


def _print(rows: Sequence[Row]) -> None:
    for row in rows:
        place = ".".join("all" if at is None else str(at + 1) for at in (row.layer, row.head))
        print(f"{row.method:20} {place:8} {row.label:8} {interval(row)}")


def interval(row: Row) -> str:
    """An error rate with its 95 % interval."""
    return f"{row.score.aer:.3f} ({row.score.low:.3f} to {row.score.high:.3f})"


def table(rows: Sequence[Row]) -> str:
    """A Markdown table: each layer as a whole, the best single heads, and methods without layers.

    The best head is the one whose weights have the lowest rate under either label.
    """
    methods = get_args(Method)
    whole: list[Place] = [(r.method, r.layer, None) for r in rows if r.head is None]
    places = sorted(dict.fromkeys(whole), key=lambda place: methods.index(place[0]))
    heads = [r for r in rows if r.head is not None and r.method == "weight"]
    for label in alignment.ROW_LABELS:
        best = min((r for r in heads if r.label == label), key=lambda r: r.score.aer)
        places.append((best.method, best.layer, best.head))
    found = {(r.method, r.layer, r.head, r.label): interval(r) for r in rows}
    lines = ["| method | place | written | read |", "|---|---|---|---|"]
    for method, layer, head in places:
        name = "model" if layer is None else f"layer {layer + 1}"
        name = name if head is None or layer is None else f"head {layer + 1}·{head + 1}"
        cells = (found[method, layer, head, label] for label in alignment.ROW_LABELS)
        lines.append(f"| {' | '.join((method.replace('_', ' '), name, *cells))} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0, or 2 with a sentence on standard error."""
    return cli.run_one_of(
        {
            "catalogue": (CatalogueCommand, make_catalogue),
            "align": (AlignCommand, make_scores),
        },
        arguments,
        prog="model.labs.heads",
        description="Which head's picture of attention may be believed.",
    )


if __name__ == "__main__":
    sys.exit(main())
