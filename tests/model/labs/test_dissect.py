"""A layer taken apart: against torch's own attention and norm, and the trace around it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import KINDS, UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs import dissect
from model.labs.dissect import (
    AttentionSubLayer,
    FeedForwardSubLayer,
    SubLayer,
    attention_sub_layer,
    inputs,
    output_layer,
    sub_layers,
)
from model.trace import Explanation
from tests.foreign import write_tiny
from tests.tiny import SINCE, write_marian, write_own

TEXT = "I am a small frog."
CHANGED = [
    UNTOUCHED,
    Interventions(heads_off=(("cross", 1, 0), ("encoder_self", 0, 1)), padding=3, scaling=False),
    Interventions(causal_mask=False, cross_off=(1,), cells=(("decoder_self", 2, 1, False),)),
    Interventions(positions="shuffled", padding=2, padding_mask=False),
    Interventions(positions="shifted", shift=5, sides="target"),
]
MARIAN = {"apart": {"decoder_attention_heads": 4}}  # and two in the encoder
OWN: dict[str, dict[str, Any]] = {
    "other": {"activation": "tanh", "scale_embedding": False, "tied": False},
    "learned": {"positions": "learned", "position_offset": 2, "embedding_norm": "sum"},
}


@pytest.fixture(scope="module", params=["post", "pre", "marian", *MARIAN, *OWN, *SINCE])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder, name = tmp_path_factory.mktemp("model"), request.param
    if name in MARIAN:
        path = write_marian(folder, **MARIAN[name])
    else:
        path = write_own(folder, **OWN[name]) if name in OWN else write_tiny(folder, name)
    return Explainer.load(path, device="cpu")


def explain(explainer: Explainer, interventions: Interventions = UNTOUCHED) -> Explanation:
    """A sampled translation: its tokens differ, so that a row in a wrong place is noticed."""
    config = DecodeConfig(method="sampling", max_length=7, seed=1)
    return explainer.explain(TEXT, config, interventions=interventions)


def attentions(explainer: Explainer, found: Explanation) -> list[AttentionSubLayer]:
    layers = [(k, i) for k in KINDS for i in range(len(found.trace.attention(k).weights))]
    return [
        attention_sub_layer(explainer.model, found.trace, kind, layer) for kind, layer in layers
    ]


def by_torch(one: AttentionSubLayer) -> tuple[np.ndarray, np.ndarray]:
    """Output (Q, D) and weights (H, Q, K) from `torch.nn.functional`, in float64."""

    def tensor(array: np.ndarray) -> Tensor:
        return torch.tensor(array)

    allowed = np.where(one.mask, 0 if one.bias is None else one.bias, -np.inf)
    allowed = np.broadcast_to(allowed, one.weights.shape)
    unscaled = np.sqrt(one.queries.shape[2]) / one.scale  # torch always divides by the root
    output, weights = F.multi_head_attention_forward(
        tensor(one.x)[:, None],
        tensor(one.memory)[:, None],
        tensor(one.memory)[:, None],
        embed_dim_to_check=one.x.shape[1],
        num_heads=len(one.queries),
        in_proj_weight=None,
        in_proj_bias=tensor(np.concatenate((one.b_q * unscaled, one.b_k, one.b_v))),
        bias_k=None,
        bias_v=None,
        add_zero_attn=False,
        dropout_p=0.0,
        out_proj_weight=tensor(one.w_o.T.copy()),
        out_proj_bias=tensor(one.b_o),
        training=False,
        attn_mask=tensor(allowed),
        use_separate_proj_weight=True,
        q_proj_weight=tensor(one.w_q.T * unscaled),
        k_proj_weight=tensor(one.w_k.T.copy()),
        v_proj_weight=tensor(one.w_v.T.copy()),
        average_attn_weights=False,
    )
    return output[:, 0].numpy(), weights[0].numpy()


def by_hand(one: AttentionSubLayer) -> np.ndarray:
    """The chain of the microscope: softmax(QK^T / scale + mask) V W_o + b, (Q, D)."""
    scores = one.queries @ one.keys.transpose(0, 2, 1) / one.scale
    scores += 0 if one.bias is None else one.bias
    scores[:, ~one.mask] = -np.inf
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    context = exps / exps.sum(-1, keepdims=True) @ one.values * one.kept[:, None, None]
    concat = context.transpose(1, 0, 2).reshape(one.x.shape)
    output: np.ndarray = (concat @ one.w_o + one.b_o) * (not one.off)
    return output


def test_it_is_torchs_own_attention(explainer: Explainer) -> None:
    found = explain(explainer)
    for one in attentions(explainer, found):
        output, weights = by_torch(one)
        np.testing.assert_allclose(one.output, output, atol=1e-4)
        np.testing.assert_allclose(one.weights, weights, atol=1e-5)


def test_another_order_of_the_heads_is_noticed(explainer: Explainer) -> None:
    for one in attentions(explainer, explain(explainer)):
        turned = replace(one, w_o=np.roll(one.w_o, one.queries.shape[2], axis=0))
        assert np.abs(by_torch(turned)[0] - one.output).max() > 1e-2


@pytest.mark.slow
@pytest.mark.parametrize("interventions", CHANGED)
def test_the_chain_gives_the_output(explainer: Explainer, interventions: Interventions) -> None:
    """Every layer, head and kind, with the maps that the traced pass recorded."""
    found = explain(explainer, interventions)
    for one in attentions(explainer, found):
        np.testing.assert_allclose(by_hand(one), one.output, atol=1e-4)
        concat = one.context.transpose(1, 0, 2).reshape(one.x.shape)
        output = (concat @ one.w_o + one.b_o) * (not one.off)
        np.testing.assert_allclose(output, one.output, atol=1e-4)
        maps = found.trace.attention(one.kind)
        for name in ("weights", "queries", "keys", "values"):
            recorded = getattr(maps, name)[one.layer]
            np.testing.assert_allclose(getattr(one, name), recorded, atol=2e-5, err_msg=name)
        np.testing.assert_array_equal(one.mask, maps.mask)
        off = {(k, i, h) for k, i, h in interventions.heads_off}
        heads = range(len(one.kept))
        assert [h for h in heads if (one.kind, one.layer, h) in off] == list(
            np.flatnonzero(~one.kept)
        )


def normed(one: SubLayer, x: np.ndarray) -> np.ndarray:
    """The norm of a sub-layer by its formula, in float64."""
    if one.rms:
        by_hand: np.ndarray = x / np.sqrt((x**2).mean(-1, keepdims=True) + one.eps) * one.gamma
        return by_hand
    gamma, beta = torch.tensor(one.gamma), torch.tensor(one.beta)
    return F.layer_norm(torch.tensor(x), gamma.shape, gamma, beta, one.eps).numpy()


@pytest.mark.slow
@pytest.mark.parametrize("interventions", CHANGED)
def test_inputs_add_up_to_the_first_state(
    explainer: Explainer, interventions: Interventions
) -> None:
    trace = explain(explainer, interventions).trace
    source, target = (inputs(explainer.model, trace, side) for side in ("source", "target"))  # type: ignore[arg-type]
    own = explainer.model.state_dict()
    for side, one, states in (
        ("source", source, trace.encoder_states),
        ("target", target, trace.decoder_states),
    ):
        total = torch.tensor(one.tokens + one.positions).float()
        if one.has_norm:
            norm = (own[f"embedding.{side}_norm.{name}"] for name in ("weight", "bias"))
            total = F.layer_norm(total, total.shape[-1:], *norm)
        np.testing.assert_allclose(total.numpy(), states[0], atol=1e-5)
    vectors = explainer.model.embedding.token.weight[torch.tensor(trace.tgt_in.ids)]
    scale = 4 if explainer.model.config.scale_embedding else 1  # sqrt(16)
    assert source.scale == target.scale == scale
    np.testing.assert_allclose(target.tokens, vectors.detach().numpy() * scale, atol=1e-5)


def test_records_cannot_be_written(explainer: Explainer) -> None:
    found = explain(explainer)
    one = attention_sub_layer(explainer.model, found.trace, "cross", 0)
    with pytest.raises(ValueError, match="read-only"):
        one.w_o[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        inputs(explainer.model, found.trace, "source").tokens[0, 0] = 1


def test_a_layer_that_is_not_there(explainer: Explainer) -> None:
    with pytest.raises(InputError, match="Layer 10"):
        attention_sub_layer(explainer.model, explain(explainer).trace, "cross", 9)


@pytest.mark.slow
@pytest.mark.parametrize("interventions", CHANGED)
def test_what_leaves_a_layer_is_the_next_state(
    explainer: Explainer, interventions: Interventions
) -> None:
    """And each step of the way is what torch makes of the step before."""
    trace = explain(explainer, interventions).trace
    for stack, states in (("encoder", trace.encoder_states), ("decoder", trace.decoder_states)):
        for layer in range(len(states) - 1):
            parts = list(sub_layers(explainer.model, trace, stack, layer))  # type: ignore[arg-type]
            before = states[layer]
            for part in parts:
                np.testing.assert_array_equal(part.before, before)
                np.testing.assert_allclose(part.total, part.before + part.output, atol=1e-4)
                given, norm = (part.before, part.x) if part.pre else (part.total, part.after)
                np.testing.assert_allclose(norm, normed(part, given), atol=1e-4)
                if part.pre:
                    np.testing.assert_allclose(part.after, part.total, atol=1e-4)
                before = part.after
            assert parts[-1].name == "feed_forward"
            np.testing.assert_allclose(before, states[layer + 1], atol=1e-4)
            assert np.abs(parts[-1].before - states[layer + 1]).max() > 1e-2


def test_the_feed_forward_network_is_its_two_maps(explainer: Explainer) -> None:
    found = explain(explainer)
    for i, layer in enumerate(explainer.model.decoder):
        *_, part = sub_layers(explainer.model, found.trace, "decoder", i)
        assert isinstance(part, FeedForwardSubLayer)
        outer = layer.feed_forward.outer
        output = part.hidden @ outer.weight.double().numpy().T
        output += 0 if outer.bias is None else outer.bias.double().numpy()
        np.testing.assert_allclose(part.output, output, atol=1e-4)
        assert (part.factor is not None) == explainer.model.config.gated
        units = part.active if part.factor is None else part.active * part.factor
        np.testing.assert_allclose(part.hidden, units, rtol=1e-6)


def test_the_output_layer_gives_the_log_probs(explainer: Explainer) -> None:
    """Of the tokens that were written, from the last state and rows of the embedding."""
    found = explain(explainer)
    ids = found.trace.tgt_out.ids.tolist()
    layer = output_layer(explainer.model, found.trace, ids)
    table = layer.x @ layer.weight.T + layer.bias - layer.log_normaliser[:, None]
    np.testing.assert_allclose(np.diag(table), found.trace.log_prob, atol=1e-4)
    assert np.abs(np.diag(np.roll(table, 1, axis=1)) - found.trace.log_prob).max() > 0.1
    with pytest.raises(InputError, match="outside the vocabulary"):
        output_layer(explainer.model, found.trace, [10**6])


def test_looking_inside_changes_nothing(tmp_path: Path) -> None:
    """Looking inside changes nothing: the same sentence gives the same numbers afterwards."""
    explainer = Explainer.load(write_own(tmp_path / "tiny"), device="cpu")
    before = explainer.explain(TEXT, DecodeConfig(max_length=9)).trace
    list(sub_layers(explainer.model, before, "decoder", 1))
    output_layer(explainer.model, before, [3, 4])
    after = explainer.explain(TEXT, DecodeConfig(max_length=9)).trace
    np.testing.assert_array_equal(before.decoder_states, after.decoder_states)


def test_float64_is_made_on_the_cpu() -> None:
    """Apple's GPUs have no float64: the tensor must come to the CPU first."""
    done: list[str] = []

    class OnGpu:
        def detach(self) -> OnGpu:
            return self

        def cpu(self) -> torch.Tensor:
            done.append("cpu")
            return torch.ones(2)

        def double(self) -> torch.Tensor:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")

    assert dissect.doubles(OnGpu()).dtype == np.float64  # type: ignore[arg-type]
    assert done == ["cpu"]
