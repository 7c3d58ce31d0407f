"""Where the model runs. No GPU is needed: one that is full or wrong is played by the CPU."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from model import checkpoint, cli, device
from model.config import DecodeConfig
from model.device import NEAR, agrees, pick_device
from model.errors import ConfigError, is_out_of_memory
from model.explain import Explainer
from model.training.config import TrainConfig
from model.transformer import Transformer
from tests import tiny

FULL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
OTHER = RuntimeError("no kernel image is available for execution on the device")


@pytest.fixture(autouse=True)
def _tried_anew() -> Iterator[None]:
    agrees.cache_clear()
    yield
    agrees.cache_clear()


@pytest.fixture
def explainer(tmp_path: Any) -> Explainer:
    return Explainer.load(tiny.write_own(tmp_path / "own"), device="cpu")


# ------------------------------------------------------------------------------- which device


def test_a_device_that_is_not_there_is_refused() -> None:
    for name in ("cuda:99", "nonsense", "meta device"):
        with pytest.raises(ConfigError, match="not available"):
            pick_device(name)
    assert pick_device("cpu") == "cpu"


@pytest.mark.parametrize(
    ("there", "trusted", "expected"),
    [
        ("", "cuda mps", "cpu"),
        ("cuda", "cuda", "cuda"),
        ("cuda mps", "cuda mps", "cuda"),
        ("mps", "mps", "mps"),
        ("cuda mps", "mps", "mps"),
        ("mps", "", "cpu"),
    ],
)
def test_auto_is_cuda_then_mps_then_cpu(
    monkeypatch: pytest.MonkeyPatch, there: str, trusted: str, expected: str
) -> None:
    """A GPU that is there but gives other numbers than the CPU is passed over."""
    found = {name: lambda name=name: name in there.split() for name in device.GPUS}
    monkeypatch.setattr(device, "GPUS", found)
    monkeypatch.setattr(device, "agrees", lambda name: name in trusted.split())
    assert pick_device("auto") == expected


@pytest.mark.slow
def test_a_gpu_with_the_cpus_numbers_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = device._probe("cpu")
    monkeypatch.setattr(device, "_probe", lambda _: expected)
    assert agrees("cuda")


@pytest.mark.slow
@pytest.mark.parametrize("shift", [5 * NEAR, np.nan])
def test_a_gpu_with_other_numbers_is_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, shift: float
) -> None:
    expected = device._probe("cpu")
    made = {"cuda": np.where(np.arange(len(expected)) == 3, shift, 0) + expected, "cpu": expected}
    monkeypatch.setattr(device, "_probe", made.__getitem__)
    assert not agrees("cuda")
    assert "other numbers" in caplog.text


def test_a_gpu_that_cannot_run_the_model_is_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: str) -> None:
        raise OTHER

    monkeypatch.setattr(device, "_probe", broken)
    assert not agrees("cuda")
    assert "no kernel image" in caplog.text


@pytest.mark.slow
def test_the_probe_notices_one_wrong_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = device._probe("cpu")
    assert np.allclose(device._probe("cpu"), expected, atol=1e-6)
    load = checkpoint.load

    def damaged(*given: Any, **named: Any) -> checkpoint.Checkpoint:
        loaded = load(*given, **named)
        loaded.model.get_parameter("decoder.0.cross_attention.value.weight")[0] += 0.5
        return loaded

    monkeypatch.setattr(checkpoint, "load", damaged)
    assert np.abs(device._probe("cpu") - expected).max() > NEAR


# --------------------------------------------------------------------------- a GPU that is full


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (FULL, True),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9.06 GB)"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`"), True),
        (OTHER, False),
        (ValueError("out of memory"), False),
    ],
)
def test_full_is_told_from_broken(error: Exception, expected: bool) -> None:
    assert is_out_of_memory(error) == expected


def refusing(error: Exception) -> Any:
    """Transformer.to for a GPU that raises."""
    to = Transformer.to

    def moved(self: Transformer, place: Any, *more: Any) -> Transformer:
        if str(place) == "cuda":
            raise error
        return to(self, place, *more)

    return moved


@pytest.mark.slow
def test_a_model_too_large_for_the_gpu_is_opened_on_the_cpu(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tiny.write_own(tmp_path / "own")
    monkeypatch.setattr("model.explain.pick_device", lambda _: "cuda")
    monkeypatch.setattr(Transformer, "to", refusing(FULL))
    opened = Explainer.load(folder, device="cuda")
    assert opened.device == "cpu" and "too small" in caplog.text
    assert opened.explain(tiny.ENGLISH[0]).device == "cpu"
    monkeypatch.setattr(Transformer, "to", refusing(OTHER))
    with pytest.raises(RuntimeError, match="no kernel"):
        Explainer.load(folder, device="cuda")


def test_a_copy_on_the_cpu_says_the_same(explainer: Explainer) -> None:
    before = explainer.explain(tiny.ENGLISH[0])
    copy = explainer.on_cpu()
    after = copy.explain(tiny.ENGLISH[0])
    assert after is not before and (copy.device, copy.name) == ("cpu", explainer.name)
    assert after.trace.tgt_out.text == before.trace.tgt_out.text
    np.testing.assert_allclose(after.trace.log_prob, before.trace.log_prob, atol=1e-6)


def test_a_command_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    def work(_: TrainConfig) -> None:
        raise FULL

    assert cli.run(TrainConfig, work, [], prog="test", level=logging.WARNING) == 2
    said = capsys.readouterr().err
    assert "memory of the GPU is full" in said and "--batch-tokens" in said
    assert "Traceback" not in said

    def breaks(_: TrainConfig) -> None:
        raise OTHER

    with pytest.raises(RuntimeError):
        cli.run(TrainConfig, breaks, [], prog="test", level=logging.WARNING)


# ------------------------------------------------------------------- what a search asks of a GPU

WAITS = {  # for these the host waits until the GPU has done its work
    Tensor.cpu, Tensor.item, Tensor.tolist, Tensor.numpy, Tensor.__bool__, Tensor.__float__,
    Tensor.__int__, Tensor.nonzero, torch.equal, torch.nonzero,
}  # fmt: skip


class Waits(TorchFunctionMode):
    """Counts, by name, the waits for tensors of a pass; tokens and rows live on the CPU."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(
        self, function: Any, types: Any, given: Any = (), named: Any = None
    ) -> Any:
        if function in WAITS and (given[0].is_floating_point() or given[0].dtype == torch.bool):
            self.names.append(function.__name__)
        return function(*given, **(named or {}))


@pytest.mark.slow
@pytest.mark.parametrize("beams", [1, 4])
def test_a_step_copies_from_the_gpu_once(explainer: Explainer, beams: int) -> None:
    config = DecodeConfig(method="beam" if beams > 1 else "greedy", beam_size=beams, max_length=12)
    src = explainer.read(tiny.ENGLISH[0])
    encoded = explainer._passes.encode(src, explainer.explain(tiny.ENGLISH[0]).interventions)
    with Waits() as waits:
        found = explainer._passes._search(src, encoded, config, ())
    copies = [name for name in waits.names if name == "cpu"]
    assert len(found.steps) > 2 and len(copies) == len(found.steps)
    # What was copied is an array from then on; nothing else is waited for.
    assert set(waits.names) == {"cpu", "numpy"}
    assert waits.names.count("numpy") == len(copies)
