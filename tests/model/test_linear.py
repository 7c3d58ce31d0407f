"""The products of few rows: every layout is the linear map, and no copy of a weight goes stale."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model import linear as products_file
from model.config import ModelConfig
from model.linear import (
    COPIES,
    MAX_COPIED_BYTES,
    MAX_ROWS,
    ROWS,
    BlockedWeights,
    Linear,
    LinearStack,
    MatmulLayout,
    PackedWeights,
    Product,
    Shape,
    WeightCopy,
    best_choice,
    copy_weights,
    products,
    tune,
)
from model.transformer import Transformer
from tests.tiny import own_model

LAYOUTS: tuple[MatmulLayout, ...] = ("plain", "columns", "transposed", "packed", "blocks")
SHAPES = [(256, 256), (512, 256), (256, 512), (4000, 256), (7, 5)]
SRC, TGT = torch.tensor([[5, 9, 2]]), torch.tensor([[1, 8]])


def product_of(owner: Linear | LinearStack, maps: tuple[Linear, ...]) -> Product:
    return Product(owner, tuple(m.weight for m in maps), tuple(m.bias for m in maps))


def use(product: Product, layout: MatmulLayout) -> None:
    if layout in COPIES:
        copy_weights([product], layout, MAX_COPIED_BYTES)
        assert product.copy is not None, "this build of PyTorch or NumPy has no such layout"
    product.use(dict.fromkeys(ROWS, layout))


def rows(form: tuple[int, ...], n_in: int) -> Tensor:
    return torch.randn(*form, n_in, generator=torch.Generator().manual_seed(n_in))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("with_bias", [True, False])
@torch.no_grad()
def test_every_layout_is_the_linear_map(
    layout: MatmulLayout, shape: tuple[int, int], with_bias: bool
) -> None:
    """Within 1e-5 of the largest number in double precision, for few rows and many."""
    part = Linear(shape[1], shape[0], bias=with_bias)
    use(product_of(part, (part,)), layout)
    bias = part.bias.double() if with_bias else None
    for form in ((1, 1), (4, 1), (MAX_ROWS, 1), (1, 9), (MAX_ROWS + 1, 1), (3,), (2, 40)):
        x = rows(form, shape[1])
        expected = F.linear(x.double(), part.weight.double(), bias)
        found = part(x)
        assert found.shape == expected.shape
        assert (found - expected).abs().max() <= 1e-5 * expected.abs().max()
        if bias is not None:  # the tolerance would notice a bias that is left out
            assert (found - bias - expected).abs().max() > 1e-3


@pytest.mark.parametrize("layout", COPIES)
@torch.no_grad()
def test_stacked_maps_are_the_maps(layout: MatmulLayout) -> None:
    maps = tuple(Linear(64, n) for n in (64, 32, 96))
    stacked = LinearStack(*maps)
    use(product_of(stacked, maps), layout)
    x = rows((4, 1), 64)
    for found, part in zip(stacked(x), maps, strict=True):
        torch.testing.assert_close(found, F.linear(x, part.weight, part.bias))
    assert stacked.state_dict() == {}
    maps[1].weight.zero_()
    torch.testing.assert_close(stacked(x)[1], maps[1].bias.expand(4, 1, 32))


@pytest.fixture
def choices(monkeypatch: pytest.MonkeyPatch) -> Callable[[MatmulLayout], None]:
    """Choose one layout for all weights, in place of measuring; also for small ones."""
    monkeypatch.setattr(products_file, "MIN_BYTES", 0)

    def choose(layout: MatmulLayout) -> None:
        monkeypatch.setattr(
            products_file,
            "fastest_layouts",
            lambda found: {product.shape: dict.fromkeys(ROWS, layout) for product in found},
        )

    return choose


@pytest.mark.parametrize("layout", LAYOUTS)
@torch.no_grad()
def test_a_tuned_model_is_the_model(
    choices: Callable[[MatmulLayout], None], layout: MatmulLayout
) -> None:
    choices(layout)
    model = own_model()
    tuned = copy.deepcopy(model)
    tune(tuned)
    torch.testing.assert_close(tuned(SRC, TGT), model(SRC, TGT))
    weights = tuned.state_dict()
    assert weights.keys() == model.state_dict().keys()
    assert all(torch.equal(w, weights[name]) for name, w in model.state_dict().items())


@pytest.mark.parametrize("layout", LAYOUTS)
@torch.no_grad()
def test_a_weight_that_is_changed_afterwards_counts(
    choices: Callable[[MatmulLayout], None], layout: MatmulLayout
) -> None:
    """No copy may be used any more: notebooks, snapshots and training write into weights."""
    choices(layout)
    model = own_model()
    tune(model)
    before = model(SRC, TGT)
    layer = model.decoder[0]
    layer.self_attention.output.weight.zero_()
    layer.self_attention.key.bias.add_(1)
    layer.feed_forward.inner.weight.data = layer.feed_forward.inner.weight * 2
    model.embedding.token.weight[7] = 0
    fresh = own_model()
    fresh.load_state_dict(model.state_dict())
    after = model(SRC, TGT)
    torch.testing.assert_close(after, fresh(SRC, TGT))
    assert (after - before).abs().max() > 1e-3 and after[0, 0, 7] == 0


@pytest.mark.parametrize("layout", COPIES)
@torch.no_grad()
def test_a_copied_model_has_weights_of_its_own(
    choices: Callable[[MatmulLayout], None], layout: MatmulLayout
) -> None:
    choices(layout)
    model = own_model()
    tune(model)
    expected = model(SRC, TGT)
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        torch.testing.assert_close(copied(SRC, TGT), expected)
        copied.embedding.token.weight.zero_()
    torch.testing.assert_close(model(SRC, TGT), expected)


@pytest.mark.parametrize("layout", COPIES)
def test_training_does_not_meet_copies(
    choices: Callable[[MatmulLayout], None], layout: MatmulLayout
) -> None:
    choices(layout)
    model = Transformer(ModelConfig(vocab_size=20, d_model=16, n_heads=2, d_ff=24))
    tune(model)
    model(SRC, TGT).sum().backward()
    query = model.decoder[0].self_attention.query.weight
    assert query.grad is not None and query.grad.abs().sum() > 0


@pytest.mark.parametrize("reason", [AttributeError, NotImplementedError, RuntimeError, TypeError])
@torch.no_grad()
def test_a_build_that_makes_no_copies_keeps_the_weights(
    monkeypatch: pytest.MonkeyPatch, reason: type[Exception]
) -> None:
    def refuse(*_: object) -> None:
        raise reason("no such operator")

    for kind in COPIES.values():
        monkeypatch.setattr(kind, "_store", refuse)
    part = Linear(256, 256)
    product = product_of(part, (part,))
    for layout in COPIES:
        copy_weights([product], layout, MAX_COPIED_BYTES)
        assert product.copy is None
    model = Transformer(ModelConfig(vocab_size=500, d_model=192, d_ff=256))
    tune(model)
    step, others = products(model)
    layouts = [product.owner.layouts for product in (*step, *others)]
    assert all(one is not None and one.copy is None for one in layouts)


@pytest.mark.parametrize("kind", [PackedWeights, BlockedWeights])
@torch.no_grad()
def test_copies_that_give_other_numbers_are_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: type[WeightCopy]
) -> None:
    right = kind.__call__
    monkeypatch.setattr(kind, "__call__", lambda self, x: right(self, x) * 1.0001)
    part = Linear(256, 256)
    product = product_of(part, (part,))
    layout = next(name for name, made in COPIES.items() if made is kind)
    copy_weights([product], layout, MAX_COPIED_BYTES)
    assert product.copy is None
    assert "other numbers" in caplog.text


@pytest.mark.parametrize("layout", COPIES)
@torch.no_grad()
def test_copies_have_a_limit_of_memory(layout: MatmulLayout) -> None:
    parts = [Linear(256, 256) for _ in range(3)]
    found = [product_of(part, (part,)) for part in parts]
    assert copy_weights(found, layout, 2 * found[0].n_bytes) == 0
    assert [product.copy is not None for product in found] == [True, True, False]


@torch.no_grad()
def test_numpys_own_threads_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a program that imported NumPy before, and so with as many threads as it likes."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    part = Linear(256, 256)
    product = product_of(part, (part,))
    copy_weights([product], "blocks", MAX_COPIED_BYTES)
    assert product.copy is None


@pytest.mark.slow
def test_numpy_multiplies_on_one_thread() -> None:
    """As `import model` tells it, in a process of its own."""
    program = "import model; from model.linear import one_thread; print(one_thread())"
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    for first, expected in (("", "True"), ("import numpy; ", "False")):
        done = subprocess.run(
            [sys.executable, "-c", first + program],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        assert done.stdout.split() == [expected]


def test_the_choice_is_the_fastest_by_a_margin() -> None:
    usual = {(layout, n): 1.0 for layout in ("plain", "transposed", *COPIES) for n in ROWS}
    usual["columns", 4] = 1.0
    assert set(best_choice(usual).values()) == {"plain"}
    assert best_choice({**usual, ("columns", 4): 0.5})[4] == "columns"
    assert best_choice({**usual, ("packed", 4): 0.95})[4] == "plain", "a twentieth may be noise"
    fast = {("transposed", n): 0.5 for n in ROWS}
    assert set(best_choice({**usual, **fast}).values()) == {"transposed"}
    for layout in COPIES:
        fast = {(layout, n): 0.2 for n in ROWS}
        assert set(best_choice({**usual, **fast}).values()) == {layout}
        without = {key: 1.0 for key in usual if key[0] != layout}
        assert layout not in best_choice(without).values()
    both = {("packed", 1): 0.2, ("blocks", 4): 0.2}
    assert not set(COPIES) <= set(best_choice({**usual, **both}).values()), "one copy, not two"


def test_equal_models_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[Shape]] = []

    def measured(found: list[Product]) -> dict[Shape, dict[tuple[MatmulLayout, int], float]]:
        calls.append([product.shape for product in found])
        one: dict[tuple[MatmulLayout, int], float] = {("plain", n): 1.0 for n in ROWS}
        one["columns", 4] = 1.0
        return {product.shape: one for product in found}

    monkeypatch.setattr(products_file, "step_seconds", measured)
    monkeypatch.setattr(products_file, "_chosen", {})
    for _ in range(2):
        tune(Transformer(ModelConfig(vocab_size=2000, d_model=256, d_ff=512)))
    (shapes,) = calls
    assert {(768, 256), (256, 256), (512, 256), (256, 512), (2000, 256)} <= set(shapes)
