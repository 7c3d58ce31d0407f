"""This project's versions of PyTorch modules: modules without hooks, norms, dropout."""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from torch import Tensor, nn

from model.config import ModelConfig
from model.errors import ConfigError


class NoHooks(nn.Module):
    """A module whose call is its `forward`, without PyTorch's hooks.

    A decoding step makes fifty calls, and PyTorch's search for hooks took a tenth of its time.
    Submodules are ordinary attributes here: PyTorch's own lookup fails first, with an error that it
    catches.
    """

    def __call__(self, *inputs: Any) -> Any:
        return self.forward(*inputs)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, nn.Module):
            self.__dict__[name] = value

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


class LayerNorm(NoHooks, nn.LayerNorm):
    """`nn.LayerNorm`, called directly."""

    def forward(self, x: Tensor) -> Tensor:
        own = self._parameters
        return torch.layer_norm(x, self.normalized_shape, own["weight"], own["bias"], self.eps)


class RMSNorm(NoHooks, nn.RMSNorm):
    """`nn.RMSNorm`, called directly: x over its root mean square, times gamma.

    Differs from the paper's LayerNorm: no mean is subtracted and no vector added (T5; Zhang and
    Sennrich 2019).
    """

    bias = None
    eps: float

    def forward(self, x: Tensor) -> Tensor:
        return torch.rms_norm(x, self.normalized_shape, self._parameters["weight"], self.eps)


Norm = LayerNorm | RMSNorm


def norm_of(config: ModelConfig) -> Norm:
    """A norm of a vector (D,). Source: section 5.4; the config says where it differs."""
    if config.norm_kind == "rms":
        return RMSNorm(config.d_model, config.norm_eps)
    return LayerNorm(config.d_model, config.norm_eps, bias=config.biases)


class Dropout(NoHooks):
    """Sets a fraction of the numbers to zero in training and scales up the rest. Source: section
    5.4.

    Differs from `nn.Dropout` in its random numbers: eight from each 64-bit draw, which rounds the
    fraction to a multiple of 1/256. On a CPU that is six times as fast.
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
