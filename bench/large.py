"""The page's questions to a large model: 512, 6 + 6 layers, 65,000 tokens, 30 x 30 tokens.

Random weights; every question of an exhibit that uses the current model is asked once after the
explanation, as on the server, on one core of two; for a long answer in turns
(explorer/exchange/turns.py) the longest turn counts. Then the process's memory.
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
    "order": HEAD | {"positions": "none", "sides": "both", "shift": 0, "seed": 1},
    "equivariance": {"seed": 1},
    "methods": DRAWN,
    "times": DRAWN,
    "seeds": DRAWN,
    "model_here": HEAD,
    "before_after": HEAD,
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


def measure() -> Iterator[tuple[str, str]]:
    """Measure the explanation, each question, and the peak memory."""
    request.MAX_WRITTEN = TOKENS  # random weights never end by themselves
    questions = {name: one for exhibit in load() for name, one in exhibit.questions.items()}
    with tempfile.TemporaryDirectory() as place:
        explainer = Explainer.load(write(Path(place), *SIZES[SIZE]), device="cpu")
        yield "memory with the model loaded", _memory()
        models = only(lambda: explainer)
        text = text_of(TOKENS, explainer.read)
        yield "the explanation, beam 4", _asked(models, questions, text, None)
        for name in ASKED:
            yield f"  {name}", _asked(models, questions, text, name)
    yield "memory at its largest", _memory()


def _asked(models: Models, questions: Any, text: str, name: str | None) -> str:
    raw: dict[str, Any] = {"number": 1, "text": text, "settings": {"beam_size": 4}}
    times, first = [], 0
    while first is not None:
        in_turns = name is not None and "first" in ASKED[name]
        if name is not None:
            turn = {"first": first} if in_turns else {}
            raw |= {"question": name, "arguments": ASKED[name] | turn}
        began, worked = time.perf_counter(), time.thread_time()
        reply = json.loads(answer(models, raw, questions))
        times.append((time.thread_time() - worked, time.perf_counter() - began))
        first = reply.get("payload", {}).get("next") if in_turns else None
    told = "" if "payload" in reply else f": {reply['message']['en']}"
    count = f", {len(times)} turns" if len(times) > 1 else ""
    worked, passed = max(times)
    return f"{worked:.2f} s of the processor, {passed:.2f} by the clock{count}{told}"


def _memory() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB"
