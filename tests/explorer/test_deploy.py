"""What a Space gets: what the page needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from packaging.requirements import Requirement

from explorer import deploy
from model import shipped
from model.checkpoint import load
from model.errors import ConfigError, InputError
from model.explain import Explainer
from tests import tiny
from tests.model.checkpoint.test_lora import MAPS, write_lora

ROOT = Path(__file__).parents[2]


def test_the_folder_holds_what_git_tracks_of_the_page(tmp_path: Path) -> None:
    (ROOT / "assets" / "secret.env").write_text("HF_TOKEN=x")
    try:
        files = deploy.build(tmp_path / "space")
    finally:
        (ROOT / "assets" / "secret.env").unlink()
    found = {path.relative_to(tmp_path / "space").as_posix() for path in files}
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "app.py", "requirements.txt", "README.md",
         "LICENSE", "explorer", "model", "assets"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    types_only = {path for path in listed if path.endswith(".d.ts")}
    assert found == {path for path in listed if (ROOT / path).exists()} - types_only
    assert {"app.py", "assets/models/en-zh/model.safetensors"} <= found
    assert not any(name.startswith(("tests", "bench", "docs", ".")) for name in found)


def test_the_requirements_are_ours_within_what_spaces_offer() -> None:
    ours = {
        one.name: one
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line and not line.startswith("#")
        for one in [Requirement(line)]
    }
    theirs = [Requirement(line) for line in deploy.requirements().splitlines() if line[0] != "#"]
    assert {one.name for one in theirs} == {*ours, "spaces"}
    torch = next(one for one in theirs if one.name == "torch").specifier
    for version in ("2.8.0", "2.9.1", "2.11.0"):
        assert version in torch and version in ours["torch"].specifier
    assert "2.13.0" not in torch


@pytest.mark.slow
def test_a_folder_is_built_again_but_nothing_else_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy.build(tmp_path / "space")
    (tmp_path / "space" / "old.py").write_text("")
    deploy.build(tmp_path / "space")
    assert not (tmp_path / "space" / "old.py").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("dear")
    (tmp_path / "mine" / "app.py").write_text("")  # an app of somebody else's
    removed: list[object] = []
    monkeypatch.setattr(deploy.shutil, "rmtree", removed.append)
    for out in (tmp_path / "mine", tmp_path, deploy.ROOT, deploy.ROOT.parent):
        with pytest.raises(InputError, match="holds other files"):
            deploy.build(out)
    assert removed == []
    with pytest.raises(InputError, match="is a file; give a folder"):
        deploy.build(tmp_path / "mine" / "app.py")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "dear"


def test_wrong_commands_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ["--out", str(tmp_path / "space")]
    for name in ("headlight", "../x", "a/b/c", "https://x/y"):
        assert deploy.main(["--repo", name, *out]) == 2
        assert "expected USER/NAME" in capsys.readouterr().err
    monkeypatch.setenv("HF_TOKEN", "")
    assert deploy.main(["--repo", "me/headlight", *out]) == 2  # the tests have no network
    said = capsys.readouterr().err
    assert "me/headlight could not be uploaded" in said and "Traceback" not in said
    with pytest.raises(ConfigError, match="lacks sdk, sdk_version, python_version, app_file"):
        deploy.front_matter("# Headlight\n")


def test_a_static_space_has_the_published_folder_and_its_own_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in the folder, tests/browser/test_published.py says."""
    monkeypatch.setattr(
        deploy.publish,
        "write",
        lambda out, models: (out / "index.html").write_text(" ".join(models)),
    )
    out = tmp_path / "space"
    for _ in range(2):  # the folder may be built again
        assert deploy.main(["--static", "--repo", "me/page", "--dry-run", "--out", str(out)]) == 0
    settings = (out / "README.md").read_text("utf-8").split("---")[1]
    assert "sdk: static\napp_file: index.html" in settings and "title: Headlight" in settings
    assert "gradio" not in settings and "python_version" not in settings
    assert {path.name for path in out.iterdir()} == {"index.html", "README.md", deploy.MARK}
    assert (out / "index.html").read_text() == " ".join(shipped.names())
    command = ["--repo", "me/page", "--dry-run", "--out", str(out), "--models", "a,b", "c"]
    assert deploy.main(["--static", *command]) == 0
    assert (out / "index.html").read_text() == "a b c"


