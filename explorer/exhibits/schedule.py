"""The learning rate: the paper's warm-up schedule, and the one that the shipped model had."""

from __future__ import annotations

from explorer import card
from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request

TEMPLATE = """
<div class="hl-schedule">
  <div class="hl-schedule-controls" id="hl-schedule-controls"></div>
  <figure class="hl-schedule-figure">
    <figcaption id="hl-schedule-key"></figcaption>
    <div class="hl-schedule-chart" id="hl-schedule-chart"></div>
  </figure>
  <div class="hl-schedule-read" id="hl-schedule-read" aria-live="polite"></div>
</div>
"""


def layout() -> None:
    """Sliders, both curves, and the numbers at the chosen update."""
    panel("schedule", TEMPLATE)


def shipped(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The shipped model's own schedule: its settings, and the rate that each epoch ended with."""
    lines = card.curves()
    return {
        "peak": card.TRAINED.peak_lr,
        "warmup": card.TRAINED.warmup,
        "updates": lines[-1]["updates"],
        "d_model": card.config().d_model,
        "epochs": [{"updates": line["updates"], "lr": line["lr"]} for line in lines],
    }


SCHEDULE = Exhibit("schedule", "training", layout, {"schedule": shipped})
