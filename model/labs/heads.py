"""Which head's picture may be believed: `python -m model.labs.heads catalogue | align`.

python -m model.labs.heads align --gold gold.jsonl --json
python -m model.labs.heads catalogue --data dev.tsv --out heads.json
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch

from model import cli
from model.checkpoint import SHIPPED
from model.config import Head, Kind
from model.errors import InputError
from model.explain import Explainer
from model.files import check_file, write_text
from model.labs import alignment, catalogue
from model.labs.ablation import occlusion
from model.labs.alignment import ROW_LABELS, GoldPair, RowLabel, Score
from model.labs.catalogue import Catalogue, Scores
from model.labs.contribution import MEASURES, measured, rolled
from model.labs.summaries import attention_rollout
from model.trace import Explanation, Trace
from model.training import corpus

log = logging.getLogger(__name__)

Method = Literal[
    "weight", "norm", "contribution", "value_zeroing", "rolled", "rollout", "occlusion", "joined",
    "diagonal", "random_head",
]  # fmt: skip


class Row(NamedTuple):
    """One line of the scoreboard. Layer and head count from 0; head None: all of the layer.

    Layer None: a method of the whole model.
    """

    method: Method
    layer: int | None
    head: int | None
    label: RowLabel
    score: Score


Place = tuple[Method, int | None, int | None]


def align(
    explainer: Explainer, pairs: Sequence[GoldPair], heads: Catalogue | None = None
) -> list[Row]:
    """The scoreboard: every method, layer and head of the cross-attention under both row labels.

    Each pair is read with teacher forcing: the model is shown the gold translation. `heads` says
    what the joined method is made of; without, the catalogue of the model, or one of these pairs.

    Raises:
        InputError: a sentence that the model cannot read as it stands.
    """
    heads = heads or catalogue.catalogue_of(explainer, [pair.source for pair in pairs])
    table: dict[tuple[Place, RowLabel], list[tuple[int, int, int, int]]] = {}
    for pair in pairs:
        for key, found in pair_counts(explainer, pair, heads).items():
            table.setdefault(key, []).append(found)
    rows = [Row(*place, label, alignment.score(c)) for (place, label), c in table.items()]
    return [*rows, *_random_head(table)]


def pair_counts(
    explainer: Explainer, pair: GoldPair, heads: Catalogue
) -> dict[tuple[Place, RowLabel], tuple[int, int, int, int]]:
    """The counts of one pair for each method, layer, head and row label."""
    trace = gold_trace(explainer, pair)
    target = explainer.tokenizer.encode_target(pair.target)
    words = alignment.word_of_pieces(pair, trace.src)
    found = {}
    for label in ROW_LABELS:
        pictures = {
            **matrices(explainer, trace),
            ("joined", None, None): joined(explainer, trace, words, heads, label),
            ("diagonal", None, None): alignment.diagonal(len(trace.tgt_in), words, label),
        }
        for place, matrix in pictures.items():
            links = alignment.links(pair, matrix, label, words, target)
            found[place, label] = alignment.counts(pair, links)
    return found


def gold_trace(explainer: Explainer, pair: GoldPair) -> Trace:
    """The pass over a gold pair, its translation and the end token written.

    Raises:
        InputError: the tokeniser changes a sentence, so that spans would point elsewhere.
    """
    target = explainer.tokenizer.encode_target(pair.target)
    if (explainer.read(pair.source).text, target.text) != (pair.source, pair.target):
        raise InputError(
            "This model's tokeniser changes a sentence of the gold pairs, so their links would "
            f"point elsewhere: {pair.source} | {pair.target}. Write it as the model reads it."
        )
    return explainer.trace(pair.source, [*target.ids.tolist(), explainer.tokenizer.end_id])


def matrices(explainer: Explainer, trace: Trace) -> dict[Place, np.ndarray]:
    """Every method's matrix (T, S) of one pass, by method, layer and head."""

    def make() -> dict[Place, np.ndarray]:
        found: dict[Place, np.ndarray] = {}
        for layer in range(explainer.model.config.n_decoder_layers):
            for measure in MEASURES:
                one = measured(explainer.model, trace, measure, "cross", layer)
                found[measure, layer, None] = one.cells
                for head, cells in enumerate([] if one.heads is None else one.heads):
                    found[measure, layer, head] = cells
            found["rollout", layer, None] = attention_rollout(trace, "cross", layer)
        for layer, cells in enumerate(rolled(explainer.model, trace).source):
            found["rolled", layer, None] = cells
        found["occlusion", None, None] = costs(explainer, trace)
        return found

    return explainer.remembered(("matrices", trace), make)


