"""Another measure of a head's cells: against the definition, written out from the weights alone."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from model.config import KINDS, DecodeConfig, Interventions, Kind
from model.errors import InputError
from model.explain import Explainer
from model.labs import scoreboard
from model.labs.beside import NAMES, beside
from model.labs.contribution import measured
from model.labs.summaries import rank_correlation
from model.trace import Trace
from tests.tiny import write_own

TEXT = "I am a small frog."


@pytest.fixture(scope="module")
def explainer(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return Explainer.load(write_own(tmp_path_factory.mktemp("model") / "tiny"), device="cpu")


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    return explainer.explain(TEXT, DecodeConfig(method="sampling", max_length=7, seed=1)).trace


def test_the_norm_is_the_length_of_what_the_head_moves(explainer: Explainer, trace: Trace) -> None:
    """|a W_O V x| of each cell, V x and W_O taken from the module and not from our record."""
    model, (layer, head) = explainer.model, (1, 1)
    module = model.decoder[layer].cross_attention
    memory = torch.tensor(trace.encoder_states[-1])
    d_k = model.config.d_model // model.config.heads("cross")
    part = slice(head * d_k, (head + 1) * d_k)
    with torch.no_grad():
        values = (memory @ module.value.weight.T + module.value.bias)[:, part]
        moved = values @ module.output.weight[:, part].T  # (K, D)
    weights = trace.cross.weights[layer, head].astype(np.float64)
    wanted = weights * np.linalg.norm(moved.double().numpy(), axis=-1)
    wanted /= wanted.sum(-1, keepdims=True)
    found = beside(explainer, trace, "norm", ("cross", layer, head))
    assert found.of == "head"
    np.testing.assert_allclose(found.cells, wanted, atol=1e-5)
    other = beside(explainer, trace, "norm", ("cross", layer, 0))  # the twin
    assert np.abs(other.cells - wanted).max() > 1e-3


def test_the_rank_correlation_is_spearmans(explainer: Explainer, trace: Trace) -> None:
    """1 - 6 sum d^2 / (n (n^2 - 1)), which holds where no two numbers are equal."""
    found = beside(explainer, trace, "value_zeroing", ("cross", 0, 1))
    weights = trace.cross.weights[0, 1].ravel().astype(np.float64)
    cells = found.cells.ravel()
    assert len(set(weights)) == len(set(cells)) == len(cells)
    apart = weights.argsort().argsort() - cells.argsort().argsort()
    n = len(cells)
    assert found.rank == pytest.approx(1 - 6 * (apart**2).sum() / (n * (n**2 - 1)))
    assert -1 <= found.rank < 1


def test_what_is_masked_does_not_count(explainer: Explainer, trace: Trace) -> None:
    """Masked cells are 0 in both: counted as equal they would make any two maps agree."""
    maps, found = (
        trace.decoder_self,
        beside(explainer, trace, "value_zeroing", ("decoder_self", 0, 1)),
    )
    weights, cells = maps.weights[0, 1], found.cells
    allowed = maps.mask
    assert not cells[~allowed].any() and (~allowed).any()
    ranks = [a[allowed].argsort().argsort() for a in (weights, cells)]
    assert found.rank == pytest.approx(np.corrcoef(ranks)[0, 1], abs=0.05)
    whole = [a.ravel().argsort().argsort() for a in (weights, cells)]
    assert abs(np.corrcoef(whole)[0, 1] - found.rank) > 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_shares(explainer: Explainer, trace: Trace, name: str) -> None:
    for kind in KINDS if name != "occlusion" else ("cross",):
        found = beside(explainer, trace, name, (kind, 1, 0))
        maps = trace.attention(kind)
        assert found.cells.shape == maps.weights.shape[2:]
        sums = found.cells.sum(-1)
        assert ((np.abs(sums - 1) < 1e-6) | (sums == 0)).all()
        assert (found.cells >= 0).all() and sums.any()
        assert found.of == {"value_zeroing": "layer", "occlusion": "model"}.get(name, "head")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("scale", "is_empty"), [(1e-12, True), (1e-5, True), (1, False)])
def test_contributions_that_are_rounding_are_empty_and_not_ranked(
    explainer: Explainer, trace: Trace, kind: Kind, scale: float, is_empty: bool
) -> None:
    """A head that writes next to nothing; its neighbour is not touched."""
    model = copy.deepcopy(explainer.model)
    layer = (model.encoder if kind == "encoder_self" else model.decoder)[1]
    name = "cross_attention" if kind == "cross" else "self_attention"
    with torch.no_grad():
        weight = getattr(layer, name).output.weight
        weight[:, : weight.shape[1] // model.config.heads(kind)] *= scale
    changed = explainer.with_model(model)
    read = changed.trace(TEXT, trace.tgt_out.ids.tolist())
    found = beside(changed, read, "contribution", (kind, 1, 0))
    assert found.cells.any() != is_empty
    assert (found.rank is None) == is_empty
    other = beside(changed, read, "contribution", (kind, 1, 1))
    assert other.cells.any() and other.rank is not None


def test_a_row_is_empty_exactly_where_it_is_small(explainer: Explainer, trace: Trace) -> None:
    """Occlusion too: by the costs themselves, with half of the rows made small."""
    costs = scoreboard.matrix(explainer, trace, ("occlusion", None, None)).copy()
    costs[::2] *= 1e-9
    small = costs.sum(-1) < 1e-3
    assert small[::2].all() and not small.all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoreboard, "matrix", lambda *_: costs)
        found = beside(explainer, trace, "occlusion", ("cross", 0, 0))
    np.testing.assert_array_equal(found.cells.any(-1), ~small)
    weights = trace.cross.weights[0, 0].astype(np.float64)[~small]
    assert found.rank == rank_correlation(weights, found.cells[~small])


def test_value_zeroing_is_of_the_layer(explainer: Explainer, trace: Trace) -> None:
    one, other = (beside(explainer, trace, "value_zeroing", ("cross", 1, h)) for h in (0, 1))
    np.testing.assert_array_equal(one.cells, other.cells)
    assert one.rank != other.rank  # compared with another head's weights
    whole = measured(explainer.model, trace, "value_zeroing", "cross", 1)
    np.testing.assert_array_equal(one.cells, whole.cells)


@pytest.mark.parametrize(
    ("name", "head"),
    [("guess", ("cross", 0, 0)), ("occlusion", ("encoder_self", 0, 0)), ("", ("cross", 0, 0))],
)
def test_what_there_is_not_is_a_sentence(
    explainer: Explainer, trace: Trace, name: str, head: tuple
) -> None:
    with pytest.raises(InputError, match="expected one of norm, contribution"):
        beside(explainer, trace, name, head)


def test_painted_cells_of_the_source_are_refused(explainer: Explainer) -> None:
    painted = Interventions(cells=(("cross", 0, 0, False),))
    trace = explainer.explain(TEXT, interventions=painted).trace
    with pytest.raises(InputError, match="Clear the painted cells first"):
        beside(explainer, trace, "occlusion", ("cross", 0, 0))
