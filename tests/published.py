"""The page as a folder for a static host, made once, with the model of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer import publish
from model.explain import Explainer
from tests.shared import made_once


@pytest.fixture(scope="session")
def site(explainer: Explainer) -> Path:
    """A published folder of the shipped model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "load", lambda _: explainer)
        return made_once("site", publish.build)
