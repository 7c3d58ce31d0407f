"""Watch the heads learn: the sentence on show, read by the model at points of its training."""

from __future__ import annotations

from explorer import card
from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.payload import packed_maps
from explorer.question import Arguments, Payload
from explorer.request import PageError, Request
from explorer.wish import granted
from model.config import KINDS, DecodeConfig

TEMPLATE = """
<div class="hl-learn">
  <div class="hl-learn-way">
    <div class="hl-learn-play" role="group" data-t-label="learn.way">
      <button type="button" id="hl-learn-play"></button>
      <input type="range" id="hl-learn-share" min="0" max="0" value="0" step="1"
        data-t-label="learn.way">
      <output id="hl-learn-now"></output>
    </div>
    <ol class="hl-learn-list" id="hl-learn-list" data-t-label="learn.way"></ol>
    <p class="hl-note" id="hl-learn-note"></p>
  </div>
  <div class="hl-heads" id="hl-learn-heads"></div>
  <div class="hl-learn-pair">
    <h2 id="hl-learn-head"></h2>
    <p class="hl-axes" id="hl-learn-axes"></p>
    <div class="hl-learn-maps">
      <figure id="hl-learn-before"><figcaption></figcaption><div class="hl-map"></div></figure>
      <figure id="hl-learn-after"><figcaption></figcaption><div class="hl-map"></div></figure>
    </div>
    <p class="hl-note" id="hl-learn-links"></p>
  </div>
</div>
"""


def layout() -> None:
    """The way of the training at the left, all heads in the middle, one head twice at the right."""
    panel("learn", TEMPLATE)


def learn(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The model after a share of its training, reading the source and the output on show.

    {share, shares, updates, attention: {kind: maps}, log_probs: [of each token of the output],
     translation, finished}: the attention and the log-probs are teacher-forced through the very
    tokens on show; the translation is the model's own, greedy. `updates` are those of the whole
    training, null where nothing tells.
    """
    share = arguments.number("share", 0, 1)
    if share not in explainer.shares:
        raise PageError("error.request")
    ids = granted(explainer, wish).trace.tgt_out.ids.tolist()
    then = explainer.at(share)
    trace = then.trace(wish.text, ids)
    longest = min(2 * len(ids) + 10, explainer.max_source_tokens)
    own = then.explain(wish.text, DecodeConfig(method="greedy", max_length=longest))
    best = own.search.hypotheses[0]
    return {
        "share": share,
        "shares": list(explainer.shares),
        "updates": _updates(explainer),
        "attention": {kind: packed_maps(trace.attention(kind)) for kind in KINDS},
        "log_probs": [float(x) for x in trace.log_prob],
        "translation": best.text,
        "finished": best.finished,
    }


def _updates(explainer: Explains) -> int | None:
    lines = card.curves(explainer.folder) if explainer.folder else []
    return int(lines[-1]["updates"]) if lines else None


LEARN = Exhibit("learn", "training", layout, {"learn": learn})
