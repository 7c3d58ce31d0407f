"""A larger model that begins by computing exactly what a smaller one does.

Source: Chen, Goodfellow and Shlens 2016 ("Net2Net"), in the form that adds units which nobody
reads yet: what they compute is multiplied by zero until training changes it.
"""

from __future__ import annotations

import dataclasses

import torch
from torch import Tensor

from model.errors import ConfigError
from model.transformer import FeedForward, Transformer


def widened(model: Transformer, d_ff: int) -> Transformer:
    """The model with feed-forward layers of `d_ff` units instead of fewer, and the same outputs.

    The new units start as those of a new model do; their columns of the outer map are zero.

    Raises:
        ConfigError: `d_ff` is smaller than what the model has.
    """
    config = model.config
    if d_ff < config.d_ff:
        raise ConfigError(
            f"The feed-forward layers have {config.d_ff} units and can grow; {d_ff} is fewer."
        )
    grown = Transformer(dataclasses.replace(config, d_ff=d_ff))
    weights = dict(model.named_parameters())
    with torch.no_grad():
        for module in grown.modules():
            if isinstance(module, FeedForward):
                module.outer.weight[:, config.d_ff :] = 0.0
        for name, parameter in grown.named_parameters():
            corner(parameter, weights[name]).copy_(weights[name])
    return grown


def corner(large: Tensor, small: Tensor) -> Tensor:
    """The first rows and columns of a tensor, as many as another one has."""
    for axis, size in enumerate(small.shape):
        large = large.narrow(axis, 0, size)
    return large
