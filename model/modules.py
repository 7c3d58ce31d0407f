"""The parts that PyTorch has too, made for this house: linear maps, norms, dropout.

The same numbers as `torch.nn` gives, called without hooks, and fast for the few rows of a step.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Direct(nn.Module):
    """A module whose call is its `forward`, without PyTorch's hooks: there are none in this house.

    A decoding step makes sixty calls; the way round the hooks took a tenth of its time.
    """

    def __call__(self, *inputs: Any) -> Any:
        return self.forward(*inputs)


FEW_ROWS, LARGE = 8, 2**16  # rows of an input, numbers in a weight


class Linear(Direct, nn.Linear):
    """`nn.Linear`, called directly.

    The few rows of a decoding step meet a large weight as columns: W x in place of x W. Then the
    threads of a CPU share a product that one would make alone (bench/RESULTS.md).
    """

    def forward(self, x: Tensor) -> Tensor:
        few = x.dim() == 3 and x.size(1) == 1 and x.size(0) <= FEW_ROWS
        if not few or self.weight.numel() < LARGE or x.device.type != "cpu" or self.training:
            return F.linear(x, self.weight, self.bias)
        columns = torch.addmm(self.bias[:, None], self.weight, x[:, 0].T)  # (out, B)
        return columns.T.contiguous()[:, None]


class LayerNorm(Direct, nn.LayerNorm):
    """`nn.LayerNorm`, called directly."""


class Dropout(Direct):
    """Sets a share of the numbers to zero in training, scales up the rest. Source: section 5.4.

    Differs from `nn.Dropout` in its random numbers: eight to a 64-bit draw, so that the share is
    rounded to 1/256. On a CPU that is six times as fast, and dropout was a seventh of training.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.threshold = round(share * 256)

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.threshold:
            return x
        draws = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
        draws.random_(-(2**63), None)
        keep = draws.view(torch.uint8)[: x.numel()].view(x.shape) >= self.threshold
        return x * keep * (256 / (256 - self.threshold))
