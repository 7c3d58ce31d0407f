"""Where the model runs: on a GPU that reproduces the CPU's numbers, or on the CPU's cores.

On the CPU a search uses one core, and many sentences use all. The products of a decoding step are
small: threads that share one wait for each other a hundred times a step, and for long if other
programs use the cores too; and a sum that is divided among threads rounds differently.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

import numpy as np
import torch

from model import checkpoint
from model.arrays import Floats
from model.cache import ResultCache
from model.config import UNTOUCHED, DecodeConfig
from model.errors import ConfigError
from model.passes import Passes

log = logging.getLogger(__name__)

GPUS: dict[str, Callable[[], bool]] = {  # in the order in which "auto" tries them
    "cuda": torch.cuda.is_available,
    "mps": torch.backends.mps.is_available,
}
NEAR = 1e-3  # float32 log-probs on two devices differ by rounding, about 1e-5
PROBE = "I am a student."

Item = TypeVar("Item")
Result = TypeVar("Result")


def one_thread() -> None:
    """Give the products of this thread, and of threads that start after it, one thread each."""
    torch.set_num_threads(1)


def cores() -> int:
    """The number of cores that this process may use."""
    is_told = hasattr(os, "sched_getaffinity")  # not on a Mac
    return len(os.sched_getaffinity(0)) if is_told else os.cpu_count() or 1


def spread(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None
) -> Generator[Result, None, None]:
    """The result of each item, in the order of the items; by default on all cores.

    Threads, because they share the model's memory, and PyTorch and NumPy let the others run while
    they compute.
    """
    with ThreadPoolExecutor(workers or cores(), initializer=one_thread) as pool:
        yield from pool.map(work, items)


def pick_device(device: str) -> str:
    """Return the device to use: "auto" is a trusted GPU, if there is one, otherwise the CPU.

    Raises:
        ConfigError: a device that is unknown to torch or missing on this machine.
    """
    if device == "auto":
        return next((name for name, is_there in GPUS.items() if is_there() and agrees(name)), "cpu")
    try:
        if torch.device(device).type == "meta":
            raise NotImplementedError  # it has shapes but no numbers
        torch.empty(0, device=torch.device(device))
    except (RuntimeError, AssertionError, NotImplementedError):
        raise ConfigError(
            f"The device {device!r} is not available here; use auto, cpu, or a GPU such as cuda."
        ) from None
    return device


@lru_cache
def agrees(device: str) -> bool:
    """True if the shipped model's numbers on `device` match the CPU's.

    Nobody can test every GPU, driver and build of torch, so each is checked where it is used.
    """
    try:
        near = np.allclose(_probe(device), _probe("cpu"), atol=NEAR, rtol=0)
    except (RuntimeError, NotImplementedError, TypeError) as error:
        log.warning("The GPU (%s) cannot run the model, so the CPU does: %s", device, error)
        return False
    if not near:
        log.warning("The GPU (%s) gives other numbers than the CPU, so the CPU is used.", device)
    return near


def _probe(device: str) -> Floats:
    """The shipped model's log-probs on a fixed sentence and its translation, as one array."""
    loaded = checkpoint.load(checkpoint.SHIPPED, device=device)
    passes = Passes(loaded, device, ResultCache(0))
    src = loaded.tokenizer.encode_source(PROBE)
    best = passes.search(src, DecodeConfig(), UNTOUCHED, ()).hypotheses[0]
    ids = loaded.tokenizer.encode_target("我是学生。").ids.tolist()
    trace = passes.trace(src, ids, UNTOUCHED)
    parts = (np.array([best.log_prob]), trace.log_prob, trace.top_log_probs)
    return np.concatenate([np.ravel(part) for part in parts])


def synchronize(device: torch.device) -> None:
    """Wait until a device has finished; all GPUs run asynchronously."""
    if device.type != "cpu":
        getattr(torch, device.type).synchronize()
