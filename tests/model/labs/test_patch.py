"""Transplants: into itself, of everything, and outside the causal cone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from model.checkpoint import SHIPPED
from model.config import KINDS, Interventions
from model.edits import NO_EDIT, Transplant, Transplants
from model.errors import InputError
from model.explain import Explainer
from model.labs import patch
from model.labs.patch import Contrast, contrast, heads, main, partings, states, translation
from tests import foreign
from tests.tiny import SINCE

A, B = "I read the old books last year.", "I read the last books old year."
STACKS = ("encoder", "decoder")


@pytest.fixture(scope="module", params=["post", "pre", "marian", "mbart cc25", *SINCE])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    """A tiny random model in float64."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    loaded = Explainer.load(foreign.write_tiny(folder, request.param), device="cpu")
    return loaded.with_model(loaded.model.double())


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    return Explainer.load(SHIPPED, device="cpu")


def pair(explainer: Explainer, a: str = A, b: str = B) -> Contrast:
    """A contrast made by hand, three tokens into a translation, whatever the model wants there."""
    read = explainer.trace(b, [11, 12, 13, 14]).tgt_in
    draft = Contrast(explainer.read(a), explainer.read(b), read, 21, 22, 1.0, 0.0)
    d = [
        float(patch._run(explainer, draft, side, 1).differences[0]) for side in patch._sides(draft)
    ]
    return replace(draft, giver_difference=d[0], receiver_difference=d[1])


@pytest.mark.slow
def test_a_sentence_into_itself_changes_nothing(explainer: Explainer, shipped: Explainer) -> None:
    """Bit for bit, in float64 and float32; another sentence is noticed."""
    for one in (explainer, shipped):
        itself, other = pair(one, B, B), pair(one)
        for stack in STACKS:
            assert not states(one, itself, stack).changes.any()
        for kind in KINDS:
            assert not heads(one, itself, kind).changes.any()
        assert states(one, other, "encoder").changes.any()
        assert heads(one, other, "cross").changes.any()


@pytest.mark.slow
def test_outside_the_cone_every_bit_is_the_same(explainer: Explainer) -> None:
    found = pair(explainer)
    encoder, decoder = (states(explainer, found, stack) for stack in STACKS)
    same = found.giver.ids == found.receiver.ids
    assert same.any() and not same.all()
    assert not encoder.changes[0, same].any()  # equal embeddings
    assert encoder.changes[0, ~same].all()
    assert encoder.changes[-1].all()
    assert not decoder.changes[0].any()  # both read the same tokens
    assert not decoder.changes[-1, :-1].any()  # nothing above reads them
    assert decoder.moved[-1, -1] == pytest.approx(1.0, abs=1e-6)  # all goes through this state


def test_a_state_reaches_no_earlier_row(explainer: Explainer) -> None:
    """Unless the causal mask is off, which is noticed."""
    model, found = explainer.model, pair(explainer)
    src = torch.tensor(found.receiver.ids[None])
    tgt = torch.tensor(found.tgt_in.ids[None])
    where = torch.arange(tgt.shape[1])[:, None] == 2
    given = torch.randn(1, tgt.shape[1], model.config.d_model, dtype=torch.float64)
    memory, _, _ = model.encode(src)
    for causal in (True, False):
        edits = Transplants({("decoder", 0): Transplant(where, given)})
        open_mask = model.edits(Interventions(causal_mask=False))
        if not causal:
            edits.mask = open_mask.mask  # type: ignore[method-assign]
        base, _, _ = model.decode(
            tgt, model.start(memory, None), model.edits(Interventions(causal_mask=causal))
        )
        changed, _, _ = model.decode(tgt, model.start(memory, None), edits)
        assert torch.equal(base[0, :2], changed[0, :2]) == causal
        assert not torch.equal(base[0, 2:], changed[0, 2:])


@pytest.mark.slow
def test_the_whole_last_encoder_state_gives_the_givers_translation(
    explainer: Explainer, shipped: Explainer
) -> None:
    cases = [(explainer, A, B), (shipped, "The dog bit the man.", "The man bit the dog.")]
    for one, a, b in cases:
        found = pair(one, a, b)
        n_layers, n = one.model.config.n_encoder_layers, len(found.receiver)
        own = {text: one.explain(text).search.hypotheses[0].text for text in (a, b)}
        assert translation(one, found, n_layers, range(n)) == own[a]
        assert translation(one, found, n_layers, []) == own[b]
        assert translation(one, found, 0, range(n)) == own[a]
    assert own[a] != own[b]


