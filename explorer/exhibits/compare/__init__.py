"""Side by side: four decoding methods on one sentence, and two models if available."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import RANGES, Request
from explorer.exchange.turns import turn
from explorer.exhibit import Exhibit
from explorer.exhibits.compare.models import written
from explorer.labels import Label, labels
from model.config import DecodeConfig, Method
from model.labs.differences import token_changes
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

DRAWS = 5  # texts of other seeds
# All are compared with beam search, the page's usual method; it comes first.
ORDER: tuple[Method, ...] = ("beam", "greedy", "sampling", "beam_sampling")


def methods(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The result of each method with the same settings: {outcomes: [...], next} (`turns`)."""
    beam = _explained(explainer, request, dataclasses.replace(request.config, method="beam"))

    def work(part: range) -> Payload:
        config = _config(request, arguments, ORDER[part.start])
        found = _explained(explainer, request, config)
        return {**_outcome(found, beam), "method": config.method}

    first = arguments.whole("first", 0, len(ORDER) - 1)
    outcomes, following = turn(first, len(ORDER), 1, work)
    return {"outcomes": outcomes, "next": following}


def times(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The time of a search by each method: {seconds: [...], next}, in the order of `methods`.

    Each is a fresh search; a cached one would take no time.
    """

    def work(part: range) -> float:
        found = _explained(explainer, request, _config(request, arguments, ORDER[part.start]))
        return explainer.search_seconds(
            found.text, found.config, interventions=found.interventions, prefix=found.prefix
        )

    first = arguments.whole("first", 0, len(ORDER) - 1)
    seconds, following = turn(first, len(ORDER), 1, work)
    return {"seconds": seconds, "next": following}


def seeds(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The texts sampled with five seeds, from the given one on: {drawn: [outcome, ...], next}."""
    config = _config(request, arguments, "sampling")
    beam = _explained(explainer, request, dataclasses.replace(request.config, method="beam"))

    def work(part: range) -> Payload:
        seed = (config.seed + part.start) % 2**32
        found = _explained(explainer, request, dataclasses.replace(config, seed=seed))
        return {**_outcome(found, beam), "seed": seed}

    drawn, following = turn(arguments.whole("first", 0, DRAWS - 1), DRAWS, 1, work)
    return {"drawn": drawn, "next": following}


def _config(request: Request, arguments: Arguments, method: Method) -> DecodeConfig:
    """The current settings with a different method; a sampling method uses the requested sampler.

    The others keep the page's sampler, which they ignore, so that cached results apply.
    """
    drawn = _drawn_with(request.config, arguments)
    config = drawn if method.endswith("sampling") else request.config
    return dataclasses.replace(config, method=method)


def _drawn_with(config: DecodeConfig, arguments: Arguments) -> DecodeConfig:
    """The current settings with a different sampler."""
    return dataclasses.replace(
        config,
        temperature=arguments.number("temperature", *RANGES["temperature"]),
        top_k=arguments.whole("top_k", *map(int, RANGES["top_k"])),
        top_p=arguments.number("top_p", *RANGES["top_p"]),
        seed=arguments.whole("seed", *map(int, RANGES["seed"])),
    )


def _explained(explainer: Explainer, request: Request, config: DecodeConfig) -> Explanation:
    return explain(explainer, dataclasses.replace(request, config=config, shown=0, node=None))


def _outcome(found: Explanation, beam: Explanation) -> Payload:
    """The best hypothesis of a search, its difference from beam search's, and the search's cost.

    `prefixes` is the number of prefixes that the decoder read: one at the first step, then one for
    each candidate kept. `candidates` is the number in the record.
    """
    best, steps = found.search.hypotheses[0], found.search.steps
    written = found.trace.tgt_out
    ids = written.ids.tolist()
    changes = token_changes(ids, beam.trace.tgt_out.ids.tolist())
    return {
        "text": best.text,
        "tokens": [
            _token(label, piece) | {"other": is_new}
            for label, piece, is_new in zip(
                labels(written), written.pieces, changes.is_new, strict=True
            )
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


def _token(label: Label, piece: str) -> Payload:
    return {"text": label.text, "piece": piece, "kind": label.kind, "joined": label.joined}


EXHIBIT = Exhibit(
    "compare",
    # The same question about two models: only one question of each name can be pending.
    {
        "methods": methods,
        "times": times,
        "seeds": seeds,
        "model_here": written,
        "model_there": written,
    },
    {"draws": DRAWS},
)
