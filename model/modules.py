"""The parts that PyTorch has too, made for this project: linear maps, norms, dropout.

They give the same numbers as `torch.nn`, are called without hooks, and are fast for the few rows
of a decoding step.
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.errors import ConfigError

MAX_FEW_ROWS = 16  # the largest beam of the page

Way = Literal["linear", "columns"]
"""How a few rows x meet a weight W: x W^T as `F.linear` does it, or (W x^T)^T."""


class Direct(nn.Module):
    """A module whose call is its `forward`, without PyTorch's hooks.

    A decoding step makes sixty calls, and PyTorch's search for hooks was a tenth of its time.
    """

    def __call__(self, *inputs: Any) -> Any:
        return self.forward(*inputs)

    def _refuse_hook(self, *_: Any, **__: Any) -> NoReturn:
        raise ConfigError(
            f"A hook on {type(self).__name__} would never be called: Headlight calls its modules "
            "directly. `Transformer.encode` and `decode` return every attention and every state, "
            "`Explainer.trace` gives them as arrays, and `Interventions` change them."
        )

    register_forward_hook = _refuse_hook
    register_forward_pre_hook = _refuse_hook
    register_full_backward_hook = _refuse_hook
    register_full_backward_pre_hook = _refuse_hook
    register_backward_hook = _refuse_hook


def product(x: Tensor, weight: Tensor, bias: Tensor | None, way: Way = "linear") -> Tensor:
    """X W^T + b: (..., in) -> (..., out); `way` is used for up to `MAX_FEW_ROWS` rows."""
    if way == "linear" or x.numel() > MAX_FEW_ROWS * x.size(-1):
        return F.linear(x, weight, bias)
    columns = x.reshape(-1, x.size(-1)).T  # (in, R)
    columns = weight @ columns if bias is None else torch.addmm(bias[:, None], weight, columns)
    return columns.T.reshape(*x.shape[:-1], len(weight))


class Linear(Direct, nn.Linear):
    """`nn.Linear`, called directly, by the way that `tuning.tune` found to be the fastest."""

    way: Way = "linear"

    def forward(self, x: Tensor) -> Tensor:
        return product(x, self.weight, self.bias, self.way)


class LayerNorm(Direct, nn.LayerNorm):
    """`nn.LayerNorm`, called directly."""


class Dropout(Direct):
    """Sets a fraction of the numbers to zero in training, scales up the rest. Source: section 5.4.

    Differs from `nn.Dropout` in its random numbers: eight from each 64-bit draw, which rounds the
    fraction to 1/256. On a CPU that is six times as fast.
    """

    def __init__(self, fraction: float) -> None:
        super().__init__()
        self.threshold = round(fraction * 256)

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.threshold:
            return x
        draws = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
        draws.random_(-(2**63), None)
        keep = draws.view(torch.uint8)[: x.numel()].view(x.shape) >= self.threshold
        return x * keep * (256 / (256 - self.threshold))
