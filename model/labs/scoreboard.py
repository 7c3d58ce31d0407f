"""The scoreboard: each picture of the cross-attention against word links made by people.

A method produces a matrix of target rows and source columns; `alignment` turns it into links and
counts the wrong ones. A method is scored under both row labels, since a row can be labelled by the
token that it writes or by the one that it has read.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np

from model.config import Head
from model.errors import InputError
from model.explain import Explainer
from model.files import read_text
from model.labs import alignment, catalogue
from model.labs.ablation import occlusion
from model.labs.alignment import ROW_LABELS, GoldPair, RowLabel, Score
from model.labs.catalogue import Catalogue
from model.labs.contribution import MEASURES, Measure, measured, rolled
from model.labs.gradients import input_x_gradient, integrated_gradients
from model.labs.summaries import attention_rollout
from model.trace import Explanation, Trace

FILE = alignment.SCORES

Method = Literal[
    "weight", "norm", "contribution", "value_zeroing", "rolled", "rollout", "occlusion", "joined",
    "input_x_gradient", "integrated_gradients", "diagonal", "random_head",
]  # fmt: skip


class Row(NamedTuple):
    """One line of the scoreboard. Layer and head count from 0; head None: all heads of the layer.

    Layer None: a method for the whole model.
    """

    method: Method
    layer: int | None
    head: int | None
    label: RowLabel
    score: Score


Place = tuple[Method, int | None, int | None]
GRADIENTS: tuple[Place, ...] = (
    ("input_x_gradient", None, None), ("integrated_gradients", None, None),
)  # fmt: skip


def align(
    explainer: Explainer,
    pairs: Sequence[GoldPair],
    heads: Catalogue | None = None,
    *,
    gradients: bool = True,
) -> list[Row]:
    """Score every method, layer and head of the cross-attention under both row labels.

    Each pair is read with teacher forcing: the decoder reads the gold translation. `heads` defines
    the joined method; by default it is the model's catalogue, or one made from these pairs. Those
    of `gradients` take some seconds a pair, the others together less than one.

    Raises:
        InputError: a sentence that the model cannot read unchanged.
    """
    heads = heads or catalogue.catalogue_of(explainer, [pair.source for pair in pairs])
    table: dict[tuple[Place, RowLabel], list[tuple[int, int, int, int]]] = {}
    for pair in pairs:
        for key, found in pair_counts(explainer, pair, heads, gradients).items():
            table.setdefault(key, []).append(found)
    rows = [Row(*place, label, alignment.score(c)) for (place, label), c in table.items()]
    return [*rows, *_random_head(table)]


def pair_counts(
    explainer: Explainer, pair: GoldPair, heads: Catalogue, gradients: bool
) -> dict[tuple[Place, RowLabel], tuple[int, int, int, int]]:
    """Count the links of one pair for each method, layer, head and row label."""
    trace = gold_trace(explainer, pair)
    target = explainer.tokenizer.encode_target(pair.target)
    words = alignment.word_of_pieces(pair, trace.src)
    found = {}
    drawn = [*places(explainer), *(GRADIENTS if gradients else ())]
    for label in ROW_LABELS:
        pictures = {
            **{place: matrix(explainer, trace, place) for place in drawn},
            ("joined", None, None): joined(explainer, trace, words, heads, label),
            ("diagonal", None, None): alignment.diagonal(len(trace.tgt_in), words, label),
        }
        for place, cells in pictures.items():
            links = alignment.links(pair, cells, label, words, target)
            found[place, label] = alignment.counts(pair, links)
    return found


def gold_trace(explainer: Explainer, pair: GoldPair) -> Trace:
    """Trace a gold pair: the model writes its translation and the end token.

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


def places(explainer: Explainer) -> list[Place]:
    """Every method, layer and head that has its own matrix, but for `GRADIENTS`."""
    config = explainer.model.config
    found: list[Place] = [("occlusion", None, None)]
    for layer in range(config.n_decoder_layers):
        found += [("rollout", layer, None), ("rolled", layer, None)]
        for measure in MEASURES:
            found.append((measure, layer, None))
            if measure != "value_zeroing":
                found += [(measure, layer, head) for head in range(config.heads("cross"))]
    return found


def matrix(explainer: Explainer, trace: Trace, place: Place) -> np.ndarray:
    """One method's matrix (T, S) of one pass, for a place from `places` or `GRADIENTS`."""
    method, layer, head = place
    if place in GRADIENTS:
        return explainer.remembered((method, trace), lambda: raising(explainer, trace, method))
    if layer is None:
        return explainer.remembered(("costs", trace), lambda: costs(explainer, trace))
    if method == "rollout":
        return attention_rollout(trace, "cross", layer)
    if method == "rolled":
        return explainer.remembered(
            ("rolled", trace), lambda: rolled(explainer.model, trace)
        ).source[layer]
    measure = cast("Measure", method)
    one = explainer.remembered(
        ("measured", trace, measure, layer),
        lambda: measured(explainer.model, trace, measure, "cross", layer),
    )
    return one.cells if head is None or one.heads is None else one.heads[head]


