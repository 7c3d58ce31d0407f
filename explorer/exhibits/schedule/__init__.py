"""The learning rate: the paper's warm-up schedule, and the shipped model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer import card
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer


def shipped(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The schedule of a shipped model's last run: settings, and the rate at each epoch's end.

    `planned` is the update planned as the end of the fall to 0, `updates` the one whose weights are
    shipped: the best epoch may not have been the last.
    """
    folder = card.folder_of(explainer.folder)
    lines, config = card.last_run(folder), card.trained(folder)
    updates, planned = lines[-1]["updates"], card.planned_updates(lines, config.epochs)
    return {
        "name": folder.name,
        "peak": config.peak_lr,
        "warmup": config.warmup,
        "planned": planned,
        "falling": config.falling(planned),
        "planned_epochs": config.epochs,
        "updates": updates,
        "before": card.curves(folder)[-1]["updates"] - updates,
        "d_model": card.config(folder).d_model,
        "epochs": [{"updates": line["updates"], "lr": line["lr"]} for line in lines],
    }


EXHIBIT = Exhibit(
    "schedule",
    {"schedule": shipped},
    opener=effects.NONE,
)
