"""The paper's parts, BART's and T5's beside each other: same data, budget and size, some seeds.

    python -m bench.presets letters --out FOLDER
    python -m bench.presets sentences --out FOLDER --data PAIRS.tsv

Every run is a file or a folder of its own in FOLDER, so a command that was interrupted goes on
where it stopped. At the end it prints a table of all runs.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from model import cli, train
from model.config import ModelConfig
from model.errors import TrainingError
from model.files import write_text
from model.labs.playground import run as playground
from model.labs.playground.presets import RACES
from model.training.presets import PRESETS, PresetName
from model.training.runs import Run
from model.transformer import Transformer

log = logging.getLogger(__name__)

HALF = 0.5  # share of right outputs; the page tells when a run reaches it


@dataclass(frozen=True)
class Letters:
    """The races of *Train one*, with the page's limits."""

    out: Path  # folder of the results
    seeds: tuple[int, ...] = (1, 2, 3)
    updates: int = 0  # of each run; 0: the race's own


@dataclass(frozen=True)
class Sentences:
    """`model.train` with each preset; d_ff follows from the paper's number of parameters."""

    out: Path  # folder of the runs
    data: tuple[Path, ...]  # files of source <tab> target
    seeds: tuple[int, ...] = (1, 2, 3)
    epochs: int = 20
    vocab_size: int = 4000
    d_model: int = 256
    d_ff: int = 1024  # of the paper's parts
    layers: int = 3
    batch_tokens: int = 2000


# ----------------------------------------------------------------------------- tasks of letters


def letters(command: Letters) -> None:
    """Train what is missing, then print the table."""
    torch.set_num_threads(1)
    command.out.mkdir(parents=True, exist_ok=True)
    for race in RACES:
        for model, settings in race.runs.items():
            for seed in command.seeds:
                path = command.out / f"{race.name}-{model}-{seed}.json"
                if path.exists():
                    continue
                updates = command.updates or settings.updates
                chosen = dataclasses.replace(settings, seed=seed, updates=updates)
                write_text(path, json.dumps(playground.train(chosen).to_dict()) + "\n")
                log.info("%s", path.stem)
    print("\n".join(letters_table(command)))


def letters_table(command: Letters) -> Iterator[str]:
    """A row for each race and model, with the seeds' numbers in order."""
    yield "| race | model | parameters | half right after | right | longer than trained | seconds |"
    yield "|---|---|---|---|---|---|---|"
    for race in RACES:
        for model in race.runs:
            paths = [command.out / f"{race.name}-{model}-{seed}.json" for seed in command.seeds]
            runs = [json.loads(path.read_text("utf-8")) for path in paths]
            cells = (
                [str(halfway(one)) for one in runs],
                [f"{one['free_accuracy']:.1%}" for one in runs],
                [beyond(one) for one in runs],
                [f"{one['seconds']:.0f}" for one in runs],
            )
            numbers = " | ".join(", ".join(each) for each in cells)
            yield f"| {race.name} | {model} | {runs[0]['parameters']:,} | {numbers} |"


def halfway(result: dict[str, Any]) -> int | None:
    """The first update after which half of the outputs were right, if any."""
    right = (one["update"] for one in result["curve"] if one["free_accuracy"] >= HALF)
    return next(right, None)


def beyond(result: dict[str, Any]) -> str:
    """The shares of right outputs for each length beyond training: "76/62/46/14"."""
    length = result["settings"]["length"]
    longer = [one for one in result["by_length"] if one["length"] > length]
    return "/".join(f"{100 * one['free_accuracy']:.0f}" for one in longer) or "-"


# -------------------------------------------------------------------------------- real sentences


def sentences(command: Sentences) -> None:
    """Train what is missing or unfinished, then print the table."""
    for preset in PRESETS:
        for seed in command.seeds:
            folder = command.out / f"{preset}-{seed}"
            if train.main(_flags(command, preset, seed, folder)):
                raise TrainingError(f"The run in {folder.name} failed; its message is above.")
    print("\n".join(sentences_table(command)))


def _flags(command: Sentences, preset: PresetName, seed: int, folder: Path) -> list[str]:
    sizes = {
        "epochs": command.epochs, "vocab-size": command.vocab_size,
        "d-model": command.d_model, "d-ff": width(command, preset), "seed": seed,
        "n-encoder-layers": command.layers, "n-decoder-layers": command.layers,
        "batch-tokens": command.batch_tokens, "preset": preset, "out": folder,
    }  # fmt: skip
    given = [text for name, value in sizes.items() for text in (f"--{name}", str(value))]
    return ["--data", *map(str, command.data), *given]


def width(command: Sentences, preset: PresetName) -> int:
    """The d_ff with which a preset has as many parameters as the paper's parts."""
    wanted = _parameters(command, "paper", command.d_ff)
    least, more = (_parameters(command, preset, d_ff) for d_ff in (2, 3))
    return max(2, 2 + round((wanted - least) / (more - least)))


def _parameters(command: Sentences, preset: PresetName, d_ff: int) -> int:
    config = ModelConfig(
        vocab_size=command.vocab_size,
        d_model=command.d_model,
        d_ff=d_ff,
        n_encoder_layers=command.layers,
        n_decoder_layers=command.layers,
        **PRESETS[preset],
    )
    with torch.device("meta"):
        return sum(weight.numel() for weight in Transformer(config).parameters())


def sentences_table(command: Sentences) -> Iterator[str]:
    """A row for each preset: parameters, and the scores on development of the seeds in order."""
    yield "| preset | d_ff | parameters | best dev BLEU | dev loss at the end | updates |"
    yield "|---|---|---|---|---|---|"
    for preset in PRESETS:
        curves = [Run(command.out / f"{preset}-{s}").read_curves() for s in command.seeds]
        d_ff = width(command, preset)
        cells = (
            [f"{max(line['bleu'] for line in each):.1f}" for each in curves],
            [f"{each[-1]['dev_loss']:.3f}" for each in curves],
            [str(each[-1]["updates"]) for each in curves],
        )
        numbers = " | ".join(", ".join(each) for each in cells)
        yield f"| {preset} | {d_ff} | {_parameters(command, preset, d_ff):,} | {numbers} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    commands = {"letters": (Letters, letters), "sentences": (Sentences, sentences)}
    told = "Compare the parts of three models."
    return cli.run_one_of(commands, arguments, prog="bench.presets", description=told)


if __name__ == "__main__":
    sys.exit(main())
