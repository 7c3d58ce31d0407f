"""Checkpoints: save and load a model with its tokenizer, and export it for `transformers`.

Two formats are read. Ours, marked "headlight-2", is config.json, model.safetensors with the
network's own parameter names, tokenizer.model and a README.md; a model of letters has letters.json
for a tokenizer. The other is Marian's, whose names `marian.py` translates. No file is trusted: its
size is checked before anything big is built.

    python -m model.checkpoint export --model DIR --out DIR
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from model import cli, hub, marian
from model.alphabet import LETTERS_FORMAT, LetterTokenizer
from model.config import SIDES, DecodeConfig, ModelConfig
from model.decoding import Rules
from model.errors import CheckpointError, ConfigError, quote
from model.files import check_folder
from model.marian_settings import read_config, read_rules, read_suggestions, write_config
from model.marian_start import with_marian_start, with_padding_last
from model.tokenizer import END, PAD, UNKNOWN, Tokenizer
from model.transformer import Transformer
from model.tuning import tune
from model.weights import empty_model, fill, placed, read_weights, shapes_of

log = logging.getLogger(__name__)

FORMAT = "headlight-2"
# They differ in how a text is normalised (tokenizer.py); the last one reads letters (alphabet.py).
FORMATS = ("headlight-1", FORMAT, LETTERS_FORMAT)
SHIPPED = Path(__file__).parents[1] / "assets" / "models" / "en-zh"
MAX_JSON = 1_000_000  # bytes; a config has two thousand
MAX_TOKENIZER = 16_000_000  # bytes of each of its files; the vocabulary of OPUS-MT has 1.5 million


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model that is ready to translate: in eval mode, float32, without gradients.

    `revision` is the commit of a Hub model, None for a folder. `source` says to people where it
    came from. `suggested` are the settings of decoding that its authors chose. `folder` has the
    files that it was read from, and may have snapshots of its training. `format` is one of
    `FORMATS`, or "marian".
    """

    model: Transformer
    tokenizer: Tokenizer
    rules: Rules
    name: str
    revision: str | None
    source: str
    suggested: DecodeConfig = dataclasses.field(default_factory=DecodeConfig)
    folder: Path | None = None
    format: str = FORMAT

    def __repr__(self) -> str:
        return f"Checkpoint({self.name}, {self.source})"


def own_rules(tokenizer: Tokenizer) -> Rules:
    """The rules of a model of ours: it starts with <s> and never writes <pad>, <s> or <unk>."""
    banned = {tokenizer.pad_id, tokenizer.start_id, tokenizer.unknown_id}
    return Rules(tokenizer.start_id, tokenizer.end_id, tuple(sorted(banned)))


# ---------------------------------------------------------------------------------------- save


