"""The records in a session's document, already valid by the schema; checks their numbers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.exchange.packing import unpack
from explorer.exchange.payload import FATES, FULL
from explorer.exchange.request import SETTINGS, Request
from model.arrays import Bools, Floats, freeze
from model.config import DecodeConfig, Interventions
from model.errors import InputError, quote
from model.trace import Hypothesis, Search, SearchStep

MAX_NUMBERS = 2**25  # in one packed array; 12 layers, 16 heads, 128 tokens need a tenth


@dataclass(frozen=True, eq=False)
class Weights:
    """The attention of one kind in a session, each weight within 1/131070.

    weights (L, H, Q, K), 0 where masked; mask (Q, K), True = may attend.
    """

    weights: Floats
    mask: Bools

    def __post_init__(self) -> None:
        freeze(self, "mask", np.bool_, self.weights.shape[2:])
        freeze(self, "weights", np.float32, self.weights.shape)

    def __repr__(self) -> str:
        layers, heads, queries, keys = self.weights.shape
        return f"Weights({layers} layers, {heads} heads, {queries} queries, {keys} keys)"


def request(given: dict[str, Any]) -> Request:
    """Restore the request, with every setting checked.

    Raises:
        ConfigError: a setting out of range.
    """
    return Request(
        given["text"],
        DecodeConfig.from_dict(given["settings"]),
        shown=given["shown"],
        prefix=tuple(given["prefix"]),
        node=None if given["node"] is None else (given["node"][0], given["node"][1]),
        interventions=Interventions.from_dict(given["interventions"]),
    )


def check_same(asked: dict[str, Any], record: dict[str, Any]) -> None:
    """Check that the record answers the request.

    Raises:
        InputError: the message names the field that differs.
    """
    pairs = [(name, record[name], asked[name]) for name in ("text", "shown", "prefix", "node")]
    pairs += [("interventions", record["interventions"], asked["interventions"])]
    for name in SETTINGS:
        pairs.append((f"settings.{name}", record["settings"][name], asked["settings"][name]))
    for name in ("name", "revision"):
        pairs.append((f"model.{name}", record["model"][name], asked["model"][name]))
    for name, here, there in pairs:
        if here != there:
            raise InputError(
                f"record.{name} is {quote(here)}, but request.{name} is {quote(there)}; "
                "a record answers its own request."
            )


def weights(maps: dict[str, Any], shape: tuple[int, int], where: str) -> Weights:
    """Restore one kind of attention; `shape` is (Q, K) according to the tokens.

    Raises:
        InputError: a different shape, or rows that do not add up to 1.
    """
    layers, heads, queries, keys = (maps[name] for name in ("layers", "heads", "queries", "keys"))
    if (queries, keys) != shape:
        raise InputError(f"{where} is {queries} x {keys} (query, key); expected {shape}.")
    bits = _numbers(maps["mask"], "u1", -(-queries * keys // 8), f"{where}.mask")
    mask = np.unpackbits(bits, count=queries * keys).reshape(shape).astype(bool)
    cells = layers * heads * int(mask.sum())
    whole = _numbers(maps["weights"], "u2", cells, f"{where}.weights")
    found = np.zeros((layers, heads, queries, keys), np.float32)
    found[:, :, mask] = (whole.astype(np.float64) / FULL).reshape(layers, heads, -1)
    if np.abs(found.sum(-1) - 1).max() > 1e-4 + keys / (2 * FULL):
        raise InputError(f"{where}.weights has a row that does not add up to 1.")
    return Weights(found, mask)


def search(record: dict[str, Any], config: DecodeConfig) -> Search:
    """Restore every candidate of the search, and its hypotheses.

    Raises:
        InputError: a wrong count of numbers, or a path that does not follow its parents.
        TraceError: the records refuse the data.
    """
    steps = _steps(record["search"])
    without = Search(config, steps, tuple(_hypothesis(one, steps) for one in record["hypotheses"]))
    for i, hypothesis in enumerate(without.hypotheses):
        _check_path(without, hypothesis.path, f"record.hypotheses[{i}].path")
    return without


def check_traced(record: dict[str, Any], found: Search) -> None:
    """Check that tokens, steps and path of the record follow a single path through the search.

    Raises:
        InputError: one of them does not; the message names it.
    """
    path = tuple(record["path"])
    _check_path(found, path, "record.path")
    node, shown = record["node"], record["shown"]
    hypotheses = found.hypotheses
    if node is None and not (shown < len(hypotheses) and hypotheses[shown].path == path):
        raise InputError(f"record.path is not that of hypothesis {shown + 1}.")
    if node is not None and [len(path) - 1, path[-1]] != node:
        raise InputError(f"record.path does not end in node {node}.")
    ids = [int(step.token_ids[c]) for step, c in zip(found.steps, path, strict=False)]
    for name, given in (
        ("tgt_out", [label["id"] for label in record["tgt_out"]]),
        ("steps", [step["chosen"] for step in record["steps"]]),
        ("tgt_in", ids[:1] + [label["id"] for label in record["tgt_in"]][1:]),
    ):
        wanted = ids if name != "tgt_in" else ids[:1] + ids[:-1]
        if given != wanted:
            raise InputError(f"record.{name} does not hold the tokens of record.path.")


def _steps(packed: dict[str, Any]) -> tuple[SearchStep, ...]:
    counts = packed["counts"]
    kinds = {"parents": "i4", "ids": "i4", "log_probs": "f4", "totals": "f4", "fates": "u1",
             "forced": "u1"}  # fmt: skip
    arrays = {
        name: _numbers(packed[name], dtype, sum(counts), f"record.search.{name}")
        for name, dtype in kinds.items()
    }
    if np.isnan(arrays["log_probs"]).any() or np.isnan(arrays["totals"]).any():
        raise InputError("record.search has a log-prob that is not a number.")
    if arrays["fates"].size and arrays["fates"].max() >= len(FATES):
        raise InputError("record.search.fates has a fate that does not exist.")
    names = {str(i): packed["labels"].get(str(i)) for i in set(arrays["ids"].tolist())}
    missing = sorted(i for i, label in names.items() if label is None)
    if missing:
        raise InputError(f"record.search.labels has no token {missing[0]}.")
    ends = list(itertools.accumulate(counts, initial=0))
    return tuple(
        _step({name: array[a:b] for name, array in arrays.items()}, names)
        for a, b in itertools.pairwise(ends)
    )


def _step(part: dict[str, Any], names: dict[str, Any]) -> SearchStep:
    return SearchStep(
        parents=part["parents"],
        token_ids=part["ids"],
        pieces=tuple(names[str(i)]["piece"] for i in part["ids"]),
        log_probs=part["log_probs"],
        totals=part["totals"],
        fates=tuple(FATES[fate] for fate in part["fates"]),
        forced=part["forced"],
    )


def _hypothesis(given: dict[str, Any], steps: tuple[SearchStep, ...]) -> Hypothesis:
    path = given["path"]
    if len(path) > len(steps) or any(c >= len(steps[t]) for t, c in enumerate(path)):
        raise InputError("record.hypotheses has a path that leaves the search.")
    ids = [int(steps[t].token_ids[c]) for t, c in enumerate(path)]
    return Hypothesis(
        text=given["text"],
        ids=tuple(ids[:-1] if given["finished"] else ids),
        log_prob=given["log_prob"],
        score=given["score"],
        finished=given["finished"],
        path=tuple(path),
    )


def _check_path(found: Search, path: tuple[int, ...], where: str) -> None:
    """Check that each candidate on the path extends the one before."""
    if not path or len(path) > len(found.steps) or path[-1] >= len(found.steps[len(path) - 1]):
        raise InputError(f"{where} leaves the search.")
    if found.path(len(path) - 1, path[-1]) != path:
        raise InputError(f"{where} does not follow the parents of its candidates.")


def _numbers(text: str, dtype: str, count: int, where: str) -> Any:
    if count > MAX_NUMBERS:
        raise InputError(f"{where} would hold {count:,} numbers; the limit is {MAX_NUMBERS:,}.")
    try:
        return unpack(text, dtype, count)
    except ValueError:
        raise InputError(f"{where} does not hold {count:,} packed numbers.") from None
