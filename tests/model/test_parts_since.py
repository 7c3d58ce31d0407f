"""The parts that are younger than the paper: bias by distance, RMSNorm, gated units, no biases."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model import checkpoint, transformer
from model.config import Interventions, ModelConfig
from model.embedding import DistanceBias
from model.errors import ConfigError
from model.modules import RMSNorm
from model.transformer import Transformer
from tests import tiny
from tests.tiny import own_model, write_own

T5 = {**tiny.T5, "scale_output": True, "head_size": 6, "max_positions": 128}
GATED = {**T5, "gated": True, "activation": "gelu_new", "tied": False, "scale_output": False}
PARTS: dict[str, dict[str, Any]] = {
    "T5": T5,
    "T5 1.1": GATED,
    "umT5": {**GATED, "distances_by_layer": True},
    "relative in the paper's network": {"positions": "relative", "max_distance": 20},
    "no positions": {"positions": "none"},
    "RMSNorm after": {"norm_kind": "rms"},
    "gated relu": {"gated": True, "activation": "relu", "decoder_d_ff": 20},
    "no biases": {"biases": False, "norm": "pre"},
    "narrow heads": {"head_size": 3, "decoder_heads": 3},
}


@pytest.fixture(params=PARTS)
def model(request: pytest.FixtureRequest) -> Transformer:
    return own_model(**PARTS[request.param]).double()


def batch(tokens: int = 50) -> tuple[Tensor, Tensor]:
    """Two sources, the second padded, and two targets."""
    generator = torch.Generator().manual_seed(5)
    src, tgt = (torch.randint(4, 400, (2, n), generator=generator) for n in (44, tokens))
    src[1, 30:] = 0
    return src, tgt


# ------------------------------------------------------------------------------ each part alone


def bucket_by_hand(distance: int, both_ways: bool, buckets: int, farthest: int) -> int:
    """Raffel et al. 2020, section 2.1, in words: exact up to a half, logarithmic from there on."""
    first = 0
    if both_ways:
        buckets //= 2
        first = buckets if distance > 0 else 0
    far = abs(distance) if both_ways else max(0, -distance)
    exact = buckets // 2
    if far < exact:
        return first + far
    steps = math.log(far / exact) / math.log(farthest / exact) * (buckets - exact)
    return first + min(buckets - 1, exact + int(steps + 1e-9))


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self"])
@pytest.mark.parametrize(("buckets", "farthest"), [(32, 128), (8, 20), (32, 64)])
def test_distances_share_buckets_as_in_the_paper_of_t5(
    kind: Any, buckets: int, farthest: int
) -> None:
    config = ModelConfig(
        30, positions="relative", distance_buckets=buckets, max_distance=farthest, n_heads=4
    )
    bias = DistanceBias(config, kind)
    nn.init.normal_(bias.table.weight)
    places = torch.arange(3 * farthest)
    found = bias(places[5:8], places).detach()
    assert found.shape == (4, 3, 3 * farthest)
    for query in range(5, 8):
        for key in places.tolist():
            row = bucket_by_hand(key - query, kind == "encoder_self", buckets, farthest)
            assert torch.equal(found[:, query - 5, key], bias.table.weight[row])


def test_a_root_mean_square_by_hand() -> None:
    """Of 3 and 4 the mean square is 12.5; no mean is subtracted."""
    norm = RMSNorm(2, 0.0)
    norm.weight.data = torch.tensor([1.0, 2.0])
    expected = torch.tensor([3.0, 8.0]) / math.sqrt(12.5)
    torch.testing.assert_close(norm(torch.tensor([3.0, 4.0])), expected)


@pytest.mark.parametrize("activation", ["relu", "gelu", "gelu_new", "swish"])
def test_a_gated_unit_is_a_product_of_two(activation: str) -> None:
    """(act(x W0) * (x W1)) W2, in numpy; Shazeer 2020."""
    model = own_model(**{**GATED, "activation": activation}).double()
    part = model.decoder[0].feed_forward
    x = np.linspace(-2, 2, 16)[None]
    first, factor, outer = (
        m.weight.detach().numpy() for m in (part.inner, part.factor, part.outer)
    )
    z = x @ first.T
    erf = np.vectorize(math.erf)
    by_name: dict[str, Callable[[], Any]] = {
        "relu": lambda: np.maximum(z, 0),
        "gelu": lambda: z * (1 + erf(z / math.sqrt(2))) / 2,
        "gelu_new": lambda: z / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))),
        "swish": lambda: z / (1 + np.exp(-z)),
    }
    expected = (by_name[activation]() * (x @ factor.T)) @ outer.T
    np.testing.assert_allclose(part(torch.tensor(x)).detach(), expected, atol=1e-12)


def test_without_biases_only_matrices_gammas_and_tables_are_left() -> None:
    names = {n.rsplit(".", 1)[1] for n, _ in own_model(**GATED).named_parameters()}
    assert names == {"weight"}
    assert any(n.endswith(".bias") for n, _ in own_model(norm_kind="rms").named_parameters())


# ---------------------------------------------------------------- what must hold for all of them


@pytest.mark.slow
def test_a_saved_model_comes_back(model: Transformer, tmp_path: Path) -> None:
    """Its buckets are in no file."""
    settings = {k: v for k, v in model.config.saved().items() if k != "vocab_size"}
    back = checkpoint.load(write_own(tmp_path / "model", **settings)).model
    assert back.config == model.config
    src, tgt = batch()
    torch.testing.assert_close(back(src, tgt), model.float()(src, tgt))


def test_a_longer_neighbour_changes_nothing(model: Transformer) -> None:
    src, tgt = batch(6)
    alone = model(src[1:, :30], tgt[1:])
    torch.testing.assert_close(model(src, tgt)[1:], alone, rtol=0, atol=1e-9)


def test_every_weight_has_a_gradient(model: Transformer) -> None:
    src, tgt = batch()
    model.requires_grad_(True)
    model(src, tgt)[..., :9].square().sum().backward()
    unread = {"embedding.source.weight"}
    for name, parameter in model.named_parameters():
        assert name in unread or (parameter.grad is not None and parameter.grad.any()), name


def changed(model: Transformer, **values: object) -> Tensor:
    src, tgt = batch(40)
    return model(src, tgt, model.edits(Interventions.from_dict(values)))


@pytest.mark.parametrize("sides", ["source", "target", "both"])
def test_a_shift_changes_no_bit_where_only_distances_count(sides: str) -> None:
    relative, learned = own_model(**T5), own_model(positions="learned", max_positions=128)
    shift = {"positions": "shifted", "shift": 17, "sides": sides}
    assert torch.equal(changed(relative, **shift), changed(relative))
    assert (changed(learned, **shift) - changed(learned)).abs().min() > 0


@pytest.mark.parametrize("seed", [1, 2])
def test_shuffled_distances_are_those_of_the_shuffled_places(seed: int) -> None:
    """A source without order is read in any order: its memory is in another order, no more."""
    model = own_model(**T5).double()
    src, _ = batch()
    src = src[:1, :12]
    edits = model.edits(Interventions(positions="shuffled", position_seed=seed, sides="source"))
    order = edits._order(src)[0]  # type: ignore[attr-defined]
    memory = model.encode(src, edits)[0]
    at_its_place = torch.empty_like(src)
    at_its_place[0, order] = src[0]
    expected = model.encode(at_its_place)[0][:, order]
    torch.testing.assert_close(memory, expected, rtol=0, atol=1e-9)
    assert (memory - model.encode(src)[0]).abs().max() > 1e-2


def test_without_its_bias_an_encoder_knows_no_order() -> None:
    model = own_model(**T5).double()
    src, _ = batch()
    edits = model.edits(Interventions(positions="none"))
    memory = model.encode(src[:1], edits)[0]
    back = model.encode(src[:1].flip(1), edits)[0].flip(1)
    torch.testing.assert_close(memory, back, rtol=0, atol=1e-9)
    assert (memory - model.encode(src[:1])[0]).abs().max() > 1e-2


# ---------------------------------------------------------------------------------- the config


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"positions": "rotary"}, "expected one of sinusoids, learned, relative, none"),
        ({"distance_buckets": 6}, "expected a multiple of 4 and a distance above its half"),
        ({"max_distance": 16}, "expected a multiple of 4 and a distance above its half"),
        ({"norm_kind": "batch"}, "expected one of layer, rms"),
        ({"norm_eps": 0}, "norm_eps"),
        ({"gated": "gelu"}, "expected true or false"),
        ({"head_size": -1}, "head_size"),
        ({"biases": None}, "expected true or false"),
    ],
)
def test_other_values_are_refused(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        ModelConfig.from_dict({"vocab_size": 30, **values})


def test_the_fields_are_written_and_shown_only_where_they_differ() -> None:
    """An older Headlight opens a model that does not need them."""
    new = set(T5) | {"gated", "distances_by_layer", "distance_buckets", "max_distance"}
    new -= {"norm", "scaling", "max_positions"}
    assert new.isdisjoint(ModelConfig(30).saved())
    assert (new - {"scale_embedding"}).isdisjoint(ModelConfig(30).shown())
    config = ModelConfig.from_dict({"vocab_size": 30, **GATED, "distances_by_layer": True})
    assert ModelConfig.from_dict(config.saved()) == config


def test_heads_need_not_divide_the_model_where_their_size_is_given() -> None:
    config = ModelConfig(30, d_model=20, n_heads=6, head_size=4)
    assert config.d_k("cross") == 4
    assert transformer.Transformer(config).decoder[0].cross_attention.output.weight.shape == (
        20,
        24,
    )
