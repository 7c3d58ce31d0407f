"""The learning rate: the paper's warm-up schedule, and the one that the shipped model had."""

from __future__ import annotations

from explorer import card
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.loading import Explains


def shipped(explainer: Explains, request: Request, arguments: Arguments) -> Payload:
    """The schedule of the shipped model's last run: settings, and the rate at each epoch's end."""
    lines, config = card.last_run(), card.trained()
    updates = lines[-1]["updates"]
    before = card.curves()[-1]["updates"] - updates
    return {
        "peak": config.peak_lr,
        "warmup": config.warmup,
        "updates": updates,
        "before": before,
        "falling": config.falling(updates),
        "d_model": card.config().d_model,
        "epochs": [{"updates": line["updates"], "lr": line["lr"]} for line in lines],
    }


EXHIBIT = Exhibit("schedule", "training", {"schedule": shipped})
