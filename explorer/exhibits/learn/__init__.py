"""How it learned: the current sentence, read by the model at points of its training; its curves."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from explorer import card
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer


def curves(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """{lines, scores, held_out, smoothing, sentences} of a shipped model's training.

    `held_out` describes the sentences of the final scores; `sentences` is the number for the scores
    of an epoch.
    """
    folder = card.folder_of(explainer.folder)
    trained = card.trained(folder)
    return {
        "lines": card.curves(folder),
        "scores": [dataclasses.asdict(score) for score in card.scores(folder)],
        "held_out": dataclasses.asdict(card.held_out(folder)),
        "smoothing": trained.label_smoothing,
        "sentences": trained.dev_sentences,
    }


EXHIBIT = Exhibit(
    "learn",
    {"curves": curves},
    aliases={"curves": {}},
    opener=effects.ANY,
)
