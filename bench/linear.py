"""The products of a decoding step on this machine: every layout, cold, and in a whole search.

`model/linear.py` makes the choice itself when a model is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import torch

from bench.explain import LONG, REPEATS, explain_anew
from bench.harness import Row, in_turn
from model import linear
from model.config import DecodeConfig
from model.explain import Explainer
from model.linear import LAYOUTS, ROWS, best_choice, products, step_seconds


def measure() -> Iterator[Row]:
    """Measure each shape of the shipped model in every layout; then a search, tuned and plain."""
    yield Row(
        f"all products of a shape in one step, {torch.get_num_threads()} threads",
        f"microseconds for {', '.join(map(str, ROWS))} rows",
    )
    with mock.patch.object(linear, "MIN_BYTES", 2**62):
        plain = Explainer.load(None, device="cpu")
    step, _ = products(Explainer.load(None, device="cpu").model)
    with torch.no_grad():
        shapes = step_seconds(step)
    for (n_out, n_in), seconds in shapes.items():
        timed = "; ".join(
            f"{layout} {', '.join(f'{seconds[layout, n] * 1e6:.0f}' for n in numbers)}"
            for layout, numbers in LAYOUTS.items()
            if (layout, 4) in seconds
        )
        chosen = ", ".join(best_choice(seconds).values())
        yield Row(f"  {n_out} x {n_in}", f"{timed}; chosen: {chosen}")
    tuned, config = Explainer.load(None, device="cpu"), DecodeConfig()
    runs = {"tuned": explain_anew(tuned, LONG, config), "plain": explain_anew(plain, LONG, config)}
    times = in_turn(runs, REPEATS)
    peers = {"F.linear alone": times["plain"]}
    yield Row("one explanation with the chosen layouts", times["tuned"], peers=peers)
