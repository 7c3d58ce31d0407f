"""Sampling: the whole distribution of the next token, and drawing from it with a seed.

The browser warps and draws by itself (`assets/sampling.js`, the twin of `model/sampling.py`); what
it needs of the model is one vector a prefix and, once, how every token is written.
"""

from __future__ import annotations

import numpy as np

from explorer.exhibit import Exhibit, panel
from explorer.labels import SPACE_PIECE, lone
from explorer.loading import Explains
from explorer.packing import pack
from explorer.question import Arguments, Payload
from explorer.request import MAX_WRITTEN, Request

TEMPLATE = """
<div class="hl-sampling">
  <div class="hl-sampling-after">
    <fieldset class="hl-choice" id="hl-sampling-whose">
      <legend data-t="sampling.after"></legend>
    </fieldset>
    <div class="hl-strip hl-sampling-text" id="hl-sampling-text" tabindex="0" role="group"
      data-t-label="sampling.after"></div>
    <span class="hl-sampling-sum" id="hl-sampling-sum"></span>
    <span class="hl-sampling-buttons">
      <button type="button" id="hl-sampling-back" data-t="sampling.back"
        data-t-title="sampling.back.hint"></button>
      <button type="button" id="hl-sampling-start" data-t="sampling.start"
        data-t-title="sampling.start.hint"></button>
      <button type="button" id="hl-sampling-empty" data-t="sampling.empty"
        data-t-title="sampling.empty.hint"></button>
    </span>
  </div>
  <div class="hl-sampling-set">
    <div class="hl-sampling-sliders" id="hl-sampling-sliders"></div>
    <table class="hl-sampling-table" id="hl-sampling-stages"></table>
    <table class="hl-sampling-table" id="hl-sampling-numbers"></table>
  </div>
  <div class="hl-sampling-head">
    <p class="hl-sampling-legend">
      <span><i class="hl-sampling-own"></i><span data-t="sampling.outline"></span></span>
      <span><i class="hl-sampling-fill"></i><span data-t="sampling.filled"></span></span>
      <span><i class="hl-sampling-share"></i><span data-t="sampling.share"></span></span>
    </p>
    <div class="hl-sampling-line hl-sampling-axis" aria-hidden="true">
      <span></span><span id="hl-sampling-axis"></span>
      <b data-t="sampling.now"></b><span data-t="sampling.before"></span><span></span>
    </div>
    <ol class="hl-sampling-bars" id="hl-sampling-bars" data-t-label="sampling.bars"></ol>
    <p class="hl-note" id="hl-sampling-note"></p>
  </div>
  <div class="hl-sampling-side">
    <div class="hl-sampling-curve" id="hl-sampling-curve" role="img"></div>
    <div class="hl-sampling-draw">
      <label><span data-t="settings.seed"></span>
        <input type="number" id="hl-sampling-seed" min="0" max="4294967295" step="1"></label>
      <button type="button" id="hl-sampling-one" data-t="sampling.one"
        data-t-title="sampling.one.hint"></button>
      <button type="button" id="hl-sampling-many" data-t="sampling.many"
        data-t-title="sampling.many.hint"></button>
    </div>
    <div class="hl-sampling-said" aria-live="polite">
      <p id="hl-sampling-drawn"></p>
      <p id="hl-sampling-tally"></p>
      <p id="hl-sampling-seeded"></p>
    </div>
    <div class="hl-sampling-draw">
      <button type="button" class="hl-sampling-go" id="hl-sampling-go"></button>
      <button type="button" id="hl-sampling-end"></button>
    </div>
    <div class="hl-take" id="hl-sampling-away"><span data-t="take.name"></span></div>
    <div class="hl-sampling-draw">
      <button type="button" id="hl-sampling-use" data-t="sampling.use"
        data-t-title="sampling.use.hint"></button>
      <button type="button" id="hl-sampling-take" data-t="sampling.take"
        data-t-title="sampling.take.hint"></button>
    </div>
  </div>
</div>
"""


def layout() -> None:
    """The text above; sliders and numbers, the likeliest tokens, all tokens and the draws below."""
    panel("sampling", TEMPLATE)


def next_token(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """The log-probs (V,) of the token after the target `ids`, float32; -inf where forbidden."""
    ids = arguments.whole_list("ids", MAX_WRITTEN, 0, len(explainer.tokenizer) - 1)
    log_probs = explainer.next_log_probs(wish.text, ids, interventions=wish.interventions)
    return {"log_probs": pack(log_probs.astype(np.float32, copy=False))}


def vocabulary(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """How every token is written where it stands alone, by id; `longest` is the longest text.

    `kinds` names the ids that are no words; `begins` has a bit for each that begins a word.
    """
    pieces = [explainer.tokenizer.piece(i) for i in range(len(explainer.tokenizer))]
    labels = [lone(piece) for piece in pieces]
    kinds: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        if label.kind != "word":
            kinds.setdefault(label.kind, []).append(i)
    return {
        "texts": [label.text for label in labels],
        "kinds": kinds,
        "begins": pack(np.packbits([piece.startswith(SPACE_PIECE) for piece in pieces])),
        "longest": min(MAX_WRITTEN, explainer.max_source_tokens),
    }


SAMPLING = Exhibit(
    "sampling", "decoding", layout, {"next_token": next_token, "vocabulary": vocabulary}
)
