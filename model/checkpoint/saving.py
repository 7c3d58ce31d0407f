"""Save a checkpoint in our format, or export it as a folder for `transformers`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from model import hub
from model.checkpoint import weight_names
from model.checkpoint.families import FAMILIES, family_of, t5_settings
from model.checkpoint.formats import FOREIGN, Checkpoint, format_of, tokenizer_files
from model.checkpoint.marian_settings import common_settings, write_config
from model.checkpoint.marian_start import (
    with_marian_start,
    with_padding_last,
    with_source_matrix,
)
from model.config import ModelConfig
from model.errors import CheckpointError
from model.files import replacing
from model.text.alphabet import LetterTokenizer
from model.text.tokenizer import END, PAD, UNKNOWN
from model.transformer import Transformer


def save(
    folder: Path,
    model: Transformer | Checkpoint,
    tokenizer_folder: Path | None = None,
    card: str = "",
    *,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a model with its tokenizer, or a checkpoint in its original format.

    The embedding is stored once, the position table not at all. A model without a checkpoint needs
    the folder of its tokenizer. `card` is the text of README.md; without it none is written. A
    Marian checkpoint is written by `export_model`, always as float32.

    Raises:
        CheckpointError: a weight is too large for `dtype` or not a number, or the checkpoint's
        tokenizer is no longer in its folder.
    """
    form = None
    if isinstance(model, Checkpoint):
        _refuse_foreign(model)
        if model.format == "marian":
            return export_model(folder, model)
        if model.folder is None or not model.folder.is_dir():
            raise CheckpointError(f"The files of {model.name} are gone; give model and tokenizer.")
        form, tokenizer_folder, model = model.format, model.folder, model.model
    if tokenizer_folder is None:
        raise CheckpointError("A model is saved with its tokenizer; give the tokenizer's folder.")
    form = form or format_of(tokenizer_folder)
    weights = {}
    for name, weight in model.state_dict().items():
        weights[name] = weight.detach().to("cpu", dtype)
        if not weights[name].isfinite().all():
            raise CheckpointError(
                f"{name} holds a number that {dtype} cannot hold; nothing was saved."
            )
    tokenizer = {name: (tokenizer_folder / name).read_bytes() for name in tokenizer_files(form)}
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    for name, content in tokenizer.items():  # read first, since they may be in `folder` itself
        (folder / name).write_bytes(content)
    _write_json(folder / hub.CONFIG, {"format": form, **model.config.saved()})
    if card:
        (folder / "README.md").write_text(card, "utf-8")
    return None


def export_model(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a model as a folder that `transformers` opens unchanged.

    Its tokenizer is Marian's or, for a model of letters, a tokenizer.json.

    It becomes a Marian, a pre-norm model a Pegasus, one with learned positions a BART or one of its
    relatives, one with relative positions a T5 or umT5. Our models get Marian's padding
    (marian_start.py), so that CTranslate2 can convert them; those of other families keep their
    numbers.

    Raises:
        CheckpointError: a model that lacks a part of the paper, a pre-norm one
        with two vocabularies, or a folder that already has a model.
    """
    _refuse_foreign(checkpoint)
    if (folder / hub.CONFIG).exists():
        raise CheckpointError(f"{folder} holds a model already; give a new folder.")
    config, rules, pieces = checkpoint.model.config, checkpoint.rules, None
    state = {name: weight.cpu() for name, weight in checkpoint.model.state_dict().items()}
    family = family_of(config)
    if config.positions == "learned" and not config.tied and not config.src_vocab_size:
        state, config = with_source_matrix(state, config)
    elif family is None and checkpoint.format != "marian":
        state, config, rules = with_marian_start(state, config, rules)
        pieces = with_padding_last(checkpoint.tokenizer.pieces, config.pad_id)
    weights = weight_names.to_theirs(state, config)
    network = _network(config, family) if family else None
    values, generation = write_config(config, rules, checkpoint.suggested, network)
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(folder, weights)
    _write_json(folder / hub.CONFIG, values)
    _write_json(folder / hub.GENERATION, generation)
    _write_tokenizer(folder, checkpoint, pieces)


def _write_tokenizer(folder: Path, checkpoint: Checkpoint, pieces: list[str] | None) -> None:
    """Write the tokenizer as `transformers` reads it, with these pieces instead of its own."""
    tokenizer = checkpoint.tokenizer
    if isinstance(tokenizer, LetterTokenizer):
        text = tokenizer.to_tokenizers(pieces or tokenizer.pieces)
        (folder / "tokenizer.json").write_text(text, "utf-8")
        own: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast"}
    else:
        tokenizer.save_pair(folder, pieces)
        separate = tokenizer.has_two_vocabularies
        own = {"tokenizer_class": "MarianTokenizer", "separate_vocabs": separate}
    shared = {
        "model_max_length": checkpoint.model.config.max_positions,
        "unk_token": UNKNOWN,
        "eos_token": END,
        "pad_token": PAD,
    }
    _write_json(folder / "tokenizer_config.json", own | shared)


def _network(config: ModelConfig, family: str) -> dict[str, Any]:
    if config.positions == "relative":
        return t5_settings(config, family)
    return common_settings(config, family, FAMILIES[family].architecture)


def _refuse_foreign(checkpoint: Checkpoint) -> None:
    if checkpoint.format == FOREIGN:
        raise CheckpointError(
            f"{checkpoint.name} has a tokenizer of its own family, which Headlight reads but does "
            "not write; copy its folder, which `transformers` opens."
        )


def _write_weights(folder: Path, weights: dict[str, Tensor]) -> None:
    rows = {name: weight.contiguous() for name, weight in weights.items()}  # some lie by columns
    with replacing(folder / hub.WEIGHTS) as partial:
        save_file(rows, partial, metadata={"format": "pt"})


def _write_json(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", "utf-8")
