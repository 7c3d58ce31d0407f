"""A shipped model's card and training, from its folder: settings, curves, scores."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import shipped
from model.config import ModelConfig
from model.errors import CheckpointError
from model.text import glossary
from model.training.config import TrainConfig

FOLDER = shipped.FOLDERS[shipped.FIRST]
CARD, SCORES = "README.md", "scores.json"
WEIGHTS = "model.safetensors"
# The only files of this folder that a browser fetches to run the model itself.
FILES = (WEIGHTS, "config.json", "source.spm", "target.spm", "doubt.json", glossary.FILE)
MAX_WEIGHTS = 64 * 2**20  # most bytes of one model to send to a browser


def folder_of(folder: Path | None) -> Path:
    """Whose training a view shows: a shipped model's own, and the first one's for any other."""
    return next((own for own in shipped.FOLDERS.values() if own == folder), FOLDER)


def weights(folder: Path = FOLDER) -> dict[str, int | str] | None:
    """The size of the weights, and the SHA-256 in the card; None if too large to send."""
    size = (folder / WEIGHTS).stat().st_size
    if size > MAX_WEIGHTS:
        return None
    found = re.search(r"SHA-256\s+`([0-9a-f]{64})`", (folder / CARD).read_text("utf-8"))
    return {"bytes": size, "sha256": found[1] if found else ""}


def languages(folder: Path = FOLDER) -> str:
    """The source and target languages in the card's front matter: "en-zh"."""
    found = re.search(r"^language: \[(.+)\]$", (folder / CARD).read_text("utf-8"), re.MULTILINE)
    return "-".join(re.split(r",\s*", found[1])) if found else ""


def trained(folder: Path = FOLDER) -> TrainConfig:
    """The training settings of the shipped model, recorded by its run."""
    return TrainConfig.from_json((folder / "training.json").read_text("utf-8"))


@dataclass(frozen=True)
class Score:
    """A decoding method and its scores; `others` has the remaining columns by name."""

    method: str
    bleu: float
    chrf: float
    others: dict[str, float]


@dataclass(frozen=True)
class HeldOut:
    """The held-out sentences behind the scores: their domain and number."""

    name: str
    sentences: int


def curves(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """One entry per epoch: {epoch, updates, lr, train_loss, dev_loss, bleu, chrf, ...}.

    Empty if the folder has no curves.
    """
    if not (folder / "curves.jsonl").exists():
        return []
    text = (folder / "curves.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def last_run(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The curves of only the last run (settings in `trained`); updates count from its start.

    A model may be trained in several runs, each started from the previous one's weights: `run` of a
    line is the number of its run (by default 1).
    """
    lines = curves(folder)
    last = max((line.get("run", 1) for line in lines), default=1)
    before = [line["updates"] for line in lines if line.get("run", 1) < last]
    start = max(before, default=0)
    own = (line for line in lines if line.get("run", 1) == last)
    return [{**line, "updates": line["updates"] - start} for line in own]


def planned_updates(lines: list[dict[str, Any]], epochs: int) -> int:
    """The planned number of updates of a run with that many epochs, from the last line recorded.

    Computed as in training: the number of updates of an epoch is used for all later ones. `lines`
    are the run's lines from its first epoch on, with updates counted from its start.
    """
    *earlier, last = lines
    before: int = earlier[-1]["updates"] if earlier else 0
    return before + int(last["updates"] - before) * (epochs - len(earlier))


def scores(folder: Path = FOLDER) -> tuple[Score, ...]:
    """The scores on the held-out sentences of `held_out`.

    Read from scores.json, [{"decoding": "greedy", "BLEU": 37.99, "chrF": 32.92, ...}, ...], or else
    from the first table in the card that has columns BLEU and chrF.
    """
    if (folder / SCORES).exists():
        rows = json.loads((folder / SCORES).read_text("utf-8"))
    else:
        rows = _table((folder / CARD).read_text("utf-8"))
    found = []
    for row in rows:
        method, *cells = row.items()
        numbers = {name: float(cell) for name, cell in cells if _is_number(cell)}
        bleu, chrf = numbers.pop("BLEU"), numbers.pop("chrF")
        found.append(Score(str(method[1]), bleu, chrf, numbers))
    return tuple(found)


def held_out(folder: Path = FOLDER) -> HeldOut:
    """The sentences of the first table of scores, from the line above it: "Talk (1,524
    sentences):".

    Raises:
        CheckpointError: the card has no such line.
    """
    above = (folder / CARD).read_text("utf-8").partition("| BLEU | chrF |")[0]
    named = re.findall(r"^(.+) \(([\d,]+) sentences\b.*\):$", above, re.MULTILINE)
    if not named:
        raise CheckpointError(
            f"{CARD} does not say which sentences its first table of scores is of; expected a line "
            "above it such as “Tatoeba (1,524 sentences):”."
        )
    name, count = named[-1]
    return HeldOut(name, int(count.replace(",", "")))


def config(folder: Path = FOLDER) -> ModelConfig:
    """The sizes of the shipped model."""
    values = json.loads((folder / "config.json").read_text("utf-8"))
    return ModelConfig.from_dict({k: v for k, v in values.items() if k != "format"})


def _table(text: str) -> list[dict[str, str]]:
    """The rows of the first Markdown table with scores: {name of the column: cell}."""
    head: list[str] = []
    rows = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if {"BLEU", "chrF"} <= set(cells) and not head:
            head = cells
        elif head and not line.startswith("|"):
            break
        elif head and set(line) - set("|-: "):
            rows.append(dict(zip(head, cells, strict=True)))
    return rows


def _is_number(cell: object) -> bool:
    return str(cell).replace(".", "", 1).isdigit()
