"""The search for openers: a default sentence that shows as many effects as possible, then one for
each view.

A sentence is a candidate if a visitor can read it at a glance: 6 to 12 tokens, no split words, and
translated as by a person. The candidate with most of the properties in `PROPERTIES` wins; in a tie,
the one nearest to a person's translation, then the one with the most tokens that depend on a word
of the source, then the one with the most crossings between words.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import exhibits
from explorer.openers import FILE, Opener, Openers, effects
from explorer.openers.case import Case
from explorer.openers.effects import Effect, View, without_place
from model import files
from model.errors import ConfigError

if TYPE_CHECKING:
    from model.explain import Explainer

TOKENS = (6, 12)  # tokens of a source, without its end token
NEAR = 70.0  # chrF against the nearest reference from which a translation counts as right

log = logging.getLogger(__name__)


def opener(name: str) -> View:
    """How the point of an exhibit is measured; each declares it itself."""
    return next(one.opener for one in exhibits.load() if one.name == name)


def _of_view(name: str) -> Callable[[Case], Effect]:
    return lambda case: effects.best(case, opener(name))[1]


def _causal_mask(case: Case) -> Effect:
    effect = effects.without_causal_mask(case, {})
    return effect._replace(is_there=effect.measured["lost_nats"] >= 10)


PROPERTIES: Mapping[str, Callable[[Case], Effect]] = {
    "words_cross": _of_view("figure"),
    "greedy_differs": _of_view("compare"),
    "alpha_decides": _of_view("tree"),
    "positions_matter": effects.without_positions,
    "padding_mask_matters": effects.forgotten_mask,
    "causal_mask_matters": _causal_mask,
    "head_aligns": _of_view("attention"),
    "uncertain_step": _of_view("steps"),
    "head_off_matters": effects.one_head_off,
}


def nearness(case: Case) -> float:
    """100 if this translation is a reference, otherwise its chrF against the nearest one."""
    import sacrebleu

    if case.written in case.references:
        return 100.0
    scores = [sacrebleu.sentence_chrf(case.written, [one]).score for one in case.references]
    return float(max(scores, default=0.0))


def is_readable(case: Case) -> bool:
    """True if it has the right length, no split words, and only words."""
    fewest, most = TOKENS
    if not fewest <= len(case.source) <= most or case.target[-1].kind != "special":
        return False
    labels = (*case.source, *case.target[:-1])
    return all(one.kind == "word" for one in labels) and not any(one.joined for one in case.source)


def properties(case: Case) -> dict[str, Effect]:
    """Measure every property of a sentence."""
    return {name: measure(case) for name, measure in PROPERTIES.items()}


def measured(case: Case, found: Mapping[str, Effect]) -> dict[str, Any]:
    """The stored measurements of a default sentence."""
    return {
        "translation": case.written,
        "chrf": round(nearness(case), 1),
        "tokens": len(case.source),
        **{name: {"holds": one.is_there, **one.measured} for name, one in found.items()},
    }


def make(folder: Path, pool: Path) -> None:
    """Find the openers of the model in a folder, and write them beside it."""
    from model.explain import Explainer  # torch is imported only here

    logging.getLogger("model").setLevel(logging.WARNING)  # thousands of searches, each logged
    explainer = Explainer.load(str(folder), device="cpu")
    files.write_text(folder / FILE, search(explainer, read_pool(pool)).as_json())


def read_pool(file: Path) -> list[tuple[str, ...]]:
    """Sentences with their references, one a line, tabs between them."""
    lines = file.read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line.strip()]


def search(explainer: Explainer, pool: Sequence[tuple[str, ...]]) -> Openers:
    """The openers of a model, from sentences with their references.

    Raises:
        ConfigError: none of them and their translations suits a visitor's first view.
    """
    from model.device import spread  # brings torch

    cases = [Case(explainer, text, references) for text, *references in pool]
    suitable = spread(lambda case: is_readable(case) and nearness(case) >= NEAR, cases)
    readable = [case for case, is_suitable in zip(cases, suitable, strict=True) if is_suitable]
    log.info("%d sentences, %d of them readable and right", len(pool), len(readable))
    if not readable:
        raise ConfigError("The model translates no sentence of the pool as its references do.")
    all_found = dict(zip(readable, spread(properties, readable), strict=True))

    def rank(case: Case) -> tuple[float, ...]:
        found = all_found[case]
        shown = sum(one.is_there for one in found.values())
        return (shown, nearness(case), len(case.aligned), len(case.crossings))

    ranked = sorted(readable, key=rank, reverse=True)
    for case in ranked[:8]:
        missing = [name for name, one in all_found[case].items() if not one.is_there]
        log.info("%s -> %s; missing: %s", case.text, case.written, ", ".join(missing) or "nothing")
    first = ranked[0]
    views = tuple(_opener(name, ranked) for name in exhibits.NAMES)
    return Openers(first.text, measured(first, all_found[first]), views)


def _opener(name: str, ranked: Sequence[Case]) -> Opener:
    """A view's opener: the default sentence if it has the effect, else the strongest one."""
    from model.device import spread  # brings torch

    default, view = ranked[0], opener(name)
    settings, effect = effects.best(default, view)
    if effect.is_there:
        return Opener(name, default.text, without_place(settings), effect.measured)
    tried = zip(spread(lambda case: effects.best(case, view), ranked), ranked, strict=True)
    found = [(settings, effect, case) for (settings, effect), case in tried]
    settings, effect, case = max(found, key=lambda one: (one[1].is_there, one[1].strength))
    if not effect.is_there:
        raise ConfigError(f"No sentence of the pool shows what the view {name} is about.")
    return Opener(name, case.text, without_place(settings), effect.measured)
