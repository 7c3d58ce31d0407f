"""Gradient attributions against autograd through the models of `transformers`, and Captum's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.checkpoint import SHIPPED
from model.config import DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs import gradients
from model.labs.gradients import input_x_gradient, integrated_gradients
from model.trace import Trace
from tests import foreign
from tests.tiers import each

transformers = pytest.importorskip("transformers")

Case = tuple[Explainer, Trace, Callable[[Tensor], Tensor], Tensor]


@pytest.fixture(
    scope="module",
    params=["marian", pytest.param("mbart cc25", marks=pytest.mark.long), "bart", "t5"],
)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A model, a pass, their log-probs (R, T) of vectors (R, S, D), and the source's vectors."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    if request.param == "marian":
        foreign.write_tiny(folder, "marian")
    else:
        foreign.write_family(folder, request.param)
    explainer = Explainer.load(folder, device="cpu")
    explainer.model.double()
    text = foreign.SENTENCES[2]
    trace = explainer.explain(text, DecodeConfig(method="sampling", max_length=6, seed=2)).trace
    theirs = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    theirs = foreign.exact(theirs)
    src, read, written = (
        torch.tensor(side.ids[None]) for side in (trace.src, trace.tgt_in, trace.tgt_out)
    )
    encoder = theirs.get_encoder()
    scale = getattr(encoder, "embed_scale", 1.0)
    with torch.no_grad():
        vectors = encoder.get_input_embeddings()(src) * scale

    def log_probs(given: Tensor) -> Tensor:
        rows = len(given)
        logits = theirs(
            inputs_embeds=given,
            attention_mask=torch.ones(given.shape[:2]),
            decoder_input_ids=read.expand(rows, -1),
        ).logits.log_softmax(-1)
        chosen: Tensor = logits.gather(-1, written.expand(rows, -1)[..., None])[..., 0]
        return chosen

    return explainer, trace, log_probs, vectors


def products(log_probs: Callable[[Tensor], Tensor], vectors: Tensor, at: Any) -> Any:
    """The vectors times the gradient of each log-prob on the line from zero, (R, S, T)."""
    given = (torch.tensor(at)[:, None, None] * vectors).requires_grad_()
    chosen = log_probs(given).sum(0)
    rows = [torch.autograd.grad(one, given, retain_graph=True)[0] for one in chosen]
    return np.stack([(vectors * row).sum(-1).numpy() for row in rows], -1)


def off(found: Any, expected: Any) -> float:
    return float(np.abs(found - expected).sum() / np.abs(expected).sum())


def test_input_x_gradient_is_autograds(case: Case) -> None:
    explainer, trace, log_probs, vectors = case
    assert log_probs(vectors)[0].detach().numpy() == pytest.approx(trace.log_prob, abs=1e-4)
    expected = products(log_probs, vectors, [1.0])[0]
    assert off(input_x_gradient(explainer, trace), expected) < 1e-4


def test_it_is_the_change_of_the_log_probs_along_a_tokens_vector(case: Case) -> None:
    """By finite differences, without autograd."""
    explainer, trace, log_probs, vectors = case
    found = input_x_gradient(explainer, trace)
    for s in range(len(trace.src)):
        step = torch.zeros_like(vectors)
        step[:, s] = 1e-5 * vectors[:, s]
        with torch.no_grad():
            change = (log_probs(vectors + step) - log_probs(vectors - step))[0] / 2e-5
        np.testing.assert_allclose(found[s], change.numpy(), atol=2e-3 * np.abs(found).max())


def test_integrated_gradients_are_the_mean_on_the_line_from_zero(case: Case) -> None:
    """The parts add up to the difference; a sum of many more points has the same parts. Without
    positions (T5) they do not, and say so.
    """
    explainer, trace, log_probs, vectors = case
    found = integrated_gradients(explainer, trace)
    assert found.missing < 0.01 or found.points >= gradients.MAX_PIECES
    with torch.no_grad():
        ends = log_probs(torch.cat((vectors, torch.zeros_like(vectors))))
    np.testing.assert_allclose(found.differences, (ends[0] - ends[1]).numpy(), atol=1e-3)
    if not gradients._Line(explainer, trace).positions.any():
        assert found.missing > 0.01  # a norm of nothing but zeros: the line begins with a jump
        return
    edges = np.linspace(0, 1, 601)
    batches = np.array_split((edges[1:] + edges[:-1]) / 2, 8)
    whole = np.concatenate([products(log_probs, vectors, at) for at in batches])
    expected = np.tensordot(np.diff(edges), whole, 1)
    assert off(found.parts, expected) < 0.05
    assert off(input_x_gradient(explainer, trace), expected) > 0.2


@pytest.mark.parametrize("fault", ["positions", "next"])
def test_a_fault_is_noticed(case: Case, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that leads away from the positions too, and parts of the token before."""
    explainer, trace, *_ = case
    line = gradients._Line
    if fault == "positions":
        if not line(explainer, trace).positions.any():
            pytest.skip("this family has no position vectors")
        passed = line._passed

        def moved(self: Any, tokens: Tensor) -> tuple[Tensor, Tensor]:
            share = tokens.norm() / (self.vectors.norm() * len(tokens) ** 0.5)
            kept, self.positions = self.positions, self.positions * share.detach()
            try:
                return passed(self, tokens)
            finally:
                self.positions = kept

        monkeypatch.setattr(line, "_passed", moved)
    else:
        right = line._products
        monkeypatch.setattr(line, "_products", lambda self, at: right(self, at).roll(1, -1))
    assert integrated_gradients(explainer, trace).missing > 0.02