def costs(explainer: Explainer, trace: Trace) -> np.ndarray:
    """What each source token's removal costs each written token, (T, S); 0 where it helps."""
    explanation = Explanation(
        trace.src.text, explainer.defaults, trace.interventions, None, trace,  # type: ignore[arg-type]
        0, 0.0, explainer.device, (),
    )  # fmt: skip
    changes = occlusion(explainer, explanation).changes  # (S - 1, T)
    cells = np.zeros((len(trace.tgt_in), len(trace.src)))
    cells[:, : len(changes)] = np.maximum(0, -changes.T)
    return cells


def joined(
    explainer: Explainer, trace: Trace, words: np.ndarray, heads: Catalogue, label: RowLabel
) -> np.ndarray:
    """Two kinds of evidence about the same word, one step apart, added: (T, S).

    The norms of each layer whose aligning heads mostly follow the token that is written, and the
    weights of the head that best follows the token that was read, moved by the one row between.
    """
    pictures = matrices(explainer, trace)
    usable = words >= 0

    def rows(place: Place, own: RowLabel) -> np.ndarray:
        cells = pictures[place] * usable
        cells = cells / np.maximum(cells.sum(-1, keepdims=True), 1e-12)
        step = (own == "read") - (label == "read")  # how many rows later its word stands there
        moved = np.zeros_like(cells)
        for t in range(len(cells)):
            if 0 <= t + step < len(cells):
                moved[t] = cells[t + step]
        return moved

    total = np.zeros((len(trace.tgt_in), len(trace.src)))
    for layer in range(len(trace.cross.weights)):
        own = [
            h.row_label
            for h in heads.heads
            if (h.kind, h.layer, h.role) == ("cross", layer, "aligns")
        ]
        if 2 * own.count("written") > len(own):
            total += rows(("norm", layer, None), "written")
    best = heads.aligning("read")
    if best is not None:
        total += rows(("weight", best.layer, best.head), "read")
    return total


def _random_head(
    table: Mapping[tuple[Place, RowLabel], Sequence[tuple[int, int, int, int]]],
) -> Iterator[Row]:
    """What a head drawn at random scores: the mean over all heads, of the rates and intervals."""
    for label in ROW_LABELS:
        heads = [
            alignment.score(counts)
            for ((method, _, head), own), counts in table.items()
            if method == "weight" and head is not None and own == label
        ]
        means = np.mean([(s.aer, s.low, s.high) for s in heads], axis=0)
        yield Row("random_head", None, None, label, Score(*map(float, means)))


def gold_labels(rows: Iterable[Row]) -> dict[Head, RowLabel]:
    """The row label under which each cross head's weights have the lower error rate."""
    best: dict[Head, tuple[float, RowLabel]] = {}
    for row in rows:
        if row.method == "weight" and row.layer is not None and row.head is not None:
            head: Head = ("cross", row.layer, row.head)
            best[head] = min(best.get(head, (2.0, row.label)), (row.score.aer, row.label))
    return {head: label for head, (_, label) in best.items()}


# ------------------------------------------------------------------------- the catalogue's command

_explainer: Explainer | None = None  # of a worker process


def _start(model: str) -> None:
    global _explainer  # each process keeps it between sentences
    torch.set_num_threads(1)
    _explainer = Explainer.load(model, device="cpu")


def _work(text: str) -> dict[str, list[list[float]]] | None:
    assert _explainer is not None
    found = catalogue.sentence(_explainer, text)
    _explainer.forget()
    if found is None:
        return None
    return {name: np.round(values, 4).tolist() for name, values in found.items()}


