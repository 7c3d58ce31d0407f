"""An Explanation as the browser gets it: one compact JSON value from which every view is drawn.

Attention weights travel as whole numbers from 0 to 65535, two bytes each, of the cells that may be
attended to; a masked cell is not sent at all. So 0 and 1 are exact, and no weight on the page is
further than 1/131070 (0.0000077) from the record. Sixteen-bit floats would take the same room and
be off by up to 0.00024.

    {format, text, translation, seconds, model: {name, device, revision, tokens}, settings, shown,
     src, tgt_in, tgt_out: [label, ...],
     attention: {kind: {layers, heads, queries, keys, mask, weights}, for each of the three kinds},
     steps: [{top: [label + log_prob, ...], chosen, log_prob, forced}, ...],
     hypotheses: [{text, score, log_prob, length, finished}, ...]}
"""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from explorer.labels import Label, labels, lone
from explorer.request import SETTINGS
from model.config import KINDS
from model.trace import AttentionMaps, Explanation, Tokens

FORMAT = 1
TOP = 8  # next-token candidates shown of each step
FULL = 65_535  # how a weight of 1 is written

Payload = dict[str, Any]


def build(
    explanation: Explanation,
    *,
    piece: Callable[[int], str],
    name: str,
    revision: str | None,
    tokens: int,
) -> Payload:
    """The payload of one explanation.

    `piece` spells a token id as the vocabulary does; `tokens` is how many the model reads at most.
    """
    trace, search = explanation.trace, explanation.search
    settings = dataclasses.asdict(explanation.config)
    return {
        "format": FORMAT,
        "text": explanation.text,
        "translation": search.hypotheses[explanation.shown].text,
        "seconds": round(explanation.seconds, 4),
        "model": {
            "name": name,
            "device": explanation.device,
            "revision": revision,
            "tokens": tokens,
        },
        "settings": {key: settings[key] for key in SETTINGS},
        "shown": explanation.shown,
        "src": _labels(trace.src),
        "tgt_in": _labels(trace.tgt_in),
        "tgt_out": _labels(trace.tgt_out),
        "attention": {kind: _maps(trace.attention(kind)) for kind in KINDS},
        "steps": _steps(explanation, piece),
        "hypotheses": [
            {
                "text": hypothesis.text,
                "score": _short(hypothesis.score),
                "log_prob": _short(hypothesis.log_prob),
                "length": len(hypothesis.path),
                "finished": hypothesis.finished,
            }
            for hypothesis in search.hypotheses
        ],
    }


def _labels(tokens: Tokens) -> list[Payload]:
    return [
        _label(label, piece, int(token_id))
        for label, piece, token_id in zip(labels(tokens), tokens.pieces, tokens.ids, strict=True)
    ]


def _label(label: Label, piece: str, token_id: int) -> Payload:
    entry: Payload = {"text": label.text, "kind": label.kind, "piece": piece, "id": token_id}
    if label.line != label.text:
        entry["line"] = label.line
    if label.joined:
        entry["joined"] = True
    if label.part:
        entry["part"] = list(label.part)
    return entry


def _maps(maps: AttentionMaps) -> Payload:
    layers, heads, queries, keys = maps.weights.shape
    allowed = maps.weights[:, :, maps.mask].astype(np.float64)  # (L, H, cells)
    whole = np.rint(np.clip(allowed, 0.0, 1.0) * FULL).astype("<u2")
    return {
        "layers": layers,
        "heads": heads,
        "queries": queries,
        "keys": keys,
        "mask": _base64(np.packbits(maps.mask)),
        "weights": _base64(whole),
    }


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


def _steps(explanation: Explanation, piece: Callable[[int], str]) -> list[Payload]:
    """What the decoder predicted at each position of the traced hypothesis, and what it wrote."""
    trace, search = explanation.trace, explanation.search
    path = search.hypotheses[explanation.shown].path
    steps = []
    for t, chosen in enumerate(trace.tgt_out.ids):
        top = [
            _label(lone(piece(int(i))), piece(int(i)), int(i)) | {"log_prob": _short(log_prob)}
            for i, log_prob in zip(trace.top_ids[t, :TOP], trace.top_log_probs[t], strict=False)
        ]
        steps.append(
            {
                "top": top,
                "chosen": int(chosen),
                "log_prob": _short(trace.log_prob[t]),
                "forced": bool(search.steps[t].forced[path[t]]),
            }
        )
    return steps


def _short(value: float) -> float:
    """A number with the digits that float32 holds, to keep the payload small."""
    return float(f"{float(value):.7g}")
