"""What the exhibits on positions and cost ask Python, against the model itself."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits import cost, order
from explorer.exhibits.order import PAIRS
from explorer.exhibits.positions import EXHIBIT as POSITIONS
from model.config import DecodeConfig, Interventions
from model.explain import Explainer
from model.labs import timing
from model.transformer import Transformer, sinusoids
from tests import tiny

TEXT = "I am a small frog."
WISH = Request(TEXT, DecodeConfig(beam_size=2, max_length=12))
ASKED = {
    "positions": "none",
    "sides": "both",
    "shift": 0,
    "seed": 0,
    "kind": "cross",
    "layer": 1,
    "head": 2,
}


def ask(name: str, explainer: Explainer, wish: Request = WISH, **changes: Any) -> dict[str, Any]:
    questions = {**POSITIONS.questions, **order.EXHIBIT.questions, **cost.EXHIBIT.questions}
    return questions[name](explainer, wish, Arguments(changes))


def unpacked(text: str) -> np.ndarray:
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(4, -1)
    return np.ascontiguousarray(planes.T).view("<f4").ravel()


def test_embedding_and_position_make_what_the_first_layer_gets(explainer: Explainer) -> None:
    found = ask("positions", explainer)
    model, trace = explainer.model, explainer.explain(TEXT, WISH.config).trace
    for side, ids in (("source", trace.src.ids), ("target", trace.tgt_in.ids)):
        vectors = {
            name: unpacked(found[side][name]).reshape(len(ids), -1)
            for name in ("embedding", "position", "sum")
        }
        token = model.embedding.token.weight.detach()[torch.tensor(ids)].double()
        np.testing.assert_allclose(vectors["embedding"], token * 8, atol=1e-6)  # sqrt(64)
        np.testing.assert_allclose(vectors["position"], sinusoids(len(ids), 64), atol=1e-6)
        np.testing.assert_allclose(
            vectors["sum"], vectors["embedding"] + vectors["position"], atol=1e-6
        )
    assert found["layout"] == "interleaved" and found["d_model"] == 64 and found["scale"] == 8


def test_a_model_without_the_factor_says_so(tmp_path: Path) -> None:
    """As Marian's `scale_embedding: false`."""
    folder = tiny.write_own(tmp_path, scale_embedding=False)
    explainer = Explainer.load(folder, device="cpu")
    found = ask("positions", explainer)
    ids = torch.tensor(explainer.explain(TEXT, WISH.config).trace.src.ids)
    token = explainer.model.embedding.token.weight.detach()[ids].double()
    vectors = unpacked(found["source"]["embedding"]).reshape(token.shape)
    np.testing.assert_allclose(vectors, token, atol=1e-6)
    assert found["scale"] == 1


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ({"positions": "none"}, {"positions": "none"}),
        ({"positions": "shifted", "shift": 7}, {"positions": "shifted", "shift": 7}),
        (
            {"positions": "shuffled", "sides": "source", "seed": 3},
            {"positions": "shuffled", "sides": "source", "position_seed": 3},
        ),
    ],
)
def test_before_and_after_are_the_runs_of_the_model(
    explainer: Explainer, asked: dict[str, Any], meant: dict[str, Any]
) -> None:
    changed = Interventions.from_dict(meant)
    found = ask("order", explainer, **{**ASKED, **asked})
    before = explainer.explain(TEXT, WISH.config)
    after = explainer.explain(TEXT, WISH.config, interventions=changed)
    assert found["before"]["text"] == before.trace.tgt_out.text
    assert found["after"]["text"] == after.trace.tgt_out.text
    ids = before.trace.tgt_out.ids.tolist()
    assert found["ids"] == ids
    same = explainer.trace(TEXT, ids, interventions=changed)
    again = unpacked(found["again"]).reshape(2, -1)
    np.testing.assert_array_equal(again, [before.trace.log_prob, same.log_prob])
    assert abs(again[1] - again[0]).max() > 1e-4
    weights = unpacked(found["weights"]).reshape(2, -1)
    np.testing.assert_array_equal(
        weights, [t.cross.weights[1, 2].ravel() for t in (before.trace, same)]
    )