def gather(texts: Sequence[str], model: str, progress: Path, workers: int) -> list[Scores]:
    """The scores of each text, by some processes; what `progress` has already is not done again.

    The file has one JSON line a text: the text and its scores, null for one that cannot be used.
    """
    done: dict[str, Any] = {}
    if progress.exists():
        for line in progress.read_text("utf-8").split("\n"):
            with suppress(ValueError):  # a last line that an interruption cut off
                text, found = json.loads(line)
                done[text] = found
    left = [text for text in texts if text not in done]
    context = multiprocessing.get_context("spawn")
    with (
        progress.open("a", encoding="utf-8") as file,
        context.Pool(max(1, min(workers, len(left))), _start, (model,)) as pool,
    ):
        file.write("\n")  # after a line that was cut off
        for text, found in zip(left, pool.imap(_work, left, chunksize=8), strict=True):
            done[text] = found
            file.write(json.dumps([text, found]) + "\n")
            file.flush()
    return [
        {name: np.array(values) for name, values in done[text].items()}
        for text in texts
        if done[text]
    ]


@dataclass(frozen=True)
class CatalogueCommand:
    """Say what every head of a model does, over many sentences; if interrupted, it resumes."""

    data: Path | None = (
        None  # source <tab> target, or gold pairs; without: the gold beside the model
    )
    out: Path = Path(catalogue.FILE)  # the file to write
    sentences: int = 1000  # at most so many, evenly from all
    gold: Path | None = None  # gold pairs that choose each head's row label; without: occlusion
    model: str = str(SHIPPED)  # folder or Hub name; without: the shipped model
    workers: int = os.cpu_count() or 1  # processes


def _gold_of(explainer: Explainer) -> Path:
    path = (explainer.folder or Path()) / "gold.jsonl"
    if not path.exists():
        raise InputError("This model has no gold pairs beside it; give --data or --gold.")
    return path


def make_catalogue(command: CatalogueCommand) -> None:
    """Read, work, summarise, write."""
    check_file(command.out)
    explainer = Explainer.load(command.model, device="cpu")
    data = command.data or _gold_of(explainer)
    if data.suffix == ".jsonl":
        texts = [pair.source for pair in alignment.read_gold(data)]
    else:
        texts = list(dict.fromkeys(source for source, _ in corpus.read_pairs(data)))
    step = max(1, -(-len(texts) // command.sentences))
    progress = command.out.with_name(f"{command.out.name}.progress")
    found = gather(texts[::step], command.model, progress, command.workers)
    labels = None
    if command.gold is not None:
        draft = catalogue.summary(explainer, found)
        labels = gold_labels(align(explainer, alignment.read_gold(command.gold), draft))
    write_text(command.out, catalogue.summary(explainer, found, labels).to_json())
    progress.unlink()


@dataclass(frozen=True)
class AlignCommand:
    """Score every picture of the cross-attention against word links made by people."""

    gold: Path | None = None  # JSON lines of gold pairs; without: those beside the model
    model: str = str(SHIPPED)  # folder or Hub name; without: the shipped model
    json: bool = False


def answer(rows: Sequence[Row]) -> dict[str, Any]:
    """The scoreboard as JSON; layers and heads count from 1, null: all."""
    kind: Kind = "cross"
    return {
        "rows": [
            {
                "method": row.method,
                "kind": kind,
                "layer": None if row.layer is None else row.layer + 1,
                "head": None if row.head is None else row.head + 1,
                "row_label": row.label,
                "aer": round(row.score.aer, 4),
                "low": round(row.score.low, 4),
                "high": round(row.score.high, 4),
            }
            for row in rows
        ]
    }


def make_scores(command: AlignCommand) -> None:
    """Score and print."""
    explainer = Explainer.load(command.model)
    rows = align(explainer, alignment.read_gold(command.gold or _gold_of(explainer)))
    if command.json:
        print(json.dumps(answer(rows)))
        return
    for row in answer(rows)["rows"]:
        place = f"{row['layer'] or 'all'}.{row['head'] or 'all'}"
        interval = f"{row['low']:.3f} to {row['high']:.3f}"
        print(f"{row['method']:14} {place:8} {row['row_label']:8} {row['aer']:.3f}  {interval}")


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
