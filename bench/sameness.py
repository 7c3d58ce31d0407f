"""The browser's engine, in Node, against Python on held-out sentences, with every method.

Compared is all that tests/parity/engine.py compares: words, ids, search, log-probs, attention,
states. tests/parity/test_engine.py plants the faults that such a comparison must notice.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Row
from explorer.exchange.explain import explain
from explorer.exchange.request import parse
from model.checkpoint import SHIPPED
from model.explain import Explainer
from model.sampling import Mulberry32
from tests.parity.engine import METHODS, NEAR, TOLERANCES, Compared, Engine, compare

SENTENCES = (SHIPPED / "sentences.tsv",)
COUNT = 500  # at most, evenly over the files' lines


def measure(sentences: tuple[Path, ...] = SENTENCES, count: int = COUNT) -> Iterator[Row]:
    """One row for each method; raises SystemExit if something was off."""
    lines = [line for file in sentences for line in file.read_text("utf-8").splitlines()]
    step = max(1, len(lines) // count)
    texts = [line.split("\t")[0] for line in lines[::step][:count]]
    explainer = Explainer.load(None, device="cpu")
    is_off = False
    with Engine() as engine:
        for method, settings in METHODS.items():
            started, counts = time.perf_counter(), Counter[str]()
            largest = dict.fromkeys(TOLERANCES, 0.0)
            for text in texts:
                request = {"text": text, "settings": settings, "interventions": {}}
                result = _compared(engine, explainer, request)
                counts[_verdict(result)] += 1
                for name, value in result.largest.items():
                    largest[name] = max(largest[name], value)
            is_off |= counts["off"] > 0
            most = ", ".join(f"{name} {value:.1e}" for name, value in largest.items())
            seconds = time.perf_counter() - started
            yield Row(method, f"{dict(counts)}; at most {most}; {seconds:.0f} s")
    if is_off:
        raise SystemExit(1)


def _verdict(result: Compared) -> str:
    is_far = any(value > TOLERANCES[name] for name, value in result.largest.items())
    return "off" if result.unequal or is_far else "tie" if result.tie else "equal"


def _compared(engine: Engine, explainer: Explainer, request: dict[str, Any]) -> Compared:
    (answer,) = engine.answers(explainer, [request])
    result = compare(explainer, request, answer)
    is_drawn = request["settings"]["method"] == "sampling"
    if is_drawn and result.unequal and is_close_draw(explainer, request, answer):
        return Compared([], {}, tie=True)
    return result


def is_close_draw(explainer: Explainer, request: dict[str, Any], answer: dict[str, Any]) -> bool:
    """True if the draw at the first difference was within NEAR of both tokens' border.

    Ids are drawn in their order, and the sum of thousands of small shares before them differs by
    rounding.
    """
    ours = explain(explainer, parse(request))
    own = ours.trace.tgt_out.ids.tolist()
    theirs = [token["id"] for token in answer["payload"]["tgt_out"]]
    pairs = enumerate(zip(theirs, own, strict=False))
    step = next((t for t, (one, other) in pairs if one != other), None)
    if step is None:
        return False
    generator = Mulberry32(ours.config.seed)
    point = next(itertools.islice(iter(generator.uniform, None), step, None))
    shares = np.exp(explainer.next_log_probs(ours.text, own[:step]).astype(float))
    sums = np.cumsum(shares / shares.sum())
    ends = [(sums[i - 1] if i else 0.0, sums[i]) for i in (own[step], theirs[step])]
    return all(low - NEAR <= point <= high + NEAR for low, high in ends)