def test_a_page_that_already_shows_a_change_is_compared_with_its_own_other_changes(
    explainer: Explainer,
) -> None:
    other = Interventions(positions="shifted", shift=5, scaling=False)
    wish = Request(TEXT, WISH.config, shown=1, interventions=other)
    found = ask("order", explainer, wish, **ASKED)
    kept = explainer.explain(TEXT, WISH.config, interventions=Interventions(scaling=False))
    assert found["before"]["text"] == kept.trace.tgt_out.text
    assert found["interventions"]["positions"] == "none"
    assert found["interventions"]["scaling"] is False


def test_a_hypothesis_on_show_stays_the_one_before(explainer: Explainer) -> None:
    found = ask("order", explainer, Request(TEXT, WISH.config, shown=1), **ASKED)
    second = explainer.explain(TEXT, WISH.config, shown=1).trace.tgt_out
    assert found["before"]["text"] == second.text and found["before"]["length"] == len(second)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_encoder_without_positions_is_permutation_equivariant(
    explainer: Explainer, seed: int
) -> None:
    found = ask("equivariance", explainer, seed=seed)
    ids = torch.tensor(explainer.read(TEXT).ids)
    order = torch.tensor(found["order"])
    assert sorted(found["order"]) == list(range(len(ids)))
    assert found["order"] != sorted(found["order"])
    for name, change in (("none", Interventions(positions="none")), ("kept", Interventions())):
        own = explainer.model.encode(ids[None], explainer.model.edits(change))[0][0]
        moved = explainer.model.encode(ids[order][None], explainer.model.edits(change))[0][0]
        off = (moved[order.argsort()] - own).abs().amax(-1)
        np.testing.assert_allclose(found[name], off.detach(), atol=2e-6)
    assert max(found["none"]) < 1e-5 < 1e-2 < max(found["kept"])


def test_the_drawn_order_is_another_one_where_there_is_one() -> None:
    for ids in ([5, 2], [5, 5, 2], [5, 6, 2]):
        for seed in range(30):
            drawn = order._other_order(np.array(ids), np.random.default_rng(seed))
            assert np.array(ids)[drawn].tolist() != ids
    assert order._other_order(np.array([5, 5]), np.random.default_rng(1)).size == 2


def test_padding_is_not_a_word_that_trades_places(explainer: Explainer) -> None:
    padded = Request(TEXT, WISH.config, interventions=Interventions(padding=4))
    assert (
        ask("equivariance", explainer, padded, seed=1)["order"]
        == (ask("equivariance", explainer, seed=1)["order"])
    )


@pytest.mark.parametrize("name", PAIRS)
def test_two_orders_are_one_sentence_to_an_encoder_without_positions(
    explainer: Explainer, name: str
) -> None:
    tokens = [sorted(explainer.read(text).ids.tolist()) for text in PAIRS[name]]
    found = ask("pair", explainer, pair=name)["sentences"]
    assert [one["text"] for one in found] == list(PAIRS[name])
    if tokens[0] == tokens[1]:  # the tiny tokenizer may cut them differently
        assert found[0]["none"]["text"] == found[1]["none"]["text"]
        assert found[0]["none"]["log_prob"] == pytest.approx(found[1]["none"]["log_prob"], abs=1e-4)


@pytest.mark.parametrize(
    "changes",
    [
        {"positions": "kept"},
        {"sides": "left"},
        {"shift": 10_000},
        {"seed": -1},
        {"kind": "other"},
        {"layer": 99},
        {"head": True},
    ],
)
def test_what_was_not_asked_for_is_refused(explainer: Explainer, changes: dict[str, Any]) -> None:
    with pytest.raises(PageError):
        ask("order", explainer, **{**ASKED, **changes})


def test_times_are_measured_once_for_a_model(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real = timing.layer_times

    def counted(model: Transformer, lengths: tuple[int, ...]) -> Any:
        calls.append(lengths)
        return real(model, (8, 16))

    monkeypatch.setattr(timing, "layer_times", counted)
    cost._measured.pop(explainer, None)
    first, second = ask("cost", explainer), ask("cost", explainer)
    assert first is second and calls == [cost.LENGTHS]
    assert first["d_model"] == 64 and first["n_heads"] == 8 and first["device"] == "cpu"
    assert all(seconds > 0 for seconds in first["seconds"])
    cost._measured.pop(explainer, None)