def costs(explainer: Explainer, trace: Trace) -> np.ndarray:
    """The cost to each written token of removing each source token, (T, S); 0 if it helps."""
    explanation = Explanation(
        trace.src.text, explainer.defaults, trace.interventions, None, trace,  # type: ignore[arg-type]
        0, 0.0, explainer.device, (),
    )  # fmt: skip
    changes = occlusion(explainer, explanation).changes  # (S - 1, T)
    cells = np.zeros((len(trace.tgt_in), len(trace.src)))
    cells[:, : len(changes)] = np.maximum(0, -changes.T)
    return cells


def raising(explainer: Explainer, trace: Trace, method: Method) -> np.ndarray:
    """How much each source token raises each written one by its gradients, (T, S); 0 if it lowers
    it.
    """
    parts = (
        input_x_gradient(explainer, trace)
        if method == "input_x_gradient"
        else integrated_gradients(explainer, trace).parts
    )
    return np.maximum(0, parts.T)


def joined(
    explainer: Explainer, trace: Trace, words: np.ndarray, heads: Catalogue, label: RowLabel
) -> np.ndarray:
    """The sum of two kinds of evidence about the same word, one step apart: (T, S).

    It adds the norms of each layer whose aligning heads mostly follow the token written, and the
    weights of the head that best follows the token read, shifted by the one row between them.
    """
    usable = words >= 0

    def rows(place: Place, own: RowLabel) -> np.ndarray:
        cells = matrix(explainer, trace, place) * usable
        cells = cells / np.maximum(cells.sum(-1, keepdims=True), 1e-12)
        step = (own == "read") - (label == "read")  # how many rows later its word appears
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


def gold_labels(explainer: Explainer, pairs: Sequence[GoldPair]) -> dict[Head, RowLabel]:
    """For each cross head, the row label under which its weights have the lower error rate."""
    table: dict[Head, dict[RowLabel, list[tuple[int, int, int, int]]]]
    table = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        trace = gold_trace(explainer, pair)
        target = explainer.tokenizer.encode_target(pair.target)
        words = alignment.word_of_pieces(pair, trace.src)
        for layer, head in np.ndindex(trace.cross.weights.shape[:2]):
            for label in ROW_LABELS:
                weights = trace.cross.weights[layer, head]
                links = alignment.links(pair, weights, label, words, target)
                table["cross", layer, head][label].append(alignment.counts(pair, links))
    return {
        head: min(ROW_LABELS, key=lambda label: alignment.score(counts[label]).aer)
        for head, counts in table.items()
    }


def answer(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the scoreboard as JSON; layers and heads count from 1, null: all."""
    return {"rows": [_as_json(row) for row in rows]}


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "method": row.method,
        "kind": "cross",
        "layer": None if row.layer is None else row.layer + 1,
        "head": None if row.head is None else row.head + 1,
        "row_label": row.label,
        **{name: round(value, 4) for name, value in vars(row.score).items()},
    }


def to_json(rows: Sequence[Row]) -> str:
    """The form of the file beside a model: a line for each score."""
    lines = ",\n  ".join(json.dumps(one) for one in answer(rows)["rows"])
    return f'{{"rows": [\n  {lines}\n]}}\n'


def load(path: Path) -> list[Row]:
    """Read a scoreboard from its file.

    Raises:
        InputError: the file cannot be read or is not a scoreboard.
    """
    try:
        return [_row(one) for one in json.loads(read_text(path))["rows"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is not a scoreboard ({error!r}); make it again with "
            "python -m model.labs.heads align --out."
        ) from None


def _row(raw: Mapping[str, Any]) -> Row:
    layer, head = (None if raw[one] is None else int(raw[one]) - 1 for one in ("layer", "head"))
    if raw["method"] not in get_args(Method) or raw["row_label"] not in ROW_LABELS:
        raise ValueError(f"row {dict(raw)}")
    score = Score(*(float(raw[name]) for name in ("aer", "low", "high")))
    return Row(raw["method"], layer, head, raw["row_label"], score)


def _random_head(
    table: Mapping[tuple[Place, RowLabel], Sequence[tuple[int, int, int, int]]],
) -> Iterator[Row]:
    """The score of a random head: the mean rate and interval over all heads."""
    for label in ROW_LABELS:
        heads = [
            alignment.score(counts)
            for ((method, _, head), own), counts in table.items()
            if method == "weight" and head is not None and own == label
        ]
        means = np.mean([(s.aer, s.low, s.high) for s in heads], axis=0)
        yield Row("random_head", None, None, label, Score(*map(float, means)))
