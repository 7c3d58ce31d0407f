"""What the presets come to on five seeds, computed: the table that the page shows with each.

    python -m model.labs.playground.claims

It trains both runs of every preset, or of those named, with seeds 1 to 5, and writes claims.json.
"""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from model import cli
from model.errors import InputError, quote
from model.files import check_file
from model.labs.playground.presets import CLAIMS, PRESETS, Preset
from model.labs.playground.run import train
from model.labs.playground.settings import Settings

log = logging.getLogger(__name__)

SEEDS = (1, 2, 3, 4, 5)
Results = dict[Settings, list[dict[str, Any]]]


@dataclass(frozen=True)
class Command:
    """Train the presets' runs on five seeds and keep what came out."""

    names: tuple[str, ...] = tuple(preset.name for preset in PRESETS)  # presets
    out: Path = CLAIMS  # the file to write; presets that are not named keep their numbers


def measured(preset: Preset, known: Results) -> dict[str, list[dict[str, Any]]]:
    """{first, second}: the results of both runs, a seed each; `known` ones are not repeated."""
    keep = ("seed", "free_accuracy", "teacher_forced_accuracy", "loss", "seconds")
    found: dict[str, list[dict[str, Any]]] = {}
    for which, settings in (("first", preset.first), ("second", preset.second)):
        if settings not in known:
            results = [train(replace(settings, seed=seed)).to_dict() for seed in SEEDS]
            known[settings] = [{name: one[name] for name in keep} for one in results]
        found[which] = known[settings]
        log.info("%s %s %s", preset.name, which, [one["free_accuracy"] for one in found[which]])
    return found


def make(command: Command) -> None:
    """Measure, one preset after the other, and write after each.

    Raises:
        InputError: there is no such preset, or the file cannot be written.
    """
    presets = [preset.name for preset in PRESETS]
    if unknown := [name for name in command.names if name not in presets]:
        raise InputError(
            f"There is no preset {quote(unknown[0])}; expected some of {', '.join(presets)}."
        )
    check_file(command.out)
    torch.set_num_threads(1)
    claims = json.loads(command.out.read_text()) if command.out.exists() else {}
    others = [one for one in PRESETS if one.name in claims and one.name not in command.names]
    known = {one.first: claims[one.name]["first"] for one in others}
    known |= {one.second: claims[one.name]["second"] for one in others}
    for preset in PRESETS:
        if preset.name in command.names:
            claims[preset.name] = measured(preset, known)
            command.out.write_text(json.dumps(claims, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(cli.run(Command, make, None, prog="model.labs.playground.claims"))
