"""Times of a layer: of the right layer, at the right lengths, the fastest of several."""

from __future__ import annotations

import types

import pytest
import torch

from model.config import ModelConfig
from model.device import synchronize
from model.labs import timing
from model.labs.timing import layer_times
from model.transformer import Transformer


@pytest.fixture(scope="module")
def model() -> Transformer:
    config = ModelConfig(vocab_size=20, d_model=16, n_heads=2, d_ff=32, n_encoder_layers=2)
    return Transformer(config).eval()


def test_every_length_is_run_through_the_first_layer(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[tuple[int, ...]] = []
    real = model.encoder[0].forward

    def watched(x: torch.Tensor, mask: torch.Tensor | None) -> object:
        shapes.append(tuple(x.shape))
        return real(x, mask)

    monkeypatch.setattr(model.encoder[0], "forward", watched)
    monkeypatch.setattr(timing, "MIN_SECONDS", 0.0)
    found = layer_times(model, (3, 5))
    assert found.lengths == (3, 5) and len(found.seconds) == 2
    assert shapes == [(1, 3, 16)] * (timing.MIN_REPEATS + 1) + [(1, 5, 16)] * (
        timing.MIN_REPEATS + 1
    )
    assert (found.d_model, found.n_heads, found.d_ff) == (16, 2, 32)


def test_the_minimum_is_reported(model: Transformer, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([5.0, 0.02, 3.0, 0.5, 0.4, 0.3, 0.2])
    monkeypatch.setattr(timing, "_seconds", lambda layer, x: next(runs))
    assert layer_times(model, (2,)).seconds == (0.02,)


def test_short_runs_are_repeated_but_not_for_ever(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []

    def short(layer: object, x: object) -> float:
        runs.append(1)
        return 1e-9

    monkeypatch.setattr(timing, "_seconds", short)
    layer_times(model, (2,))
    assert len(runs) == timing.MAX_REPEATS


@pytest.mark.parametrize("kind", ["cuda", "mps", "xpu"])
def test_a_gpu_of_any_make_is_waited_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[str] = []
    fake = types.SimpleNamespace(synchronize=lambda: waited.append(kind))
    monkeypatch.setattr(torch, kind, fake, raising=False)
    synchronize(torch.device(kind))
    synchronize(torch.device("cpu"))
    assert waited == [kind]


def test_both_ends_of_a_run_are_waited_for(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[torch.device] = []
    monkeypatch.setattr(timing, "synchronize", waited.append)
    monkeypatch.setattr(timing, "MIN_SECONDS", 0.0)
    layer_times(model, (2,))
    assert len(waited) == 2 * timing.MIN_REPEATS
