"""Side by side: four decoding methods on one sentence, and two models if available."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import RANGES, Request
from explorer.exchange.turns import turn
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import DecodeConfig, Method
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

DRAWS = 5  # texts of other seeds
# All are compared with beam search, the page's usual method; it comes first.
ORDER: tuple[Method, ...] = ("beam", "greedy", "sampling", "beam_sampling")


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


EXHIBIT = Exhibit(
    "compare",
    {"times": times},
    {"draws": DRAWS},
    opener=effects.View(effects.as_opened, effects.methods_differ),
)
