"""Shapes and weights: every step with the shape of the data, every weight with its count."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit, Wanted
from model.config import ModelConfig

if TYPE_CHECKING:
    from model.explain import Explainer


def anatomy(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The model's shape, its table of weights, and the actual number of its parameters."""
    from model.labs.parameters import parameter_table  # torch is imported with the first question

    model = explainer.model
    return {
        "config": dataclasses.asdict(model.config),
        "parts": [
            dataclasses.asdict(p) | {"numbers": p.numbers} for p in parameter_table(model.config)
        ],
        "counted": sum(p.numel() for p in model.parameters()),
    }


NORMS = tuple(x for x in get_args(get_type_hints(ModelConfig)["norm"]) if x != "none")
EXHIBIT = Exhibit(
    "flow",
    {"anatomy": anatomy},
    facts={"norms": NORMS},
    saved=True,
    wanted=lambda _, __: [Wanted("anatomy", {}, {})],
)
