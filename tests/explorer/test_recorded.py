"""The recorded example is what the shipped model says today."""

from __future__ import annotations

import numpy as np

from explorer import payload
from explorer.examples import FIRST
from explorer.interface import read_recorded
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from tests.explorer.test_payload import unpack


def test_the_recording_is_the_shipped_models() -> None:
    recorded = read_recorded()
    assert recorded is not None, "run python -m explorer.record"
    explainer = Explainer.load(device="cpu")
    fresh = payload.build(explainer.explain(FIRST.text, DecodeConfig()), explainer)
    again = "the model or the payload changed: run python -m explorer.record"
    for name in ("format", "text", "translation", "settings", "src", "tgt_in", "tgt_out"):
        assert recorded[name] == fresh[name], again
    for kind in KINDS:
        old, new = (
            unpack(p["attention"][kind]["weights"], "<u2").astype(int) for p in (recorded, fresh)
        )
        # Another machine may add up in another order.
        assert np.abs(old - new).max() < payload.FULL / 1000, again
