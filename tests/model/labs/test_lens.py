"""The lens and the neighbours, against the model's own predictions and numpy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model import passes
from model.config import SIDES, DecodeConfig, Side
from model.explain import Explainer
from model.labs.lens import decoder_lens, lens, neighbours
from tests import foreign, tiny

TEXT = "Tom asked his teacher for advice."


@pytest.fixture(scope="module", params=["post", "pre", "marian", "separate", "nllb", "t5"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    if request.param == "separate":
        return Explainer.load(tiny.write_marian(folder, separate=True), device="cpu")
    return Explainer.load(foreign.write_tiny(folder, request.param), device="cpu")


@pytest.mark.slow
def test_the_lens_at_the_top_is_the_model(explainer: Explainer) -> None:
    trace = explainer.explain(TEXT, DecodeConfig(max_length=12)).trace
    found = lens(explainer, trace, k=4)
    assert found.ids.shape == (len(trace.decoder_states), len(trace.tgt_out), 4)
    np.testing.assert_array_equal(found.ids[-1], trace.top_ids[:, :4])
    np.testing.assert_allclose(found.log_probs[-1], trace.top_log_probs[:, :4], atol=1e-3)
    assert np.abs(found.log_probs[0] - trace.top_log_probs[:, :4]).max() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_neighbours_are_those_of_numpy(explainer: Explainer, side: Side) -> None:
    embedding = explainer.model.embedding
    apart = side == "source" and embedding.source is not None
    matrix = embedding.source if apart else embedding.token
    table = matrix.weight.numpy().astype(np.float64)
    lengths = np.linalg.norm(table, axis=1)
    cosines = table @ table[7] / lengths / lengths[7]
    cosines[[7, *explainer.tokenizer.special_ids]] = -2
    found = neighbours(explainer, 7, k=5, side=side)
    assert [i for i, _ in found] == np.argsort(-cosines)[:5].tolist()
    assert [c for _, c in found] == pytest.approx(np.sort(cosines)[::-1][:5].tolist(), abs=1e-5)
    assert all(i != 7 for i, _ in found)


@pytest.mark.slow
def test_the_lens_in_chunks_is_the_lens(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = explainer.explain(TEXT, DecodeConfig(max_length=12)).trace
    whole = lens(explainer, trace)
    monkeypatch.setattr(passes, "MAX_LOGITS", 3 * explainer.model.config.vocab_size)
    parts = lens(explainer, trace)
    np.testing.assert_array_equal(parts.ids, whole.ids)
    np.testing.assert_allclose(parts.log_probs, whole.log_probs, atol=1e-5)


def by_hand(explainer: Explainer, layer: int) -> list[int]:
    """Greedy decoding, one pass a step, of a model whose encoder ends after a layer."""
    model = explainer.model
    kept = torch.nn.ModuleList(list(model.encoder)[:layer])
    src = torch.tensor(explainer.read(TEXT).ids[None])
    whole, model.encoder = model.encoder, kept
    try:
        memory, _, _ = model.encode(src)
    finally:
        model.encoder = whole
    first = explainer.rules_of(explainer.read(TEXT)).forced_first_id
    written: list[int] = [] if first is None else [first]
    while len(written) < 11 and explainer.rules.end_id not in written:
        read = torch.tensor([[explainer.rules.start_id, *written]])
        top, _, _ = model.decode(read, model.start(memory, None))
        logits = model.logits(top[:, -1])[0]
        logits[list(explainer.rules.banned)] = -torch.inf
        written.append(int(logits.argmax()))
    return [i for i in written if i != explainer.rules.end_id]


@pytest.mark.slow
@torch.inference_mode()
def test_the_decoder_as_a_lens_is_a_model_with_fewer_encoder_layers(explainer: Explainer) -> None:
    explanation = explainer.explain(TEXT, DecodeConfig(method="greedy", max_length=12))
    found = decoder_lens(explainer, explanation)
    n_layers = explainer.model.config.n_encoder_layers
    assert [list(one.ids[:11]) for one in found] == [
        by_hand(explainer, n) for n in range(n_layers + 1)
    ]
    assert found[-1].ids == explanation.search.hypotheses[0].ids
    assert found[-1].log_prob == pytest.approx(explanation.search.hypotheses[0].log_prob, abs=1e-4)
    assert len({one.ids for one in found}) > 1  # a lens that shows one layer would not do
