"""Checkpoints: save and load a model with its tokenizer, and export it for `transformers`.

Two formats are read. Ours, marked "headlight-1", is config.json, model.safetensors under the
network's own parameter names, tokenizer.model and a README.md. The other is Marian's, whose names
`marian.py` translates. A file is never trusted: sizes are compared before anything big is built,
and old pickled weights are read as plain tensors or not at all.

    python -m model.checkpoint export --model DIR --out DIR
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import os
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save_file
from torch import Tensor

from model import hub, marian
from model.config import DecodeConfig, ModelConfig
from model.decoding import Rules
from model.errors import CheckpointError, ConfigError
from model.marian import Shapes
from model.tokenizer import END, PAD, UNKNOWN, Tokenizer
from model.transformer import Transformer, sinusoids

log = logging.getLogger(__name__)

FORMAT = "headlight-1"
SHIPPED = Path(__file__).parents[1] / "assets" / "models" / "en-zh"
_LARGEST_JSON = 1_000_000  # bytes; a config has two thousand
_LARGEST_TABLE = 2**24  # numbers in the position table, the one big thing that no file holds


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model that is ready to translate: in eval mode, float32, without gradients.

    `revision` is the commit of a Hub model, None for a folder. `source` says for people where it
    came from. `suggested` is the search that its authors chose. `folder` holds what else came with
    it, such as snapshots of its training.
    """

    model: Transformer
    tokenizer: Tokenizer
    rules: Rules
    name: str
    revision: str | None
    source: str
    suggested: DecodeConfig = dataclasses.field(default_factory=DecodeConfig)
    folder: Path | None = None


def own_rules(tokenizer: Tokenizer) -> Rules:
    """The rules of a model of ours: it starts with <s> and never writes <pad>, <s> or <unk>."""
    banned = {tokenizer.pad_id, tokenizer.start_id, tokenizer.unknown_id}
    return Rules(tokenizer.start_id, tokenizer.end_id, tuple(sorted(banned)))


# ---------------------------------------------------------------------------------------- save


