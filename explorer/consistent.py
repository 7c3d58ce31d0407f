"""What a session's file can be checked for by itself, without the model.

Everything that follows from other numbers of the file is computed again: texts from pieces, sums
from log-probs, scores from sums, paths from parents. What only the model can know (log-probs of
candidates, weights of attention, reasons to doubt) stays unchecked until it is asked again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from explorer.exchange.packing import unpack
from explorer.exchange.payload import FATES, FULL
from explorer.labels import SPACE_PIECE, label_of_piece
from model.config import DecodeConfig
from model.errors import InputError, quote
from model.text.words import SPECIALS

CLOSE = 1e-4  # of a sum of log-probs: the file has them as float32
_BYTE = re.compile(r"(?:<0x[0-9A-F]{2}>)+")
_CODE = re.compile(r">>[^<>]+<<|<[a-z]+_?\d*>")  # what is no text in other families
_BLANK = re.compile(r"[\s\ufffd]+")
_START, _END = "<s>", "</s>"
_SILENT = SPECIALS - {"<unk>"}

Value = dict[str, Any]


class Statement(NamedTuple):
    """A value of the file, and what the rest of the file makes of it."""

    place: str
    found: Any
    expected: Any


def check(document: Value) -> None:
    """Compare everything in a session that follows from the rest of it.

    Raises:
        InputError: the first value that does not.
    """
    for place, found, expected in _statements(document):
        if not _is_same(found, expected):
            raise InputError(
                f"The file contradicts itself: {place} is {quote(found)}; the rest of the file "
                f"makes it {quote(expected)}. Give the file as it was written."
            )


def _is_same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        is_number = isinstance(found, (int, float)) and not isinstance(found, bool)
        return is_number and math.isclose(found, expected, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(found) is type(expected) and bool(found == expected)


def _statements(document: Value) -> Iterator[Statement]:
    request, record = document["request"], document["record"]
    for name in ("text", "prefix", "shown", "node", "interventions"):
        yield Statement(f"record.{name}", record[name], request[name])
    for name, value in record["settings"].items():
        yield Statement(f"record.settings.{name}", value, request["settings"][name])
    for name, value in request["model"].items():
        yield Statement(f"record.model.{name}", record["model"][name], value)
    candidates = _Candidates(record["search"], record["tgt_in"][0]["piece"])
    yield from candidates.sums()
    config = DecodeConfig.from_dict(request["settings"])
    for i, one in enumerate(record["hypotheses"]):
        yield from _hypothesis(f"record.hypotheses[{i}]", one, candidates, config)
    yield from _written(record, candidates)
    yield from _labels(record)
    yield from _weights(record)


class _Candidates:
    """The candidates of a search, unpacked, step by step."""

    def __init__(self, search: Value, start: str) -> None:
        self.has_one_end = start == _START  # a model of ours
        counts = search["counts"]
        ends = np.cumsum(counts)[:-1]

        def steps(name: str, dtype: str) -> list[np.ndarray]:
            return np.split(unpack(search[name], dtype, sum(counts)), ends)

        self.has_ruled_totals = search.get("ruled") is True
        self.labels = search["labels"]
        self.parents, self.ids = steps("parents", "i4"), steps("ids", "i4")
        self.log_probs, self.totals = steps("log_probs", "f4"), steps("totals", "f4")
        self.fates, self.forced = steps("fates", "u1"), steps("forced", "u1")

    def sums(self) -> Iterator[Statement]:
        """Each total is its parent's and the candidate's own log-prob.

        A forced end token adds nothing (see `SearchStep`), and the rules of a model from elsewhere
        may change what a candidate adds.
        """
        if self.has_ruled_totals:
            return
        for t, parents in enumerate(self.parents):
            before = self.totals[t - 1][parents] if t else np.zeros(len(parents), np.float32)
            sums = before.astype(float) + self.log_probs[t]
            is_free = self.forced[t].astype(bool) & np.isclose(self.totals[t], before, atol=CLOSE)
            for c in np.flatnonzero(~is_free):
                place = f"record.search.totals, step {t + 1}, candidate {c + 1}"
                yield Statement(place, float(self.totals[t][c]), float(sums[c]))

    def pieces(self, path: list[int]) -> list[str]:
        return [self.labels[str(self.ids[t][c])]["piece"] for t, c in enumerate(path)]

    def path(self, last: int, length: int) -> list[int]:
        """The candidates on the way to one."""
        path = [last]
        for t in range(length - 1, 0, -1):
            path.append(int(self.parents[t][path[-1]]))
        return path[::-1]


def _hypothesis(
    place: str, one: Value, candidates: _Candidates, config: DecodeConfig
) -> Iterator[Statement]:
    path = one["path"]
    yield Statement(f"{place}.length", one["length"], len(path))
    yield Statement(f"{place}.path", path, candidates.path(path[-1], len(path)))
    total = float(candidates.totals[len(path) - 1][path[-1]])
    yield Statement(f"{place}.log_prob", one["log_prob"], total)
    score = one["log_prob"] / config.penalty(len(path))
    yield Statement(f"{place}.score", one["score"], score)
    pieces = candidates.pieces(path)
    yield Statement(f"{place}.text", _solid(one["text"]), _read(one["text"], pieces))
    # A foreign model may have further end tokens, which it alone knows.
    if pieces[-1] == _END or candidates.has_one_end:
        yield Statement(f"{place}.finished", one["finished"], pieces[-1] == _END)
    fate = FATES[candidates.fates[len(path) - 1][path[-1]]]
    yield Statement(f"{place}, its fate", fate, "finished")


def _written(record: Value, candidates: _Candidates) -> Iterator[Statement]:
    """The tokens of the traced path, as written, as read back and as predicted."""
    path, written, steps = record["path"], record["tgt_out"], record["steps"]
    if record["node"] is None:
        yield Statement("record.path", path, record["hypotheses"][record["shown"]]["path"])
    else:
        yield Statement("record.path", path, candidates.path(record["node"][1], len(path)))
    ids = [int(candidates.ids[t][c]) for t, c in enumerate(path)]
    yield Statement("record.tgt_out, ids", [one["id"] for one in written], ids)
    yield Statement("record.tgt_out, pieces", _pieces(written), candidates.pieces(path))
    yield Statement("record.tgt_in", record["tgt_in"][1:], written[:-1])
    translation = record["translation"]
    text = _read(translation, _pieces(written))
    yield Statement("record.translation", _solid(translation), text)
    yield Statement("record.steps, chosen", [one["chosen"] for one in steps], ids)
    for t, (step, c) in enumerate(zip(steps, path, strict=True)):
        place, top = f"record.steps[{t}]", step["top"]
        yield Statement(f"{place}.forced", step["forced"], bool(candidates.forced[t][c]))
        for one in top:
            if one["id"] == step["chosen"]:
                yield Statement(f"{place}.log_prob", step["log_prob"], one["log_prob"])
        logs = [one["log_prob"] for one in top]
        yield Statement(f"{place}.top", logs, sorted(logs, reverse=True))
        total = sum(map(math.exp, logs))
        yield Statement(f"{place}.top, sum of probabilities", total, min(total, 1.0))
        most = math.log(record["model"]["vocabulary"])
        yield Statement(f"{place}.entropy", step["entropy"], min(max(step["entropy"], 0.0), most))


def _labels(record: Value) -> Iterator[Statement]:
    """A candidate is written as its piece is; tokens of a text may be part of a word."""
    tops = [(f"record.steps[{t}].top", one["top"]) for t, one in enumerate(record["steps"])]
    for place, labels in [("record.search.labels", record["search"]["labels"].values()), *tops]:
        for one in labels:
            yield Statement(f"{place}, text", one["text"], label_of_piece(one["piece"]).text)
    for side in ("src", "tgt_in", "tgt_out"):
        for i, one in enumerate(record[side]):
            if not _BYTE.fullmatch(one["piece"]):
                text = label_of_piece(one["piece"]).text
                yield Statement(f"record.{side}[{i}].text", one["text"], text)


def _weights(record: Value) -> Iterator[Statement]:
    """The weights of a row sum to 1, but for the rounding of the file."""
    for kind, maps in record["attention"].items():
        queries, keys, heads = maps["queries"], maps["keys"], maps["layers"] * maps["heads"]
        packed = unpack(maps["mask"], "u1", math.ceil(queries * keys / 8))
        bits = np.unpackbits(packed.astype(np.uint8))
        mask = bits[: queries * keys].reshape(queries, keys).astype(bool)
        whole = unpack(maps["weights"], "u2", heads * int(mask.sum()))
        weights = np.zeros((heads, queries, keys))
        weights[:, mask] = whole.astype(float).reshape(heads, -1) / FULL
        allowed = CLOSE + keys / 2 / FULL
        for head, row in np.argwhere(np.abs(weights.sum(-1) - 1) > allowed):
            place = f"record.attention.{kind}, head {head + 1} of {heads}, sum of row {row + 1}"
            if mask[row].any():
                yield Statement(place, float(weights[head, row].sum()), 1.0)


def _pieces(labels: list[Value]) -> list[str]:
    return [one["piece"] for one in labels]


def text_of(pieces: list[str]) -> str:
    """The text of pieces, with its bytes joined to characters."""
    raw = b""
    for piece in pieces:
        if _BYTE.fullmatch(piece):
            raw += bytes.fromhex(piece.replace("<0x", "").replace(">", ""))
        elif piece not in _SILENT:
            raw += piece.replace(SPACE_PIECE, " ").encode()
    return raw.decode("utf-8", "replace")


def _read(text: object, pieces: list[str]) -> str:
    """The text of pieces; without the codes among them if `text` leaves them out."""
    whole = _solid(text_of(pieces))
    if isinstance(text, str) and _solid(text) != whole:
        return _solid(text_of([piece for piece in pieces if not _CODE.fullmatch(piece)]))
    return whole


def _solid(text: str) -> str:
    """A text without spaces and broken characters, whose number depends on the tokenizer."""
    return _BLANK.sub("", text)
