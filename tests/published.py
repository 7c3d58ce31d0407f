"""The page as a folder for a static host, made once, with the model of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer import publish
from model.explain import Explainer


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, explainer: Explainer) -> Path:
    """A published folder of the shipped model."""
    folder = tmp_path_factory.mktemp("published") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "load", lambda _: explainer)
        publish.build(folder)
    return folder
