"""The parts of a score in the browser's engine, against Python's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.exchange.explain import explain
from explorer.exchange.request import parse
from model.config import KINDS
from model.explain import Explainer
from model.labs.looks import look
from model.labs.removal import score_without
from tests import tiny
from tests.parity.engine import METHODS, Engine
from tests.parity.test_engine import CHANGES, VARIANTS
from tests.tiers import IS_LONG, turns

pytestmark = pytest.mark.slow
CELLS = 100 if IS_LONG else 6
NAMES = ("post", *(name for name in VARIANTS if name != "bare"))
# Each variant as it is and with one of the changes, "post" with all.
CASES = [
    (name, ({}, *(CHANGES if name == "post" else changes)))
    for name, changes in zip(NAMES, turns(CHANGES, len(NAMES)), strict=True)
]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as running:
        yield running


def cells(shapes: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    found = []
    for _ in range(CELLS):
        kind = draw.choice(KINDS)
        names = ("layer", "head", "row", "column")
        place = {n: draw.randrange(size) for n, size in zip(names, shapes[kind], strict=True)}
        against = draw.choice((None, draw.randrange(shapes[kind][3])))
        found.append({"kind": kind, **place, "against": against})
    return found


@pytest.mark.parametrize(("name", "changed"), CASES, ids=NAMES)
def test_the_engine_splits_a_score_as_python_does(
    engine: Engine, tmp_path: Path, name: str, changed: tuple[dict[str, Any], ...]
) -> None:
    # With seed 0 the records of "since" differ by 5e-3 themselves, from float32's rounding.
    folder = tiny.write_own(tmp_path / "m", 5, **VARIANTS.get(name, {}))
    explainer = Explainer.load(folder, device="cpu")
    exact = explainer.with_model(Explainer.load(folder, device="cpu").model.double())
    for i, changes in enumerate(changed):
        asked = {"text": "Tom asked.", "settings": METHODS["seed 3"], "interventions": changes}
        found = explain(explainer, parse(asked))
        ids = found.trace.tgt_out.ids.tolist()
        trace = exact.trace(found.text, ids, interventions=found.interventions)
        unrounded = replace(found, trace=trace)
        shapes = {kind: found.trace.attention(kind).weights.shape for kind in KINDS}
        chosen = cells(shapes, i)
        splits = [look(explainer, found, **cell) for cell in chosen]
        # Some from all layers, and one of the last, below which the engine computes nothing again.
        outs = [
            split.key_parts[j % 3 :: 3] if j % 2 else split.key_parts[-1 - j :][:1]
            for j, split in enumerate(splits)
        ]
        given = [{**cell, "out": [*out]} for cell, out in zip(chosen, outs, strict=True)]
        told = engine.looks(explainer, asked, given)
        for cell, split, out, one in zip(chosen, splits, outs, told, strict=True):
            assert one["queryParts"] == [*split.query_parts]
            assert one["keyParts"] == [*split.key_parts]
            # Each of the two is at most as far from float64 as Python is: its sums are float32.
            true = look(exact, unrounded, **cell)
            rounding = 2 * np.abs(split.table - true.table).max()
            near = rounding + 1e-4 * max(1, np.abs(split.table).max())
            np.testing.assert_allclose(one["table"], split.table.ravel(), atol=near, err_msg=cell)
            assert one["distance"] == (split.distance and pytest.approx(split.distance, abs=1e-5))
            near += 2 * abs(split.recorded - true.recorded)
            assert one["recorded"] == pytest.approx(split.recorded, abs=near)
            real = score_without(explainer, found, split, out)
            near += 2 * abs(real - score_without(exact, unrounded, true, out))
            assert one["without"] == pytest.approx(real, abs=near), (cell, out)
