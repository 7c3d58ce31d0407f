"""What the shipped model's folder tells of its training: the curves, and the scores of its card."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.view import ASSETS
from model.config import ModelConfig, TrainConfig

FOLDER = ASSETS / "models" / "en-zh"

# How the shipped model was trained, as far as it is not the default of `model.train`.
TRAINED = TrainConfig(
    epochs=36, peak_lr=1.5e-3, warmup=800, subword_alpha=0.5, average_last=8
)  # fmt: skip


@dataclass(frozen=True)
class Score:
    """A row of the card's table: all test sentences, and those that are unlike the training's."""

    method: str
    bleu: float
    chrf: float
    bleu_unlike: float
    chrf_unlike: float


def curves(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """A line for each epoch: {epoch, updates, lr, train_loss, dev_loss, bleu, chrf, ...}.

    Nothing for a folder that holds no curves.
    """
    if not (folder / "curves.jsonl").exists():
        return []
    text = (folder / "curves.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def scores(folder: Path = FOLDER) -> tuple[Score, ...]:
    """The scores on the held-out test part, read from the table of the model's card."""
    rows = []
    for line in (folder / "README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("| \n").split("|")]
        if len(cells) == 5 and cells[1].replace(".", "", 1).isdigit():
            rows.append(Score(cells[0], *map(float, cells[1:])))
    return tuple(rows)


def config(folder: Path = FOLDER) -> ModelConfig:
    """The sizes of the shipped model."""
    values = json.loads((folder / "config.json").read_text("utf-8"))
    return ModelConfig.from_dict({k: v for k, v in values.items() if k != "format"})
