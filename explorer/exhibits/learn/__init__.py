"""Watch the heads learn: the sentence on show, read by the model at points of its training."""

from __future__ import annotations

from explorer import card
from explorer.exchange.explain import explain
from explorer.exchange.payload import packed_maps
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.labels import legible
from explorer.loading import Explains
from model.config import KINDS, DecodeConfig


def learn(explainer: Explains, request: Request, arguments: Arguments) -> Payload:
    """The model after a share of its training, reading the source and the output on show.

    {share, shares, updates, attention: {kind: maps}, log_probs: [of each token of the output],
     translation, finished}: the attention and the log-probs are teacher-forced through the very
    tokens on show; the translation is the model's own, greedy. `updates` are those of the whole
    training, null where nothing tells.
    """
    share = arguments.number("share", 0, 1)
    if share not in explainer.training_fractions:
        raise PageError("error.request")
    ids = explain(explainer, request).trace.tgt_out.ids.tolist()
    then = explainer.at(share)
    trace = then.trace(request.text, ids)
    longest = min(2 * len(ids) + 10, explainer.max_source_tokens)
    own = then.explain(request.text, DecodeConfig(method="greedy", max_length=longest))
    best = own.search.hypotheses[0]
    return {
        "share": share,
        "shares": list(explainer.training_fractions),
        "updates": _updates(explainer),
        "attention": {kind: packed_maps(trace.attention(kind)) for kind in KINDS},
        "log_probs": [float(x) for x in trace.log_prob],
        "translation": legible(best.text),
        "finished": best.finished,
    }


def _updates(explainer: Explains) -> int | None:
    lines = card.curves(explainer.folder) if explainer.folder else []
    return int(lines[-1]["updates"]) if lines else None


EXHIBIT = Exhibit("learn", "training", {"learn": learn})
