"""Side by side: four methods of decoding on one sentence; and two models, where there are."""

from __future__ import annotations

import dataclasses

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import RANGES, Request
from explorer.exhibit import Exhibit
from explorer.exhibits.compare.models import written
from explorer.labels import Label, labels
from explorer.loading import Explains
from model.config import METHODS, DecodeConfig
from model.labs.differences import token_changes
from model.trace import Explanation

DRAWS = 5  # texts of other seeds


def methods(explainer: Explains, request: Request, arguments: Arguments) -> Payload:
    """What each method finds with the same settings: {methods: [outcome, ...]}.

    `seconds` is the time of a search of its own, done now: what is remembered takes none.
    """
    config = _drawn_with(request.config, arguments)
    all_found = {
        method: _explained(explainer, request, dataclasses.replace(config, method=method))
        for method in METHODS
    }
    outcomes = []
    for method, found in all_found.items():
        seconds = explainer.search_seconds(
            found.text,
            found.config,
            interventions=found.interventions,
            prefix=found.prefix,
        )
        outcomes.append(
            {**_outcome(found, all_found["beam"]), "method": method, "seconds": seconds}
        )
    return {"methods": outcomes}


def seeds(explainer: Explains, request: Request, arguments: Arguments) -> Payload:
    """What sampling draws with five seeds, from the given one on: {drawn: [outcome, ...]}."""
    config = dataclasses.replace(_drawn_with(request.config, arguments), method="sampling")
    beam = _explained(explainer, request, dataclasses.replace(config, method="beam"))
    numbers = [(config.seed + i) % 2**32 for i in range(DRAWS)]
    drawn = [
        _outcome(_explained(explainer, request, dataclasses.replace(config, seed=seed)), beam)
        for seed in numbers
    ]
    return {"drawn": [{**one, "seed": seed} for one, seed in zip(drawn, numbers, strict=True)]}


def _drawn_with(config: DecodeConfig, arguments: Arguments) -> DecodeConfig:
    """The settings on show, with those of drawing replaced."""
    return dataclasses.replace(
        config,
        temperature=arguments.number("temperature", *RANGES["temperature"]),
        top_k=arguments.whole("top_k", *map(int, RANGES["top_k"])),
        top_p=arguments.number("top_p", *RANGES["top_p"]),
        seed=arguments.whole("seed", *map(int, RANGES["seed"])),
    )


def _explained(explainer: Explains, request: Request, config: DecodeConfig) -> Explanation:
    return explain(explainer, dataclasses.replace(request, config=config, shown=0, node=None))


def _outcome(found: Explanation, beam: Explanation) -> Payload:
    """The best hypothesis of a search, how it differs from beam search's, what the search took.

    `prefixes` is how many beginnings the decoder read: one at the first step, then one for each
    candidate that was kept. `candidates` is how many the record has.
    """
    best, steps = found.search.hypotheses[0], found.search.steps
    written = found.trace.tgt_out
    ids = written.ids.tolist()
    changes = token_changes(ids, beam.trace.tgt_out.ids.tolist())
    return {
        "text": best.text,
        "tokens": [
            _token(label) | {"other": is_new}
            for label, is_new in zip(labels(written), changes.is_new, strict=True)
        ],
        "gaps": [i for i, is_gap in enumerate(changes.is_gap) if is_gap],
        "log_prob": best.log_prob,
        "score": best.score,
        "length": len(best.path),
        "finished": best.finished,
        "steps": len(steps),
        "prefixes": 1 + sum(step.fates.count("kept") for step in steps),
        "candidates": sum(len(step) for step in steps),
    }


def _token(label: Label) -> Payload:
    return {"text": label.text, "kind": label.kind, "joined": label.joined}


EXHIBIT = Exhibit(
    "compare",
    "decoding",
    # The same question about two models: a question of one name goes out once at a time.
    {"methods": methods, "seeds": seeds, "model_here": written, "model_there": written},
    {"draws": DRAWS},
)
