"""Label smoothing on the logits of the sentence on show: target, loss and gradient."""

from __future__ import annotations

import numpy as np

from explorer.exhibit import Exhibit, panel
from explorer.labels import lone
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.wish import granted

MOST_STEPS = 512
SHOWN = 8  # tokens that have a row of their own; the one to be learned has one anyway

TEMPLATE = """
<div class="hl-smoothing">
  <div class="hl-smoothing-step">
    <div class="hl-smoothing-controls" id="hl-smoothing-controls"></div>
    <p class="hl-smoothing-formula" id="hl-smoothing-formula"></p>
    <div class="hl-scroll"><table class="hl-table" id="hl-smoothing-tokens"></table></div>
    <p class="hl-note" id="hl-smoothing-note"></p>
  </div>
  <div class="hl-smoothing-loss">
    <h3 data-t="smoothing.curve"></h3>
    <div id="hl-smoothing-key"></div>
    <div class="hl-smoothing-chart" id="hl-smoothing-chart"></div>
    <p id="hl-smoothing-best" aria-live="polite"></p>
    <h3 data-t="smoothing.steps"></h3>
    <div class="hl-scroll"><table class="hl-table" id="hl-smoothing-steps"></table></div>
    <p class="hl-note" id="hl-smoothing-sum"></p>
  </div>
</div>
"""


def layout() -> None:
    """The step's tokens at the left; loss against confidence, and all steps, at the right."""
    panel("smoothing", TEMPLATE)


def smoothing(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The logits of one step, and of every step what a loss with any epsilon needs.

    {step, logits: packed float32 (V,), top: [{id, text, kind, piece}, ...],
     steps: [{log_prob, mean}, ...]}: the log-prob of the token that was written, and the mean of
    the log-probs of the whole vocabulary.
    """
    trace = granted(explainer, wish).trace
    step = arguments.whole("step", 0, min(len(trace.tgt_out), MOST_STEPS) - 1)
    ids = trace.tgt_out.ids.tolist()
    logits = explainer.logits(wish.text, ids, interventions=wish.interventions)  # (T, V)
    exact = logits.astype(np.float64)
    top = exact.max(axis=-1, keepdims=True)
    log_probs = exact - top - np.log(np.exp(exact - top).sum(axis=-1, keepdims=True))
    strongest = np.argsort(-logits[step], kind="stable")[:SHOWN].tolist()
    named = dict.fromkeys([*strongest, ids[step]])
    return {
        "step": step,
        "logits": pack(logits[step].astype("<f4")),
        "top": [_token(explainer, i) for i in named],
        "steps": [
            {"log_prob": float(row[i]), "mean": float(row.mean())}
            for row, i in zip(log_probs, ids, strict=True)
        ],
    }


def _token(explainer: Explains, token_id: int) -> Payload:
    piece = explainer.tokenizer.piece(token_id)
    label = lone(piece)
    return {"id": token_id, "text": label.text, "kind": label.kind, "piece": piece}


SMOOTHING = Exhibit("smoothing", "training", layout, {"smoothing": smoothing})
