"""Linear maps in every way that `tuning` may choose, and hooks that would never be called."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from model import tuning
from model.config import ModelConfig
from model.errors import ConfigError
from model.modules import MAX_FEW_ROWS, Direct, Dropout, LayerNorm, Linear, product
from model.transformer import Transformer
from model.tuning import Choice, fastest, measured, transposed, tune
from tests.tiny import own_model

SHAPES = [(256, 256), (512, 256), (256, 512), (4000, 256), (7, 5)]
CHOICES: tuple[Choice, ...] = ("linear", "transposed", "columns")


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("with_bias", [True, False])
def test_every_way_is_the_linear_map(
    choice: Choice, shape: tuple[int, int], with_bias: bool
) -> None:
    """Within 1e-6 of the largest number of `F.linear`, for few rows and many, in any form."""
    generator = torch.Generator().manual_seed(shape[0])
    weight = torch.randn(*shape, generator=generator)
    bias = torch.randn(shape[0], generator=generator) if with_bias else None
    laid_out = transposed(weight) if choice == "transposed" else weight
    way = "columns" if choice == "columns" else "linear"
    assert torch.equal(laid_out, weight)
    for form in ((1, 1), (4, 1), (MAX_FEW_ROWS, 1), (1, 9), (30, 1), (3,), (2, 40)):
        x = torch.randn(*form, shape[1], generator=generator)
        expected = F.linear(x.double(), weight.double(), None if bias is None else bias.double())
        found = product(x, laid_out, bias, way)
        assert found.shape == expected.shape
        assert (found - expected).abs().max() <= 1e-6 * expected.abs().max()
        if bias is not None:  # the tolerance would notice a bias that is left out
            assert (found - bias - expected).abs().max() > 1e-3


@pytest.fixture
def choices(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[int, int], Choice]:
    """What was measured, in place of measuring."""
    chosen: dict[tuple[int, int], Choice] = {}
    monkeypatch.setattr(tuning, "fastest", lambda n_out, n_in, *_: chosen[n_out, n_in])
    monkeypatch.setattr(tuning, "MIN_NUMBERS", 0)
    return chosen


def test_each_shape_gets_its_own_choice(choices: dict[tuple[int, int], Choice]) -> None:
    choices |= {(16, 16): "transposed", (24, 16): "columns", (16, 24): "linear"}
    choices |= {(420, 16): "transposed"}
    model = own_model()
    tuned = copy.deepcopy(model)
    tune(tuned)
    layer = tuned.decoder[0]
    assert layer.self_attention.query.weight.stride() == (1, 16)
    assert (layer.feed_forward.inner.way, layer.feed_forward.outer.way) == ("columns", "linear")
    assert tuned.embedding.token.weight.stride() == (1, 420)
    src, tgt = torch.tensor([[5, 9, 2]]), torch.tensor([[1, 8]])
    torch.testing.assert_close(tuned(src, tgt), model(src, tgt))
    weights = tuned.state_dict()
    assert all(torch.equal(w, weights[name]) for name, w in model.state_dict().items())


@pytest.mark.parametrize("choice", CHOICES)
def test_a_weight_that_is_changed_afterwards_counts(
    choices: dict[tuple[int, int], Choice], choice: Choice
) -> None:
    """No second copy of a weight may be left behind: a notebook writes into weights."""
    choices |= dict.fromkeys([(16, 16), (24, 16), (16, 24), (420, 16)], choice)
    model = own_model()
    tune(model)
    src, tgt = torch.tensor([[5, 9, 2]]), torch.tensor([[1]])
    copied, before = copy.deepcopy(model), model(src, tgt)
    model.decoder[0].self_attention.output.weight.zero_()
    model.embedding.token.weight[7] = 0
    after = model(src, tgt)
    assert (after - before).abs().max() > 1e-3
    assert after[0, 0, 7] == 0
    copied.load_state_dict(model.state_dict())
    torch.testing.assert_close(copied(src, tgt), after)


def test_the_choice_is_the_fastest_by_a_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    for times, expected in (
        ({"linear": 1.0, "transposed": 0.5, "columns": 0.7}, "transposed"),
        ({"linear": 1.0, "transposed": 1.5, "columns": 0.7}, "columns"),
        ({"linear": 1.0, "transposed": 0.99, "columns": 1.7}, "linear"),
    ):
        monkeypatch.setattr(tuning, "measured", lambda *_, times=times: times.items())
        fastest.cache_clear()
        assert fastest(3, 4, torch.float32, 1) == expected
    fastest.cache_clear()


def test_all_choices_are_measured_once_for_a_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [choice for choice, _ in measured(64, 64, torch.float32)] == list(CHOICES)
    calls = []
    monkeypatch.setattr(tuning, "measured", lambda *given: calls.append(given) or [("linear", 1)])
    fastest.cache_clear()
    config = ModelConfig(vocab_size=2000, d_model=256, d_ff=512)
    tune(Transformer(config))
    tune(Transformer(config))
    assert sorted(given[:2] for given in calls) == [(256, 256), (256, 512), (512, 256), (2000, 256)]
    fastest.cache_clear()


@pytest.mark.parametrize("module", [Linear(2, 2), LayerNorm(2), Dropout(0.1), Direct()])
@pytest.mark.parametrize(
    "register",
    [
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
        "register_backward_hook",
    ],
)
def test_a_hook_that_would_never_be_called_is_refused(module: nn.Module, register: str) -> None:
    with pytest.raises(ConfigError, match=f"A hook on {type(module).__name__} would never be"):
        getattr(module, register)(lambda *_: None)


def test_every_layer_refuses_hooks() -> None:
    model = own_model()
    parts = [model.encoder[0], model.decoder[0].cross_attention, model.embedding]
    for part in (*parts, model.decoder[0].feed_forward.outer):
        with pytest.raises(ConfigError, match=r"Interventions.* change them"):
            part.register_forward_hook(lambda *_: None)
