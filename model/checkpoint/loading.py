"""Open a model's folder or Hub name: read and compare its settings, tokenizer and weights.

No file is trusted: sizes are checked before anything big is built.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from pathlib import Path
from typing import Any

import torch

from model import hub, shipped
from model.checkpoint import families, weight_names
from model.checkpoint.families import FAMILIES
from model.checkpoint.foreign_tokens import read_tokenizer
from model.checkpoint.formats import (
    FOREIGN,
    FORMAT,
    FORMATS,
    Checkpoint,
    Note,
    own_rules,
    tokenizer_files,
)
from model.checkpoint.generation import of_config, read_rules, read_suggestions
from model.checkpoint.lora import Adapter, open_adapter
from model.checkpoint.marian_settings import TYPES, read_config, start_of
from model.checkpoint.marian_tokens import check_tokenizer
from model.checkpoint.token_files import TokenFiles
from model.checkpoint.weights import empty_model, fill, listed, placed, read_weights, shapes_of
from model.config import SIDES, ModelConfig
from model.errors import CheckpointError, ConfigError, quote, reason
from model.linear import lay_out
from model.text import kinds
from model.text.added import AddedTokens, numbered
from model.text.alphabet import LETTERS_FORMAT, LetterTokenizer
from model.text.foreign import ForeignTokenizer
from model.text.tokenizer import Tokenizer
from model.transformer import Transformer

log = logging.getLogger(__name__)

TASKS = "task_specific_params"  # in config.json of T5
CLASS = "tokenizer_class"  # in tokenizer_config.json, or in config.json
MAX_JSON = 1_000_000  # bytes; a config has two thousand
MAX_TOKENIZER = 16_000_000  # bytes of each of its files; the vocabulary of OPUS-MT has 1.5 million


def load(
    name_or_path: str | Path, *, device: str | torch.device = "cpu", revision: str | None = None
) -> Checkpoint:
    """Open a folder in our format or a family's of families.py, or a Hub name "org/model@revision".

    A text that is the name of a shipped model ("en-zh") opens that one.

    Raises:
        CheckpointError: the model cannot be found or read, or its files do not match; the message
        says what to do.
    """
    location = hub.find(shipped.place(name_or_path), revision)
    for name in hub.FILES:  # reading a named pipe would wait for ever
        path = location.folder / name
        if path.exists() and not path.is_file():
            raise CheckpointError(f"{location.name}/{name} is no regular file; copy it again.")
    adapter, base = _adapter(location), location
    if adapter:
        base = adapter.base
    values = _read_json(base.folder / hub.CONFIG)
    try:
        if "format" not in values:
            has_own = (location.folder / hub.TOKENIZER_CONFIG).exists()  # saved with the adapter
            loaded = _load_foreign(base, location if has_own else base, values, adapter)
        elif adapter is None:
            loaded = _load_own(location, values)
        else:
            raise CheckpointError(
                f"{location.name} is a LoRA of {base.name}, a model of Headlight's own, whose maps "
                "have other names than in transformers. Export the model first."
            )
    except ConfigError as error:
        raise CheckpointError(f"The settings of {location.name} cannot be used. {error}") from error
    if adapter:
        notes = (*loaded.notes, Note("adapter", {})) if base == location else loaded.notes
        source = f"{location.source}, a LoRA of {base.name}"
        loaded = dataclasses.replace(loaded, name=location.name, source=source, notes=notes)
    loaded = dataclasses.replace(loaded, folder=location.folder)
    lay_out(placed(loaded.model, device))
    sizes = (weight.numel() for weight in loaded.model.parameters())
    log.info("loaded %s: %d parameters", location.source, sum(sizes))
    return loaded


def _adapter(location: hub.ModelLocation) -> Adapter | None:
    """The LoRA of a folder, if there is one."""
    path = location.folder / hub.ADAPTER_CONFIG
    return open_adapter(location, _read_json(path)) if path.exists() else None


def _load_own(location: hub.ModelLocation, values: dict[str, Any]) -> Checkpoint:
    if values["format"] not in FORMATS:
        raise CheckpointError(
            f"{location.name} has the format {quote(values['format'])}; this Headlight reads "
            f"{' and '.join(FORMATS)}. A newer Headlight may have written it."
        )
    config = ModelConfig.from_dict({k: v for k, v in values.items() if k != "format"})
    files = tokenizer_files(values["format"])
    tokenizer = _load_tokenizer(location, config, files, values["format"])
    if config.start_id != tokenizer.start_id:
        raise CheckpointError(
            f"{location.name}: start_id is {config.start_id}, but the tokenizer's is "
            f"{tokenizer.start_id}; they belong to different models."
        )
    model = empty_model(config)
    shapes = shapes_of(model)
    weights, _ = read_weights(location, lambda names: (shapes, {}))
    fill(model, weights)
    rules, form = own_rules(tokenizer), values["format"]
    return Checkpoint(
        model, tokenizer, rules, location.name, location.revision, location.source, format=form
    )


def _load_foreign(
    location: hub.ModelLocation,
    tokens: hub.ModelLocation,
    values: dict[str, Any],
    adapter: Adapter | None,
) -> Checkpoint:
    """Open a Marian, or one of `FAMILIES`; these may have Marian's tokenizer, too.

    The tokenizer is that of the folder `tokens`.
    """
    path = location.folder / hub.GENERATION
    generation = _read_json(path) if path.exists() else None
    model_type = values.get("model_type")
    has_marians = (tokens.folder / hub.MARIAN_TOKENIZER[0]).exists()
    notes: list[Note] = []
    if model_type in [name for name, _ in TYPES.values()] and (
        has_marians or model_type not in FAMILIES
    ):
        config = read_config(values, generation)
        old = {"forced_eos_token_id": config.end_id, **of_config(values)}
    elif isinstance(model_type, str) and model_type in FAMILIES:
        config = families.read_config(location.name, values, generation)
        old = {**FAMILIES[model_type].defaults, **of_config(values)}
    else:
        raise families.refuse(location.name, model_type, values.get("architectures"))
    settings = old if generation is None else generation
    rules = read_rules(config, settings, bans_padding=has_marians)
    if has_marians or model_type not in FAMILIES:
        tokenizer = _load_marians(tokens, config)
    else:
        files = _token_files(tokens, values, config)
        if files.odd_class:
            notes.append(Note("class", {"name": files.odd_class}))
        tokenizer, place = read_tokenizer(files, config, rules, start_of(old, generation))
        _check_numbers(tokens, config, tokenizer)
        rules = dataclasses.replace(rules, language=place)
    model, left_out = _filled(location, config, adapter)
    if left_out:
        notes.append(Note("left_out", {"count": len(left_out), "names": listed(left_out)}))
    names = (location.name, location.revision, location.source)
    form = "marian" if not isinstance(tokenizer, ForeignTokenizer) else FOREIGN
    return Checkpoint(
        model, tokenizer, rules, *names, read_suggestions(config, settings), format=form,
        names_beams=settings.get("num_beams") is not None, notes=tuple(notes),
    )  # fmt: skip


def _token_files(
    location: hub.ModelLocation, values: dict[str, Any], config: ModelConfig
) -> TokenFiles:
    """The tokenizer's files of one of `FAMILIES`; `values` are those of config.json."""
    asked, tasks = _optional(location, hub.TOKENIZER_CONFIG), values.get(TASKS)
    asked[CLASS] = asked.get(CLASS) or values.get(CLASS)  # mBART-50's stands there alone
    tasks = tasks if isinstance(tasks, dict) else {}
    return TokenFiles(location.folder, values["model_type"], asked, tasks, config.vocab_size)


