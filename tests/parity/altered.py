"""What a server may get wrong: a field changed on its way, a list cut, a search by other rules."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer import session
from explorer.exchange.packing import pack, packed_type
from model.arrays import Doubles
from model.beams import Best, SentenceSearch
from model.sampling import Mulberry32
from model.trace import Forbidden

Path = tuple[Any, ...]

OTHER: dict[str, Any] = {  # a change that is no mistake by itself
    "doubt": {"reasons": []},
    "doubt.missing": ["12"],
    "doubt.added": ["12"],
    "node": [0, 0],
    "prefix": [5],
    "model.examples": ["abc"],
    "model.codes": [">>abc<<"],
    "interventions.heads_off": [["cross", 0, 0]],
    "interventions.cross_off": [0],
    "interventions.cells": [["cross", 0, 0, False]],
    "interventions.positions": "none",
    "interventions.sides": "source",
    "model.revision": "x",
    "settings.penalty_form": "gnmt",
    "settings.method": "greedy",
}


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of a payload that is no list or object, and every list that is empty."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list) and value:
        for i, one in enumerate(value):
            yield from leaves(one, (*path, i))
    else:
        yield path, value


def pattern(path: Path) -> str:
    """A field's name: the places in lists, and the ids of labels, are stars."""
    starred = ["*" if isinstance(part, int) or str(part).isdigit() else part for part in path]
    return ".".join(starred)


def changed(path: Path, value: Any) -> list[Any]:
    """Some other values for a field."""
    name = path[-1]
    if pattern(path) in OTHER:
        return [OTHER[pattern(path)]]
    if name in session.PACKED and path[0] in ("search", "attention") and isinstance(value, str):
        return [repacked(value, name, place) for place in (0.0, 0.5, 1.0)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value + 0.01]
    assert isinstance(value, str), path
    return [f"{value}x"]


def numbers(text: str, dtype: np.dtype[Any]) -> np.ndarray:
    """The numbers of a packed text, however many they are."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return np.frombuffer(planes.reshape(dtype.itemsize, -1).T.tobytes(), dtype).copy()


def repacked(text: str, name: str, place: float) -> str:
    """Packed numbers, the one at a share of their length changed."""
    dtype = np.dtype(packed_type(name))
    array = numbers(text, dtype)
    at = int(place * (len(array) - 1))
    if name == "mask":
        array[at] ^= 128  # the first cell of these eight
    elif name == "weights":
        array[at] = (int(array[at]) + 655) % 65_536  # a hundredth, in steps of 1/65535
    elif name == "forced":
        array[at] ^= 1
    elif name == "fates":
        array[at] = (array[at] + 1) % 4
    else:
        array[at] += 0.01 if dtype.kind == "f" else 1
    return pack(array)


def edits(sent: dict[str, Any]) -> list[tuple[Path, Any]]:
    """The first and the last field of each kind, with other values."""
    kinds: dict[str, list[tuple[Path, Any]]] = {}
    for path, value in leaves(sent):
        kinds.setdefault(pattern(path), []).append((path, value))
    chosen = [one for found in kinds.values() for one in (found[:1] + found[1:][-1:])]
    return [(path, other) for path, value in chosen for other in changed(path, value)]


class StopsAtFirst(SentenceSearch):
    """Takes the first hypothesis that ends for the best."""

    def _may_improve(self, live: list[Any]) -> bool:
        return bool(live) and not self.finished


class SkipsSecond(SentenceSearch):
    """Never looks at the second-best token of a row."""

    def advance(self, best: Best, forbidden: Sequence[Forbidden] = ()) -> list[int]:
        left = [0, *range(2, best.top.shape[1])]
        seen = best._replace(top=best.top[:, left], ids=best.ids[:, left])
        return super().advance(seen, forbidden)


class IgnoresSeed(SentenceSearch):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.generator = Mulberry32(99)


class IgnoresTemperature(SentenceSearch):
    def _draw(self, log_probs: Doubles) -> Any:
        config = self.config
        self.config = replace(config, temperature=1.0)
        try:
            return super()._draw(log_probs)
        finally:
            self.config = config


class ListsWorst(SentenceSearch):
    """Keeps the worst of the finished hypotheses where it should keep the best."""

    def _finish(self, beam: Any) -> None:
        self.finished.append((beam.total / self.config.penalty(len(beam.ids)), beam))
        self.finished.sort(key=lambda pair: pair[0])
        del self.finished[self.n_beams :]
        self.finished.sort(key=lambda pair: -pair[0])


# ------------------------------------------------------------------------- answers to questions


def answer_edits(question: str, answer: dict[str, Any]) -> list[tuple[Path, Any]]:
    """The first and the last value of each kind in an answer, with another value."""
    kinds: dict[str, list[tuple[Path, Any]]] = {}
    for path, value in leaves(answer):
        kinds.setdefault(pattern(path), []).append((path, value))
    chosen = [one for found in kinds.values() for one in (found[:1] + found[1:][-1:])]
    return [(path, other_answer(question, path, value)) for path, value in chosen]


def other_answer(question: str, path: Path, value: Any) -> Any:
    name = next(part for part in reversed(path) if isinstance(part, str))
    if isinstance(value, str) and value.startswith("eJ"):
        return with_another_number(value, packed_type(name, question))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value + 0.01 * max(1.0, abs(value))
    return f"{value}x" if isinstance(value, str) else "x"


def with_another_number(text: str, kind: str) -> str:
    """Packed numbers, the last finite one changed; one where there were none."""
    dtype = np.dtype(kind)
    array = numbers(text, dtype)
    if len(array) == 0:
        return pack(np.ones(1, dtype))
    at = int(np.flatnonzero(np.isfinite(array.astype("f8")))[-1])
    if dtype.kind == "f":
        array[at] += 0.01 * max(1.0, abs(float(array[at])))
    elif kind == "u1":
        array[at] ^= 1
    else:
        array[at] += -3 if array[at] > 100 else 3  # a figure's shade may be off by one
    return pack(array)