def save(
    folder: Path,
    model: Transformer | Checkpoint,
    tokenizer_file: Path | None = None,
    card: str = "",
    *,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a model with its tokenizer, or a checkpoint in the format that it was read from.

    The embedding is stored once, the position table not at all. `tokenizer_file` goes with a bare
    model. `card` is the text of README.md; without it none is written. A Marian checkpoint is
    written by `export_marian`, always as float32.

    Raises:
        CheckpointError: a weight is too large for `dtype`, or is not a number; or the checkpoint's
            tokenizer is no longer where it was read.
    """
    form = FORMAT
    if isinstance(model, Checkpoint):
        if model.format == "marian":
            return export_marian(folder, model)
        if model.folder is None or not model.folder.is_dir():
            raise CheckpointError(f"The files of {model.name} are gone; give model and tokenizer.")
        form, tokenizer_file = model.format, model.folder / _tokenizer_name(model.format)
        model = model.model
    if tokenizer_file is None:
        raise CheckpointError("A model is saved with its tokenizer; give the tokenizer's file.")
    weights = {}
    for name, weight in model.state_dict().items():
        weights[name] = weight.detach().to("cpu", dtype).contiguous()
        if not weights[name].isfinite().all():
            raise CheckpointError(
                f"{name} holds a number that {dtype} cannot hold; nothing was saved."
            )
    tokenizer = tokenizer_file.read_bytes()  # it may be in `folder` already
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    (folder / _tokenizer_name(form)).write_bytes(tokenizer)
    _write_json(folder / hub.CONFIG, {"format": form, **model.config.saved()})
    if card:
        (folder / "README.md").write_text(card, "utf-8")
    return None


def _tokenizer_name(form: str) -> str:
    return hub.LETTERS if form == LETTERS_FORMAT else hub.JOINT_TOKENIZER


def export_marian(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a post-norm model as a Marian folder, which `transformers` opens unchanged.

    A model of ours gets the padding of Marian (marian_start.py), so that CTranslate2 converts it.

    Raises:
        CheckpointError: a pre-norm model or one of letters, or a folder that holds a model already.
    """
    if checkpoint.format == LETTERS_FORMAT:
        raise CheckpointError(
            f"{checkpoint.name} reads letters one by one, and Marian has no such tokenizer; it "
            "cannot be exported."
        )
    if (folder / hub.CONFIG).exists():
        raise CheckpointError(f"{folder} holds a model already; give a new folder.")
    config, rules, pieces = checkpoint.model.config, checkpoint.rules, None
    state = {name: weight.cpu() for name, weight in checkpoint.model.state_dict().items()}
    if checkpoint.format != "marian":
        state, config, rules = with_marian_start(state, config, rules)
        pieces = with_padding_last(checkpoint.tokenizer.pieces, config.pad_id)
    weights = marian.to_theirs(state, config)
    values, generation = write_config(config, rules, checkpoint.suggested)
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    _write_json(folder / hub.CONFIG, values)
    _write_json(folder / hub.GENERATION, generation)
    checkpoint.tokenizer.save_pair(folder, pieces)
    tokenizer = {
        "tokenizer_class": "MarianTokenizer",
        "separate_vocabs": checkpoint.tokenizer.has_two_vocabularies,
        "model_max_length": config.max_positions,
        "unk_token": UNKNOWN,
        "eos_token": END,
        "pad_token": PAD,
    }
    _write_json(folder / "tokenizer_config.json", tokenizer)


def _write_weights(folder: Path, weights: dict[str, Tensor]) -> None:
    """Under another name first, so that a run that is stopped leaves the old file whole."""
    partial = folder / f"{hub.WEIGHTS}.part"
    save_file(weights, partial, metadata={"format": "pt"})
    os.replace(partial, folder / hub.WEIGHTS)


def _write_json(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", "utf-8")


# ---------------------------------------------------------------------------------------- load


def load(
    name_or_path: str | Path, *, device: str | torch.device = "cpu", revision: str | None = None
) -> Checkpoint:
    """Open a folder in our format or Marian's, or a Hub name such as "org/model@revision".

    Raises:
        CheckpointError: the model cannot be found, read or matched; the message says what to do.
    """
    location = hub.find(name_or_path, revision)
    values = _read_json(location.folder / hub.CONFIG)
    try:
        if "format" in values:
            loaded = _load_own(location, values)
        elif values.get("model_type") == "marian":
            loaded = _load_marian(location, values)
        else:
            raise CheckpointError(
                f"{location.name} is of type {quote(values.get('model_type'))}; Headlight opens "
                "its own models and those of type 'marian' (OPUS-MT)."
            )
    except ConfigError as error:
        raise CheckpointError(f"The settings of {location.name} cannot be used. {error}") from error
    loaded = dataclasses.replace(loaded, folder=location.folder)
    tune(placed(loaded.model, device))
    sizes = (weight.numel() for weight in loaded.model.parameters())
    log.info("loaded %s: %d parameters", location.source, sum(sizes))
    return loaded


def _load_own(location: hub.ModelLocation, values: dict[str, Any]) -> Checkpoint:
    if values["format"] not in FORMATS:
        raise CheckpointError(
            f"{location.name} has the format {quote(values['format'])}; this Headlight reads "
            f"{' and '.join(FORMATS)}. A newer Headlight may have written it."
        )
    config = ModelConfig.from_dict({k: v for k, v in values.items() if k != "format"})
    files = (_tokenizer_name(values["format"]),)
    tokenizer = _load_tokenizer(location, config, files, values["format"])
    if config.start_id != tokenizer.start_id:
        raise CheckpointError(
            f"{location.name}: start_id is {config.start_id}, but the tokenizer's is "
            f"{tokenizer.start_id}; they belong to different models."
        )
    model = empty_model(config)
    shapes = shapes_of(model)
    weights = read_weights(location, lambda names: (shapes, {}))
    fill(model, weights)
    rules, form = own_rules(tokenizer), values["format"]
    return Checkpoint(
        model, tokenizer, rules, location.name, location.revision, location.source, format=form
    )


def _load_marian(location: hub.ModelLocation, values: dict[str, Any]) -> Checkpoint:
    path = location.folder / hub.GENERATION
    generation = _read_json(path) if path.exists() else None
    config = read_config(values, generation)
    rules = read_rules(config, values, generation)
    tokenizer = _load_tokenizer(location, config, _marian_files(location.folder))
    model = empty_model(config)
    shapes = shapes_of(model)
    weights = read_weights(location, lambda names: marian.expected(config, shapes, names))
    fill(model, marian.to_ours(weights, config))
    suggested = read_suggestions(config, values, generation)
    names = (location.name, location.revision, location.source)
    return Checkpoint(model, tokenizer, rules, *names, suggested, format="marian")


def _marian_files(folder: Path) -> tuple[str, ...]:
    """The files of a Marian tokenizer: a fourth one where the target has its own vocabulary."""
    path = folder / hub.TOKENIZER_CONFIG
    separate = path.exists() and _read_json(path).get("separate_vocabs") is True
    return (*hub.MARIAN_TOKENIZER, hub.TARGET_VOCABULARY) if separate else hub.MARIAN_TOKENIZER


def _load_tokenizer(
    location: hub.ModelLocation, config: ModelConfig, files: tuple[str, ...], form: str = FORMAT
) -> Tokenizer:
    """The tokenizer, checked against the config: numbers that differ would shift every word."""
    missing = [name for name in files if not (location.folder / name).exists()]
    if missing:
        raise CheckpointError(
            f"{location.name} has no {', '.join(missing)}; its tokenizer needs {', '.join(files)}. "
            "Copy or download them."
        )
    for name in files:
        if (location.folder / name).stat().st_size > MAX_TOKENIZER:
            raise CheckpointError(
                f"{location.name}/{name} has more than {MAX_TOKENIZER:,} bytes; that is no "
                "tokenizer. Copy or download it again."
            )
    kind = LetterTokenizer if form == LETTERS_FORMAT else Tokenizer
    tokenizer = kind.load(location.folder, form, separate=hub.TARGET_VOCABULARY in files)
    ids = (("pad_id", tokenizer.pad_id), ("end_id", tokenizer.end_id))
    problems = [
        f"{name} is {getattr(config, name)}, but {found} in the tokenizer"
        for name, found in ids
        if getattr(config, name) != found
    ]
    sizes = dict.fromkeys((config.vocabulary(s), tokenizer.size(s)) for s in SIDES)
    problems += [f"vocab_size is {n}, but {m} in the tokenizer" for n, m in sizes if m > n]
    if problems:
        raise CheckpointError(
            f"{location.name}: {'; '.join(problems)}. They belong to different models."
        )
    return tokenizer


def _read_json(path: Path) -> dict[str, Any]:
    name = f"{path.parent.name}/{path.name}"
    try:
        if path.stat().st_size > MAX_JSON:
            raise CheckpointError(f"{name} has more than {MAX_JSON} bytes; that is no config.")
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise CheckpointError(f"There is no {name}; give a folder with a model in it.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{name} cannot be read as JSON ({error}); copy it again.") from error
    if not isinstance(values, dict):
        raise CheckpointError(f"{name} must be a JSON object, not {type(values).__name__}.")
    return values


@dataclass(frozen=True)
class Export:
    """Write a Marian folder, which `transformers` opens unchanged."""

    model: str  # folder or Hub name
    out: Path  # a new folder


def export(command: Export) -> None:
    """Load and write."""
    check_folder(command.out, empty=True)
    export_marian(command.out, load(command.model))
    log.info("wrote %s", command.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    commands = {"export": (Export, export)}
    told = "Write a model in a form that others read."
    return cli.run_one_of(commands, arguments, prog="model.checkpoint", description=told)


if __name__ == "__main__":
    sys.exit(main())
