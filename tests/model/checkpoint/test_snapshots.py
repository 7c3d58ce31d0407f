"""Snapshots are a quarter of the size and near the weights that they were made of."""

from __future__ import annotations

import gzip
import threading
import tracemalloc
from pathlib import Path

import pytest
import torch

from model.checkpoint import snapshots
from model.checkpoint.weights import empty_model
from model.config import DecodeConfig, ModelConfig
from model.errors import CheckpointError, InputError
from model.explain import Explainer
from model.transformer import Transformer
from tests import tiny
from tests.tiny import own_model


def test_every_weight_is_within_half_a_step_of_its_row(tmp_path: Path) -> None:
    model = own_model()
    snapshots.save(tmp_path / "0.10.safetensors", model)
    again = snapshots.load(tmp_path / "0.10.safetensors", model.config)
    for (name, a), b in zip(model.state_dict().items(), again.state_dict().values(), strict=True):
        step = a.abs().amax(-1, keepdim=True) / 127 if a.ndim == 2 else a.abs() / 1024
        assert ((a - b).abs() <= step / 2 + 1e-6).all(), name
    assert not any(parameter.requires_grad for parameter in again.parameters())


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_it_computes_is_near(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Transformer(ModelConfig(vocab_size=200)).eval()
    snapshots.save(tmp_path / "s.safetensors", model)
    again = snapshots.load(tmp_path / "s.safetensors", model.config)
    src, tgt = torch.randint(3, 200, (1, 6)), torch.randint(3, 200, (1, 5))
    a, b = (m(src, tgt).log_softmax(-1) for m in (model, again))
    assert (a - b).abs().max() < 0.1
    assert (a - b).abs().max() > 1e-6  # rounded, and the page says so


def test_the_shares_of_a_folder_are_in_order(tmp_path: Path) -> None:
    assert snapshots.training_fractions(tmp_path) == ()
    for share in (0.31, 0.0, 0.03):
        snapshots.save(snapshots.path(tmp_path, share), own_model())
    (tmp_path / "snapshots" / "notes.safetensors.gz").write_bytes(b"")
    assert snapshots.training_fractions(tmp_path) == (0.0, 0.03, 0.31)


def test_a_file_that_is_cut_off_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "s.safetensors.gz"
    snapshots.save(path, own_model())
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(CheckpointError, match="cannot be read"):
        snapshots.load(path, own_model().config)


@pytest.mark.slow
def test_an_explainer_as_it_was(tmp_path: Path) -> None:
    folder = tiny.write_own(tmp_path / "tiny")
    assert Explainer.load(folder, device="cpu").training_fractions == (1.0,)
    torch.manual_seed(5)
    now = Explainer.load(folder, device="cpu")
    before = Transformer(now.model.config).eval()
    snapshots.save(snapshots.path(folder, 0.1), before)
    assert now.training_fractions == (0.1, 1.0)
    assert now.at(1.0) is now
    then = now.at(0.1)
    assert then is now.at(0.1), "loaded twice"
    assert then.training_fractions == (1.0,)
    kept = snapshots.load(snapshots.path(folder, 0.1), now.model.config).state_dict()
    for name, weight in then.model.state_dict().items():
        torch.testing.assert_close(weight, kept[name], rtol=0, atol=0)
    with pytest.raises(InputError, match=r"0\.2"):
        now.at(0.2)


@pytest.mark.slow
def test_a_small_file_cannot_fill_the_memory(tmp_path: Path) -> None:
    path, config = tmp_path / "s.safetensors.gz", own_model().config
    path.write_bytes(gzip.compress(bytes(200_000_000)))
    assert path.stat().st_size < 300_000
    empty_model(config)  # torch imports what it needs for this, once
    tracemalloc.start()
    with pytest.raises(CheckpointError, match=r"holds more than .* bytes; its model needs no more"):
        snapshots.load(path, config)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


@pytest.mark.slow
def test_nobody_else_waits_while_a_snapshot_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny.write_own(tmp_path / "tiny")
    now = Explainer.load(folder, device="cpu")
    snapshots.save(snapshots.path(folder, 0.1), now.model)
    snapshots.save(snapshots.path(folder, 0.2), now.model)
    real, begun, go_on = snapshots.load, threading.Event(), threading.Event()

    def slow(path: Path, config: ModelConfig) -> Transformer:
        if "0.10" in path.name:
            begun.set()
            assert go_on.wait(60)
        return real(path, config)

    monkeypatch.setattr(snapshots, "load", slow)
    found: list[Explainer] = []
    waiting = [threading.Thread(target=lambda: found.append(now.at(0.1))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert begun.wait(60)
    now.explain("I am a frog.", DecodeConfig(method="greedy", max_length=3))  # neither this
    now.at(0.2)  # nor another fraction waits
    assert not found
    go_on.set()
    for thread in waiting:
        thread.join()
    assert len(found) == 2 and found[0] is found[1], "loaded twice"
