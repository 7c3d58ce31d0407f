"""Hooks that would never be called are refused."""

from __future__ import annotations

import pytest
from torch import nn

from model.errors import ConfigError
from model.linear import Linear
from model.modules import Dropout, LayerNorm, NoHooks
from tests.tiny import own_model


@pytest.mark.parametrize("module", [Linear(2, 2), LayerNorm(2), Dropout(0.1), NoHooks()])
@pytest.mark.parametrize(
    "register",
    [
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
        "register_backward_hook",
    ],
)
def test_a_hook_that_would_never_be_called_is_refused(module: nn.Module, register: str) -> None:
    with pytest.raises(ConfigError, match=f"A hook on {type(module).__name__} would never be"):
        getattr(module, register)(lambda *_: None)


def test_every_layer_refuses_hooks() -> None:
    model = own_model()
    parts = [model.encoder[0], model.decoder[0].cross_attention, model.embedding]
    for part in (*parts, model.decoder[0].feed_forward.outer):
        with pytest.raises(ConfigError, match=r"Interventions.* change them"):
            part.register_forward_hook(lambda *_: None)
