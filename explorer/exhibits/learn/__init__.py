"""How it learned: the current sentence, read by the model at points of its training; its curves."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from explorer import card
from explorer.exchange.explain import explain
from explorer.exchange.payload import packed_maps
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.labels import legible
from explorer.openers import effects
from model.config import KINDS, DecodeConfig

if TYPE_CHECKING:
    from model.explain import Explainer


def learn(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The model after a share of its training, reading the current source and output.

    Without `share`, the middle snapshot of the model is used.

    {share, shares, updates, attention: {kind: maps}, log_probs: [of each token of the output],
     translation, finished}: the attention and the log-probs are teacher-forced through the very
    tokens shown; the translation is the model's own, greedy. `updates` are those of the whole
    training, null if unknown.
    """
    shares = explainer.training_fractions
    share = shares[(len(shares) - 1) // 2]
    if arguments.given("share"):
        share = arguments.number("share", 0, 1)
    if share not in shares:
        raise PageError("error.request")
    ids = explain(explainer, request).trace.tgt_out.ids.tolist()
    then = explainer.at(share)
    trace = then.trace(request.text, ids)
    longest = min(2 * len(ids) + 10, explainer.model.config.max_positions)
    own = then.explain(request.text, DecodeConfig(method="greedy", max_length=longest))
    best = own.search.hypotheses[0]
    return {
        "share": share,
        "shares": list(shares),
        "updates": _updates(explainer),
        "attention": {kind: packed_maps(trace.attention(kind)) for kind in KINDS},
        "log_probs": [float(x) for x in trace.log_prob],
        "translation": legible(best.text),
        "finished": best.finished,
    }


def _updates(explainer: Explainer) -> int | None:
    lines = card.curves(explainer.folder) if explainer.folder else []
    return int(lines[-1]["updates"]) if lines else None


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
    {"learn": learn, "curves": curves},
    aliases={"curves": {}},
    opener=effects.ANY,
)
