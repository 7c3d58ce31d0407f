"""The data that the browser receives once, besides the files of `explorer.static`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from explorer import card, trained
from explorer.examples import examples, opening
from explorer.exchange.lines import MAX_TEXTS
from explorer.exchange.reply import LACKING
from explorer.exchange.request import MAX_CHARACTERS, RANGES, SETTINGS, intervention_facts
from explorer.exhibit import Exhibit
from explorer.exhibits import VIEWS
from explorer.models import Listed
from explorer.openers import Openers
from explorer.opening import OpeningHead
from explorer.words import LANGUAGES, WORDS
from model import shipped
from model.config import SWITCHES, DecodeConfig

UNCOMPARED = "proved.question."  # words that name what the proof does not compare
NONE: Mapping[str, str] = MappingProxyType({})
PAPER = "https://arxiv.org/abs/1706.03762"


class Named(NamedTuple):
    """A model as the page knows it: what requests call it, its name, how its sentences open, its
    languages (see `Listed`).
    """

    key: str
    name: str
    openers: Openers | None = None
    head: OpeningHead | None = None
    pair: str = ""


def named(listed: Sequence[Listed]) -> list[Named]:
    """The models of a page; a request that names none is about the first one."""
    return [Named(one.key, one.name, one.openers, one.head, one.pair) for one in listed]


def facts(
    models: Sequence[Named],
    shown: Sequence[Exhibit],
    language: str,
    first_pages: Mapping[str, str] = NONE,
    readers: Mapping[str, str] = NONE,
) -> dict[str, Any]:
    """The constants that Python and the browser share.

    `first_pages` has the sentence of each recorded first page that can be fetched, by the model's
    name (see `recorded.texts`). `readers` are the models that write the reader's lines, as keys by
    their languages.
    """
    lessons = openings(models)
    is_first = models[0].name == shipped.FIRST
    defaults = dataclasses.asdict(DecodeConfig())
    return {
        "language": language,
        "models": [_about(one, first_pages) for one in models],
        # The model that a page of each language opens with, and the one that its lessons speak of.
        "opens": lessons if is_first else dict.fromkeys(LANGUAGES, models[0].key),
        "lessons": lessons,
        "readers": dict(readers),
        "lines": MAX_TEXTS,
        "trained": trained.PREFIX,
        "first": opening(models[0].openers, models[0].pair).text,
        "defaults": {name: defaults[name] for name in SETTINGS},
        "ranges": RANGES,
        "switches": SWITCHES,
        "interventions": intervention_facts(),
        "characters": MAX_CHARACTERS,
        "lacking": [f"error.model.{key}" for key in LACKING],
        "links": _links(),
        **fixed(shown),
    }


def readers_among(models: Sequence[Named]) -> dict[str, str]:
    """The keys of the shipped ones by their languages: they write the lines without a server."""
    own = shipped.names()
    return {one.pair: one.key for one in models if one.name in own}


def openings(models: Sequence[Named]) -> dict[str, str]:
    """The key of the shipped model for each language of the page: its own, else the first one, else
    that of another language. Empty if none of them is listed.
    """
    own = shipped.names()
    keys = {one.name: one.key for one in models if one.name in own}
    pairs = [pair for pair in shipped.PAIRS if pair.opens and pair.name in keys]
    rows = {pair.opens: keys[pair.name] for pair in pairs}
    first = keys.get(shipped.FIRST, next(iter(rows.values()), None))
    found = {language: rows.get(language, first) for language in LANGUAGES}
    return {language: key for language, key in found.items() if key is not None}


def _about(model: Named, first_pages: Mapping[str, str]) -> dict[str, Any]:
    known = examples(model.openers, model.pair)
    is_shipped = model.name in shipped.names()
    return {
        "key": model.key,
        "name": model.name,
        "openers": model.openers and model.openers.for_browser(),
        "head": model.head and model.head._asdict(),
        "pair": model.pair,
        "weights": card.weights(shipped.FOLDERS[model.name]) if is_shipped else None,
        "card": f"cards/{model.name}.txt" if is_shipped else None,
        "recorded": f"recorded/{model.name}.json"
        if first_pages.get(model.name) == known[0].text
        else None,
        "examples": [dataclasses.asdict(example) for example in known],
    }


def fixed(shown: Sequence[Exhibit]) -> dict[str, Any]:
    """Those facts that are the same for all models; the page of a server fetches them as a file."""
    return {
        "exhibits": [
            {
                "name": one.name,
                "saved": one.saved,
                "questions": list(one.questions),
                "header": one.header,
            }
            for one in shown
        ],
        "away": dict.fromkeys(("session", "arrays"), "published.server")
        | {question: key for one in shown for question, key in one.away.items()},
        # Answers that follow from the weights, the pieces and what was asked.
        "compared": [
            question
            for one in shown
            for question in one.questions
            if question not in one.away and f"{UNCOMPARED}{question}" not in WORDS
        ],
        "views": [view._asdict() for view in VIEWS],
        "aliases": _aliases(shown),
        "places": [f"{one.name}.{field}" for one in shown for field in one.places],
        "constants": {one.name: dict(one.facts) for one in shown if one.facts},
    }


def _aliases(shown: Sequence[Exhibit]) -> dict[str, tuple[str, Mapping[str, str]]]:
    """The exhibit for each old name of one, and what its links make there; and the exhibit for the
    name of an entry of the menu.
    """
    names = {one.name for one in shown}
    aliases: dict[str, tuple[str, Mapping[str, str]]] = {
        view.name: (view.exhibits[0], {}) for view in VIEWS if view.name not in names
    }
    return aliases | {old: (one.name, made) for one in shown for old, made in one.aliases.items()}


def _links() -> dict[str, str]:
    """The address of the paper; on a Space also of the source, and how to open your own model.

    A copy elsewhere does not know the address of its source.
    """
    space = os.environ.get("SPACE_ID")
    if not space:
        return {"paper": PAPER}
    files = f"https://huggingface.co/spaces/{space}"
    own = f"{files}/blob/main/README.md#run-it"
    return {"paper": PAPER, "source": f"{files}/tree/main", "own": own}