def _filled(
    location: hub.ModelLocation, config: ModelConfig, adapter: Adapter | None
) -> tuple[Transformer, list[str]]:
    """A model of `transformers` with its weights, and the names of those that are left out."""
    model = empty_model(config)
    weights, left_out = read_weights(
        location,
        lambda names: weight_names.expected(config, shapes_of(model), names),
        lambda names: weight_names.full_names(config, names),
        lambda name: weight_names.is_spare(config, name),
    )
    weights = adapter.merged(weights) if adapter else weights
    own = weight_names.with_own_output(config, weights)
    model = model if own == config else empty_model(own)
    fill(model, weight_names.to_ours(weights, own))
    return model, left_out


def _load_marians(location: hub.ModelLocation, config: ModelConfig) -> Tokenizer:
    """Marian's tokenizer, with the tokens that were added to it."""
    tokenizer = _load_tokenizer(location, config, _marian_files(location.folder))
    asked = _optional(location, hub.TOKENIZER_CONFIG)
    check_tokenizer(asked)
    files = TokenFiles(location.folder, "marian", asked, {}, config.vocab_size)
    added = numbered(files.added(), dict(tokenizer.numbers))
    if own := {token: how for token, how in added.items() if how.number < config.vocab_size}:
        tokenizer.add(AddedTokens(own))
    return tokenizer


def _optional(location: hub.ModelLocation, name: str) -> dict[str, Any]:
    """The settings of a file that may be missing."""
    path = location.folder / name
    return _read_json(path) if path.exists() else {}


def _marian_files(folder: Path) -> tuple[str, ...]:
    """The files of a Marian tokenizer; there is a fourth if the target has its own vocabulary."""
    path = folder / hub.TOKENIZER_CONFIG
    separate = path.exists() and _read_json(path).get("separate_vocabs") is True
    return (*hub.MARIAN_TOKENIZER, hub.TARGET_VOCABULARY) if separate else hub.MARIAN_TOKENIZER


def _load_tokenizer(
    location: hub.ModelLocation, config: ModelConfig, files: tuple[str, ...], form: str = FORMAT
) -> Tokenizer:
    """The tokenizer, checked against the config."""
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
    _check_numbers(location, config, tokenizer)
    return tokenizer


def _check_numbers(location: hub.ModelLocation, config: ModelConfig, tokenizer: Tokenizer) -> None:
    """Compare a tokenizer with the config: different numbers would shift every word."""
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


def _read_json(path: Path) -> dict[str, Any]:
    name = f"{kinds.title(path.parent)}/{path.name}"
    try:
        if path.stat().st_size > MAX_JSON:
            raise CheckpointError(f"{name} has more than {MAX_JSON} bytes; that is not a config.")
        if kinds.of_file(path):
            raise CheckpointError(kinds.instead(path, "JSON"))
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise CheckpointError(hub.without_config(path.parent)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{name} cannot be read as JSON ({reason(error)}); copy it again."
        ) from error
    if not isinstance(values, dict):
        raise CheckpointError(f"{name} must be a JSON object, not {type(values).__name__}.")
    return values
