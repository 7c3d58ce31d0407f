"""Parameters, sub-layers and the lens, against the model's own weights and torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from model.anatomy import dissect, lens, neighbours, parameter_table
from model.config import DecodeConfig, Interventions, ModelConfig
from model.explain import Explainer
from model.transformer import Transformer
from tests import tiny

TEXT = "Tom asked his teacher for advice."


@pytest.fixture(scope="module", params=["post", "pre", "marian"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    if request.param == "marian":
        return Explainer.load(tiny.write_marian(folder), device="cpu")
    return Explainer.load(tiny.write_own(folder, norm=request.param), device="cpu")


@pytest.mark.parametrize(
    "config",
    [
        ModelConfig(vocab_size=4000, d_ff=512),
        ModelConfig(vocab_size=90, d_model=16, n_heads=4, d_ff=24, norm="pre", n_decoder_layers=1),
        ModelConfig(
            vocab_size=70, d_model=8, n_heads=2, d_ff=30, n_encoder_layers=1, output_bias=True
        ),
    ],
)
def test_the_parameter_table_adds_up(config: ModelConfig) -> None:
    model = Transformer(config)
    assert sum(part.numbers for part in parameter_table(config)) == sum(
        p.numel() for p in model.parameters()
    )


def test_the_parameter_table_of_the_shipped_model() -> None:
    shipped = Explainer.load(device="cpu").model
    table = parameter_table(shipped.config)
    assert sum(part.numbers for part in table) == sum(p.numel() for p in shipped.parameters())
    by_place = {place: 0 for place in ("embedding", "encoder", "decoder", "output")}
    for part in table:
        by_place[part.place] += part.numbers
    for place in ("encoder", "decoder"):
        assert by_place[place] == sum(p.numel() for p in getattr(shipped, place).parameters())


@pytest.mark.parametrize(
    "interventions",
    [
        Interventions(),
        Interventions(heads_off=(("cross", 1, 0), ("encoder_self", 0, 1))),
        Interventions(cross_off=(0,), scaling=False),
        Interventions(causal_mask=False, padding=2),
    ],
)
def test_what_leaves_a_layer_is_the_next_state(
    explainer: Explainer, interventions: Interventions
) -> None:
    """And each step of the way is what torch makes of the step before."""
    config = DecodeConfig(max_length=12)
    trace = explainer.explain(TEXT, config, interventions=interventions).trace
    for stack, states in (("encoder", trace.encoder_states), ("decoder", trace.decoder_states)):
        for layer in range(len(states) - 1):
            parts = dissect(explainer, trace, stack, layer)  # type: ignore[arg-type]
            assert [part.name for part in parts][-1] == "feed_forward"
            np.testing.assert_array_equal(parts[0].before, states[layer])
            np.testing.assert_allclose(parts[-1].after, states[layer + 1], atol=2e-4)
            for part in parts:
                pre = explainer.model.config.norm == "pre"
                normed, norm = (part.before, part.inside) if pre else (part.total, part.after)
                gamma, beta = torch.tensor(part.gamma), torch.tensor(part.beta)
                expected = F.layer_norm(torch.tensor(normed), gamma.shape, gamma, beta)
                np.testing.assert_allclose(norm, expected.numpy(), atol=2e-4)
                np.testing.assert_allclose(part.total, part.before + part.adds, atol=1e-4)


def test_another_sentence_does_not_fit(explainer: Explainer) -> None:
    """The comparison above would notice: the states of one sentence are not those of another."""
    trace = explainer.explain(TEXT, DecodeConfig(max_length=12)).trace
    other = explainer.explain("I live here.", DecodeConfig(max_length=12)).trace
    parts = dissect(explainer, other, "encoder", 0)
    n = min(len(parts[-1].after), trace.encoder_states.shape[1])
    assert np.abs(parts[-1].after[:n] - trace.encoder_states[1, :n]).max() > 0.1


def test_the_lens_at_the_top_is_the_model(explainer: Explainer) -> None:
    trace = explainer.explain(TEXT, DecodeConfig(max_length=12)).trace
    found = lens(explainer, trace, k=4)
    assert found.ids.shape == (len(trace.decoder_states), len(trace.tgt_out), 4)
    np.testing.assert_array_equal(found.ids[-1], trace.top_ids[:, :4])
    np.testing.assert_allclose(found.log_probs[-1], trace.top_log_probs[:, :4], atol=1e-3)
    assert np.abs(found.log_probs[0] - trace.top_log_probs[:, :4]).max() > 0.01


def test_neighbours_are_those_of_numpy(explainer: Explainer) -> None:
    table = explainer.model.embedding.token.weight.numpy().astype(np.float64)
    lengths = np.linalg.norm(table, axis=1)
    cosines = table @ table[7] / lengths / lengths[7]
    cosines[[7, *explainer.tokenizer.special_ids]] = -2
    found = neighbours(explainer, 7, k=5)
    assert [i for i, _ in found] == np.argsort(-cosines)[:5].tolist()
    assert [c for _, c in found] == pytest.approx(np.sort(cosines)[::-1][:5].tolist(), abs=1e-5)
    assert all(i != 7 for i, _ in found)


def test_looking_inside_changes_nothing(tmp_path: Path) -> None:
    """Looking inside changes nothing: the same sentence gives the same numbers afterwards."""
    explainer = Explainer.load(tiny.write_own(tmp_path / "tiny"), device="cpu")
    before = explainer.explain(TEXT, DecodeConfig(max_length=9)).trace
    dissect(explainer, before, "decoder", 1)
    lens(explainer, before)
    neighbours(explainer, 9)
    after = explainer.explain(TEXT, DecodeConfig(max_length=9)).trace
    np.testing.assert_array_equal(before.decoder_states, after.decoder_states)
