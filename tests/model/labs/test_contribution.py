"""The measures: vectors that add up, rows that sum to 1, and a planted error in each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from model.config import KINDS, DecodeConfig, Kind
from model.explain import Explainer
from model.labs import contribution
from model.labs.contribution import MEASURES, decompose, measured, rolled, zeroed
from model.labs.dissect import attention_sub_layer
from model.trace import Trace
from tests import foreign
from tests.tiny import SINCE


@pytest.fixture(scope="module", params=["post", "pre", "marian", "mbart cc25", *SINCE])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    return Explainer.load(foreign.write_tiny(folder, request.param), device="cpu")


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    config = DecodeConfig(method="sampling", max_length=7, seed=1)
    return explainer.explain("I am a small frog.", config).trace


@pytest.mark.parametrize("kind", KINDS)
def test_the_vectors_add_up_to_the_blocks_output(
    explainer: Explainer, trace: Trace, kind: str
) -> None:
    double = explainer.with_model(explainer.on_cpu().model.double())
    for one, atol in ((explainer, 1e-5), (double, 1e-10)):
        part = attention_sub_layer(one.model, trace, kind, 1)  # type: ignore[arg-type]
        found = decompose(part)
        whole = found.vectors.sum(1) + found.residual + found.bias
        scale = np.abs(found.output).max()
        np.testing.assert_allclose(whole, found.output, atol=atol * max(1, scale))
        broken = decompose(replace(part, w_o=np.roll(part.w_o, 1, axis=0)))
        whole = broken.vectors.sum(1) + broken.residual + broken.bias
        assert np.abs(whole - broken.output).max() > 1e-3


@pytest.mark.slow
def test_rows_sum_to_one(explainer: Explainer, trace: Trace) -> None:
    for kind in KINDS:
        for measure in MEASURES:
            found = measured(explainer.model, trace, measure, kind, 1)
            whole = found.cells.sum(-1) + found.residual
            first = int(kind == "decoder_self" and measure == "value_zeroing")
            np.testing.assert_allclose(whole[first:], 1, atol=1e-6)
            assert (found.cells >= 0).all()
            assert not found.cells[~trace.attention(kind).mask].any()
    both = rolled(explainer.model, trace)
    np.testing.assert_allclose(both.source.sum(-1) + both.prefix.sum(-1), 1, atol=1e-9)
    assert ((both.source_share >= 0) & (both.source_share <= 1 + 1e-9)).all()


def test_the_norm_is_that_of_kobayashi(explainer: Explainer, trace: Trace) -> None:
    """The definition again, in loops: |sum over heads of a_h (x W_V + b_V)_h W_O_h|."""
    part = attention_sub_layer(explainer.model, trace, "cross", 2)
    heads, _, d_k = part.values.shape
    values = part.memory @ part.w_v + part.b_v
    expected = np.zeros(part.mask.shape)
    for q, k in np.ndindex(expected.shape):
        vector = np.zeros(part.x.shape[1])
        for h in range(heads):
            own = slice(h * d_k, (h + 1) * d_k)
            vector += part.weights[h, q, k] * values[k, own] @ part.w_o[own]
        expected[q, k] = np.linalg.norm(vector)
    expected /= expected.sum(-1, keepdims=True)
    found = measured(explainer.model, trace, "norm", "cross", 2).cells
    np.testing.assert_allclose(found, expected, atol=1e-5)
    weights = measured(explainer.model, trace, "weight", "cross", 2).cells
    assert np.abs(weights - expected).max() > 1e-2


def test_contribution_is_that_of_alti(explainer: Explainer, trace: Trace) -> None:
    part = attention_sub_layer(explainer.model, trace, "cross", 1)
    found = decompose(part)
    q = 2
    columns = [*found.vectors[q], found.residual[q]]
    y = found.output[q]
    nearer = [max(0.0, float(np.abs(y).sum() - np.abs(y - v).sum())) for v in columns]
    expected = np.array(nearer) / sum(nearer)
    one = measured(explainer.model, trace, "contribution", "cross", 1)
    np.testing.assert_allclose([*one.cells[q], one.residual[q]], expected, atol=1e-12)


def test_rolled_follows_the_layers_from_the_tokens_up(explainer: Explainer, trace: Trace) -> None:
    """The definition again, in loops: each state is the mixture of those that its layer read."""

    def shares(kind: Kind, layer: int) -> tuple[np.ndarray, np.ndarray]:
        found = measured(explainer.model, trace, "contribution", kind, layer)
        return found.cells, found.residual

    def mixed(states: list[np.ndarray], kind: Kind, layer: int) -> list[np.ndarray]:
        cells, residual = shares(kind, layer)
        read = [sum(w * state for w, state in zip(row, states, strict=True)) for row in cells]
        return [r + own * state for r, own, state in zip(read, residual, states, strict=True)]

    n_src, n_tgt = len(trace.src), len(trace.tgt_in)
    tokens = np.eye(n_src + n_tgt)
    source, target = list(tokens[:n_src]), list(tokens[n_src:])
    for layer in range(explainer.model.config.n_encoder_layers):
        source = mixed(source, "encoder_self", layer)
    both = rolled(explainer.model, trace)
    for layer in range(explainer.model.config.n_decoder_layers):
        target = mixed(target, "decoder_self", layer)
        cells, residual = shares("cross", layer)
        target = [
            own * state + sum(w * read for w, read in zip(row, source, strict=True))
            for row, own, state in zip(cells, residual, target, strict=True)
        ]
        expected = np.array(target)
        np.testing.assert_allclose(both.source[layer], expected[:, :n_src], atol=1e-12)
        np.testing.assert_allclose(both.prefix[layer], expected[:, n_src:], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_zeroing_nothing_is_nothing(explainer: Explainer, trace: Trace, kind: str) -> None:
    part = attention_sub_layer(explainer.model, trace, kind, 1)  # type: ignore[arg-type]
    n = part.mask.shape[1]
    assert zeroed(explainer.model, trace, part, np.zeros((n, n))).max() < 1e-12  # float64
    distances = zeroed(explainer.model, trace, part)
    assert distances[part.mask].max() > 1e-3
    one = np.zeros((n, n))
    one[0, 1] = 1  # a single value, in the first row of the batch
    np.testing.assert_allclose(
        zeroed(explainer.model, trace, part, one)[:, 0], distances[:, 1], atol=1e-6
    )


def test_a_mixing_without_its_residual_is_noticed(
    explainer: Explainer, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = partial(measured, explainer.model, trace, "contribution")
    monkeypatch.setattr(contribution, "_mixing", lambda own: cells(own.kind, own.layer).cells)
    both = rolled(explainer.model, trace)
    assert np.abs(both.source.sum(-1) + both.prefix.sum(-1) - 1).max() > 1e-2
