"""The products of few rows: however a weight is stored, its product is the linear map."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model import linear as products_file
from model.checkpoint import load
from model.config import ModelConfig
from model.linear import MAX_ROWS, Linear, PackedWeight, by_columns, lay_out
from model.transformer import Transformer
from tests.tiers import IS_LONG
from tests.tiny import own_model, write_own

SHAPES = [(256, 256), (512, 256), (256, 512), (4000, 256), (7, 5)]
SRC, TGT = torch.tensor([[5, 9, 2]]), torch.tensor([[1, 8]])


@pytest.fixture(params=["packed", "not packed"])
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Transformer:
    """A tiny model; its weights are as small as those that are never packed."""
    least = 0 if request.param == "packed" else 2**40
    monkeypatch.setattr(products_file, "_min_packed_bytes", lambda: least)
    model = own_model()
    lay_out(model)
    assert (model.packed is not None) == (request.param == "packed")
    return model


def rows(form: tuple[int, ...], n_in: int) -> Tensor:
    return torch.randn(*form, n_in, generator=torch.Generator().manual_seed(n_in))


@pytest.mark.parametrize("is_packed", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("with_bias", [True, False])
@torch.no_grad()
def test_a_product_is_the_linear_map(
    is_packed: bool, shape: tuple[int, int], with_bias: bool
) -> None:
    """Within 1e-5 of the largest number in double precision, for few rows and many."""
    part = Linear(shape[1], shape[0], bias=with_bias)
    part.weight.data = part.weight.data.t().contiguous().t()
    part.packed = PackedWeight(part.weight, part.bias) if is_packed else None
    bias = part.bias.double() if with_bias else None
    for form in ((1, 1), (4, 1), (MAX_ROWS, 1), (1, 9), (MAX_ROWS + 1, 1), (3,), (2, 40)):
        x = rows(form, shape[1])
        expected = F.linear(x.double(), part.weight.double(), bias)
        product = part(x)
        assert product.shape == expected.shape
        assert (product - expected).abs().max() <= 1e-5 * expected.abs().max()
        if bias is not None:  # the tolerance would notice a bias that is left out
            assert (product - bias - expected).abs().max() > 1e-3


@torch.no_grad()
def test_a_model_laid_out_is_the_model(model: Transformer) -> None:
    original = own_model()
    torch.testing.assert_close(model(SRC, TGT), original(SRC, TGT))
    weights = model.state_dict()
    assert weights.keys() == original.state_dict().keys()
    assert all(torch.equal(w, weights[name]) for name, w in original.state_dict().items())


@torch.no_grad()
def test_a_weight_that_is_changed_afterwards_counts(model: Transformer) -> None:
    """No copy may be used any more: notebooks, snapshots and training write into weights."""
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


@torch.no_grad()
def test_a_copied_model_has_weights_of_its_own(model: Transformer) -> None:
    expected = model(SRC, TGT)
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        torch.testing.assert_close(copied(SRC, TGT), expected)
        copied.embedding.token.weight.zero_()
    torch.testing.assert_close(model(SRC, TGT), expected)


def test_training_does_not_meet_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products_file, "_min_packed_bytes", lambda: 0)
    model = Transformer(ModelConfig(vocab_size=20, d_model=16, n_heads=2, d_ff=24))
    lay_out(model)
    model(SRC, TGT).sum().backward()
    query = model.decoder[0].self_attention.query.weight
    assert query.grad is not None and query.grad.abs().sum() > 0


@pytest.mark.slow
@pytest.mark.parametrize("reason", [AttributeError, NotImplementedError, RuntimeError, TypeError])
@torch.no_grad()
def test_a_build_that_packs_nothing_keeps_the_weights(
    monkeypatch: pytest.MonkeyPatch, reason: type[Exception]
) -> None:
    def refuse(*_: object) -> None:
        raise reason("no such operator")

    monkeypatch.setattr(PackedWeight, "__init__", refuse)
    model = own_model()
    monkeypatch.setattr(products_file, "_min_packed_bytes", lambda: 0)
    lay_out(model)
    assert model.packed is None
    torch.testing.assert_close(model(SRC, TGT), own_model()(SRC, TGT))


@torch.no_grad()
def test_what_is_too_large_for_a_copy_is_read_by_columns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From half precision, too; the numbers, the search and a saved copy stay as they were."""
    monkeypatch.setattr(products_file, "COPIED_ROWS", 7)
    for shape in ((20, 16), (7, 3), (6, 16), (8, 1)):
        weight = rows(shape[:1], shape[1]).half()
        stored = by_columns(weight)
        assert torch.equal(stored, weight.float()) and stored.t().is_contiguous()
    folder = write_own(tmp_path / "model")
    expected = load(folder).model
    monkeypatch.setattr(products_file, "MAX_COPIED_BYTES", 4 * expected.output_weight.numel() - 1)
    found = load(folder).model
    assert found.output_weight.t().is_contiguous() and found.packed is None
    assert expected.output_weight.is_contiguous()
    torch.testing.assert_close(found(SRC, TGT), expected(SRC, TGT))


@torch.no_grad()
def test_copies_that_give_other_numbers_are_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    right = PackedWeight.__call__
    monkeypatch.setattr(PackedWeight, "__call__", lambda self, x: right(self, x) * 1.0001)
    monkeypatch.setattr(products_file, "_min_packed_bytes", lambda: 0)
    model = own_model()
    lay_out(model)
    assert model.packed is None
    assert "other numbers" in caplog.text


def test_copies_have_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output's weight comes first, then the decoder's, which are read at every step."""
    model = own_model()
    room = model.output_weight.nbytes + model.decoder[0].self_attention.query.weight.nbytes
    monkeypatch.setattr(products_file, "_min_packed_bytes", lambda: 0)
    monkeypatch.setattr(products_file, "MAX_COPIED_BYTES", room)
    lay_out(model)
    maps = [module for module in model.modules() if isinstance(module, Linear)]
    assert model.packed is not None
    assert [m for m in maps if m.packed is not None] == [model.decoder[0].self_attention.query]


@pytest.mark.parametrize(
    ("processor", "least"),
    [("vendor_id : AuthenticAMD", 2**17), ("vendor_id : GenuineIntel", 2**21), ("arm", 2**21)],
)
def test_amd_packs_smaller_weights(
    monkeypatch: pytest.MonkeyPatch, processor: str, least: int
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: processor)
    assert products_file._min_packed_bytes() == least


HASH = """
import hashlib
from model.config import DecodeConfig
from model.explain import Explainer

explainer, digest = Explainer.load(device="cpu"), hashlib.sha256()
for beams in (1, 4):
    config = DecodeConfig(method="beam" if beams > 1 else "greedy", beam_size=beams)
    explanation = explainer.explain("The old bank stands by the river bank.", config)
    trace, search = explanation.trace, explanation.search
    for step in search.steps:
        digest.update(step.totals.tobytes())
    for numbers in (trace.log_prob, trace.decoder_states, trace.cross.weights):
        digest.update(numbers.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.long
@pytest.mark.slow
def test_every_process_computes_the_same_numbers() -> None:
    """To the last bit, also with other settings for threads, and beside a process that is busy."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        digests = {
            subprocess.run(
                [sys.executable, "-c", HASH],
                capture_output=True, text=True, check=True,
                env={**os.environ, "OMP_NUM_THREADS": threads},
            ).stdout
            for threads in ("1", "2", *("1",) * (8 if IS_LONG else 0))
        }  # fmt: skip
    finally:
        busy.kill()
    assert len(digests) == 1
