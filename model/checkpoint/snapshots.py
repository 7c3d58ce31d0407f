"""Snapshots: the weights of a model at points of its training, small enough to ship several of
them.

Each row of a matrix is stored as whole numbers from -127 to 127 and one scale, so a weight takes a
byte; vectors (biases, norms) are stored in half precision. A view of such a model must say that its
weights are rounded. The file is gzipped safetensors; gzip saves another twentieth.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from model.checkpoint.weights import empty_model, fill
from model.config import ModelConfig
from model.errors import CheckpointError, reason
from model.files import replacing
from model.transformer import Transformer

SCALE = ".scale"
ENDING = ".safetensors.gz"


def path(folder: Path, training_fraction: float) -> Path:
    """The file of the weights at a fraction of the training, in a model's or run's folder."""
    return folder / "snapshots" / f"{training_fraction:.2f}{ENDING}"


def training_fractions(folder: Path) -> tuple[float, ...]:
    """The fractions of the training at which weights were kept, in order: 0.1 is a tenth."""
    names = [file.name.removesuffix(ENDING) for file in folder.glob(f"snapshots/*{ENDING}")]
    return tuple(sorted(float(name) for name in names if name.replace(".", "", 1).isdigit()))


def rounded(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Round the weights to a byte each, with a scale for each row; vectors to half precision."""
    small: dict[str, Tensor] = {}
    for name, weight in weights.items():
        weight = weight.detach().float().cpu()
        if weight.ndim < 2:
            small[name] = weight.half()
            continue
        scale = weight.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
        small[name] = (weight / scale).round().to(torch.int8).contiguous()
        small[name + SCALE] = scale
    return small


def restored(small: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights as float32, from the result of `rounded`."""
    return {
        name: weight.float() * small.get(name + SCALE, torch.ones(()))
        for name, weight in small.items()
        if not name.endswith(SCALE)
    }


def save(file: Path, model: Transformer) -> None:
    """Write the weights of a model, one byte each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    small = safetensors.torch.save(rounded(model.state_dict()))
    with replacing(file) as partial:
        partial.write_bytes(gzip.compress(small, mtime=0))


def load(file: Path, config: ModelConfig) -> Transformer:
    """The model of a snapshot, in eval mode; `config` is that of the model it belongs to.

    Raises:
        CheckpointError: the file is missing or damaged, or does not fit the config.
    """
    model = empty_model(config)
    shapes = {name: w.shape for name, w in model.state_dict().items()}
    try:
        small = safetensors.torch.load(_inflated(file, _max_bytes(shapes)))
    except (OSError, EOFError, zlib.error, safetensors.SafetensorError) as error:
        raise CheckpointError(
            f"The snapshot {file.name} cannot be read: {reason(error)}."
        ) from error
    weights = restored(small)
    if {name: w.shape for name, w in weights.items()} != shapes:
        raise CheckpointError(f"The snapshot {file.name} belongs to another model.")
    fill(model, weights)
    return model


def _max_bytes(shapes: dict[str, torch.Size]) -> int:
    """The size of the weights in the form of `rounded`, plus room for the names."""
    numbers = sum(2 * shape.numel() + 4 * shape[0] for shape in shapes.values())
    return numbers + 1_000 * len(shapes)


def _inflated(file: Path, most: int) -> bytes:
    """Return the content of a gzip file.

    Raises:
        CheckpointError: more than `most` bytes; a small file could be made to fill the memory.
    """
    with gzip.open(file) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise CheckpointError(
            f"The snapshot {file.name} holds more than {most:,} bytes; its model needs no more."
        )
    return content
