"""Replace an older model by a finished run: its weights, and the history of both.

`explorer/ship.py` regenerates everything that depends on the weights.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from model import checkpoint, hub
from model.checkpoint import Checkpoint, snapshots
from model.checkpoint.formats import tokenizer_files
from model.files import read_text, write_text
from model.labs import cheat
from model.training import corpus, growth
from model.training.runs import Run
from model.transformer import Transformer

CURVES = "curves.jsonl"


def take(run: Run, folder: Path, own_snapshots: Sequence[str] = ()) -> None:
    """Replace the old weights, pieces, settings and curves by the run's.

    The snapshots of the earlier runs stay, with the pieces of this one. A folder that holds no
    model yet gets the run's, and those of its snapshots that are named.
    """
    if not (folder / hub.WEIGHTS).exists():
        lines = shipped_lines(run, checkpoint.load(run.model).model)
        for share in own_snapshots:
            file = snapshots.path(folder, float(share))
            file.parent.mkdir(exist_ok=True)
            shutil.copyfile(snapshots.path(run.folder, float(share)), file)
        return _install(run, folder, [{"run": 1, **line} for line in lines])
    old, new = checkpoint.load(folder), checkpoint.load(run.model)
    before = [json.loads(line) for line in read_text(folder / CURVES).splitlines()]
    lines = continued(before, shipped_lines(run, new.model))
    share = before[-1]["updates"] / lines[-1]["updates"]
    kept = {
        at * share: snapshots.load(snapshots.path(folder, at), old.model.config)
        for at in snapshots.training_fractions(folder)
    }
    shutil.rmtree(folder / "snapshots", ignore_errors=True)
    for at, model in kept.items():
        snapshots.save(snapshots.path(folder, at), with_pieces_of(new, old, model))
    for name in tokenizer_files(old.format):
        (folder / name).unlink()
    _install(run, folder, lines)


def _install(run: Run, folder: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Copy the run's model, and write the curves that end with it."""
    for file in run.model.iterdir():
        if file.name != "README.md":  # written by hand
            shutil.copyfile(file, folder / file.name)
    write_text(folder / CURVES, "".join(json.dumps(line) + "\n" for line in lines))


def with_pieces_of(new: Checkpoint, old: Checkpoint, model: Transformer) -> Transformer:
    """A snapshot of the earlier runs in the form that the new run used: with its pieces."""
    if new.tokenizer.pieces == old.tokenizer.pieces:
        return model
    return growth.respelled(model, old.tokenizer, new.tokenizer)


def shipped_lines(run: Run, model: Transformer) -> list[dict[str, Any]]:
    """The run's curves up to the last epoch that is in the model.

    That is the best epoch if the model has its weights, else the last: an average of the last ones.
    """
    lines = run.read_curves()
    best = max(range(len(lines)), key=lambda i: (lines[i]["bleu"], i))
    weights = load_file(run.best) if run.best.exists() else {}
    mine = model.state_dict()
    is_best = bool(weights) and all(
        torch.equal(value.half(), mine[name].half()) for name, value in weights.items()
    )
    return lines[: best + 1] if is_best else lines


def continued(before: list[dict[str, Any]], run: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The curves of all runs so far and of the new one, numbered on."""
    last = before[-1]
    sums = ("epoch", "updates", "seconds")
    return before + [
        {"run": last["run"] + 1, **line, **{name: line[name] + last[name] for name in sums}}
        for line in run
    ]


def make_cheat(run: Run, folder: Path, domain: str) -> None:
    """Continue training the decoder's self-attention without the causal mask."""
    pairs = run.folder / "data" / f"{domain}.tsv"
    lines = corpus.read_lines(run.part("train"), str)
    corpus.write_lines(pairs, [line for line in lines if line.domain == domain])
    cheat.make(cheat.Command((pairs,), folder / cheat.CHEAT, str(folder)))
