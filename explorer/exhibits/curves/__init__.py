"""Curves: the shipped model's own training, epoch by epoch, and its scores."""

from __future__ import annotations

import dataclasses

from explorer import card
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.loading import Explains


def curves(explainer: Explains, request: Request, arguments: Arguments) -> Payload:
    """{lines, scores, smoothing} of the shipped model's training."""
    return {
        "lines": card.curves(),
        "scores": [dataclasses.asdict(score) for score in card.scores()],
        "smoothing": card.trained().label_smoothing,
    }


EXHIBIT = Exhibit("curves", "training", {"curves": curves})
