"""What is installed: one importable name with all below it, and docs/research.md runs on it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/research.md").read_text("utf-8"), re.S)
# A stranger's packages with the names of our rooms, and what the last lines tell the test.
SHIPPED = ROOT / "assets/models/en-zh"
KEYS = ("method", "layer", "head", "row_label")
STRANGER = "OWN = True\n"
CHECKED = """
import model, explorer
told = {
    "own": [model.OWN, explorer.OWN],
    "file": headlight.__file__,
    "most": [float(weights.sum(-1).min()), float(weights.sum(-1).max())],
    "lens": bool((seen.ids[-1] == e.trace.top_ids[:, :3]).all()),
    "text": e.search.hypotheses[0].text,
    "look": [look.score, look.recorded],
    "red": pair_giver,
    "missing": whole.missing,
    "gradients": [products.shape == whole.parts.shape, float(whole.differences.sum())],
    "aer": aer.aer,
    "same": bool((again.trace.cross.weights == e.trace.cross.weights).all()),
}
print(json.dumps(told))
"""


def test_each_example_is_short() -> None:
    assert len(BLOCKS) == 12
    for block in BLOCKS:
        assert len([line for line in block.splitlines() if line]) <= 10, block


@pytest.mark.slow
def test_the_examples_run_on_what_is_installed(tmp_path: Path) -> None:
    """In another folder, beside packages of the same names as our rooms."""
    built, elsewhere = tmp_path / "built", tmp_path / "elsewhere"
    build = [sys.executable, "setup.py", "-q", "build", "--build-base", str(tmp_path / "base")]
    subprocess.run([*build, "--build-lib", str(built)], cwd=ROOT, check=True, capture_output=True)
    assert [path.name for path in built.iterdir()] == ["headlight"]
    assert not list(built.rglob("snapshots"))
    elsewhere.mkdir()
    for room in ("model", "explorer"):
        (elsewhere / f"{room}.py").write_text(STRANGER)
    kept = "\npair_giver = pair.giver.pieces[moved[-1].argmax()]\n"
    script = "".join(b + kept * ("patch.contrast" in b) for b in BLOCKS) + CHECKED
    (elsewhere / "script.py").write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=elsewhere, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(built), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["own"] == [True, True] and told["file"].startswith(str(built))
    assert told["most"] == pytest.approx([1, 1], abs=1e-5) and told["lens"] and told["same"]
    assert told["look"][0] == pytest.approx(told["look"][1], abs=1e-3)
    assert (told["text"], told["red"]) == ("我是学生。", "▁red")
    assert told["missing"] < 0.01 and told["gradients"][0] and told["gradients"][1] > 1
    scores = json.loads((SHIPPED / "alignment.json").read_text("utf-8"))["rows"]
    wanted = ("weight", 1, 2, "read")
    [aer] = [r["aer"] for r in scores if tuple(map(r.get, KEYS)) == wanted]
    assert told["aer"] == pytest.approx(aer, abs=1e-3)
