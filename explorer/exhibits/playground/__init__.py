"""Train one yourself: a small Transformer learns a task of letters while you watch."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np

from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError
from explorer.exhibit import Exhibit
from explorer.openers import effects
from explorer.origin import Origin
from explorer.trained import POOL, key_of
from model.labs.playground import files, presets, settings, tasks
from model.labs.playground.job import Visitor
from model.labs.playground.settings import Settings

EXAMPLES = 4  # examples of a task to show
MAX_NAME = 40  # most characters in a visitor's name


def follow(arguments: Arguments, where: Origin) -> dict[str, Any]:
    """The news of a run, which the first call starts (see `Pool.follow`), and its model's key."""
    settings = Settings.from_dict(arguments.record("settings"))
    told = POOL.follow(
        settings,
        Visitor(arguments.text("visitor", MAX_NAME), *where),
        arguments.whole("since", 0, 100_000),
        arguments.flag("paused"),
    )
    return {**told, "key": key_of(settings)}


def checkpoint(arguments: Arguments, _: Origin) -> dict[str, Any]:
    """A finished run as a checkpoint: {name, zip}, the zip in base64.

    Raises:
        PageError: the run is no longer kept, or never finished.
    """
    settings = Settings.from_dict(arguments.record("settings"))
    finished = POOL.finished(settings)
    if finished is None:
        raise PageError("playground.gone")
    packed = base64.b64encode(files.archive(settings, *finished))
    return {"name": files.name(settings), "zip": packed.decode("ascii")}


def examples(arguments: Arguments, _: Origin) -> dict[str, Any]:
    """Some examples of a task, the size of the model, and d_ff of others of this size.

    {pairs, parameters, d_ff}: `d_ff` maps each of `presets.MODELS` to its own.
    """
    chosen = Settings.from_dict(arguments.record("settings"))
    random = np.random.default_rng(chosen.seed)
    pairs = list(islice(chosen.pairs(random), EXAMPLES))
    widths = {name: presets.with_parts(chosen, name).d_ff for name in presets.MODELS}
    return {"pairs": pairs, "parameters": chosen.parameters, "d_ff": widths}


def leave(arguments: Arguments, where: Origin) -> dict[str, Any]:
    """Stop following all runs for this visitor."""
    POOL.leave(Visitor(arguments.text("visitor", MAX_NAME), *where))
    return {"left": True}


def claims() -> dict[str, dict[str, list[float]]]:
    """The share of correct outputs of each preset's runs, for each seed, and that of chance."""
    known = json.loads(presets.CLAIMS.read_text()) if presets.CLAIMS.exists() else {}
    return {
        name: {
            "first": [one["free_accuracy"] for one in both["first"]],
            "second": [one["free_accuracy"] for one in both["second"]],
            "chance": [one["chance_accuracy"] for one in (*both["first"], *both["second"])],
        }
        for name, both in known.items()
    }


def facts() -> dict[str, Any]:
    """Tasks, bounds, defaults and presets of `model/labs/playground`."""
    return {
        "tasks": {
            name: {
                "length": one.length,
                "alphabet": one.alphabet,
                "usual": asdict(Settings(task=name)),
                "has_lengths": one.has_lengths,
            }
            for name, one in tasks.TASKS.items()
        },
        "ranges": settings.RANGES,
        "whole": settings.WHOLE,
        "switches": settings.SWITCHES,
        "words": settings.CHOICES,
        "parameters": settings.MAX_PARAMETERS,
        "seconds": settings.MAX_SECONDS,
        "watched": settings.WATCHED,
        "presets": [
            {"name": one.name, "first": asdict(one.first), "second": asdict(one.second)}
            for one in presets.PRESETS
        ],
        "models": presets.MODELS,
        "races": [
            {
                "name": one.name,
                "runs": {name: asdict(run) for name, run in one.runs.items()},
                "parameters": {name: run.parameters for name, run in one.runs.items()},
            }
            for one in presets.RACES
        ],
        "claims": claims(),
        "learnt": presets.LEARNT,
        "failed": presets.FAILED,
    }


EXHIBIT = Exhibit(
    "playground",
    facts=facts(),
    calls={
        "playground_follow": follow,
        "playground_examples": examples,
        "playground_leave": leave,
        "playground_checkpoint": checkpoint,
    },
    header=(),
    absent="published.away",
    opener=effects.NONE,
)
