"""Snapshots: the weights of a model along its training, small enough to ship several.

Each row of a matrix is kept as whole numbers from -127 to 127 times a scale of its own, a byte a
weight; vectors (biases, norms) stay as they are. The page must say so where it shows one: its
numbers are those of the rounded weights. The file is safetensors inside gzip, which takes away
another twentieth.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from model.config import ModelConfig
from model.errors import CheckpointError
from model.transformer import Transformer

SCALE = ".scale"
ENDING = ".safetensors.gz"


def place(folder: Path, share: float) -> Path:
    """Where the weights at a share of the training are kept, within a model's or run's folder."""
    return folder / "snapshots" / f"{share:.2f}{ENDING}"


def shares(folder: Path) -> tuple[float, ...]:
    """The shares of the training at which weights were kept, in order: 0.1 after a tenth of it."""
    names = [path.name.removesuffix(ENDING) for path in folder.glob(f"snapshots/*{ENDING}")]
    return tuple(sorted(float(name) for name in names if name.replace(".", "", 1).isdigit()))


def rounded(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same weights in a byte each, with a scale for each row; vectors in half precision."""
    small: dict[str, Tensor] = {}
    for name, weight in weights.items():
        weight = weight.detach().float().cpu()
        if weight.ndim < 2:
            small[name] = weight.half()
            continue
        scale = weight.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
        small[name] = (weight / scale).round().to(torch.int8)
        small[name + SCALE] = scale
    return small


def restored(small: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights as numbers again, from what `rounded` made of them."""
    return {
        name: weight.float() * small.get(name + SCALE, torch.ones(()))
        for name, weight in small.items()
        if not name.endswith(SCALE)
    }


def save(path: Path, model: Transformer) -> None:
    """Write the weights of a model in a byte each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")  # so that a stop leaves no half of a file
    small = safetensors.torch.save(rounded(model.state_dict()))
    partial.write_bytes(gzip.compress(small, mtime=0))
    partial.replace(path)


def load(path: Path, config: ModelConfig) -> Transformer:
    """The model of a snapshot, in eval mode; `config` is that of the model it belongs to.

    Raises:
        CheckpointError: the file is missing or damaged, or does not fit the config.
    """
    try:
        small = safetensors.torch.load(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, zlib.error, safetensors.SafetensorError) as error:
        raise CheckpointError(f"The snapshot {path.name} cannot be read: {error}.") from error
    model = Transformer(config)
    try:
        model.load_state_dict(restored(small))
    except RuntimeError as error:
        raise CheckpointError(
            f"The snapshot {path.name} belongs to another model: {error}."
        ) from error
    return model.eval().requires_grad_(False)
