"""The page as a Hugging Face Space.

    python -m explorer.deploy --repo USER/NAME            # builds the folder and uploads it
    python -m explorer.deploy --repo USER/NAME --dry-run  # builds the folder and prints its path
    python -m explorer.deploy --repo USER/NAME --static   # the page without a server
    python -m explorer.deploy --repo USER/NAME --models en-zh,runs/mine,ORGANISATION/MODEL

The Space gets only the files that the page needs: no tests, no benchmarks, nothing that git
ignores. Its settings are the front matter of README.md; its requirements are ours, limited to the
versions on Spaces, plus the package `spaces`, without which ZeroGPU starts no Space. Uploading
needs a Hub token with write access (`hf auth login`, or HF_TOKEN); the Space itself needs none.
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from explorer import publish
from explorer.models import listed
from model import cli, files, hub, shipped
from model.errors import ConfigError, InputError, quote

log = logging.getLogger(__name__)

ROOT = Path(__file__).parent.parent
FILES = ("app.py", "requirements.txt", "README.md", "LICENSE")
# Other files in these folders (caches, editors' files) are not copied.
FOLDERS = {
    "explorer": {".py", ".js", ".css", ".html", ".md"},
    "model": {".py", ".json"},
    "assets": {
        ".js", ".css", ".html", ".json", ".jsonl", ".svg", ".png", ".woff2", ".txt", ".md", ".tsv",
        ".safetensors", ".gz", ".model", ".spm", ".LICENSE",
    },
}  # fmt: skip
REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
# ZeroGPU's list of August 2026; a Space there must have the package `spaces`.
OFFERED = {"torch": "torch>=2.8,<2.12", "spaces": "spaces>=0.40"}
MARK = ".headlight-space"  # marks a folder that this command built and may replace
ABOUT = (
    "Headlight shows what happens inside a Transformer while it translates. This Space holds files "
    "alone: your browser loads the model and runs it."
)
OF_TRAINING = (  # what a run leaves beside its model, which no page needs
    "checkpoint-*", "optimizer*", "scheduler*", "rng_state*", "training_args.bin", "*.log", "runs",
)  # fmt: skip
START = "space.py"  # of a Space with models of its own choice
STARTS = '''"""Starts the page with these models, unless HEADLIGHT_MODELS names others."""

import os
import runpy

os.environ.setdefault("HEADLIGHT_MODELS", "{}")
runpy.run_path("app.py", run_name="__main__")
'''
NEEDED = ("sdk", "sdk_version", "python_version", "app_file")


@dataclass(frozen=True)
class Command:
    """Put the page on a Hugging Face Space."""

    repo: str  # USER/NAME of the Space; created if it does not exist
    out: Path = Path("runs/space")  # folder to build; its previous contents are replaced
    dry_run: bool = False  # build the folder without uploading it
    private: bool = False  # make a new Space visible only to its owner
    static: bool = False  # static files only: the visitors' browsers run the model
    models: tuple[str, ...] = ()  # the models of the Space (default: those that are shipped)


def deploy(command: Command) -> None:
    """Build the folder; without `dry_run` upload it too.

    Raises:
        InputError: the repository's name is invalid, the folder was not built here, or the Hub
        refuses or cannot be reached.
        CheckpointError: one of the models is neither a folder with a model nor a Hub name.
        ConfigError: the folder cannot be built here.
    """
    if not REPO.fullmatch(command.repo):
        raise InputError(f"--repo is {quote(command.repo)}; expected USER/NAME of a Space.")
    models = shipped.listed(command.models)
    built = (build_static if command.static else build)(command.out, models)
    size = sum(path.stat().st_size for path in built) / 2**20
    log.info("%s: %d files, %.1f MB", command.out, len(built), size)
    if not command.dry_run:
        sdk = "static" if command.static else "gradio"
        log.info("%s", upload(command.out, command.repo, sdk, private=command.private))


def build(out: Path, models: Sequence[str] = ()) -> list[Path]:
    """Copy the files that the page needs into a fresh folder; return them.

    With these models, of which folders are copied and others fetched from the Hub by the Space; or
    with the shipped ones.

    Raises:
        InputError: `out` is a file, or has contents that were not built here.
        CheckpointError: one of the models is neither a folder with a model nor a Hub name.
        ConfigError: README.md has no front matter for a Space.
    """
    front_matter((ROOT / "README.md").read_text("utf-8"))
    places = places_of(models)
    copies = _copies(places)
    _check_apart(out, copies.values())
    _begin(out)
    copied = []
    for source in wanted():
        target = out / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        copied.append(Path(shutil.copyfile(source, target)))
    (out / "requirements.txt").write_text(requirements(), "utf-8")
    return [*copied, *_choose(out, places, copies)] if places else copied


def places_of(models: Sequence[str]) -> dict[str, str]:
    """Where the Space finds each model: a folder of this machine in a folder of its own.

    Raises:
        CheckpointError: one is neither a folder with a model nor a Hub name.
    """
    own, distinct = shipped.names(), tuple(dict.fromkeys(models))
    return {
        place: f"models/{one.key}" if place not in own and Path(place).is_dir() else place
        for place, one in zip(distinct, listed(distinct, _unopened), strict=True)
    }


def _copies(places: dict[str, str]) -> dict[str, Path]:
    """The folders to copy, by their place in the Space: those among the models, and the base that
    a LoRA among them changes, beside it, where the page looks for it.

    Raises:
        CheckpointError: a base is not on this machine.
        InputError: two folders would have the same place.
    """
    copies = {there: Path(place) for place, there in places.items() if there != place}
    for folder in tuple(copies.values()):
        name, base = hub.base_beside(folder) or ("", folder)
        if name and copies.setdefault(f"models/{name}", base).resolve() != base.resolve():
            raise InputError(
                f"{folder.name} is a LoRA of {name}, and another model of that name is given. "
                "Rename its folder."
            )
    return copies


def _check_apart(out: Path, copied: Iterable[Path]) -> None:
    """Refuse to copy a folder into itself, or to empty the one that a model lies in."""
    for place in (folder.resolve() for folder in copied):
        if out.resolve().is_relative_to(place) or place.is_relative_to(out.resolve()):
            raise InputError(
                f"The model in {place} and {out} lie in each other. Give another --out."
            )


def _unopened(place: str | None) -> NoReturn:
    raise AssertionError(f"{place} is only copied")


def _choose(out: Path, places: dict[str, str], copies: dict[str, Path]) -> list[Path]:
    """Copy the folders, and let the page start with all of the models."""
    for there, folder in copies.items():
        shutil.copytree(folder, out / there, ignore=shutil.ignore_patterns(".*", *OF_TRAINING))
    (out / START).write_text(STARTS.format(" ".join(places.values())), "utf-8")
    readme = out / "README.md"
    head = readme.read_text("utf-8").replace("app_file: app.py", f"app_file: {START}", 1)
    readme.write_text(head, "utf-8")
    return [out / START, *(path for path in (out / "models").rglob("*") if path.is_file())]


def build_static(out: Path, models: Sequence[str] = ()) -> list[Path]:
    """Build the page without a server, with the settings of a static Space; return its files.

    Of these models, or the shipped ones.

    Raises:
        InputError: `out` is a file, or has contents that were not built here.
        ConfigError: README.md has no front matter for a Space.
    """
    _begin(out)
    publish.write(out, models or shipped.names())
    (out / "README.md").write_text(static_readme((ROOT / "README.md").read_text("utf-8")), "utf-8")
    return [path for path in out.rglob("*") if path.is_file() and path.name != MARK]


def static_readme(readme: str) -> str:
    """The front matter of README.md for a static Space, and a description of the Space.

    Raises:
        ConfigError: there is no front matter.
    """
    settings = front_matter(readme)
    left_out = ("sdk", "sdk_version", "python_version", "app_file")
    kept = [f"{name}: {value}" for name, value in settings.items() if name not in left_out]
    head = "\n".join([*kept, "sdk: static", "app_file: index.html"])
    return f"---\n{head}\n---\n\n{ABOUT}\n"


def _begin(out: Path) -> None:
    """Start an empty folder that may be replaced the next time."""
    files.check_folder(out)
    if (out / MARK).exists():
        shutil.rmtree(out)
    files.check_folder(out, empty=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text(
        "Built by explorer.deploy, which replaces all of this folder.\n", "utf-8"
    )


def requirements() -> str:
    """Our requirements, limited to the versions on Spaces."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    others = [line for line in lines if re.split(r"[<>=~! ]", line)[0] not in OFFERED]
    return "\n".join([*others, *OFFERED.values()]) + "\n"


