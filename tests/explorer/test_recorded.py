"""The recorded example is what the shipped model says today."""

from __future__ import annotations

import json

import numpy as np

from explorer import openers
from explorer.card import FOLDER
from explorer.examples import opening
from explorer.exchange import payload
from explorer.exchange.gloss import glossed_record
from explorer.exchange.question import Arguments
from explorer.exchange.reply import to_json
from explorer.exchange.request import parse
from explorer.exhibits.figure import FIRST_OPEN, figure
from explorer.page import read_recorded
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from tests.explorer.test_payload import unpack


def test_the_recording_is_the_shipped_models() -> None:
    recorded = read_recorded()
    assert recorded is not None, "run python -m explorer.record"
    explainer = Explainer.load(device="cpu")
    first = opening(openers.load(FOLDER)).text
    built = payload.build(explainer.explain(first, DecodeConfig()), explainer)
    fresh = json.loads(to_json(glossed_record(built, explainer.glossary)))
    again = "the model or the payload changed: run python -m explorer.record"
    asked = parse({"text": first, "settings": {}}, explainer.defaults)
    drawn = figure(explainer, asked, Arguments(dict(FIRST_OPEN)))
    assert recorded["answers"]["figure"]["config"] == drawn["config"], again
    for stack in ("encoder", "decoder"):
        old, new = recorded["answers"]["figure"][stack], drawn[stack]
        assert list(old["layers"]) == [str(i) for i in new["layers"]], again
        for before, after in zip(old["states"], new["states"], strict=True):
            shades = (unpack(cells["cells"], "i1").astype(int) for cells in (before, after))
            assert np.abs(np.subtract(*shades)).max() <= 2, again
    assert set(recorded) == {*fresh, "answers"}, again
    measured = {
        "seconds",
        "attention",
        "steps",
        "search",
        "hypotheses",
    }  # differ in their last digits
    for name in set(fresh) - measured:
        assert recorded[name] == fresh[name], again
    for name in ("steps", "hypotheses"):
        assert [set(one) for one in recorded[name]] == [set(one) for one in fresh[name]], again
    for kind in KINDS:
        old, new = (
            unpack(p["attention"][kind]["weights"], "<u2").astype(int) for p in (recorded, fresh)
        )
        # Another machine may add up in another order.
        assert np.abs(old - new).max() < payload.FULL / 1000, again