def test_all_cross_heads_together_are_the_givers_run(explainer: Explainer) -> None:
    found = pair(explainer)
    giver = patch._run(explainer, found, found.giver, 2)
    contexts = {
        ("cross", i): Transplant(torch.ones(1, 1, 1, 1, dtype=torch.bool), r.weights @ r.values)
        for i, r in enumerate(giver.decoder.cross)
    }
    edits = Transplants(contexts=contexts)  # type: ignore[arg-type]
    changed = patch._run(explainer, found, found.receiver, 2, edits)
    assert torch.equal(changed.differences, giver.differences)
    contexts.pop(("cross", 0))
    edits = Transplants(contexts=contexts)  # type: ignore[arg-type]
    changed = patch._run(explainer, found, found.receiver, 2, edits)
    assert not torch.equal(changed.differences, giver.differences)


def test_a_cell_is_one_run_with_one_state(explainer: Explainer) -> None:
    """Against a pass by hand: the state is replaced, and the layers above run again."""
    found, model = pair(explainer), explainer.model
    sources = [torch.tensor(side.ids[None]) for side in (found.giver, found.receiver)]
    (a, b) = (model.encode(src)[2].states[1].clone() for src in sources)
    b[0, 4] = a[0, 4]
    mask = torch.ones(1, 1, 1, b.shape[1], dtype=torch.bool)
    bias = model.biases(range(b.shape[1]), b.shape[1], "source", sources[1])(1)
    x, _ = model.encoder[1](b, mask, NO_EDIT, bias)
    state = model.start(model.encoder_norm(x), None)
    top, _, _ = model.decode(torch.tensor(found.tgt_in.ids[None]), state)
    logits = model.logits(top[0, -1:])[0]
    moved = float(logits[21] - logits[22]) - found.receiver_difference
    assert states(explainer, found, "encoder").changes[1, 4] == pytest.approx(moved, rel=1e-5)


def test_a_contrast_stands_where_the_two_part_most(shipped: Explainer) -> None:
    """Against the log-probs of each step, asked one after another."""
    a, b = "The dog bit the man.", "The man bit the dog."
    ids = [shipped.explain(text).trace.tgt_out.ids.tolist() for text in (a, b)]
    for giver, receiver, i in ((a, b, 0), (b, a, 1)):
        found, own, written = contrast(shipped, giver, receiver), ids[i], ids[1 - i]
        ways = {}
        for step in range(len(written)):
            one, other = (
                shipped.next_log_probs(text, written[:step]) for text in (giver, receiver)
            )
            same = own[:step] == written[:step] and step < len(own)
            token, instead_of = own[step] if same else int(one.argmax()), written[step]
            if token != instead_of:
                ways[step] = (one[token] - one[instead_of]) - (other[token] - other[instead_of])
        assert {p.step: p.way for p in partings(shipped, giver, receiver)} == pytest.approx(
            ways, abs=1e-3
        )
        assert found.step == max(ways, key=lambda step: ways[step]) and len(ways) > 1
        assert found.giver_difference - found.receiver_difference == pytest.approx(
            ways[found.step], abs=1e-3
        )
        assert found.giver_difference > 0 > found.receiver_difference


@pytest.mark.slow
@pytest.mark.parametrize(
    ("b", "step", "words"),
    [
        ("I saw the small brown dogs.", None, "tokens"),
        ("The dog bit the man.", None, "same translation"),
        ("The man bit the dog.", 99, "Step 100"),
    ],
)
def test_what_cannot_be_compared_gets_a_sentence(
    shipped: Explainer, b: str, step: int | None, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        contrast(shipped, "The dog bit the man.", b, step)


@pytest.mark.slow
def test_the_command_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--text", "The dog bit the man.", "--into", "The man bit the dog.", "--json"]
    assert main(arguments) == 0
    one, other = json.loads(capsys.readouterr().out)["directions"]
    assert one["text"] == other["into"]
    assert one["states"]["decoder"][-1][-1] == pytest.approx(1.0, abs=1e-4)
    assert len(one["heads"]) == 72
    assert main(["--text", "The dog.", "--into", "The big old dogs are here."]) == 2
    assert "tokens" in capsys.readouterr().err
