"""The number type in which this machine multiplies fastest.

Half precision is several times faster where the processor has instructions for it (AVX512-BF16,
AMX, tensor cores), and several times slower where it is emulated. So processor names are not used:
the typical product of training is timed instead.
"""

from __future__ import annotations

import logging
import time
from typing import Literal

import torch

log = logging.getLogger(__name__)

Precision = Literal["auto", "float32", "bfloat16", "float16"]
TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
WORTH = 1.2  # least speed-up of half precision for it to be chosen
ENOUGH = 0.5  # seconds of products after which no other is timed
ROWS, WIDTH = 2048, 512  # shape of the timed products: a batch of tokens through a layer


def chosen(precision: Precision, device: torch.device) -> torch.dtype:
    """The type of the matrix products: the one requested, or the fastest here for "auto".

    bfloat16 has the range of float32; float16 needs a scaled loss and is tried only on a GPU.
    """
    if precision != "auto":
        return TYPES[precision]
    tried = ["bfloat16"] if device.type == "cpu" else ["bfloat16", "float16"]
    base = seconds(torch.float32, device)
    times = {name: seconds(TYPES[name], device) for name in tried}
    best = min(times, key=times.__getitem__)
    name = best if times[best] * WORTH < base else "float32"
    log.info(
        "precision %s: float32 takes %.2f ms, %s",
        name,
        1e3 * base,
        ", ".join(f"{other} {1e3 * t:.2f} ms" for other, t in times.items()),
    )
    return TYPES[name]


def seconds(dtype: torch.dtype, device: torch.device, repeats: int = 5) -> float:
    """The shortest time in seconds of a product and its casts.

    Of fewer repeats where they are slow: emulated, half precision takes a second for each.
    """
    x = torch.ones(ROWS, WIDTH, device=device)
    weight = torch.ones(WIDTH, WIDTH, device=device)

    def product(rows: int) -> None:
        total = (x[:rows].to(dtype) @ weight.to(dtype)).float()[0, 0].item()  # item waits for a GPU
        assert total > 0

    product(16)  # prepares kernels
    times: list[float] = []
    while len(times) < repeats and sum(times) < ENOUGH:
        started = time.perf_counter()
        product(ROWS)
        times.append(time.perf_counter() - started)
    return min(times)
