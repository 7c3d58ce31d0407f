"""Ranking the heads and taking tokens out: one batch gives what one at a time gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError, TraceError
from model.explain import Explainer
from model.labs import ablation
from model.labs.ablation import HeadEffects, Occlusion, all_heads, occlusion, rank_heads
from model.trace import Explanation
from tests.examples import SENTENCES
from tests.tiny import write_marian, write_own

TEXT = "I am a small frog."
CHANGED = [
    UNTOUCHED,
    Interventions(heads_off=(("cross", 1, 0),), padding=3, scaling=False),
    Interventions(causal_mask=False, cells=(("decoder_self", 2, 1, False),)),
    Interventions(positions="shuffled", padding=2, padding_mask=False),
]


@pytest.fixture(scope="module", params=["own", "marian", "apart"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder = tmp_path_factory.mktemp("model") / request.param
    if request.param == "apart":  # four heads in the decoder, two in the encoder
        return Explainer.load(write_marian(folder, decoder_attention_heads=4), device="cpu")
    write = write_own if request.param == "own" else write_marian
    return Explainer.load(write(folder), device="cpu")


def count(explainer: Explainer) -> int:
    """The heads of the model: 2 layers of the encoder, 3 of the decoder with two attentions."""
    return 2 * 2 + 3 * 2 * (explainer.model.config.decoder_heads or 2)


def explain(explainer: Explainer, interventions: Interventions = UNTOUCHED) -> Explanation:
    """A sampled translation: its tokens differ, so that a column in a wrong place is noticed."""
    config = DecodeConfig(method="sampling", max_length=8, seed=1)
    return explainer.explain(TEXT, config, interventions=interventions)


def one_at_a_time(explainer: Explainer, e: Explanation) -> np.ndarray:
    """(heads, T)"""
    changes = []
    for head in all_heads(explainer.model.config):
        values = {**vars(e.interventions), "heads_off": (*e.interventions.heads_off, head)}
        trace = explainer.trace(
            e.text, e.trace.tgt_out.ids, interventions=Interventions.from_dict(values)
        )
        changes.append(trace.log_prob - e.trace.log_prob)
    return np.array(changes)


@pytest.mark.slow
@pytest.mark.parametrize("interventions", CHANGED)
def test_the_ranking_is_what_one_head_at_a_time_gives(
    explainer: Explainer, interventions: Interventions
) -> None:
    e = explain(explainer, interventions)
    found = rank_heads(explainer, e)
    expected = one_at_a_time(explainer, e)
    assert found.heads == all_heads(explainer.model.config)
    assert len(found.heads) == count(explainer)
    # Without scaling the scores are √d_k times as large, and so is what float32 leaves out.
    near = 1e-5 if interventions.scaling else 2e-5
    np.testing.assert_allclose(found.changes, expected, rtol=0, atol=near)
    np.testing.assert_allclose(found.totals, found.changes.sum(1), rtol=0, atol=5e-6)
    each = 1e-5 * expected.shape[1]  # as far off as all tokens together may be
    np.testing.assert_allclose(found.totals, expected.sum(1), rtol=0, atol=each)
    assert np.abs(np.roll(expected, 1, axis=0) - expected).max() > 1e-2
    ordered = [found.totals[found.heads.index(head)] for head in found.ranking]
    assert ordered == sorted(found.totals) and len(set(found.ranking)) == len(found.heads)
    for head in interventions.heads_off:  # it is off already
        assert np.abs(found.changes[found.heads.index(head)]).max() < 1e-5


def test_a_batch_in_pieces_is_the_same_batch(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    e = explain(explainer)
    whole = (rank_heads(explainer, e).changes, occlusion(explainer, e).changes)
    passes = []
    forward = explainer.model.forward
    monkeypatch.setattr(
        explainer.model, "forward", lambda *a: passes.append(len(a[0])) or forward(*a)
    )
    for most, rows in ((1, 1), (30_000, 12)):
        passes.clear()
        monkeypatch.setattr(ablation, "MAX_NUMBERS", most)
        pieces = (rank_heads(explainer, e).changes, occlusion(explainer, e).changes)
        assert 1 <= max(passes) <= rows and sum(passes) == count(explainer) + len(e.trace.src) - 1
        for one, other in zip(pieces, whole, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)


@torch.inference_mode()
def without(explainer: Explainer, e: Explanation, s: int) -> np.ndarray:
    """The log-probs of the output when source token s was never there."""
    ids = list(e.trace.src.ids[: len(e.trace.src) - e.interventions.padding])
    del ids[s]
    src, tgt = torch.tensor([ids]), torch.tensor(e.trace.tgt_in.ids[None])
    log_probs = explainer.model(src, tgt, explainer.model.edits(e.interventions))[0].log_softmax(-1)
    written = torch.tensor(e.trace.tgt_out.ids[:, None])
    found: np.ndarray = log_probs.gather(-1, written)[:, 0].numpy()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("interventions", CHANGED)
def test_occlusion_is_the_model_without_the_token(
    explainer: Explainer, interventions: Interventions
) -> None:
    e = explain(explainer, interventions)
    found = occlusion(explainer, e)
    real = len(e.trace.src) - interventions.padding
    assert found.changes.shape == (real - 1, len(e.trace.tgt_out))
    expected = np.array([without(explainer, e, s) for s in range(real - 1)]) - e.trace.log_prob
    np.testing.assert_allclose(found.changes, expected, rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.totals, found.changes.sum(1), rtol=0, atol=5e-6)
    each = 1e-5 * expected.shape[1]  # as far off as all tokens together may be
    np.testing.assert_allclose(found.totals, expected.sum(1), rtol=0, atol=each)
    assert np.abs(np.roll(expected, 1, axis=0) - expected).max() > 1e-2


def test_a_source_of_one_token_leaves_the_end_token(explainer: Explainer) -> None:
    config = DecodeConfig(method="greedy", max_length=4)
    e = next(e for e in (explainer.explain(t, config) for t in "aI.") if len(e.trace.src) <= 3)
    found = occlusion(explainer, e)
    assert len(found.changes) == len(e.trace.src) - 1 and np.isfinite(found.changes).all()


@pytest.mark.slow
def test_painted_cells_of_the_source_and_occlusion_do_not_mix(explainer: Explainer) -> None:
    for cell in (("cross", 1, 2, False), ("encoder_self", 1, 2, False)):
        e = explain(explainer, Interventions(cells=(cell,)))
        with pytest.raises(InputError, match="Clear the painted cells first"):
            occlusion(explainer, e)
        assert len(rank_heads(explainer, e).changes) == count(explainer)


def test_records_are_checked_and_cannot_be_written() -> None:
    made = HeadEffects((("cross", 0, 0), ("cross", 0, 1)), np.array([[1, 2], [-4, 0]]), UNTOUCHED)
    assert made.totals.tolist() == [3, -4]
    assert made.ranking == (("cross", 0, 1), ("cross", 0, 0))
    with pytest.raises(ValueError, match="read-only"):
        made.changes[0, 0] = 1
    with pytest.raises(TraceError, match=r"HeadEffects\.changes has shape \(3, 2\)"):
        HeadEffects(made.heads, np.zeros((3, 2)), UNTOUCHED)
    with pytest.raises(TraceError, match=r"Occlusion\.changes"):
        Occlusion(np.zeros((1, 3, 2)), UNTOUCHED)


# ---------------------------------------------------------------------------- the shipped model


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    return Explainer.load(None, device="cpu")


def test_what_matters_to_the_translation_is_what_was_said(shipped: Explainer) -> None:
    """Without "student" the word for it is lost; without "I" it is not."""
    e = shipped.explain("I am a student.")
    found = occlusion(shipped, e)
    student = e.trace.src.pieces.index("▁student")
    word = next(i for i, piece in enumerate(e.trace.tgt_out.pieces) if "学生" in piece)
    assert found.changes[:, word].argmin() == student
    left = np.exp(found.changes[:, word])  # of its probability
    assert left[student] < 0.1 and left[e.trace.src.pieces.index("▁I")] > 0.5


@pytest.mark.slow
@pytest.mark.long
def test_a_model_that_was_trained_with_the_causal_mask_cannot_use_the_future(
    shipped: Explainer,
) -> None:
    """It has never seen a future to read: shown one, it finds the right words less likely."""
    unmasked = Interventions(causal_mask=False)
    sums, means = [], []
    for text in SENTENCES:
        own = shipped.explain(text).trace
        free = shipped.trace(text, own.tgt_out.ids, interventions=unmasked)
        sums.append(free.log_prob.sum() - own.log_prob.sum())
        means.append(np.exp(free.log_prob).mean() - np.exp(own.log_prob).mean())
    assert np.mean(np.array(sums) < 0) > 0.9 and np.mean(np.array(means) < 0) > 0.9
    assert np.mean(sums) < -5 and np.mean(means) < -0.2
