"""A published folder: a file's path changes with what is in it, and with nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer import publish, weights
from explorer.models import Listed
from explorer.saved import PREFIX, scripts
from explorer.static import FOREIGN, files
from model.errors import InputError
from model.explain import Explainer
from tests import foreign, tiny


def written(out: Path, explainer: Explainer, name: str = "en-zh") -> dict[str, Any]:
    return publish.write_model(out, Listed(name, name, lambda: explainer))


@pytest.mark.slow
@pytest.mark.long
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


def test_a_vocabulary_of_both_languages_is_two_files(
    tmp_path: Path, explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of en-de, whose two files have the same content."""
    same = {"source.spm": b"pieces", "target.spm": b"pieces"}
    made = publish.ModelFiles(0, "0" * 64, [], same)
    monkeypatch.setattr(publish, "_own_files", lambda *_: made)
    files = written(tmp_path, explainer)["files"]
    assert {(tmp_path / files[name]).read_bytes() for name in same} == {b"pieces"}


REFUSED: dict[str, tuple[str, Callable[[Path], None]]] = {
    "blenderbot small": ('the pieces with "@@"', lambda folder: None),
    "madlad": ("pieces of its user's own", lambda folder: None),
    "flan-t5": ("the normalizer Prepend", lambda folder: changed(
        folder, normalizer={"type": "Prepend", "prepend": "a"})),
    "nllb": ("byte_fallback", lambda folder: changed(folder, model={"byte_fallback": True})),
    "bart, tokenizer.json": ("the pre_tokenizer Whitespace", lambda folder: changed(
        folder, pre_tokenizer={"type": "Whitespace"})),
    "blenderbot, tokenizer.json": ("the added token <pad>", lambda folder: changed(
        folder, added_tokens=[{"id": 0, "content": "<pad>", "single_word": True, "lstrip": False,
                               "rstrip": False, "normalized": False, "special": False}])),
}  # fmt: skip


def changed(folder: Path, **parts: Any) -> None:
    """Write other parts into tokenizer.json."""
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text("utf-8"))
    for name, part in parts.items():
        values[name] = values[name] | part if name == "model" else part
    path.write_text(json.dumps(values), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(REFUSED))
def test_a_model_whose_text_the_browser_does_not_cut_is_refused(name: str, tmp_path: Path) -> None:
    """Its folder has weights, but a site with it would open to an error."""
    pytest.importorskip("transformers")
    reason, change = REFUSED[name]
    change(foreign.write_family(tmp_path / "model", name))
    explainer = Explainer.load(tmp_path / "model", device="cpu")
    with pytest.raises(InputError) as caught:
        written(tmp_path / "site", explainer, "tiny")
    assert reason in str(caught.value) and "tokenizer.json" in str(caught.value)
    assert len(str(caught.value)) <= 300
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_model_of_another_family_has_its_weights_in_our_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a server sends them, with the scripts that cut, without lessons; and within a size."""
    pytest.importorskip("transformers")
    explainer = Explainer.load(tiny.write_marian(tmp_path / "model"), device="cpu")
    told = written(tmp_path / "site", explainer, "tiny")
    sent = b"".join(weights.parts(explainer))
    assert (tmp_path / "site" / told["files"]["model.safetensors"]).read_bytes() == sent
    assert told["sha256"] == hashlib.sha256(sent).hexdigest() and told["bytes"] == len(sent)
    assert {*told["scripts"]} == {*FOREIGN}
    sheet = json.loads((tmp_path / "site" / told["files"]["sheet.json"]).read_text("utf-8"))
    assert sheet["config"] == json.loads(json.dumps(explainer.model.config.shown()))
    assert sheet["lessons"] == {}
    monkeypatch.setattr(weights, "MAX_BYTES", len(sent) - 1)
    with pytest.raises(InputError, match="a browser is sent at most") as caught:
        written(tmp_path / "larger", explainer, "tiny")
    assert len(str(caught.value)) <= 300 and not (tmp_path / "larger").exists()


def test_other_pages_carry_nothing_of_it(explainer: Explainer, tmp_path: Path) -> None:
    """Neither the site of the shipped model nor a saved page fetches what cuts for others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "load", lambda _: explainer)
        patch.setattr(publish, "sheet", lambda *_, **__: {})
        publish.write(tmp_path, ["en-zh"])
    page = (tmp_path / "index.html").read_text("utf-8")
    kept = json.loads(page.split('id="headlight-facts">')[1].split("</script>")[0])
    assert not {*FOREIGN} & {*kept["published"]["kept"]["page"]}
    assert {*FOREIGN} <= {*files()}
    assert not {PREFIX + name for name in FOREIGN} & {*scripts("onefile", set())}
    assert {PREFIX + name for name in FOREIGN} <= {*scripts("onefile", set(), FOREIGN)}
