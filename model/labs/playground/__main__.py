"""python -m model.labs.playground --task reverse --seed 1 [--positions none] ... --json."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch

from model import cli
from model.labs.playground.run import train
from model.labs.playground.settings import Settings

SHOWN = (
    "free_accuracy", "chance_accuracy", "teacher_forced_accuracy", "chance_token_accuracy", "loss",
    "test_inputs", "test_inputs_seen_in_training", "updates", "parameters",
)  # fmt: skip


@dataclass(frozen=True)
class Command(Settings):
    """Train a small Transformer on a task of letters and report its scores."""

    json: bool = False  # print one JSON object, with the curve


def work(command: Command) -> None:
    """Train and print."""
    torch.set_num_threads(1)
    given = {field.name: getattr(command, field.name) for field in fields(Settings)}
    told = train(Settings(**given)).to_dict()
    if command.json:
        print(json.dumps(told))
        return
    for name in SHOWN:
        if told[name] is not None:
            print(f"{name:28} {told[name]:.6g}")
    for one in told["by_length"]:
        print(f"{'free_accuracy, length ' + str(one['length']):28} {one['free_accuracy']:.6g}")
    print(f"{'seconds':28} {told['seconds']:.1f}")
    if told["message"] is not None:
        print(told["message"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, work, arguments, prog="model.labs.playground")


if __name__ == "__main__":
    sys.exit(main())
