"""The products of a decoding step on this machine: against `F.linear`, and in a whole search.

The choice itself is made by `model/tuning.py` when a model is loaded.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from unittest import mock

import torch

from bench.explain import against_transformers, explain_anew, times
from model import tuning
from model.config import DecodeConfig
from model.explain import Explainer
from model.tuning import ROWS, fastest, measured

SHAPES = ((256, 256), (512, 256), (256, 512), (1024, 256), (256, 1024), (4000, 256), (8000, 256))
SENTENCE = "The old man who lives next door told me that he had never seen such a garden."


def measure() -> Iterator[tuple[str, str]]:
    """Each weight shape in every way, then a search as tuned against one with `F.linear` alone."""
    threads = torch.get_num_threads()
    yield f"few-rows products, {threads} threads, {' + '.join(map(str, ROWS))} rows", "microseconds"
    for n_out, n_in in SHAPES:
        found = dict(measured(n_out, n_in, torch.float32))
        said = ", ".join(f"{name} {seconds * 1e6:.0f}" for name, seconds in found.items())
        best = min(found.values())
        yield f"  {n_out} x {n_in}", f"{said}; F.linear / best {found['linear'] / best:.2f}"
    tuned = Explainer.load(None, device="cpu")
    with mock.patch.object(tuning, "MIN_NUMBERS", 2**62):
        plain = Explainer.load(None, device="cpu")
    config = DecodeConfig()
    runs = (explain_anew(plain, SENTENCE, config), explain_anew(tuned, SENTENCE, config))
    before, after = (statistics.median(found) for found in times(*runs))
    yield "shipped model, one explanation: F.linear alone", f"{before:.1f} ms"
    yield "  with the chosen products", f"{after:.1f} ms, {before / after:.2f} times as fast"
    shapes = {tuple(p.shape) for p in tuned.model.parameters() if p.ndim == 2}
    for n_out, n_in in sorted(shapes):
        yield f"  chosen for {n_out} x {n_in}", fastest(n_out, n_in, torch.float32, threads)
    yield from against_transformers()
