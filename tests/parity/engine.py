"""Compares the browser's engine, run in Node, with Python: all results of one request.

`make bench ARGS=sameness` does it for hundreds of sentences.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.packing import unpack
from explorer.exchange.request import SETTINGS, parse
from model.config import KINDS, DecodeConfig
from model.errors import HeadlightError
from model.explain import Explainer
from tests.parity.node import Script

SCRIPT = Path(__file__).with_name("engine.mjs")
NEAR = 1e-5  # sums nearer than this are ties: rounding decides which comes first
ROUNDING = 1e-6  # of float32, as a share of the sum
SEARCH = {"parents": "<i4", "ids": "<i4", "log_probs": "<f4", "totals": "<f4"}
SEARCH |= {"fates": "u1", "forced": "u1"}
TOLERANCES = {"log-probs": 1e-4, "attention": 1e-5, "states": 2e-5}


class Compared(NamedTuple):
    """The differing texts, the largest differences of numbers, and whether a tie explains them."""

    unequal: list[str]
    largest: dict[str, float]
    tie: bool = False


class Engine(Script):
    """The engine in Node, with the model that was asked last."""

    def __init__(self) -> None:
        super().__init__(SCRIPT)
        self._opened: Path | None = None

    def answers(
        self, explainer: Explainer, requests: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Its answer to each request about the explainer's model."""
        self._open(explainer)
        return [self.ask({"request": request}) for request in requests]

    def looks(
        self, explainer: Explainer, request: dict[str, Any], cells: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Its parts of some scores of the record of a request."""
        self._open(explainer)
        found = self.ask({"request": request, "cells": list(cells)})
        assert isinstance(found, list), found
        return found

    def _open(self, explainer: Explainer) -> None:
        folder, thresholds = explainer.folder, explainer.thresholds
        assert folder is not None
        if folder == self._opened:
            return
        joint = (folder / "tokenizer.model").exists()
        model = {
            "folder": str(folder),
            "tokenizers": ["tokenizer.model"] if joint else ["source.spm", "target.spm"],
            "thresholds": None if thresholds is None else dataclasses.asdict(thresholds),
        }
        self.ask({"model": model})
        self._opened = folder


def compare(explainer: Explainer, request: dict[str, Any], answer: dict[str, Any]) -> Compared:
    """Compare one answer of the engine with Python's."""
    try:
        explanation = explain(explainer, parse(request))
    except HeadlightError as error:
        refused = answer.get("error", {}).get("message")
        same_key = answer.get("error", {}).get("key") == error.key
        return Compared([] if refused and same_key else [f"{error}: {answer}"[:300]], {})
    if "error" in answer:
        return Compared([str(answer["error"])[:600]], {})
    theirs, ours, trace = (
        answer["payload"],
        payload.build(explanation, explainer),
        explanation.trace,
    )
    # Scores that are not divided are larger, and so is what rounding does to the sums.
    near = NEAR if request["interventions"].get("scaling", True) else 10 * NEAR
    is_tied = is_tie(theirs["search"], ours["search"], near)
    if is_tied and [one["id"] for one in theirs["tgt_out"]] != trace.tgt_out.ids.tolist():
        return Compared([], {}, tie=True)
    expected = {kind: trace.attention(kind).weights for kind in KINDS}
    expected |= {name: getattr(trace, name) for name in ("encoder_states", "decoder_states")}
    raw = {name: np.frombuffer(base64.b64decode(t), "<f4") for name, t in answer["raw"].items()}
    unequal, largest = ([], {}) if is_tied else _fields(theirs, ours)
    for name, array in expected.items():
        if raw[name].size != array.size:
            unequal.append(f"{name}: {raw[name].size} numbers, expected {array.size}")
            continue
        kind = "states" if "states" in name else "attention"
        off = np.abs(raw[name] - array.ravel()) / (max(1, np.abs(array).max()))
        largest[kind] = max(largest.get(kind, 0.0), float(off.max()))
    return Compared(unequal, largest, is_tied)


def _fields(theirs: dict[str, Any], ours: dict[str, Any]) -> tuple[list[str], dict[str, float]]:
    """The payloads, field by field: words and ids exactly, numbers by their largest difference."""
    left_out = {"seconds", "model", "steps", "search", "hypotheses", "attention", "doubt"}
    plain = json.loads(json.dumps(ours))
    unequal = [
        f"{name}: {theirs[name]}, expected {plain[name]}"
        for name in plain
        if name not in left_out and theirs[name] != plain[name]
    ]
    numbers: list[tuple[Any, Any]] = []

    def split(one: Any, other: Any, path: str) -> None:
        if isinstance(other, float) and isinstance(one, (int, float)):
            numbers.append((one, other))
        elif isinstance(other, dict) and isinstance(one, dict) and one.keys() == other.keys():
            for key in other:
                split(one[key], other[key], f"{path}.{key}")
        elif isinstance(other, list) and isinstance(one, list) and len(one) == len(other):
            for i, pair in enumerate(zip(one, other, strict=True)):
                split(*pair, f"{path}.{i}")
        elif one != other:
            unequal.append(f"{path}: {one}, expected {other}"[:200])

    for name in ("steps", "hypotheses", "doubt"):
        split(theirs[name], plain[name], name)
    for name in ("counts", "labels"):
        split(theirs["search"][name], plain["search"][name], name)
    split(theirs["search"].get("forbidden"), plain["search"].get("forbidden"), "forbidden")
    if not unequal:
        for name, array in opened(theirs["search"]).items():
            expected = opened(ours["search"])[name]
            if array.dtype.kind == "f":
                numbers += zip(array.tolist(), expected.tolist(), strict=True)
            elif (array != expected).any():
                unequal.append(f"{name} of the search differ")
    most = max((abs(a - b) / max(1.0, abs(b) / 16) for a, b in numbers), default=0.0)
    return unequal, {"log-probs": most}


def opened(search: dict[str, Any]) -> dict[str, np.ndarray]:
    """The packed arrays of a search."""
    count = sum(search["counts"])
    return {name: unpack(search[name], dtype, count) for name, dtype in SEARCH.items()}


def is_tie(theirs: dict[str, Any], ours: dict[str, Any], near: float = NEAR) -> bool:
    """True if two searches first differ at a step whose totals are equal within `near`."""
    one, other = opened(theirs), opened(ours)
    start = 0
    for count, expected in zip(theirs["counts"], ours["counts"], strict=False):
        if count != expected:
            return False
        now = slice(start, start + count)
        start += count
        if any((one[name][now] != other[name][now]).any() for name in ("parents", "ids", "fates")):
            return np.allclose(one["totals"][now], other["totals"][now], rtol=ROUNDING, atol=near)
    return False


def settings(**changes: Any) -> dict[str, Any]:
    """Settings of a request."""
    config = dataclasses.asdict(DecodeConfig(**changes))
    return {name: config[name] for name in SETTINGS}


METHODS: dict[str, dict[str, Any]] = {
    "greedy": settings(method="greedy"),
    "beam 4": settings(),
    "beam 10": settings(beam_size=10, length_penalty=0.6, penalty_form="gnmt"),
    "beam 10, average": settings(beam_size=10, length_penalty=1.0),
    **{f"seed {seed}": settings(method="sampling", seed=seed) for seed in range(10)},
    "beam sampling": settings(method="beam_sampling", seed=7, temperature=1.3, top_k=50),
    "top-p, no repeats": settings(method="sampling", seed=3, top_p=0.9, no_repeat=2),
}


def compared(
    engine: Engine, explainer: Explainer, requests: Sequence[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], Compared]]:
    """Compare one request after another; return each with its result."""
    for request in requests:
        (answer,) = engine.answers(explainer, [request])
        yield request, compare(explainer, request, answer)