def save(
    folder: Path,
    model: Transformer,
    tokenizer_file: Path,
    card: str = "",
    *,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a checkpoint of ours. The embedding is stored once, the position table not at all.

    `card` is the text of README.md; without it none is written.

    Raises:
        CheckpointError: a weight is too large for `dtype`, or is no number.
    """
    weights = {}
    for name, weight in model.state_dict().items():
        weights[name] = weight.detach().to("cpu", dtype).contiguous()
        if not weights[name].isfinite().all():
            raise CheckpointError(
                f"{name} holds a number that {dtype} cannot hold; nothing was saved."
            )
    tokenizer = tokenizer_file.read_bytes()  # it may lie in `folder` already
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    (folder / hub.JOINT_TOKENIZER).write_bytes(tokenizer)
    _write_json(folder / hub.CONFIG, {"format": FORMAT, **dataclasses.asdict(model.config)})
    if card:
        (folder / "README.md").write_text(card, "utf-8")


def export_marian(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a post-norm model as a Marian folder, which `transformers` opens unchanged.

    Raises:
        CheckpointError: a pre-norm model, or a folder that holds a model already.
    """
    if (folder / hub.CONFIG).exists():
        raise CheckpointError(f"{folder} holds a model already; give a new folder.")
    config = checkpoint.model.config
    state = {name: weight.cpu() for name, weight in checkpoint.model.state_dict().items()}
    weights = marian.to_theirs(state, config)
    values, generation = marian.write_config(config, checkpoint.rules)
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    _write_json(folder / hub.CONFIG, values)
    _write_json(folder / hub.GENERATION, generation)
    checkpoint.tokenizer.save_pair(folder)
    tokenizer = {
        "tokenizer_class": "MarianTokenizer",
        "separate_vocabs": False,
        "model_max_length": config.max_positions,
        "unk_token": UNKNOWN,
        "eos_token": END,
        "pad_token": PAD,
    }
    _write_json(folder / "tokenizer_config.json", tokenizer)


def _write_weights(folder: Path, weights: dict[str, Tensor]) -> None:
    """Under another name first: a run that is stopped in between leaves the old file whole."""
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
    place = hub.find(name_or_path, revision)
    values = _read_json(place.folder / hub.CONFIG)
    try:
        if "format" in values:
            found = _load_own(place, values)
        elif values.get("model_type") == "marian":
            found = _load_marian(place, values)
        else:
            raise CheckpointError(
                f"{place.name} is of type {values.get('model_type')!r}; Headlight opens its own "
                "models and those of type 'marian' (OPUS-MT)."
            )
    except ConfigError as error:
        raise CheckpointError(f"The settings of {place.name} cannot be used. {error}") from error
    found = dataclasses.replace(found, folder=place.folder)
    found.model.to(device)
    log.info("loaded %s: %d parameters", place.source, _count(found.model))
    return found


def _load_own(place: hub.Place, values: dict[str, Any]) -> Checkpoint:
    if values["format"] != FORMAT:
        raise CheckpointError(
            f"{place.name} has the format {values['format']!r}; this Headlight reads {FORMAT!r}. "
            "A newer Headlight may have written it."
        )
    config = ModelConfig.from_dict({k: v for k, v in values.items() if k != "format"})
    tokenizer = _load_tokenizer(place, config, (hub.JOINT_TOKENIZER,))
    if config.start_id != tokenizer.start_id:
        raise CheckpointError(
            f"{place.name}: start_id is {config.start_id}, but the tokenizer's is "
            f"{tokenizer.start_id}; they belong to different models."
        )
    model = _empty(config)
    shapes = _shapes(model)
    weights = _read_weights(place, lambda names: (shapes, {}))
    _fill(model, weights)
    return Checkpoint(
        model, tokenizer, own_rules(tokenizer), place.name, place.revision, place.source
    )


def _load_marian(place: hub.Place, values: dict[str, Any]) -> Checkpoint:
    path = place.folder / hub.GENERATION
    generation = _read_json(path) if path.exists() else None
    config = marian.read_config(values, generation)
    rules = marian.read_rules(config, values, generation)
    tokenizer = _load_tokenizer(place, config, hub.MARIAN_TOKENIZER)
    model = _empty(config)
    shapes = _shapes(model)
    weights = _read_weights(place, lambda names: marian.expected(config, shapes, names))
    _fill(model, marian.to_ours(weights, config))
    suggested = marian.read_suggestions(config, values, generation)
    return Checkpoint(model, tokenizer, rules, place.name, place.revision, place.source, suggested)


def _load_tokenizer(place: hub.Place, config: ModelConfig, files: tuple[str, ...]) -> Tokenizer:
    """The tokenizer, checked against the config: numbers that differ would shift every word."""
    missing = [name for name in files if not (place.folder / name).exists()]
    if missing:
        raise CheckpointError(
            f"{place.name} has no {', '.join(missing)}; its tokenizer needs {', '.join(files)}."
        )
    tokenizer = Tokenizer.load(place.folder)
    ids = (("pad_id", tokenizer.pad_id), ("end_id", tokenizer.end_id))
    problems = [
        f"{name} is {getattr(config, name)}, but {found} in the tokenizer"
        for name, found in ids
        if getattr(config, name) != found
    ]
    if len(tokenizer) > config.vocab_size:
        problems.append(f"vocab_size is {config.vocab_size}, but {len(tokenizer)} in the tokenizer")
    if problems:
        raise CheckpointError(
            f"{place.name}: {'; '.join(problems)}. They belong to different models."
        )
    return tokenizer


def _read_json(path: Path) -> dict[str, Any]:
    name = f"{path.parent.name}/{path.name}"
    try:
        if path.stat().st_size > _LARGEST_JSON:
            raise CheckpointError(f"{name} has more than {_LARGEST_JSON} bytes; that is no config.")
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise CheckpointError(f"There is no {name}; a model's folder needs one.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{name} cannot be read as JSON: {error}.") from error
    if not isinstance(values, dict):
        raise CheckpointError(f"{name} must be a JSON object, not {type(values).__name__}.")
    return values


# ------------------------------------------------------------------------------------- weights


def _empty(config: ModelConfig) -> Transformer:
    """A model that has shapes but no memory: its files are compared with it first."""
    if config.max_positions * config.d_model > _LARGEST_TABLE:
        raise CheckpointError(
            f"{config.max_positions} positions of {config.d_model} numbers make too large a table; "
            f"at most {_LARGEST_TABLE} numbers are allowed."
        )
    with torch.device("meta"):
        return Transformer(config)


def _fill(model: Transformer, weights: dict[str, Tensor]) -> None:
    model.load_state_dict(weights, assign=True)
    config = model.config
    table = sinusoids(config.max_positions, config.d_model, config.sinusoids)
    model.embedding.positions = table.float()  # in no file, as it follows from the config
    model.eval().requires_grad_(False)


def _shapes(model: Transformer) -> Shapes:
    return {name: tuple(weight.shape) for name, weight in model.state_dict().items()}


def _count(model: Transformer) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _read_weights(
    place: hub.Place, expected: Callable[[set[str]], tuple[Shapes, Shapes]]
) -> dict[str, Tensor]:
    """The weights of a folder as float32, after their shapes were found right.

    `expected` maps the names in the file to the shapes that must and that may be there.

    Raises:
        CheckpointError: no file, a damaged one, or weights that are missing, unexpected or of
            another shape: all of them in one message.
    """
    path = place.folder / hub.WEIGHTS
    if not path.exists():
        path = place.folder / hub.PICKLED
    if not path.exists():
        raise CheckpointError(f"{place.name} has neither {hub.WEIGHTS} nor {hub.PICKLED}.")
    where = f"{place.name}/{path.name}"
    shapes, read = _open_pickled(path, where) if path.name == hub.PICKLED else _open(path, where)
    needed, allowed = expected(set(shapes))
    known = {**needed, **allowed}
    problems = {
        "missing": sorted(needed.keys() - shapes.keys()),
        "unexpected": sorted(shapes.keys() - known.keys()),
        "of another shape": [
            f"{name} is {shapes[name]}, expected {known[name]}"
            for name in sorted(shapes.keys() & known.keys())
            if shapes[name] != known[name]
        ],
    }
    said = [f"{len(names)} {what}: {', '.join(names)}" for what, names in problems.items() if names]
    if said:
        raise CheckpointError(f"The weights in {where} do not fit the config. {'; '.join(said)}.")
    weights = {name: read(name) for name in shapes}
    for name, weight in weights.items():
        if not weight.is_floating_point() or not weight.isfinite().all():
            raise CheckpointError(f"{name} in {where} holds something that is not a finite number.")
    return {name: weight.float() for name, weight in weights.items()}


def _open(path: Path, where: str) -> tuple[Shapes, Callable[[str], Tensor]]:
    try:
        file = safetensors.safe_open(path, framework="pt")  # checks its header against its length
        shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (OSError, ValueError, safetensors.SafetensorError) as error:
        raise CheckpointError(
            f"{where} is damaged or was not copied to its end ({error}). Copy or download it again."
        ) from error
    return shapes, file.get_tensor


def _open_pickled(path: Path, where: str) -> tuple[Shapes, Callable[[str], Tensor]]:
    """Read an old pickled file without running any code that may be in it."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                # torch stores without compressing; a small file that grows is an attack.
                if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                    raise ValueError("it is compressed")
        weights = torch.load(path, map_location="cpu", weights_only=True)
        shapes = {}
        for name, weight in weights.items():
            stored = weight.untyped_storage().nbytes()
            if weight.layout != torch.strided or weight.numel() * weight.itemsize > stored:
                raise ValueError(f"{name} is not a plain tensor")  # a view can claim any size
            shapes[str(name)] = tuple(weight.shape)
    except Exception as error:  # unpickling a damaged or hostile file can raise anything
        raise CheckpointError(
            f"{where} is damaged, or holds more than weights, and was not opened "
            f"({type(error).__name__}). Use a {hub.WEIGHTS} instead."
        ) from error
    return shapes, weights.__getitem__


# ----------------------------------------------------------------------------------------- main


def main(arguments: list[str] | None = None) -> None:
    """Read the command line; an error becomes one sentence and exit status 1."""
    parser = argparse.ArgumentParser(prog="python -m model.checkpoint", description=main.__doc__)
    commands = parser.add_subparsers(required=True)
    export = commands.add_parser("export", help="write a Marian folder for transformers")
    export.add_argument("--model", required=True, help="folder or Hub name")
    export.add_argument("--out", required=True, type=Path, help="a new folder")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        export_marian(options.out, load(options.model))
    except CheckpointError as error:
        sys.exit(str(error))
    log.info("wrote %s", options.out)


if __name__ == "__main__":
    main()
