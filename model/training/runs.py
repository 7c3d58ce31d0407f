"""The folder of a training run: everything a run needs to resume, and all its results.

corpus.sha256              of the corpus files
TrainConfig.json, ModelConfig.json   its settings
data/train.tsv dev.tsv test.tsv      the parts of the corpus, cleaned, with their domains
source.spm target.spm                its tokenizer; tokenizer.model if from an older model
start.safetensors          initial weights, if it started from a model
curves.jsonl               a line per epoch: updates, seconds, rate, losses, scores
epochs/0007.safetensors    weights of the last epochs, for the average
best.safetensors           weights of the epoch with the best score on development
snapshots/                 weights during training, a byte each
state.pt                   state of an interrupted run, also within an epoch
model/                     the best epoch so far; at the end the result
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from model.checkpoint import FORMATS, Checkpoint, format_of, tokenizer_files
from model.config import Config, ModelConfig
from model.errors import CheckpointError, ConfigError, InputError, reason
from model.files import read_text, replacing, write_text
from model.text import vocabulary
from model.text.characters import normalise
from model.text.chinese import simplified
from model.text.kinds import short
from model.training import corpus
from model.training.config import TrainConfig
from model.training.scores import repeats

log = logging.getLogger(__name__)


class Run:
    """The paths in a run's folder, with reading and writing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.curves = folder / "curves.jsonl"
        self.state = folder / "state.pt"
        self.start = folder / "start.safetensors"
        self.best = folder / "best.safetensors"
        self.model = folder / "model"

    @property
    def has_tokenizer(self) -> bool:
        """True if the run is prepared: its tokenizer, the last file, exists."""
        names = tokenizer_files(format_of(self.folder))
        return all((self.folder / name).exists() for name in names)

    def part(self, name: str) -> Path:
        """The file of one part of the corpus: train, dev or test."""
        return self.folder / "data" / f"{name}.tsv"

    def epoch(self, number: int) -> Path:
        """The file of the weights after an epoch, counted from 1."""
        return self.folder / "epochs" / f"{number:04}.safetensors"

    def read_curves(self) -> list[dict[str, Any]]:
        """Read the lines of the curves, one per epoch.

        Raises:
            CheckpointError: a line is damaged.
        """
        if not self.curves.exists():
            return []
        try:
            return [json.loads(line) for line in read_text(self.curves).splitlines()]
        except ValueError as error:
            raise CheckpointError(
                f"{short(self.curves)} has a line that is not JSON ({error}); put it right."
            ) from None

    def add_to_curves(self, line: dict[str, Any]) -> None:
        self._write_curves([*self.read_curves(), line])

    def cut_curves(self, epoch: int) -> None:
        """Drop lines after an epoch: an interruption between two files can leave an extra one."""
        if self.curves.exists():
            self._write_curves([line for line in self.read_curves() if line["epoch"] <= epoch])

    def _write_curves(self, lines: list[dict[str, Any]]) -> None:
        write_text(self.curves, "".join(json.dumps(line) + "\n" for line in lines))

    def save_state(self, state: dict[str, Any]) -> None:
        with replacing(self.state) as partial, partial.open("wb") as file:
            torch.save(state, file)

    def load_state(self) -> dict[str, Any] | None:
        """The last saved state, on the CPU; None for a run that has not begun.

        Raises:
            CheckpointError: it cannot be read.
        """
        if not self.state.exists():
            return None
        try:
            state: dict[str, Any] = torch.load(self.state, map_location="cpu", weights_only=True)
        except Exception as error:  # unpickling a damaged file can raise anything
            raise CheckpointError(
                f"{self.state} cannot be read ({type(error).__name__}); delete it, and the run "
                "begins again with its own data and settings."
            ) from error
        return state

    def settings(self, config_type: type[Config]) -> Config | None:
        """The settings of the run, if it has started."""
        path = self.folder / f"{config_type.__name__}.json"
        return config_type.from_json(read_text(path)) if path.exists() else None

    def keep_settings(self, *configs: TrainConfig | ModelConfig) -> None:
        """Write the settings beside the run.

        The number of epochs and the cooldown may change until the rate of a trapezoid falls.

        Raises:
            ConfigError: the run was started with different settings.
        """
        for config in configs:
            before = self.settings(type(config))
            if before is not None and before != config and not self._may_become(before, config):
                raise ConfigError(
                    f"{self.folder} was begun with other settings ({type(config).__name__}.json): "
                    f"{_difference(before, config)}. Use those, or another --out."
                )
            path = self.folder / f"{type(config).__name__}.json"
            write_text(path, config.to_json())

    def _may_become(self, before: Config, now: Config) -> bool:
        """True if only epochs and cooldown differ, and neither cooldown has begun."""
        if not (isinstance(before, TrainConfig) and isinstance(now, TrainConfig)):
            return False
        constant = min((1 - c.cooldown) * c.epochs for c in (before, now))
        same = dataclasses.replace(before, epochs=now.epochs, cooldown=now.cooldown) == now
        return same and now.schedule == "trapezoid" and len(self.read_curves()) <= constant