@pytest.mark.slow
def test_a_server_space_opens_with_its_own_models(tmp_path: Path) -> None:
    """A folder is copied, a name left to the Space; the page that starts there lists them."""
    mine = tiny.write_own(tmp_path / "runs" / "en-zh")  # beside the shipped one of that name
    for left in (".cache", "optimizer.pt"):
        (mine / left).write_text("")
    out = tmp_path / "space"
    command = ["--repo", "me/page", "--dry-run", "--out", str(out)]
    assert deploy.main([*command, "--models", f"{mine},zh-en", "them/opus-en-fr"]) == 0
    assert "app_file: space.py" in (out / "README.md").read_text("utf-8")
    (copied,) = (out / "models").iterdir()
    names = {path.name for path in mine.iterdir()} - {".cache", "optimizer.pt"}
    assert {path.name for path in copied.iterdir()} == names
    (out / "app.py").write_text("import os; print(os.environ['HEADLIGHT_MODELS'])")
    for variable, opened in ({}, f"models/{copied.name} zh-en them/opus-en-fr"), (
        {"HEADLIGHT_MODELS": "de-en"}, "de-en",
    ):  # fmt: skip
        run = subprocess.run(
            [sys.executable, deploy.START], cwd=out, capture_output=True, text=True, check=True,
            env={**os.environ, **variable},
        )  # fmt: skip
        assert run.stdout.strip() == opened
    assert Explainer.load(copied).explain("I am a small frog.").search.hypotheses


@pytest.mark.slow
def test_a_lora_gets_its_base_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deploy, "wanted", lambda: [ROOT / "README.md"])
    base, tuned = tiny.write_marian(tmp_path / "base"), tmp_path / "runs" / "my_tuned"
    tuned.parent.mkdir()
    write_lora(tuned, base, MAPS["marian"], {})
    merged = load(tuned).model.state_dict()
    out = tmp_path / "space"
    command = ["--repo", "me/page", "--dry-run", "--out", str(out), "--models"]
    assert deploy.main([*command, str(tuned)]) == 0
    assert {path.name for path in (out / "models").iterdir()} == {"base", "my-tuned"}
    assert '"models/my-tuned"' in (out / deploy.START).read_text("utf-8")
    base.rename(tmp_path / "elsewhere")  # the Space is another machine
    for name, weight in load(out / "models" / "my-tuned").model.state_dict().items():
        assert torch.equal(weight, merged[name])
    assert deploy.main([*command, str(tuned)]) == 2
    assert "my_tuned is a LoRA of" in capsys.readouterr().err
    other = tiny.write_marian(tmp_path / "runs" / "other" / "base")
    (tmp_path / "elsewhere").rename(base)
    assert deploy.main([*command, f"{tuned},{other}"]) == 2
    assert "another model of that name" in capsys.readouterr().err


def test_a_model_is_not_copied_into_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tiny.write_own(tmp_path / "mine")
    for out in (mine / "space", tmp_path):
        command = ["--repo", "me/page", "--dry-run", "--out", str(out), "--models", str(mine)]
        assert deploy.main(command) == 2
        assert "lie in each other" in capsys.readouterr().err
    assert (mine / "model.safetensors").exists() and not (mine / "space").exists()


def test_a_model_that_is_none_is_told_before_anything_is_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "space"
    command = ["--repo", "me/page", "--dry-run", "--out", str(out), "--models", "no model"]
    assert deploy.main(command) == 2
    assert "There is no folder 'no model'" in capsys.readouterr().err and not out.exists()
