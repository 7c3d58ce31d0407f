"""Finding a model: in a local folder or in a repository of the Hugging Face Hub.

Only this file talks to the Hub. It knows which files a model needs, not their contents.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import CheckpointError
from model.text import kinds

log = logging.getLogger(__name__)

CONFIG, GENERATION = "config.json", "generation_config.json"
WEIGHTS, PICKLED = "model.safetensors", "pytorch_model.bin"
INDEX = "model.safetensors.index.json"  # the index of weights in several files
PICKLED_INDEX = "pytorch_model.bin.index.json"
ANY_WEIGHTS = (WEIGHTS, INDEX, PICKLED, PICKLED_INDEX)  # the first that is there is read
SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors", re.ASCII)
PICKLED_SHARD = re.compile(r"pytorch_model-\d{5}-of-\d{5}\.bin", re.ASCII)
JOINT_TOKENIZER, PAIRED_TOKENIZER = "tokenizer.model", ("source.spm", "target.spm")
MARIAN_TOKENIZER = (*PAIRED_TOKENIZER, "vocab.json")
TARGET_VOCABULARY, TOKENIZER_CONFIG = "target_vocab.json", "tokenizer_config.json"
ADDED_TOKENS, SPECIAL_TOKENS = "added_tokens.json", "special_tokens_map.json"
ADAPTER_CONFIG, BASE = "adapter_config.json", "base_model_name_or_path"  # of a LoRA, and in it
ADAPTER = ("adapter_model.safetensors", "adapter_model.bin")
LETTERS = "letters.json"
FILES = [CONFIG, GENERATION, WEIGHTS, INDEX, JOINT_TOKENIZER, LETTERS, *MARIAN_TOKENIZER]
FILES += [PICKLED_INDEX, TARGET_VOCABULARY, TOKENIZER_CONFIG, ADDED_TOKENS, SPECIAL_TOKENS]
FILES += [ADAPTER_CONFIG, *ADAPTER]
FILES += ["tokenizer.json", "vocab.txt", "merges.txt", "sentencepiece.bpe.model", "spiece.model"]

MERGE = "Merge it with peft (merge_and_unload, save_pretrained) and open the result."
# A part may not start with a dot: "../x" is a path, and must never become part of a URL.
_NAME = re.compile(r"([\w-][\w.-]*/[\w-][\w.-]*)(?:@(.*))?", re.ASCII)
_REVISION = re.compile(r"\w[\w./-]*", re.ASCII)
_PAIR = re.compile(r"[a-z]{2,3}[-_>]{1,2}[a-z]{2,3}", re.ASCII | re.IGNORECASE)  # of languages
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class ModelLocation:
    """A folder with a model; `revision` is the commit of a Hub model, None for a folder."""

    folder: Path
    name: str
    revision: str | None = None

    @property
    def source(self) -> str:
        """Where the model came from, for people: the page shows it."""
        if self.revision is None:
            return f"folder {self.name}"
        return f"huggingface.co/{self.name} at {self.revision[:12]}"


def check(name_or_path: str) -> None:
    """Check, without the network, for a model's folder or a valid Hub name.

    Raises:
        CheckpointError: it is neither.
    """
    if not os.path.isdir(name_or_path):
        _parse(name_or_path)
    elif not any(os.path.isfile(os.path.join(name_or_path, n)) for n in (CONFIG, ADAPTER_CONFIG)):
        raise CheckpointError(without_config(Path(name_or_path)))


def without_config(folder: Path) -> str:
    """Why a folder is no model, and what to do."""
    told = kinds.of_folder(folder) or "Give a folder with a model in it."
    return (
        f"There is no {CONFIG} in the folder {kinds.short(kinds.title(folder.resolve()))}. {told}"
    )


def find(name_or_path: str | Path, revision: str | None = None) -> ModelLocation:
    """Find a model: an existing folder, or a Hub name such as "name" or "name@revision".

    Raises:
        CheckpointError: there is neither, or the Hub refuses it or cannot be reached.
    """
    text = str(name_or_path)
    if os.path.isdir(text):  # not Path.is_dir, which raises for a name that is too long
        if revision is not None:
            raise CheckpointError(
                f"{text} is a folder, and a folder has no revision {revision}; leave it out."
            )
        return ModelLocation(Path(text), kinds.title(Path(text).resolve()))
    name, behind = _parse(name_or_path)
    if behind is not None and revision not in (None, behind):
        raise CheckpointError(f"{text} names one revision and {revision} is another; give one.")
    wanted = revision if behind is None else behind
    if wanted is not None and (".." in wanted or not _REVISION.fullmatch(wanted)):
        raise CheckpointError(
            f"{wanted!r} is not a revision; give a commit, a branch or a tag of {name}."
        )
    return _download(name, wanted)


def cached(name: str, revision: str | None = None) -> ModelLocation | None:
    """A model of the Hub that is in its cache; None if it is not, or is no name of the Hub."""
    if not _NAME.fullmatch(name) or ".." in name:
        return None
    import huggingface_hub  # imported here, as below

    try:
        folder = huggingface_hub.snapshot_download(
            name, revision=revision, allow_patterns=FILES, local_files_only=True
        )
    except Exception:  # the client has an error of its own for each reason
        return None
    found = Path(folder)
    commit = found.name if _COMMIT.fullmatch(found.name) else None
    return ModelLocation(found, name, commit) if (found / CONFIG).exists() else None


def base_of(location: ModelLocation, settings: Mapping[str, Any]) -> ModelLocation:
    """The model that an adapter changes: that of the same folder, as in `transformers`, else the
    one that is named: a folder, one beside the adapter's, or in the Hub's cache.

    Raises:
        CheckpointError: it is not here.
    """
    if any((location.folder / name).exists() for name in ANY_WEIGHTS):
        return location
    base = settings.get(BASE)
    if not isinstance(base, str) or not base:
        raise CheckpointError(f"{location.name} is a LoRA that names no base. {MERGE}")
    beside = location.folder.resolve().parent / Path(base).name
    for folder in (Path(base), beside):
        if folder.resolve() != location.folder.resolve() and (folder / CONFIG).is_file():
            return find(folder)
    revision = settings.get("revision")
    found = cached(base, revision if isinstance(revision, str) else None)
    if found is None:
        raise CheckpointError(
            f"{location.name} is a LoRA of {kinds.short(base)}, which is no folder here and not in "
            f"the Hub's cache. Open that model once, or put its folder beside. {MERGE}"
        )
    return found


def base_beside(folder: Path) -> tuple[str, Path] | None:
    """The base of a LoRA's folder: its name where it lies beside that, and where it lies now.

    None for a folder that is a whole model.

    Raises:
        CheckpointError: the base is not here, or has no name.
    """
    path = folder / ADAPTER_CONFIG
    if not path.exists():
        return None
    location = find(folder)
    try:
        settings = json.loads(path.read_text("utf-8"))
        base = base_of(location, settings)
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise CheckpointError(kinds.instead(path, "JSON", error)) from None
    if base == location:
        return None
    name = Path(settings[BASE]).name
    if name in ("", ".."):
        raise CheckpointError(
            f"{location.name} is a LoRA of {settings[BASE]!r}; expected the name of its base in "
            f"{ADAPTER_CONFIG}."
        )
    return name, base.folder


def _parse(name_or_path: str | Path) -> tuple[str, str | None]:
    """Split a Hub name into name and revision."""
    text = str(name_or_path)
    if os.path.isfile(text):
        kind = kinds.of_file(Path(text))
        what = kind.what if kind else "a file"
        step = kind.step if kind else ""
        raise CheckpointError(
            f"{kinds.short(text)} is {what}; give the folder that holds {CONFIG}. {step}".rstrip()
        )
    match = _NAME.fullmatch(text)
    if isinstance(name_or_path, Path) or match is None or ".." in match[1]:
        raise CheckpointError(
            f"There is no folder {text!r}. Give a folder that exists, or a Hub name of the form "
            f"organisation/model, with @revision behind it if you like.{_pairs(text)}"
        )
    return match[1], match[2]


def _pairs(text: str) -> str:
    """The names of the shipped models, where a text looks like one."""
    from model import shipped  # which needs this file

    return f" Headlight has {', '.join(shipped.names())}." if _PAIR.fullmatch(text) else ""


def _download(name: str, revision: str | None) -> ModelLocation:
    """Fetch only the files that a model needs, from the cache if possible."""
    location = _snapshot(name, revision, FILES)
    if not (location.folder / WEIGHTS).exists():
        # Weights in several files; old repositories have only a pickle.
        files = _shards(location.folder, INDEX, SHARD)
        files = files or _shards(location.folder, PICKLED_INDEX, PICKLED_SHARD) or [PICKLED]
        location = _snapshot(name, location.revision or revision, files)
    log.info("model %s at %s", location.name, location.revision)
    return location


def _shards(folder: Path, name: str, shard: re.Pattern[str]) -> list[str]:
    """The files listed in an index; none if there is no usable index."""
    try:
        index = (folder / name).read_text("utf-8")
        found = {str(file) for file in json.loads(index)["weight_map"].values()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    return sorted(file for file in found if shard.fullmatch(file))


def _snapshot(name: str, revision: str | None, files: list[str]) -> ModelLocation:
    # Imported here because a model in a folder needs no Hub, and this import is slow.
    import huggingface_hub
    from huggingface_hub import errors

    at = f" at revision {revision}" if revision else ""
    try:
        folder = huggingface_hub.snapshot_download(name, revision=revision, allow_patterns=files)
    except errors.GatedRepoError:
        reason = "is gated: accept its terms on its page of the Hub and log in, or choose another."
    except errors.RepositoryNotFoundError:
        reason = (
            "is not on the Hub, or is private, and there is no folder of that name here. Check the "
            "spelling; for a private model, log in first."
        )
    except errors.RevisionNotFoundError:
        reason = "does not exist: the Hub has the model, but not that revision."
    except errors.HFValidationError:
        reason = "is not a name that the Hub can have."
    except errors.LocalEntryNotFoundError as error:
        if isinstance(error.__cause__, errors.OfflineModeIsEnabled):
            reason = (
                "is not in the cache, and HF_HUB_OFFLINE is set. Unset it, or load the model once "
                "while online."
            )
        else:
            reason = (
                "is not in the cache, and the Hub cannot be reached. Check the network and try "
                "again, or give a folder."
            )
    except Exception as error:  # the client passes on errors of its HTTP library, whichever it is
        log.warning("download of %s failed", name, exc_info=error)
        reason = f"could not be downloaded ({type(error).__name__}). Try again, or give a folder."
    else:
        commit = Path(folder).name
        return ModelLocation(Path(folder), name, commit if _COMMIT.fullmatch(commit) else None)
    raise CheckpointError(f"The model {name}{at} {reason}")
