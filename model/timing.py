"""How long a part of the running model takes on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import torch

from model.transformer import Transformer

REPEATS = 7  # at least; the fastest is told, since whatever else the machine does only adds
LONG_ENOUGH = 0.06  # seconds of runs for each length; short ones are repeated more often
MOST_REPEATS = 200


class LayerTimes(NamedTuple):
    """One encoder layer, one sentence at a time, at each number of tokens."""

    lengths: tuple[int, ...]
    seconds: tuple[float, ...]
    d_model: int
    n_heads: int
    d_ff: int


@torch.inference_mode()
def layer_times(model: Transformer, lengths: Sequence[int]) -> LayerTimes:
    """The first encoder layer on as many random vectors as each of `lengths` says, seconds each.

    Its attention is computed as for the pictures, with all weights, (H, N, N).
    """
    config = model.config
    layer, like = model.encoder[0], model.embedding.token.weight
    seconds = []
    for length in lengths:
        generator = torch.Generator().manual_seed(length)
        x = torch.randn(1, length, config.d_model, generator=generator).to(like)
        layer(x, None)  # what is done once, such as taking memory, does not count
        seconds.append(_fastest(layer, x))
    shape = (config.d_model, config.n_heads, config.d_ff)
    return LayerTimes(tuple(lengths), tuple(seconds), *shape)


def _fastest(layer: torch.nn.Module, x: torch.Tensor) -> float:
    runs: list[float] = []
    while len(runs) < REPEATS or (sum(runs) < LONG_ENOUGH and len(runs) < MOST_REPEATS):
        runs.append(_seconds(layer, x))
    return min(runs)


def _seconds(layer: torch.nn.Module, x: torch.Tensor) -> float:
    _settle(x)
    started = time.perf_counter()
    layer(x, None)
    _settle(x)
    return time.perf_counter() - started


def _settle(x: torch.Tensor) -> None:
    """Wait for a GPU, which takes its work without waiting for it."""
    if x.is_cuda:
        torch.cuda.synchronize(x.device)
