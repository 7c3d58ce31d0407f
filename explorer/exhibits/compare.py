"""Side by side: the four methods of decoding on one sentence, with the same settings."""

from __future__ import annotations

import dataclasses

from explorer.exhibit import Exhibit, panel
from explorer.labels import Label, labels
from explorer.loading import Explains
from explorer.question import Arguments, Payload
from explorer.request import Request
from explorer.wish import granted
from model.config import METHODS, DecodeConfig
from model.trace import Explanation

DRAWS = 5  # texts of other seeds

TEMPLATE = """
<div class="hl-compare">
  <div class="hl-compare-controls" id="hl-compare-controls"></div>
  <p class="hl-compare-trouble" id="hl-compare-trouble" role="status"></p>
  <div class="hl-compare-scroll">
    <table class="hl-compare-table" id="hl-compare-table"></table>
  </div>
  <p class="hl-note" data-t="compare.differs"></p>
  <p class="hl-note" data-t="compare.notes"></p>
  <div class="hl-compare-seeds">
    <h2 data-t="compare.seeds"></h2>
    <button type="button" id="hl-compare-draw"></button>
  </div>
  <div class="hl-compare-scroll">
    <table class="hl-compare-table" id="hl-compare-drawn"></table>
  </div>
</div>
"""


def layout() -> None:
    """The controls of drawing, the four methods, and what other seeds draw."""
    panel("compare", TEMPLATE)


def methods(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """What each method finds with the same settings: {methods: [outcome, ...]}.

    `seconds` is the time of a search of its own, done now: what is remembered takes none.
    """
    config = _drawn_with(wish.config, arguments)
    outcomes = []
    for method in METHODS:
        found = _explained(explainer, wish, dataclasses.replace(config, method=method))
        seconds = explainer.search_seconds(
            found.text,
            found.config,
            interventions=found.interventions,
            prefix=found.prefix,
        )
        outcomes.append({**_outcome(found), "method": method, "seconds": seconds})
    return {"methods": outcomes}


def seeds(explainer: Explains, wish: Request, arguments: Arguments) -> Payload:
    """What sampling draws with five seeds, from the given one on: {drawn: [outcome, ...]}."""
    config = dataclasses.replace(_drawn_with(wish.config, arguments), method="sampling")
    numbers = [(config.seed + i) % 2**32 for i in range(DRAWS)]
    drawn = [
        _outcome(_explained(explainer, wish, dataclasses.replace(config, seed=seed)))
        for seed in numbers
    ]
    return {"drawn": [{**one, "seed": seed} for one, seed in zip(drawn, numbers, strict=True)]}


def _drawn_with(config: DecodeConfig, arguments: Arguments) -> DecodeConfig:
    """The settings on show, with those of drawing replaced."""
    return dataclasses.replace(
        config,
        temperature=arguments.number("temperature", 0.05, 10.0),
        top_k=arguments.whole("top_k", 0, 100_000),
        top_p=arguments.number("top_p", 0.01, 1.0),
        seed=arguments.whole("seed", 0, 2**32 - 1),
    )


def _explained(explainer: Explains, wish: Request, config: DecodeConfig) -> Explanation:
    return granted(explainer, dataclasses.replace(wish, config=config, shown=0, node=None))


def _outcome(found: Explanation) -> Payload:
    """The best hypothesis of a search, and what the search took.

    `prefixes` is how many beginnings the decoder read: one at the first step, then one for each
    candidate that was kept. `candidates` is how many the record has.
    """
    best, steps = found.search.hypotheses[0], found.search.steps
    written = found.trace.tgt_out
    ids = (int(i) for i in written.ids)
    return {
        "text": best.text,
        "tokens": [_token(label, i) for label, i in zip(labels(written), ids, strict=True)],
        "log_prob": best.log_prob,
        "score": best.score,
        "length": len(best.path),
        "finished": best.finished,
        "steps": len(steps),
        "prefixes": 1 + sum(step.fates.count("kept") for step in steps),
        "candidates": sum(len(step) for step in steps),
    }


def _token(label: Label, token_id: int) -> Payload:
    return {"text": label.text, "kind": label.kind, "joined": label.joined, "id": token_id}


COMPARE = Exhibit("compare", "decoding", layout, {"methods": methods, "seeds": seeds})
