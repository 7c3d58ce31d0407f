"""python -m model.labs.playground --task reverse --seed 1 [--no-positions] ... --json."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch

from model import cli
from model.labs.playground.run import train
from model.labs.playground.settings import Settings


@dataclass(frozen=True)
class Command(Settings):
    """Train a small Transformer on a task of letters, and say what it can do then."""

    json: bool = False  # print one JSON object, with the curve


def work(command: Command) -> None:
    """Train and print."""
    torch.set_num_threads(1)
    given = {field.name: getattr(command, field.name) for field in fields(Settings)}
    told = train(Settings(**given)).to_dict()
    if command.json:
        print(json.dumps(told))
        return
    for name in ("free_accuracy", "teacher_forced_accuracy", "loss", "updates", "parameters"):
        print(f"{name:24} {told[name]:.6g}")
    print(f"{'seconds':24} {told['seconds']:.1f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    return cli.run(Command, work, arguments, prog="model.labs.playground")


if __name__ == "__main__":
    sys.exit(main())
