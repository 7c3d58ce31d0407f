"""A published folder: a file's path changes with what is in it, and with nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from explorer import publish
from explorer.models import Listed
from model.errors import InputError
from model.explain import Explainer
from tests import foreign, tiny


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


@pytest.mark.parametrize("name", ["bart", "nllb", "flan-t5", "byt5", "marian"])
def test_a_model_whose_text_the_browser_does_not_cut_is_refused(tmp_path: Path, name: str) -> None:
    """Its folder has weights, but a site with it would open to an error."""
    pytest.importorskip("transformers")
    write = tiny.write_marian if name == "marian" else lambda at: foreign.write_family(at, name)
    explainer = Explainer.load(write(tmp_path / "model"), device="cpu")
    with pytest.raises(InputError, match="is not a folder of this project's format") as caught:
        written(tmp_path / "site", explainer)
    assert len(str(caught.value)) <= 300
    assert not (tmp_path / "site").exists()
