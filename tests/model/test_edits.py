"""What visitors may change on the running model: what is refused, what it does, what it leaves."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model import config as config_module
from model import edits as edits_module
from model.config import KINDS, UNTOUCHED, DecodeConfig, Interventions
from model.edits import NO_EDITS, InterventionBatch
from model.errors import ConfigError, InputError
from model.explain import Explainer
from model.transformer import Transformer
from tests.tiny import SINCE, own_model, write_own

TEXT = "I am a small frog."
FUTURE = [("decoder_self", q, k, True) for q in range(7) for k in range(q + 1, 7)]


@pytest.fixture(scope="module")
def model() -> Transformer:
    return own_model().double()


@pytest.fixture(scope="module")
def explainer(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return Explainer.load(write_own(tmp_path_factory.mktemp("own")), device="cpu")


def make(**values: object) -> Interventions:
    return Interventions.from_dict(values)


def run(model: Transformer, src: Tensor, tgt: Tensor, interventions: InterventionBatch) -> Tensor:
    return model(src, tgt, model.edits(interventions, len(src)))


def tokens(seed: int = 0, rows: int = 3, src: int = 8, tgt: int = 7) -> tuple[Tensor, Tensor]:
    """Sources of different lengths, padded with 0, and targets."""
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(4, 400, (rows, src), generator=generator)
    for row in range(1, rows):
        source[row, int(torch.randint(1, src, (), generator=generator)) :] = 0
    return source, torch.randint(4, 400, (rows, tgt), generator=generator)


# ----------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"heads_off": [["cross", 0]]}, r"heads_off has \['cross', 0\]; expected \(kind, layer"),
        ({"heads_off": [["across", 0, 1]]}, "heads_off has"),
        ({"heads_off": [["cross", 0, -1]]}, "numbers from 0"),
        ({"heads_off": [["cross", True, 1]]}, "heads_off has"),
        ({"heads_off": [["cross", 0, 1.0]]}, "heads_off has"),
        ({"heads_off": [[["cross"], 0, 1]]}, "heads_off has"),
        ({"heads_off": "cross"}, "heads_off is 'cross'; expected a list of"),
        ({"heads_off": None}, "heads_off is None"),
        ({"cross_off": 1}, "cross_off is 1; expected a list"),
        ({"cross_off": ["one"]}, "cross_off has 'one'; expected layer"),
        ({"cells": [["cross", 0, 1, 1]]}, "cells has"),
        ({"cells": [["cross", 0, 1]]}, r"expected \(kind, query, key, allowed\)"),
        ({"cells": [["cross", 0, 1, True], ["cross", 0, 1, False]]}, "give each cell once"),
        (
            {"cells": [["cross", 0, 1, True]] * 100_001},
            "cells has 100,001 entries; expected at most 49,152",
        ),
        ({"causal_mask": 1}, "causal_mask is 1; expected true or false"),
        ({"padding_mask": None}, "padding_mask is None"),
        ({"scaling": "no"}, "scaling is 'no'"),
        ({"padding": -1}, "padding is -1; expected a whole number from 0"),
        ({"padding": True}, "padding is True"),
        ({"positions": "turned"}, "expected one of kept, none, shuffled, shifted"),
        ({"sides": "left"}, "expected one of source, target, both"),
        ({"shift": 2.5}, "shift is 2.5"),
        ({"position_seed": -1}, "position_seed is -1"),
        ({"positions": "shuffled", "sides": "target"}, "Choose the sides source or both"),
        ({"heads": []}, "has no field heads"),
    ],
)
def test_a_wrong_value_is_one_sentence(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Interventions.from_dict(values)


def test_json_both_ways_and_one_spelling_of_each() -> None:
    one = make(
        heads_off=[["cross", 2, 1], ["encoder_self", 0, 0], ["cross", 2, 1]],
        cross_off=[1, 0],
        cells=[["decoder_self", 3, 1, False], ["cross", 0, 0, True]],
        positions="shifted",
        shift=3,
    )
    assert one.heads_off == (("cross", 2, 1), ("encoder_self", 0, 0))
    assert one.cross_off == (0, 1)
    again = Interventions.from_json(one.to_json())
    assert again == one and hash(again) == hash(one)
    assert Interventions.from_json(UNTOUCHED.to_json()) == UNTOUCHED != one


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"heads_off": [["cross", 3, 0]]}, "Head 1 of layer 4 of the cross-attention.*3 layers"),
        ({"heads_off": [["encoder_self", 2, 0]]}, "2 layers of 2 heads"),
        ({"heads_off": [["decoder_self", 0, 2]]}, "Head 3 of layer 1"),
        ({"cross_off": [3]}, "layer 4 was to be switched off; the decoder has 3"),
        ({"cells": [["encoder_self", 9, 0, True]]}, "source position 10; this source has"),
        ({"cells": [["cross", 0, 900, True]]}, "source position 901; this source has"),
        ({"padding": 100}, "tokens and 100 of padding; the limit is 64"),
        ({"positions": "shifted", "shift": 60}, "shifted by 60 positions.*has 64 positions"),
        ({"positions": "shifted", "shift": 64, "sides": "target"}, "Choose a smaller shift"),
        ({"cells": [["decoder_self", 0, 0, False]]}, "position 1 of the decoder's self-attention"),
        ({"cells": [["encoder_self", 2, k, False] for k in range(6)]}, "position 3 of the encoder"),
        ({"cells": [["cross", 1, k, False] for k in range(6)]}, "position 2 of the cross"),
    ],
)
def test_what_this_model_or_source_has_not_is_refused_at_use(
    explainer: Explainer, values: dict[str, object], says: str
) -> None:
    assert len(explainer.read("the book")) == 6
    config = DecodeConfig(method="greedy", max_length=6)
    with pytest.raises(InputError, match=says):
        explainer.explain("the book", config, interventions=make(**values))


def test_a_head_is_counted_among_those_of_its_stack() -> None:
    """An encoder with eight heads, a decoder with four."""
    model, (src, tgt) = own_model(n_heads=8, decoder_heads=4), tokens()
    run(model, src, tgt, make(heads_off=[["encoder_self", 1, 6], ["cross", 2, 3]]))
    for kind, name in (("decoder_self", "the decoder's self-attention"), ("cross", "the cross-")):
        with pytest.raises(InputError, match=f"Head 7 of layer 1 of {name}.*3 layers of 4 heads"):
            run(model, src, tgt, make(heads_off=[[kind, 0, 6]]))


def test_a_cell_beyond_the_target_changes_nothing(explainer: Explainer) -> None:
    """A target may end anywhere; a painted cell must not make its translation an error."""
    config = DecodeConfig(method="greedy", max_length=5)
    beyond = make(cells=[["decoder_self", 50, 50, False], ["cross", 50, 0, False]])
    found = explainer.explain(TEXT, config, interventions=beyond)
    assert (
        found.search.hypotheses[0].ids == explainer.explain(TEXT, config).search.hypotheses[0].ids
    )


# -------------------------------------------------------------------------------- what it does


def test_rows_may_have_heads_of_their_own(model: Transformer) -> None:
    src, tgt = tokens()
    rows = [make(heads_off=[head]) for head in (["cross", 0, 1], ["encoder_self", 1, 0])]
    rows.append(UNTOUCHED)
    together = run(model, src, tgt, rows)
    for row, one in enumerate(rows):
        alone = run(model, src[row : row + 1], tgt[row : row + 1], one)
        torch.testing.assert_close(together[row : row + 1], alone, rtol=0, atol=1e-10)
    with pytest.raises(ConfigError, match="2 interventions were given for 3 rows"):
        run(model, src, tgt, rows[:2])
    with pytest.raises(ConfigError, match="differ in heads_off only"):
        run(model, src, tgt, [*rows[:2], make(scaling=False)])


@pytest.mark.slow
@given(data=st.data())
def test_without_positions_the_encoder_does_not_know_the_order(data: st.DataObject) -> None:
    model = own_model(data.draw(st.integers(0, 5))).double()
    src, _ = tokens(data.draw(st.integers(0, 99)), rows=1)
    order = torch.tensor(data.draw(st.permutations(range(8))))
    none = Interventions(positions="none", sides="source")
    memory, _, _ = model.encode(src, model.edits(none))
    permuted, _, _ = model.encode(src[:, order], model.edits(none))
    torch.testing.assert_close(permuted, memory[:, order], rtol=0, atol=1e-10)
    if order.tolist() != list(range(8)):  # with positions it does
        memory, permuted = model.encode(src)[0], model.encode(src[:, order])[0]
        assert (permuted - memory[:, order]).abs().max() > 1e-3


def test_shuffled_positions_are_those_of_the_sentence_in_another_order(model: Transformer) -> None:
    src, _ = tokens()
    shuffled = Interventions(positions="shuffled", position_seed=4, padding=2)
    usual = model.encode(src, model.edits(Interventions(padding=2)))[2].states[0]
    found = model.encode(src, model.edits(shuffled))[2].states[0]
    added = found - usual + model.embedding.positions[:10]  # (3, 10, D)
    for row, ids in enumerate(src):
        length = int((ids != 0).sum())
        distance = torch.cdist(added[row], model.embedding.positions[:10])
        order = distance.argmin(-1).tolist()
        assert distance.amin(-1).max() < 1e-10
        assert sorted(order[:length]) == list(range(length))
        assert order[length:] == list(range(length, 10))  # padding stays where it is
        alone = model.encode(ids[None, :length], model.edits(shuffled))[2].states[0]
        torch.testing.assert_close(alone[0, :length], found[row, :length])
    other = Interventions(positions="shuffled", position_seed=5, padding=2)
    memories = [model.encode(src, model.edits(one))[0] for one in (other, shuffled)]
    assert (memories[0] - memories[1]).abs().max() > 1e-3


ALL: list[Interventions] = [
    make(padding=3),
    make(heads_off=[["decoder_self", 1, 0], ["cross", 0, 1], ["encoder_self", 0, 0]]),
    make(cross_off=[0, 2]),
    make(padding=3, padding_mask=False),
    make(scaling=False),
    make(positions="none"),
    make(positions="shuffled", position_seed=1),
    make(positions="shifted", shift=9),
    make(causal_mask=False),
    make(
        cells=[
            ["decoder_self", 3, 1, False],
            ["decoder_self", 4, 4, False],
            ["cross", 2, 0, False],
            ["encoder_self", 1, 1, False],
        ]
    ),
    make(cells=FUTURE),
    make(causal_mask=False, cells=[["decoder_self", 4, 2, False], ["decoder_self", 1, 5, True]]),
]


# ------------------------------------------------------------------------- what the page is given


def test_the_distribution_after_a_prefix_is_that_of_the_changed_search(
    explainer: Explainer,
) -> None:
    interventions = make(causal_mask=False, heads_off=[["cross", 1, 1]])
    config = DecodeConfig(method="greedy", max_length=6)
    found = explainer.explain(TEXT, config, interventions=interventions).search
    ids = found.hypotheses[0].ids
    after = explainer.next_log_probs(TEXT, ids[:4], interventions=interventions)
    assert after[ids[4]] == pytest.approx(found.steps[4].log_probs[0], abs=1e-4)


def test_the_trace_has_the_masks_that_were_used(explainer: Explainer) -> None:
    config = DecodeConfig(method="greedy", max_length=5)
    untouched = explainer.explain(TEXT, config).trace
    n_src, n_tgt = len(untouched.src), len(untouched.tgt_out)
    cells = [["decoder_self", 2, 1, False], ["cross", 1, 0, False], ["encoder_self", 0, 2, False]]
    painted = explainer.explain(TEXT, config, interventions=make(cells=cells, padding=2)).trace
    for kind in KINDS:
        maps = painted.attention(kind)
        expected = np.ones(maps.mask.shape, bool)
        if kind == "decoder_self":
            expected = np.tri(n_tgt, dtype=bool)
        else:
            expected[:, n_src:] = False
        row = next(cell for cell in cells if cell[0] == kind)
        expected[row[1], row[2]] = False
        assert (maps.mask == expected).all()
        assert (maps.weights[..., ~expected] == 0).all() and (maps.weights[..., expected] > 0).all()
    free = explainer.trace(TEXT, untouched.tgt_out.ids, interventions=make(causal_mask=False))
    assert free.decoder_self.mask.all() and (free.decoder_self.weights > 0).all()


def test_padding_has_tokens_of_its_own(explainer: Explainer) -> None:
    config = DecodeConfig(method="greedy", max_length=5)
    untouched = explainer.explain(TEXT, config).trace
    padded = explainer.explain(TEXT, config, interventions=make(padding=3)).trace
    assert padded.src.pieces == (*untouched.src.pieces, "<pad>", "<pad>", "<pad>")
    assert padded.src.ids[-3:].tolist() == [explainer.tokenizer.pad_id] * 3
    assert padded.src.spans[-3:].tolist() == [[len(TEXT)] * 2] * 3
    assert padded.encoder_states.shape[1] == len(untouched.src) + 3
    np.testing.assert_allclose(padded.log_prob, untouched.log_prob, atol=1e-5)
    limit = explainer.max_source_tokens - len(untouched.src)
    explainer.explain(TEXT, config, interventions=make(padding=limit))
    with pytest.raises(InputError, match="Take less padding"):
        explainer.explain(TEXT, config, interventions=make(padding=limit + 1))


def test_a_shift_leaves_room_for_what_is_written(explainer: Explainer) -> None:
    shifted = make(positions="shifted", shift=61, sides="target")
    found = explainer.explain(TEXT, interventions=shifted)
    assert found.config.max_length == 3 and len(found.trace.tgt_out) <= 3
    with pytest.raises(InputError, match="From 1 to 3 target ids"):
        explainer.trace(TEXT, [5] * 4, interventions=shifted)


@pytest.mark.slow
@pytest.mark.parametrize("sides", ["source", "target", "both"])
@pytest.mark.parametrize(
    "fields", [SINCE["T5"], SINCE["T5 1.1"], {"positions": "none"}, {"sinusoids": "none"}]
)
def test_without_a_table_no_shift_is_too_large(
    tmp_path: Path, fields: dict[str, Any], sides: str
) -> None:
    """Neither refused nor cut short, and equal to the bit: the network has no limit there."""
    explainer = Explainer.load(write_own(tmp_path / "m", 3, **fields), device="cpu")
    shifted = make(positions="shifted", shift=65_536, sides=sides)
    plain, after = (explainer.explain(TEXT, interventions=one) for one in (UNTOUCHED, shifted))
    assert after.config == plain.config and len(plain.trace.tgt_out) > 9
    assert after.trace.tgt_out.ids.tolist() == plain.trace.tgt_out.ids.tolist()
    for name in ("log_prob", "encoder_states", "decoder_states"):
        assert np.array_equal(getattr(after.trace, name), getattr(plain.trace, name)), name
    assert explainer.trace(TEXT, [5] * 60, interventions=shifted).log_prob.shape == (60,)


@pytest.mark.parametrize("ids", [[], [5, -1], [5, 420], [5] * 65])
def test_ids_that_cannot_be_traced_are_refused(explainer: Explainer, ids: list[int]) -> None:
    with pytest.raises(InputError, match="From 1 to 64 target ids from 0 to 419 were expected"):
        explainer.trace(TEXT, ids)


@pytest.mark.slow
def test_visitors_with_other_interventions_get_what_each_gets_alone(explainer: Explainer) -> None:
    config = DecodeConfig(max_length=10)

    def visit(interventions: Interventions) -> list[np.ndarray]:
        found = explainer.explain(TEXT, config, interventions=interventions)
        trace = found.trace
        return [trace.log_prob, trace.top_log_probs, *(trace.attention(k).weights for k in KINDS)]

    alone = [visit(interventions) for interventions in ALL]
    found: dict[int, list[np.ndarray]] = {}

    def several(numbers: range) -> Callable[[], None]:
        def run() -> None:
            for i in numbers:
                found[i] = visit(ALL[i])

        return run

    explainer.forget()
    threads = [threading.Thread(target=several(range(i, len(ALL), 2))) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, arrays in enumerate(alone):
        for one, other in zip(found[i], arrays, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
    assert len({tuple(np.round(arrays[0], 3)) for arrays in alone}) == len(ALL)  # they differ


@pytest.mark.slow
def test_nothing_is_left_behind(explainer: Explainer) -> None:
    weights = {name: value.clone() for name, value in explainer.model.state_dict().items()}
    before = explainer.explain(TEXT).trace
    for interventions in ALL:
        explainer.explain(TEXT, interventions=interventions)
    explainer.forget()
    after = explainer.explain(TEXT).trace
    assert np.array_equal(before.log_prob, after.log_prob)
    for name, value in explainer.model.state_dict().items():
        assert torch.equal(value, weights[name])


# ---------------------------------------------------------------------------------- what it costs


def test_a_search_compiles_its_interventions_once(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real = edits_module._painted_cells
    monkeypatch.setattr(edits_module, "_painted_cells", lambda one: calls.append(one) or real(one))
    changed = make(cells=[["cross", q, 0, True] for q in range(50)], scaling=False)
    explainer.forget()
    found = explainer.explain(TEXT, DecodeConfig(max_length=12), interventions=changed)
    assert len(found.search.steps) > 5
    assert len(calls) <= 3  # the encoder, the search, the traced pass


def test_what_changes_nothing_is_no_edit_at_all(model: Transformer) -> None:
    """So the unchanged model pays nothing, and its numbers are those of the code without edits."""
    assert model.edits(UNTOUCHED) is NO_EDITS is model.edits([UNTOUCHED] * 3, 3)
    assert model.edits(make(scaling=False)) is not NO_EDITS


def test_no_more_cells_than_the_masks_have(explainer: Explainer) -> None:
    """6 source tokens, up to 64 target tokens: 36 + 4,096 + 384 cells."""
    own = [["decoder_self", q, k, True] for q in range(64) for k in range(64)]
    cross = [["cross", q, k, True] for q in range(64) for k in range(6)]
    encoder = [["encoder_self", q, k, True] for q in range(6) for k in range(6)]
    config = DecodeConfig(method="greedy", max_length=5)
    explainer.explain("the book", config, interventions=make(cells=own + cross + encoder))
    more = make(cells=[*own, *cross, *encoder, ["cross", 64, 0, True]])
    with pytest.raises(InputError, match=r"4,517 mask cells are painted; .* have 4,516\. Clear"):
        explainer.explain("the book", config, interventions=more)


def test_changing_one_field_does_not_check_all_cells_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = make(cells=[["cross", q, k, True] for q in range(128) for k in range(128)])
    monkeypatch.setattr(config_module, "_fits", lambda *_: pytest.fail("checked again"))
    other = dataclasses.replace(many, scaling=False)
    assert other.cells is many.cells
    assert dataclasses.replace(other, scaling=True) == many


def test_a_message_quotes_at_most_60_characters() -> None:
    for values in ({"positions": "x" * 5000}, {"y" * 5000: 1}, {"cells": "z" * 5000}):
        with pytest.raises(ConfigError) as caught:
            Interventions.from_dict(values)
        assert len(str(caught.value)) < 450
    with pytest.raises(ConfigError) as caught:
        DecodeConfig.from_dict({"seed": 10**400})
    assert len(str(caught.value)) < 200
    assert all(len(str(value)) <= 60 for value in caught.value.values.values())
