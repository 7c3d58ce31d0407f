"""The way of the data: every step with its shape, and every weight with its count."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, cast

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments
from explorer.request import Request

if TYPE_CHECKING:
    from model.explain import Explainer

TEMPLATE = """
<div class="hl-flow">
  <div class="hl-flow-way">
    <fieldset class="hl-choice" id="hl-flow-norm">
      <legend data-t="flow.norm"></legend>
    </fieldset>
    <p class="hl-flow-formula" id="hl-flow-formula"></p>
    <div class="hl-flow-stacks" id="hl-flow-stacks"></div>
    <p class="hl-note" data-t="flow.letters"></p>
  </div>
  <div class="hl-flow-count">
    <h2 data-t="flow.parameters"></h2>
    <div class="hl-scroll"><table class="hl-table" id="hl-flow-table"></table></div>
    <p id="hl-flow-total"></p>
    <h3 data-t="flow.forms"></h3>
    <table class="hl-table" id="hl-flow-forms"></table>
    <p class="hl-note" data-t="flow.forms.note"></p>
  </div>
</div>
"""


def layout() -> None:
    """The stacks at the left, the table of parameters at the right."""
    panel("flow", TEMPLATE)


def anatomy(explainer: Explains, wish: Request, arguments: Arguments) -> dict[str, Any]:
    """The model's shape, its table of weights, and how many numbers its parameters really have."""
    from model.anatomy import parameter_table  # torch comes in with the first question

    model = cast("Explainer", explainer).model
    return {
        "config": dataclasses.asdict(model.config),
        "parts": [
            dataclasses.asdict(p) | {"numbers": p.numbers} for p in parameter_table(model.config)
        ],
        "counted": sum(p.numel() for p in model.parameters()),
    }


FLOW = Exhibit("flow", "layers", layout, {"anatomy": anatomy})
