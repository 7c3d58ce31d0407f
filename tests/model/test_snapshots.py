"""Snapshots are a quarter of the size and near the weights that they were made of."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model import snapshots
from model.config import ModelConfig
from model.errors import CheckpointError
from model.transformer import Transformer
from tests.tiny import own_model


def test_every_weight_is_within_half_a_step_of_its_row(tmp_path: Path) -> None:
    model = own_model()
    snapshots.save(tmp_path / "0.10.safetensors", model)
    again = snapshots.load(tmp_path / "0.10.safetensors", model.config)
    for (name, a), b in zip(model.state_dict().items(), again.state_dict().values(), strict=True):
        step = a.abs().amax(-1, keepdim=True) / 127 if a.ndim == 2 else a.abs() / 1024
        assert ((a - b).abs() <= step / 2 + 1e-6).all(), name
    assert not any(parameter.requires_grad for parameter in again.parameters())


def test_it_takes_a_byte_a_weight(tmp_path: Path) -> None:
    model = Transformer(ModelConfig(vocab_size=2000))
    count = sum(parameter.numel() for parameter in model.parameters())
    snapshots.save(tmp_path / "s.safetensors", model)
    assert (tmp_path / "s.safetensors").stat().st_size < 1.03 * count


def test_a_broken_or_foreign_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "s.safetensors"
    with pytest.raises(CheckpointError, match="cannot be read"):
        snapshots.load(path, own_model().config)
    path.write_bytes(b"broken")
    with pytest.raises(CheckpointError, match="cannot be read"):
        snapshots.load(path, own_model().config)
    snapshots.save(path, own_model())
    with pytest.raises(CheckpointError, match="belongs to another model"):
        snapshots.load(path, ModelConfig(vocab_size=420, d_model=32))


def test_what_it_computes_is_near(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Transformer(ModelConfig(vocab_size=200)).eval()
    snapshots.save(tmp_path / "s.safetensors", model)
    again = snapshots.load(tmp_path / "s.safetensors", model.config)
    src, tgt = torch.randint(3, 200, (1, 6)), torch.randint(3, 200, (1, 5))
    a, b = (m(src, tgt).log_softmax(-1) for m in (model, again))
    assert (a - b).abs().max() < 0.1
    assert (a - b).abs().max() > 1e-6  # rounded, and the page says so
