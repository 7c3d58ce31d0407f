"""Label smoothing on the logits of the current sentence: target, loss and gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.labels import label_of_piece
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer

MAX_STEPS = 512
EPSILON = 0.1  # epsilon in the paper (section 5.4) and of the shipped model
SHOWN = 8  # tokens with their own row; the token to learn always has one


def smoothing(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The logits of one step, and for every step the data for a loss with any epsilon.

    {step, logits: packed float32 (V,), top: [{id, text, kind, piece}, ...],
     steps: [{log_prob, mean}, ...]}: the log-prob of the token written, and the mean of the
     log-probs of the whole vocabulary.
    """
    from model.labs.smoothing import smoothing_table  # torch is imported with the first question

    trace = explain(explainer, request).trace
    step = arguments.whole("step", 0, min(len(trace.tgt_out), MAX_STEPS) - 1)
    ids = trace.tgt_out.ids.tolist()
    table = smoothing_table(explainer, request.text, ids, step, interventions=request.interventions)
    strongest = np.argsort(-table.logits, kind="stable")[:SHOWN].tolist()
    named = dict.fromkeys([*strongest, ids[step]])
    return {
        "step": step,
        "logits": pack(table.logits.astype("<f4")),
        "top": [_token(explainer, i) for i in named],
        "steps": [
            {"log_prob": float(x), "mean": float(mean)}
            for x, mean in zip(table.log_probs, table.means, strict=True)
        ],
    }


def _token(explainer: Explainer, token_id: int) -> Payload:
    piece = explainer.tokenizer.piece(token_id)
    label = label_of_piece(piece)
    return {"id": token_id, "text": label.text, "kind": label.kind, "piece": piece}


EXHIBIT = Exhibit(
    "smoothing",
    {"smoothing": smoothing},
    {"epsilon": EPSILON},
    aliases={"recipe": {}},
    opener=effects.View(effects.steps, effects.surer_than_target),
)