def wanted() -> list[Path]:
    """The files of this project that a Space needs."""
    found = [ROOT / name for name in FILES]
    for folder, endings in FOLDERS.items():
        paths = (path for path in (ROOT / folder).rglob("*") if path.suffix in endings)
        found += [path for path in paths if path.is_file() and "__pycache__" not in path.parts]
    return sorted(found)


def front_matter(readme: str) -> dict[str, str]:
    """The front matter of README.md.

    Raises:
        ConfigError: there are none, or one that a Space needs is missing.
    """
    match = re.match(r"---\n(.*?)\n---\n", readme, re.DOTALL)
    lines = match[1].splitlines() if match else []
    settings = dict(re.split(r":\s*", line, maxsplit=1) for line in lines if ":" in line)
    missing = [name for name in NEEDED if name not in settings]
    if missing:
        raise ConfigError(f"The head of README.md lacks {', '.join(missing)}; a Space needs it.")
    return settings


def upload(folder: Path, repo: str, sdk: str, *, private: bool) -> str:
    """Upload the folder to the Space as one commit; return its address.

    Raises:
        InputError: the Hub refuses, or cannot be reached.
    """
    from huggingface_hub import HfApi

    hub = HfApi()
    try:
        hub.create_repo(repo, repo_type="space", space_sdk=sdk, private=private, exist_ok=True)
        hub.upload_folder(
            folder_path=folder, repo_id=repo, repo_type="space", delete_patterns="*",
            commit_message="Headlight", ignore_patterns=MARK,
        )  # fmt: skip
    except Exception as error:  # the client passes on errors of its HTTP library, whichever it is
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise InputError(
            f"{repo} could not be uploaded: {reason} Check the network, log in with a token that "
            "may write (hf auth login), and try again."
        ) from None
    return f"huggingface.co/spaces/{repo}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, deploy, arguments, prog="explorer.deploy")


if __name__ == "__main__":
    sys.exit(main())
