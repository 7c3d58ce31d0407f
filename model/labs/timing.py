"""The time that an encoder layer takes on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import torch

from model import deadline
from model.device import synchronize
from model.transformer import Transformer

MIN_REPEATS = 7  # the minimum is reported; other load only adds time
MIN_SECONDS = 0.06  # seconds of runs per length; short ones are repeated more often
MAX_REPEATS = 200


class LayerTimes(NamedTuple):
    """One encoder layer, one sentence at a time, at each number of tokens."""

    lengths: tuple[int, ...]
    seconds: tuple[float, ...]
    d_model: int
    n_heads: int
    d_ff: int


@torch.inference_mode()
def layer_times(model: Transformer, lengths: Sequence[int]) -> LayerTimes:
    """Time the first encoder layer on each number of random vectors in `lengths`, in seconds.

    Attention computes all its weights (H, N, N), as for the pictures.
    """
    config = model.config
    layer, like = model.encoder[0], model.embedding.token.weight
    seconds = []
    for length in lengths:
        deadline.check()
        generator = torch.Generator().manual_seed(length)
        x = torch.randn(1, length, config.d_model, generator=generator).to(like)
        layer(x, None)  # the first run also allocates memory; it does not count
        seconds.append(_fastest(layer, x))
    shape = (config.d_model, config.n_heads, config.d_ff)
    return LayerTimes(tuple(lengths), tuple(seconds), *shape)


def _fastest(layer: torch.nn.Module, x: torch.Tensor) -> float:
    runs: list[float] = []
    while len(runs) < MIN_REPEATS or (sum(runs) < MIN_SECONDS and len(runs) < MAX_REPEATS):
        runs.append(_seconds(layer, x))
    return min(runs)


def _seconds(layer: torch.nn.Module, x: torch.Tensor) -> float:
    synchronize(x.device)
    started = time.perf_counter()
    layer(x, None)
    synchronize(x.device)
    return time.perf_counter() - started
