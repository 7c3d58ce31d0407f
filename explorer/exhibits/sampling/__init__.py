"""Sampling: the whole distribution of the next token, and drawing from it with a seed.

The browser warps and draws by itself (`assets/kit/sampling.js`, the twin of `model/sampling.py`);
from the model it needs one vector for each prefix and, once, the text of every token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_WRITTEN, Request
from explorer.exhibit import Exhibit, Wanted
from explorer.labels import label_of_piece
from explorer.openers import effects
from model.config import Head
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer


def next_token(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The log-probs (V,) of the token after the target `ids`, float32; -inf where forbidden."""
    ids = arguments.whole_list("ids", MAX_WRITTEN, 0, explainer.model.config.vocab_size - 1)
    log_probs = explainer.next_log_probs(
        request.text, ids, interventions=request.interventions, config=request.config
    )
    return {"log_probs": pack(log_probs.astype(np.float32, copy=False))}


def vocabulary(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Every token by its id: the text to show when it is alone, and its piece.

    `kinds` has the ids of tokens that are not words; `longest` is the longest text, in tokens. Some
    models have more outputs than pieces (T5: 32,128 and 32,100); those have an empty one.
    """
    pieces = [explainer.tokenizer.piece(i) for i in range(explainer.model.config.vocab_size)]
    labels = [label_of_piece(piece) for piece in pieces]
    kinds: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        if label.kind != "word":
            kinds.setdefault(label.kind, []).append(i)
    return {
        "texts": [label.text for label in labels],
        "pieces": pieces,
        "kinds": kinds,
        "longest": min(MAX_WRITTEN, explainer.model.config.max_positions),
    }


def wanted(explanation: Explanation, _: Head) -> list[Wanted]:
    """The distribution at each step of the translation."""
    ids = explanation.trace.tgt_out.ids.tolist()
    prefixes = [{"ids": ids[:step]} for step in range(len(ids))]
    return [
        Wanted("vocabulary", {}, {}),
        *(Wanted("next_token", prefix, prefix) for prefix in prefixes),
    ]


EXHIBIT = Exhibit(
    "sampling",
    {"next_token": next_token, "vocabulary": vocabulary},
    saved=True,
    wanted=wanted,
    opener=effects.View(effects.heated_steps, effects.heated),
)
