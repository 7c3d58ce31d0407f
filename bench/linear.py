"""The products of a decoding step on one thread of this machine, by how a weight is stored.

`model/linear.py` stores small weights column by column and packs large ones; the border between
them follows from such tables. All weights of a step are multiplied in turn, so that none is in the
cache before.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from unittest import mock

import torch
from torch import Tensor
from torch.nn import functional as F

from bench.engines import SIZES
from bench.explain import explain_anew
from bench.harness import Row, in_turn
from model.config import DecodeConfig
from model.device import one_thread
from model.explain import Explainer
from model.linear import PackedWeight

SENTENCE = "The old man who lives next door told me that he had never seen such a garden."
ROWS = (1, 4, 20)  # a step of greedy search, a step of the usual beam, all tokens of a sentence
REPEATS = 9
Shape = tuple[int, int]
Product = Callable[[Tensor], Tensor]

STORED: dict[str, Callable[[Tensor], Product]] = {
    "by rows": lambda weight: lambda x: F.linear(x, weight),
    "by columns": lambda weight: STORED["by rows"](weight.t().contiguous().t()),
    "packed": lambda weight: PackedWeight(weight, None),
}


def shapes(d_model: int, layers: int, vocabulary: int) -> list[Shape]:
    """The shapes of a decoding step's weights, in order: the layers', then the output's."""
    layer = [*[(d_model, d_model)] * 6, (4 * d_model, d_model), (d_model, 4 * d_model)]
    return [*layer * layers, (vocabulary, d_model)]


@torch.inference_mode()
def seconds(products: list[tuple[Shape, Product]], rows: int) -> dict[Shape, float]:
    """Median processor time of one product of each shape, with `rows` rows."""
    taken: dict[Shape, list[float]] = defaultdict(list)
    for _ in range(REPEATS):
        for shape, product in products:
            x = torch.ones(rows, shape[1])
            started = time.thread_time()
            product(x)
            taken[shape].append(time.thread_time() - started)
    return {shape: statistics.median(each) for shape, each in taken.items()}


def measure() -> Iterator[Row]:
    """Measure the products at two sizes, then the shipped model's search with F.linear and ours."""
    one_thread()
    for size, (d_model, layers, vocabulary) in SIZES.items():
        rows = ", ".join(map(str, ROWS))
        yield Row(size, f"microseconds of one product with {rows} rows")
        told: dict[Shape, list[str]] = defaultdict(list)
        for name, store in STORED.items():
            each = [(s, store(torch.randn(s))) for s in shapes(d_model, layers, vocabulary)]
            found = [seconds(each, rows) for rows in ROWS]
            for shape in found[0]:
                numbers = ", ".join(f"{one[shape] * 1e6:.0f}" for one in found)
                told[shape].append(f"{name} {numbers}")
        for (n_out, n_in), parts in told.items():
            yield Row(f"  {n_out} x {n_in}", "; ".join(parts))
    yield _in_a_search()


def _in_a_search() -> Row:
    with mock.patch("model.checkpoint.loading.lay_out"):
        plain = Explainer.load(None, device="cpu")
    ours = Explainer.load(None, device="cpu")
    runs = {"ours": ours, "weights as in the file": plain}
    times = in_turn(
        {name: explain_anew(each, SENTENCE, DecodeConfig()) for name, each in runs.items()}, REPEATS
    )
    return Row("shipped model, one explanation", times.pop("ours"), peers=times)
