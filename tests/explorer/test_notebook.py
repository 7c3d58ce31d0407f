"""`notebook.show(explanation, view)`; the notebook in examples/ runs from an empty folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from explorer import notebook
from explorer.exhibits import NAMES
from explorer.notebook import VIEWS
from model.config import DecodeConfig
from model.errors import InputError
from model.explain import Explainer
from model.trace import Explanation

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "headlight.ipynb"


@pytest.fixture(scope="module")
def explanation(explainer: Explainer) -> Explanation:
    return explainer.explain("I am <b>here</b> --> 😀", DecodeConfig(max_length=6))


@pytest.mark.slow
def test_a_view_is_one_frame_that_the_text_cannot_leave(explanation: Explanation) -> None:
    view = notebook.show(explanation, "attention", layer=3, head=8)
    framed = view._repr_html_()
    assert framed.count("<iframe") == framed.count("<") - 1 == 1  # and its end
    assert 'sandbox="allow-scripts allow-downloads allow-modals"' in framed  # to print
    session = view.document.split('id="headlight-session">')[1].split("</script>")[0]
    assert "<" not in session and "\\u003cb>here" in session
    assert len(notebook.show(explanation, "steps").document) < 1_500_000


def test_a_view_is_a_file_too(explanation: Explanation, tmp_path: Path) -> None:
    view = notebook.show(explanation, "tree")
    assert view.save(tmp_path / "tree.html").read_text("utf-8") == view.document


def test_a_number_of_numpy_is_one(explanation: Explanation) -> None:
    chosen = dict(zip(("layer", "head", "step"), np.int64([3, 8, 2]), strict=True))
    view = notebook.show(explanation, "attention", height=np.int32(300), **chosen)  # type: ignore[arg-type]
    assert "layer=3&head=8&step=2" in view.document and "height: 300px" in view._repr_html_()


def test_where_a_view_cannot_be_saved_is_one_sentence(
    explanation: Explanation, tmp_path: Path
) -> None:
    view = notebook.show(explanation, "attention")
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path, tmp_path / "no" / "x.html", tmp_path / "file" / "x.html"):
        with pytest.raises(InputError, match="cannot be read or written") as caught:
            view.save(place)
        assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with pytest.raises(InputError, match="expected what `explain` returns"):
        notebook.show("I am a student.", "attention")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"view": "attentions"}, "There is no view 'attentions'; these can be shown: figure, "),
        ({"view": "experiments"}, "The view experiments needs the running page"),
        ({"layer": 4}, "Layer 4, head 1 was asked for; this model has 3 layers of 8 heads"),
        ({"head": 0}, "both counted from 1"),
        ({"head": True}, "head True"),
        ({"kind": "crossed"}, "kind is 'crossed'; expected one of encoder_self, "),
        ({"language": "fr"}, "language is 'fr'; expected one of en, zh."),
        *(({"step": step}, "step is ") for step in (99, 0, -1, "2", True, 1.5)),
        *(({"height": height}, "height is ") for height in (0, -1, "640px", True, 1e3, 10**9)),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    explanation: Explanation, choices: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        notebook.show(explanation, **choices)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.long
@pytest.mark.slow
def test_what_is_listed_can_be_shown_and_nothing_else(explanation: Explanation) -> None:
    for name in NAMES:
        if name in VIEWS:
            assert notebook.show(explanation, name).name == name
        else:
            with pytest.raises(InputError, match=f"{name} needs the running page"):
                notebook.show(explanation, name)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which the repository is importable, and nothing else of it is near."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def run(notebook: Any, folder: Path) -> Any:
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def texts(cell: Any) -> str:
    return "".join(out.get("text", "") for out in cell.outputs)


@pytest.mark.long
@pytest.mark.slow
def test_the_notebook_runs_and_its_results_hold(empty: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, 4)
    nbformat.validate(notebook)
    assert all(cell.get("outputs", []) == [] for cell in notebook.cells), "stored outputs"
    cells = {cell.id: cell for cell in run(notebook, empty).cells}
    explainer = Explainer.load("en-de", device="cpu")
    found = explainer.explain("I have never seen such a beautiful garden.")
    assert all(h.text in texts(cells["translate"]) for h in found.search.hypotheses)
    head = found.trace.cross.weights[1, 0]
    for piece, row in zip(found.trace.tgt_out.pieces, head, strict=True):
        assert f"{piece:8} reads {found.trace.src.pieces[row.argmax()]:10}" in texts(
            cells["attention"]
        )
    for name, view in (("show", "attention"), ("search", "tree")):
        frames = [out.data["text/html"] for out in cells[name].outputs if "data" in out]
        assert len(frames) == 1 and f"Headlight: {view}" in frames[0]
    assert found.trace.tgt_out.text in texts(cells["modified"])
    saved = json.loads((empty / "session.json").read_text("utf-8"))
    assert saved["record"]["translation"] in texts(cells["session"])


def test_a_cell_that_is_wrong_fails(explanation: Explanation) -> None:
    """The twin: what the cells claim is tried, not only printed."""
    (cell,) = (one for one in nbformat.read(NOTEBOOK, 4).cells if one.id == "attention")
    names = {"e": explanation, "np": np}
    exec(cell.source, dict(names))
    wrong = cell.source.replace("weights[1, 0]", "weights[1, 0] * 2")
    assert wrong != cell.source
    with pytest.raises(AssertionError):
        exec(wrong, dict(names))
