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
from explorer.exchange.request import Request
from explorer.exhibits import cost
from explorer.exhibits.positions import EXHIBIT as POSITIONS
from model.config import DecodeConfig
from model.explain import Explainer
from model.labs import timing
from model.transformer import Transformer
from tests import tiny

TEXT = "I am a small frog."
WISH = Request(TEXT, DecodeConfig(beam_size=2, max_length=12))


def ask(name: str, explainer: Explainer) -> dict[str, Any]:
    return {**POSITIONS.questions, **cost.EXHIBIT.questions}[name](explainer, WISH, Arguments({}))


def unpacked(text: str) -> np.ndarray:
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(4, -1)
    return np.ascontiguousarray(planes.T).view("<f4").ravel()


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
