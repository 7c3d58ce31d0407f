"""A published folder: a file's path changes with what is in it, and with nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from explorer import publish
from explorer.models import Listed
from model.explain import Explainer


def written(out: Path, explainer: Explainer) -> dict[str, Any]:
    return publish.write_model(out, Listed("en-zh", "en-zh", lambda: explainer))


@pytest.mark.slow
@pytest.mark.days(2)
def test_a_new_release_reaches_who_has_the_weights_already(
    tmp_path: Path, explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written(tmp_path / "before", explainer)
    again = written(tmp_path / "again", explainer)
    monkeypatch.setattr(publish, "_lessons", lambda _: {"another": []})
    after = written(tmp_path / "after", explainer)
    assert before == again
    assert before["sha256"] == after["sha256"]
    changed = {name for name, path in before["files"].items() if after["files"][name] != path}
    assert changed == {"sheet.json"}
    for name, path in after["files"].items():
        assert (tmp_path / "after" / path).name == Path(name).name
