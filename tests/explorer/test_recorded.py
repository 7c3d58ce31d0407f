"""The recorded first page of each model is what the model says today."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer import openers, recorded
from explorer.examples import opening
from explorer.exchange import payload
from explorer.exchange.gloss import glossed_record
from explorer.exchange.question import Arguments
from explorer.exchange.reply import to_json
from explorer.exchange.request import parse
from explorer.exhibits.figure import FIRST_OPEN, figure
from model import shipped
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from tests.explorer.test_payload import unpack


@pytest.mark.parametrize("name", recorded.opening())
def test_the_recording_is_the_models(name: str) -> None:
    kept = recorded.read(shipped.FOLDERS[name] / recorded.FILE)
    assert kept is not None, "run python -m explorer.record"
    explainer = Explainer.load(name, device="cpu")
    first = opening(openers.load(shipped.FOLDERS[name]), name).text
    built = payload.build(explainer.explain(first, DecodeConfig()), explainer)
    fresh = json.loads(to_json(glossed_record(built, explainer.glossary)))
    again = "the model or the payload changed: run python -m explorer.record"
    asked = parse({"text": first, "settings": {}}, explainer.defaults)
    drawn = figure(explainer, asked, Arguments(dict(FIRST_OPEN)))
    assert kept["answers"]["figure"]["config"] == drawn["config"], again
    for stack in ("encoder", "decoder"):
        old, new = kept["answers"]["figure"][stack], drawn[stack]
        assert list(old["layers"]) == [str(i) for i in new["layers"]], again
        for before, after in zip(old["states"], new["states"], strict=True):
            shades = (unpack(cells["cells"], "i1").astype(int) for cells in (before, after))
            assert np.abs(np.subtract(*shades)).max() <= 2, again
    assert set(kept) == {*fresh, "answers"}, again
    measured = {
        "seconds",
        "attention",
        "steps",
        "search",
        "hypotheses",
    }  # differ in their last digits
    for name in set(fresh) - measured:
        assert kept[name] == fresh[name], again
    for name in ("steps", "hypotheses"):
        assert [set(one) for one in kept[name]] == [set(one) for one in fresh[name]], again
    for kind in KINDS:
        old, new = (
            unpack(p["attention"][kind]["weights"], "<u2").astype(int) for p in (kept, fresh)
        )
        # Another machine may add up in another order.
        assert np.abs(old - new).max() < payload.FULL / 1000, again
