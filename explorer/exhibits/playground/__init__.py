"""Train one yourself: a small Transformer that learns a task of letters while you watch."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from explorer.exchange.question import Arguments
from explorer.exhibit import Exhibit
from model.labs.playground import presets, settings, tasks
from model.labs.playground.pool import Pool
from model.labs.playground.settings import Settings

EXAMPLES = 4  # shown of a task
MAX_NAME = 40  # characters of what a browser calls its visitor

POOL = Pool()  # of this server; its process starts with the first run and ends with the server


def follow(arguments: Arguments) -> dict[str, Any]:
    """What is new of a run, which the first call starts: see `Pool.follow`."""
    return POOL.follow(
        Settings.from_dict(arguments.record("settings")),
        arguments.text("visitor", MAX_NAME),
        arguments.whole("since", 0, 100_000),
        arguments.flag("paused"),
    )


def examples(arguments: Arguments) -> dict[str, Any]:
    """Some examples of a task, and the size of the model: {pairs, parameters}."""
    chosen = Settings.from_dict(arguments.record("settings"))
    random = np.random.default_rng(chosen.seed)
    drawn = (chosen.rule.draw(random, chosen.length, chosen.alphabet) for _ in range(EXAMPLES))
    return {"pairs": list(drawn), "parameters": chosen.parameters}


def leave(arguments: Arguments) -> dict[str, Any]:
    """The visitor follows no run any more."""
    POOL.leave(arguments.text("visitor", MAX_NAME))
    return {"left": True}


def claims() -> dict[str, dict[str, list[float]]]:
    """The share of right outputs of each preset's runs, a number for each seed."""
    known = json.loads(presets.CLAIMS.read_text()) if presets.CLAIMS.exists() else {}
    return {
        name: {which: [one["free_accuracy"] for one in results] for which, results in both.items()}
        for name, both in known.items()
    }


def facts() -> dict[str, Any]:
    """Tasks, bounds, defaults and presets, as `model/labs/playground` has them."""
    return {
        "tasks": {
            name: {
                "length": one.length,
                "alphabet": one.alphabet,
                "usual": asdict(Settings(task=name)),
            }
            for name, one in tasks.TASKS.items()
        },
        "ranges": settings.RANGES,
        "whole": settings.WHOLE,
        "switches": settings.SWITCHES,
        "norms": settings.NORMS,
        "schedules": settings.SCHEDULES,
        "parameters": settings.MAX_PARAMETERS,
        "seconds": settings.MAX_SECONDS,
        "watched": settings.WATCHED,
        "fresh": settings.FRESH,
        "presets": [
            {"name": one.name, "first": asdict(one.first), "second": asdict(one.second)}
            for one in presets.PRESETS
        ],
        "claims": claims(),
        "learnt": presets.LEARNT,
        "failed": presets.FAILED,
    }


EXHIBIT = Exhibit(
    "playground",
    "playground",
    facts=facts(),
    calls={
        "playground_follow": follow,
        "playground_examples": examples,
        "playground_leave": leave,
    },
)