@each("pair", ["en-zh", "de-en"], 1)
def test_the_shipped_models_are_complete(pair: str) -> None:
    explainer = Explainer.load(SHIPPED.parent / pair, device="cpu")
    text = "Good night, my friend." if pair == "en-zh" else "Gute Nacht, mein Freund."
    found = integrated_gradients(explainer, explainer.explain(text).trace)
    assert found.missing < 0.01 and found.points < gradients.MAX_PIECES


def test_a_changed_model_is_refused(case: Case) -> None:
    explainer, trace, *_ = case
    changed = explainer.trace(
        trace.src.text, [5], interventions=Interventions(heads_off=(("cross", 0, 0),))
    )
    for measure in (input_x_gradient, integrated_gradients):
        with pytest.raises(InputError, match="without changes"):
            measure(explainer, changed)


@pytest.mark.long
def test_both_are_captums(case: Case) -> None:
    """`tests/long.txt`: Captum 0.9; Inseq computes both by Captum."""
    attr = pytest.importorskip("captum.attr")
    explainer, trace, log_probs, vectors = case
    each, whole = [], []
    for t in range(len(trace.tgt_out)):
        one = lambda given, t=t: log_probs(given)[:, t]  # noqa: E731
        own = attr.InputXGradient(one).attribute(vectors.clone().requires_grad_())
        each.append(own.detach().sum(-1)[0].numpy())
        own = attr.IntegratedGradients(one).attribute(
            vectors, 0 * vectors, n_steps=600, method="riemann_middle", internal_batch_size=50
        )
        whole.append(own.detach().sum(-1)[0].numpy())
    assert off(input_x_gradient(explainer, trace), np.stack(each, -1)) < 1e-4
    if gradients._Line(explainer, trace).positions.any():  # else its even steps miss the start
        assert off(integrated_gradients(explainer, trace).parts, np.stack(whole, -1)) < 0.05


@pytest.mark.long
def test_input_x_gradient_is_inseqs(tmp_path: Path) -> None:
    """Inseq 0.7 with `transformers` 5: it wants older packages than the others of
    `tests/long.txt`, so `pip install --no-deps inseq captum jaxtyping "typeguard<3" ...` by itself.
    """
    inseq = pytest.importorskip("inseq")
    folder, text = foreign.write_family(tmp_path / "bart", "bart"), foreign.SENTENCES[2]
    explainer = Explainer.load(folder, device="cpu")
    trace = explainer.explain(text, DecodeConfig(method="greedy", max_length=6)).trace
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    tokenizer = transformers.BartTokenizer.from_pretrained(folder)
    theirs = inseq.load_model(model, "input_x_gradient", tokenizer=tokenizer)
    given = {"generation_args": {"max_new_tokens": 6, "num_beams": 1}, "show_progress": False}
    [found] = theirs.attribute(text, attributed_fn="probability", **given).sequence_attributions
    assert [one.id for one in found.target] == [trace.tgt_in.ids[0], *trace.tgt_out.ids]
    # Of the probability, whose gradient is that of the log-prob times it.
    expected = found.source_attributions.sum(-1).numpy() / np.exp(trace.log_prob)
    assert off(input_x_gradient(explainer, trace), expected) < 1e-4
