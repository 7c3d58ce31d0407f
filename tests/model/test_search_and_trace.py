"""The search and the trace compute one model: for every family and every change of a visitor.

The search writes token by token from a cache and keeps no attention; the trace reads the chosen
hypothesis in one pass and keeps it all. Both have the same log-probs, of the model as changed.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.decoding import search
from model.explain import Explainer
from model.stepper import TransformerStepper
from model.trace import Search
from tests import foreign, tiny

pytest.importorskip("transformers")

# One of each architecture; T5 with and without gates, and with a table of its own in each layer.
FAMILIES = ("own", "marian", "bart", "mbart-50", "m2m100", "pegasus", "plbart", "blenderbot",
            "blenderbot small", "t5", "flan-t5", "umt5")  # fmt: skip
CHANGES: list[dict[str, Any]] = [
    {},
    {"padding": 3},
    {"heads_off": [["decoder_self", 1, 0], ["cross", 0, 1], ["encoder_self", 0, 0]]},
    {"cross_off": [0]},
    {"padding": 3, "padding_mask": False},
    {"scaling": False},
    {"positions": "none"},
    {"positions": "none", "sides": "target"},
    {"positions": "shuffled", "position_seed": 1},
    {"positions": "shifted", "shift": 9, "sides": "source"},
    {"positions": "shifted", "shift": 9},
    {"causal_mask": False, "cells": [["decoder_self", 4, 2, False], ["decoder_self", 1, 5, True]]},
    {"cells": [["decoder_self", 3, 1, False], ["decoder_self", 4, 4, False]]},
    {"cells": [["cross", 2, 0, False], ["cross", 0, 1, False]]},
    {"cells": [["encoder_self", q, k, False] for q in range(5) for k in range(5) if k != q]},
]
SAME = ({}, {"padding": 3})  # the only ones that should change nothing
# Nor does a model with relative positions change with these: it does not divide its scores, and
# moves both ends of a distance.
SAME_T5 = (*SAME, {"scaling": False}, *(one for one in CHANGES if one.get("shift")))
TEXT = foreign.SENTENCES[2]
Opened = Callable[[str], Explainer]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    @functools.cache
    def explainer(name: str) -> Explainer:
        folder = tmp_path_factory.mktemp("family") / "model"
        if name == "own":
            tiny.write_own(folder)
        elif name == "own, unmasked":
            tiny.write_own(folder, causal_mask=False)
        elif name == "marian":
            tiny.write_marian(folder)
        else:
            foreign.write_family(folder, name, 1)
        found = Explainer.load(folder, device="cpu")
        found.model.double()
        return found

    return explainer


def test_every_field_is_changed() -> None:
    fields = {field.name for field in dataclasses.fields(Interventions)}
    assert {name for change in CHANGES for name in change} == fields


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("name", FAMILIES)
def test_the_search_has_the_log_probs_of_the_trace(
    name: str, change: dict[str, Any], opened: Opened
) -> None:
    explainer = opened(name)
    # What only a pass over several tokens can do is no part of a search.
    interventions = Interventions.from_dict(change).stepwise()
    config = DecodeConfig.from_dict({"method": "beam", "beam_size": 2, "max_length": 8})
    found = explainer.explain(TEXT, config, interventions=interventions)
    assert found.interventions == found.trace.interventions == interventions
    path = found.search.hypotheses[0].path
    steps = zip(found.search.steps, path, strict=True)
    recorded = np.array([step.log_probs[c] for step, c in steps])
    np.testing.assert_allclose(found.trace.log_prob, recorded, rtol=1e-5, atol=1e-5)
    plain = explainer.trace(TEXT, found.trace.tgt_out.ids)
    assert plain.interventions == UNTOUCHED
    changes = np.abs(plain.log_prob - recorded).max()
    same = SAME_T5 if explainer.model.config.positions == "relative" else SAME
    assert changes < 1e-5 if change in same else changes > 1e-4, changes


def stepwise(
    explainer: Explainer, config: DecodeConfig, interventions: Interventions, prefix: list[int]
) -> Search:
    """The search that reads each token of the prefix by itself."""
    src = explainer.read(TEXT)
    passes, edits = explainer._passes, explainer.model.edits(interventions)
    state = passes.encode(src, interventions).state
    stepper = TransformerStepper.continuing(explainer.model, state, edits)
    rules = explainer.rules_of(src)
    (found,) = search(stepper, 1, config, rules, explainer.tokenizer, prefix=prefix)
    return found


# Of the changes those of the decoder, with cells and a mask that would let it see the future.
OF_THE_DECODER = [CHANGES[i] for i in (0, 2, 10, 11, 13)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAMILIES, "own, unmasked"])
def test_a_forced_prefix_is_read_at_once_as_token_by_token(name: str, opened: Opened) -> None:
    """The whole of what was written, and a part that a search with two beams continues."""
    explainer = opened(name)
    config = DecodeConfig.from_dict({"method": "beam", "beam_size": 2, "max_length": 20})
    written = explainer.explain(TEXT, config).trace.tgt_out.ids.tolist()
    for change, length in itertools.product(OF_THE_DECODER, (len(written), 3)):
        interventions, prefix = Interventions.from_dict(change), written[:length]
        ours = explainer.explain(TEXT, config, interventions=interventions, prefix=prefix).search
        theirs = stepwise(explainer, config, interventions, prefix)
        assert len(ours.steps) == len(theirs.steps) >= length
        for one, other in zip(ours.steps, theirs.steps, strict=True):
            for field in ("parents", "token_ids", "fates", "forced"):
                assert np.array_equal(getattr(one, field), getattr(other, field)), field
            for field in ("log_probs", "totals"):
                mine, alone = getattr(one, field), getattr(other, field)
                np.testing.assert_allclose(mine, alone, rtol=1e-6, atol=1e-6)
        assert [h.path for h in ours.hypotheses] == [h.path for h in theirs.hypotheses]
