"""The fastest product for the few rows of a decoding step, found by measuring this machine.

Which of three is the fastest depends on the make of the processor, on the shape of the weight and
on the number of threads; between the best and the worst lies a factor of up to four
(bench/RESULTS.md). All three give the same numbers but for rounding.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

import torch
from torch import Tensor

from model.modules import Linear, Way, product
from model.transformer import Transformer

Choice = Literal["linear", "transposed", "columns"]
"""linear: `F.linear`. transposed: the same on a weight that lies in memory column by column.
columns: the weight times the rows as columns."""

ROWS = (1, 4)  # greedy search and the usual beam
MIN_NUMBERS = 2**15  # of a weight; for a smaller one the choice does not matter
MIN_GAIN = 0.1  # of the time; less may be noise
MAX_SECONDS = 0.004  # of measuring one choice for one number of rows, after the least runs
MIN_RUNS = 3


def tune(model: Transformer) -> None:
    """Give each large weight of a model on the CPU its fastest product. Takes milliseconds.

    The numbers of the weights stay as they are; a transposed weight keeps its shape and changes
    its strides, so writing into it works as before.
    """
    if model.embedding.token.weight.device.type != "cpu":
        return
    for module in model.modules():
        if isinstance(module, Linear):
            module.way = _apply(module.weight)
    model.output_way = _apply(model.output_weight)


def _apply(weight: Tensor) -> Way:
    """Lay the weight out as its choice wants it; the way to multiply with it."""
    if weight.numel() < MIN_NUMBERS:
        return "linear"
    choice = fastest(weight.shape[0], weight.shape[1], weight.dtype, torch.get_num_threads())
    if choice == "transposed":
        weight.data = transposed(weight.data)
    return "columns" if choice == "columns" else "linear"


def transposed(weight: Tensor) -> Tensor:
    """The same weight (out, in), column by column in memory."""
    return weight.t().contiguous().t()


@lru_cache(maxsize=256)
def fastest(n_out: int, n_in: int, dtype: torch.dtype, n_threads: int) -> Choice:
    """The fastest choice here for a weight of this shape; measured once for each shape."""
    seconds = dict(measured(n_out, n_in, dtype))
    best = min(seconds, key=seconds.__getitem__)
    return best if seconds[best] < (1 - MIN_GAIN) * seconds["linear"] else "linear"


@torch.inference_mode()
def measured(n_out: int, n_in: int, dtype: torch.dtype) -> Iterator[tuple[Choice, float]]:
    """Seconds of each choice: its fastest run for each number of `ROWS`, added up."""
    bias = torch.rand(n_out, dtype=dtype)
    rows = [torch.rand(n, 1, n_in, dtype=dtype) for n in ROWS]
    choices: tuple[tuple[Choice, Way], ...] = (
        ("linear", "linear"),
        ("transposed", "linear"),
        ("columns", "columns"),
    )
    for choice, way in choices:  # one weight at a time: that of a large vocabulary has 130 MB
        if choice == "transposed":
            weight = torch.rand(n_in, n_out, dtype=dtype).t()
        else:
            weight = torch.rand(n_out, n_in, dtype=dtype)
        yield choice, sum(_seconds(_run(x, weight, bias, way)) for x in rows)
        del weight


def _run(x: Tensor, weight: Tensor, bias: Tensor, way: Way) -> Callable[[], object]:
    return lambda: product(x, weight, bias, way)


def _seconds(run: Callable[[], object]) -> float:
    """The fastest run. Processor time of this thread, so that a busy machine chooses the same."""
    run()
    runs: list[float] = []
    while len(runs) < MIN_RUNS or (sum(runs) < MAX_SECONDS and len(runs) < 50):
        started = time.thread_time()
        run()
        runs.append(time.thread_time() - started)
    return min(runs)