def _difference(before: Config, now: Config) -> str:
    old, new = dataclasses.asdict(before), dataclasses.asdict(now)
    return ", ".join(f"{n} was {old[n]!r}, now {new[n]!r}" for n in old if old[n] != new[n])


# ------------------------------------------------------------------------------------- weights


def save_weights(path: Path, model: nn.Module) -> None:
    """Write the weights of a model, float32."""
    path.parent.mkdir(exist_ok=True)
    weights = {name: p.detach().cpu().contiguous() for name, p in model.named_parameters()}
    with replacing(path) as partial:
        save_file(weights, partial)


def average(model: nn.Module, files: Iterable[Path]) -> None:
    """Load the mean of the weights in several files into the model.

    Raises:
        CheckpointError: one of the files cannot be read.
    """
    paths = list(files)
    sums: dict[str, Tensor] = {}
    for path in paths:
        try:
            weights = load_file(path)
        except (OSError, SafetensorError) as error:
            raise CheckpointError(
                f"{short(path)} cannot be read ({reason(error)}); put it back as training wrote it."
            ) from error
        for name, weight in weights.items():
            sums[name] = sums[name] + weight if name in sums else weight
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(sums[name] / len(paths))


# --------------------------------------------------------------------------------- preparation


def prepare(
    files: Sequence[Path],
    run: Run,
    config: TrainConfig,
    first: Checkpoint | None = None,
    *,
    swap_sides: bool = False,
) -> None:
    """Clean and split the corpus and train the tokenizer, skipping steps already done.

    `first` is one of our models to start from: its tokenizer is used and its weights are saved;
    with `swap_sides` its source is cut as its target was, for the other direction.

    Raises:
        InputError: a file cannot be read, or none is given for a new run.
        ConfigError: the run was started with different files, the corpus is too small, or `first`
        is
            not in our format.
    """
    mark = run.folder / "corpus.sha256"
    if not files and not run.has_tokenizer:
        raise InputError(f"{run.folder} holds no run to go on with; give --data for a new one.")
    digest = _digest(files)
    if files and mark.exists() and read_text(mark) != digest:
        raise ConfigError(
            f"{run.folder} was begun with another corpus. Use that one, or another --out."
        )
    if run.has_tokenizer:
        return
    pieces = None if first is None else _pieces(first, swap_sides)
    parts = _parts(files, config)
    run.folder.mkdir(parents=True, exist_ok=True)
    write_text(mark, digest)
    run.part("train").parent.mkdir(parents=True, exist_ok=True)
    for name, lines in (("train", parts.train), ("dev", parts.dev), ("test", parts.test)):
        corpus.write_lines(run.part(name), lines)
        log.info("%s: %d pairs", name, len(lines))
    if first is not None and pieces is not None:
        save_weights(run.start, first.model)
        for name, content in pieces.items():
            (run.folder / name).write_bytes(content)
        return
    drawn = corpus.draw(parts.train, config.caps, 1, config.seed, 0)
    nearest = config.vocab_size == TrainConfig.vocab_size  # nobody asked for another
    vocabulary.train(drawn, config.vocab_size, run.folder, nearest=nearest)


def _pieces(first: Checkpoint, swap_sides: bool) -> dict[str, bytes]:
    """The tokenizer's files of a model to start from."""
    folder = first.folder or Path()
    names = tokenizer_files(format_of(folder))
    if first.format not in FORMATS or not all((folder / name).is_file() for name in names):
        raise ConfigError(
            f"--start-from {first.name} is of the format {first.format}; training begins from "
            "a model of Headlight's own, with a SentencePiece tokenizer."
        )
    contents = names[::-1] if swap_sides else names
    return {
        name: (folder / content).read_bytes() for name, content in zip(names, contents, strict=True)
    }


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        try:
            digest.update(file.read_bytes())
        except OSError as error:
            raise InputError(f"{file} cannot be read ({error.strerror}); give a file.") from None
    return digest.hexdigest()


def _parts(files: Sequence[Path], config: TrainConfig) -> corpus.Split:
    change = simplified if config.simplify else normalise
    rules = corpus.Filter(
        config.max_words, config.source_script, config.target_script, config.length_factor
    )
    lines = [line for file in files for line in corpus.read_lines(file, change)]
    lines, left_out = corpus.cleaned(lines, rules)
    log.info("%d pairs; left out: %s", len(lines), left_out)
    share = config.dev_share
    parts = corpus.split(lines, share, config.test_share)
    while share and share < 0.5 and len(lines) > 1 and not parts.dev:  # a handful of pairs
        share = min(0.5, 2 * share)
        parts = corpus.split(lines, share, config.test_share)
    if config.drop_repeats:
        fluent = [line for line in parts.train if not repeats(line.target)]
        log.info("%d training pairs left out for their repeats", len(parts.train) - len(fluent))
        parts = dataclasses.replace(parts, train=fluent)
    if not parts.train or not parts.dev:
        raise ConfigError(
            f"{', '.join(map(short, files))[:120]} gives {len(parts.train)} pairs for training and "
            f"{len(parts.dev)} for development; use a larger corpus or another --dev-share."
        )
    return parts.turned() if config.turned else parts
