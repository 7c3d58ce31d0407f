"""The results of the presets on five seeds, for the page.

    python -m model.labs.playground.claims

It trains both runs of every preset, or of the presets named, with seeds 1 to 5, and writes
claims.json.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from model import cli
from model.errors import InputError, quote
from model.files import check_file, read_text, write_text
from model.labs.playground.presets import CLAIMS, PRESETS, Preset
from model.labs.playground.run import train
from model.labs.playground.settings import Settings

log = logging.getLogger(__name__)

SEEDS = (1, 2, 3, 4, 5)
NO_LIMIT = float("inf")  # seconds: on a busy machine the page's limit would cut a run short
Results = dict[Settings, list[dict[str, Any]]]


@dataclass(frozen=True)
class Command:
    """Train the presets' runs on five seeds and keep the results."""

    names: tuple[str, ...] = tuple(preset.name for preset in PRESETS)  # presets
    out: Path = CLAIMS  # the file to write; presets that are not named keep their numbers


def measured(preset: Preset, known: Results) -> dict[str, list[dict[str, Any]]]:
    """{first, second}: the results of both runs for each seed; `known` ones are not repeated."""
    keep = (
        "seed", "free_accuracy", "chance_accuracy", "teacher_forced_accuracy",
        "chance_token_accuracy", "loss", "test_inputs", "seconds",
    )  # fmt: skip
    found: dict[str, list[dict[str, Any]]] = {}
    for which, settings in (("first", preset.first), ("second", preset.second)):
        if settings not in known:
            runs = [train(replace(settings, seed=seed), NO_LIMIT) for seed in SEEDS]
            results = [run.to_dict() for run in runs]
            known[settings] = [{name: one[name] for name in keep} for one in results]
        found[which] = known[settings]
        log.info("%s %s %s", preset.name, which, [one["free_accuracy"] for one in found[which]])
    return found


def make(command: Command) -> None:
    """Measure the presets one after the other, and write after each.

    Raises:
        InputError: there is no such preset, or the file cannot be written or has different
        contents.
    """
    presets = [preset.name for preset in PRESETS]
    if unknown := [name for name in command.names if name not in presets]:
        raise InputError(
            f"There is no preset {quote(unknown[0])}; expected some of {', '.join(presets)}."
        )
    check_file(command.out)
    torch.set_num_threads(1)
    claims = _claims(command.out) if command.out.exists() else {}
    others = [one for one in PRESETS if one.name in claims and one.name not in command.names]
    known = {one.first: claims[one.name]["first"] for one in others}
    known |= {one.second: claims[one.name]["second"] for one in others}
    for preset in PRESETS:
        if preset.name in command.names:
            claims[preset.name] = measured(preset, known)
            write_text(command.out, json.dumps(claims, indent=1) + "\n")


def _claims(path: Path) -> dict[str, Any]:
    """Read the claims from a file that this command wrote."""
    try:
        claims = json.loads(read_text(path))
    except ValueError:
        claims = None
    if not isinstance(claims, dict):
        raise InputError(f"--out {path} holds no claims; give the file of claims, or a new one.")
    return claims


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, make, arguments, prog="model.labs.playground.claims")


if __name__ == "__main__":
    sys.exit(main())
