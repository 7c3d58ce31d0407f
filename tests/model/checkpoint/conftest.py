"""A folder of each family, written once for all of these files; tests change copies."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import foreign


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model; its name is the family's. It is left as it is."""

    @functools.cache
    def write(name: str) -> Path:
        return foreign.write_tiny(tmp_path_factory.mktemp("original") / name, name)

    return write


@pytest.fixture
def copy(tmp_path: Path, original: Callable[[str], Path]) -> Callable[[str], Path]:
    return lambda name: Path(shutil.copytree(original(name), tmp_path / "model"))
