"""The products of a decoding step on this machine: every layout, cold, and in a whole search.

`model/linear.py` makes the choice itself when a model is loaded.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from unittest import mock

import torch

from bench.explain import against_transformers, explain_anew, times
from model import linear
from model.config import DecodeConfig
from model.explain import Explainer
from model.linear import LAYOUTS, ROWS, best_choice, products, step_seconds

SENTENCE = "The old man who lives next door told me that he had never seen such a garden."


def measure() -> Iterator[tuple[str, str]]:
    """Measure each shape of the shipped model in every layout; then a search, tuned and plain."""
    yield (
        f"all products of a shape in one step, {torch.get_num_threads()} threads",
        f"microseconds for {', '.join(map(str, ROWS))} rows",
    )
    with mock.patch.object(linear, "MIN_BYTES", 2**62):
        plain = Explainer.load(None, device="cpu")
    step, _ = products(Explainer.load(None, device="cpu").model)
    with torch.no_grad():
        found = step_seconds(step)
    for (n_out, n_in), seconds in found.items():
        timed = "; ".join(
            f"{layout} {', '.join(f'{seconds[layout, n] * 1e6:.0f}' for n in numbers)}"
            for layout, numbers in LAYOUTS.items()
            if (layout, 4) in seconds
        )
        chosen = ", ".join(best_choice(seconds).values())
        yield f"  {n_out} x {n_in}", f"{timed}; chosen: {chosen}"
    tuned = Explainer.load(None, device="cpu")
    config = DecodeConfig()
    runs = (explain_anew(plain, SENTENCE, config), explain_anew(tuned, SENTENCE, config))
    before, after = (statistics.median(run) for run in times(*runs))
    yield "shipped model, one explanation: F.linear alone", f"{before:.1f} ms"
    yield "  with the chosen layouts", f"{after:.1f} ms, {before / after:.2f} times as fast"
    yield from against_transformers()
