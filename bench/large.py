"""The page's questions to a large model: 512, 6 + 6 layers, 65,000 tokens, 30 x 30 tokens.

Random weights; every question of an exhibit that uses the current model is asked once after the
explanation, as on the server, on one core of two; of a long answer in turns
(explorer/exchange/turns.py) each turn. Then the process's memory.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.engines import SIZES, text_of, write
from bench.harness import Row
from explorer.exchange import request
from explorer.exchange.reply import answer
from explorer.exhibits import load
from explorer.models import Models
from model.explain import Explainer
from tests.tiny import only

TOKENS = 30
SIZE = "512, 6+6 layers, 65,000 tokens"
HEAD = {"kind": "cross", "layer": 5, "head": 7}
PAIR = ["a cat", "I am a cat"]
DRAWN = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 1, "first": 0}

# The ones left out use no model, their own, or only the shipped one.
ASKED: dict[str, dict[str, Any]] = {
    "microscope_head": HEAD | {"matrix": True},
    "smoothing": {"step": TOKENS // 2},
    "lens": {},
    "near": {"side": "target", "id": 100},
    "figure": {"encoder": [0, 5], "decoder": [0, 5]},
    "dropout": {"source": 3},
    "equivariance": {"seed": 1},
    "methods": DRAWN,
    "times": DRAWN,
    "seeds": DRAWN,
    "heads_off": {"first": 0},
    "batch": {"sentences": PAIR},
    "anatomy": {},
    "cost": {},
    "positions": {},
    "stream": {"stack": "decoder", "layer": 5},
    "summary": {"kind": "cross", "way": "rollout", "layer": 6},
    "occlusion": {"first": 0},
    "next_token": {"ids": [5] * TOKENS},
    "vocabulary": {},
}


def measure() -> Iterator[Row]:
    """Measure the explanation, each question, and the peak memory."""
    request.MAX_WRITTEN = TOKENS  # random weights never end by themselves
    questions = {name: one for exhibit in load() for name, one in exhibit.questions.items()}
    with tempfile.TemporaryDirectory() as place:
        explainer = Explainer.load(write(Path(place), *SIZES[SIZE]), device="cpu")
        yield Row("memory with the model loaded", [_memory()], "GB")
        models = only(lambda: explainer)
        text = text_of(TOKENS, explainer.read)
        for name in (None, *ASKED):
            yield _asked(models, questions, text, name)
    yield Row("memory at its largest", [_memory()], "GB")


def _asked(models: Models, questions: Any, text: str, name: str | None) -> Row:
    """Seconds of the processor for each turn of one question."""
    raw: dict[str, Any] = {"number": 1, "text": text, "settings": {"beam_size": 4}}
    if name is not None:
        raw |= {"question": name, "arguments": ASKED[name]}
    in_turns = name is not None and "first" in ASKED[name]
    seconds: list[float] = []
    first: int | None = 0
    while first is not None:
        if in_turns:
            raw["arguments"] = raw["arguments"] | {"first": first}
        worked = time.thread_time()
        reply = json.loads(answer(models, raw, questions))
        seconds.append(time.thread_time() - worked)
        if "payload" not in reply:
            return Row(f"  {name}", reply["message"]["en"])
        first = reply["payload"].get("next") if in_turns else None
    return Row(f"  {name or 'the explanation'}", seconds, "s")


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
