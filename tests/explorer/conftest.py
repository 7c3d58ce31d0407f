"""Small models with random weights, in files that the page can open."""

from __future__ import annotations

import pytest

from explorer.models import Models
from model.explain import Explainer
from tests import tiny
from tests.tiny import only


@pytest.fixture(scope="session")
def explainer(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    """3 + 3 layers of 8 heads, as the shipped model has."""
    folder = tiny.write_own(
        tmp_path_factory.mktemp("model") / "tiny",
        d_model=64,
        n_heads=8,
        n_encoder_layers=3,
        n_decoder_layers=3,
        max_positions=160,
    )
    return Explainer.load(folder, device="cpu")


@pytest.fixture
def models(explainer: Explainer) -> Models:
    return only(lambda: explainer)
