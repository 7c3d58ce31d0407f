"""Inside one attention sub-layer: against torch's own attention and the trace around it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import KINDS, UNTOUCHED, DecodeConfig, Interventions, Kind
from model.errors import InputError
from model.explain import Explainer
from model.inside import SubLayer
from model.trace import Explanation
from tests.tiny import write_marian, write_own

TEXT = "I am a small frog."
CHANGED = [
    UNTOUCHED,
    Interventions(heads_off=(("cross", 1, 0), ("encoder_self", 0, 1)), padding=3, scaling=False),
    Interventions(causal_mask=False, cross_off=(1,), cells=(("decoder_self", 2, 1, False),)),
    Interventions(positions="shuffled", padding=2, padding_mask=False),
    Interventions(positions="shifted", shift=5, sides="target"),
]


@pytest.fixture(scope="module", params=["post", "pre", "marian"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder: Path = tmp_path_factory.mktemp("model") / request.param
    if request.param == "marian":
        return Explainer.load(write_marian(folder), device="cpu")
    return Explainer.load(write_own(folder, norm=request.param), device="cpu")


def explain(explainer: Explainer, interventions: Interventions = UNTOUCHED) -> Explanation:
    """A sampled translation: its tokens differ, so that a row in a wrong place is noticed."""
    config = DecodeConfig(method="sampling", max_length=7, seed=1)
    return explainer.explain(TEXT, config, interventions=interventions)


def sub_layers(explainer: Explainer, found: Explanation) -> list[SubLayer]:
    layers = [(k, i) for k in KINDS for i in range(len(found.trace.attention(k).weights))]
    return [explainer.inside(found.trace, kind, layer) for kind, layer in layers]


def by_torch(one: SubLayer) -> tuple[np.ndarray, np.ndarray]:
    """Output (Q, D) and weights (H, Q, K) from `torch.nn.functional`, in float64."""

    def tensor(array: np.ndarray) -> Tensor:
        return torch.tensor(array)

    output, weights = F.multi_head_attention_forward(
        tensor(one.x)[:, None],
        tensor(one.memory)[:, None],
        tensor(one.memory)[:, None],
        embed_dim_to_check=one.x.shape[1],
        num_heads=len(one.queries),
        in_proj_weight=None,
        in_proj_bias=tensor(np.concatenate((one.b_q, one.b_k, one.b_v))),
        bias_k=None,
        bias_v=None,
        add_zero_attn=False,
        dropout_p=0.0,
        out_proj_weight=tensor(one.w_o.T.copy()),
        out_proj_bias=tensor(one.b_o),
        training=False,
        attn_mask=tensor(~one.mask),
        use_separate_proj_weight=True,
        q_proj_weight=tensor(one.w_q.T.copy()),
        k_proj_weight=tensor(one.w_k.T.copy()),
        v_proj_weight=tensor(one.w_v.T.copy()),
        average_attn_weights=False,
    )
    return output[:, 0].numpy(), weights[0].numpy()


def by_hand(one: SubLayer) -> np.ndarray:
    """The chain of the microscope: softmax(QK^T / scale + mask) V W_o + b, (Q, D)."""
    scores = one.queries @ one.keys.transpose(0, 2, 1) / one.scale
    scores[:, ~one.mask] = -np.inf
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    context = exps / exps.sum(-1, keepdims=True) @ one.values * one.kept[:, None, None]
    concat = context.transpose(1, 0, 2).reshape(one.x.shape)
    output: np.ndarray = (concat @ one.w_o + one.b_o) * (not one.off)
    return output


def test_it_is_torchs_own_attention(explainer: Explainer) -> None:
    found = explain(explainer)
    for one in sub_layers(explainer, found):
        output, weights = by_torch(one)
        np.testing.assert_allclose(one.output, output, atol=1e-4)
        np.testing.assert_allclose(one.weights, weights, atol=1e-5)


def test_another_order_of_the_heads_is_noticed(explainer: Explainer) -> None:
    for one in sub_layers(explainer, explain(explainer)):
        turned = replace(one, w_o=np.roll(one.w_o, one.queries.shape[2], axis=0))
        assert np.abs(by_torch(turned)[0] - one.output).max() > 1e-2


@pytest.mark.parametrize("interventions", CHANGED)
def test_the_chain_gives_the_output(explainer: Explainer, interventions: Interventions) -> None:
    """Every layer, head and kind, with the maps that the traced pass recorded."""
    found = explain(explainer, interventions)
    for one in sub_layers(explainer, found):
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


@pytest.mark.parametrize("interventions", CHANGED)
def test_what_leaves_it_is_what_the_model_goes_on_with(
    explainer: Explainer, interventions: Interventions
) -> None:
    """Through the feed-forward network it becomes the next state of the trace."""
    trace, model = explain(explainer, interventions).trace, explainer.model
    stacks: tuple[tuple[Kind, np.ndarray, torch.nn.ModuleList], ...] = (
        ("encoder_self", trace.encoder_states, model.encoder),
        ("cross", trace.decoder_states, model.decoder),
    )
    for kind, states, stack in stacks:
        for i, layer in enumerate(stack):
            one = explainer.inside(trace, kind, i)
            x = torch.tensor(one.after, dtype=torch.float32)
            residual = layer.feed_forward_residual
            x = residual.leave(x, layer.feed_forward(residual.enter(x)))
            np.testing.assert_allclose(x.detach().numpy(), states[i + 1], atol=1e-4)
            assert np.abs(one.after - states[i + 1]).max() > 1e-2


def test_the_norm_is_the_sum_with_mean_and_variance_taken_out(explainer: Explainer) -> None:
    for one in sub_layers(explainer, explain(explainer)):
        total = torch.tensor(one.entering + one.output)
        width = total.shape[1:]
        gamma, beta = torch.tensor(one.gamma), torch.tensor(one.beta)
        wanted = total if one.pre else F.layer_norm(total, width, gamma, beta, one.eps)
        np.testing.assert_allclose(one.after, wanted.numpy(), atol=1e-4)


@pytest.mark.parametrize("interventions", CHANGED)
def test_inputs_add_up_to_the_first_state(
    explainer: Explainer, interventions: Interventions
) -> None:
    trace = explain(explainer, interventions).trace
    source, target = (explainer.inputs(trace, side) for side in ("source", "target"))  # type: ignore[arg-type]
    np.testing.assert_allclose(source.tokens + source.positions, trace.encoder_states[0], atol=1e-5)
    np.testing.assert_allclose(target.tokens + target.positions, trace.decoder_states[0], atol=1e-5)
    vectors = explainer.model.embedding.token.weight[torch.tensor(trace.tgt_in.ids)]
    np.testing.assert_allclose(target.tokens, vectors.detach().numpy() * 4, atol=1e-5)  # sqrt(16)


def test_records_cannot_be_written(explainer: Explainer) -> None:
    found = explain(explainer)
    one = explainer.inside(found.trace, "cross", 0)
    with pytest.raises(ValueError, match="read-only"):
        one.w_o[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        explainer.inputs(found.trace, "source").tokens[0, 0] = 1


def test_a_layer_that_is_not_there(explainer: Explainer) -> None:
    with pytest.raises(InputError, match="Layer 10"):
        explainer.inside(explain(explainer).trace, "cross", 9)
