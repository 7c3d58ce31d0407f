"""The page without a server: a folder for any static host, where the browser runs the model itself.

    python -m explorer.publish --out site
    python -m http.server --directory site

The folder has the page (the same templates, scripts, styles and words), and for each model its
weights, what cuts its text, and the data that Python computes about it. A model of another family
has its weights as a server sends them to the proof (`explorer/weights.py`).
`assets/shell/published.js` starts the page: a worker takes the server's place. Nothing in it names
a host or a parent path, so it also works in a folder of a site. `assets/shell/offline.js` caches
all of it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer import exhibits, lessons, recorded, weights
from explorer.exchange.payload import training
from explorer.exchange.question import Arguments
from explorer.exchange.reply import to_json
from explorer.exchange.request import Request
from explorer.exhibits.lessons import EXHIBIT as LESSONS
from explorer.facts import facts, named, readers_among
from explorer.models import Listed, listed
from explorer.parts import UNTRANSLATED, standing, template
from explorer.saved import saved_page
from explorer.static import ASSETS, FOREIGN, PLOTLY, assets_path, plotly_file
from explorer.static import files as page_files
from model import cli, files, shipped
from model.errors import InputError
from model.text import glossary

if TYPE_CHECKING:
    from model.explain import Explainer

log = logging.getLogger(__name__)

MARK = ".headlight-site"  # marks a folder that this command built and may replace
WEIGHTS, SHEET = "model.safetensors", "sheet.json"
OF_MODELS = ("cards/", "recorded/")  # files of the page about one model
OF_A_CLASS = "assets/shell/class/"  # which needs a server
BASIC = ("config.json", glossary.FILE)
OTHER = ("marian", "transformers")  # formats that the engine does not open as they are
TOKENIZERS = ("tokenizer.model", "source.spm", "target.spm")
OTHERS = ("cheat.safetensors", "snapshots/*.safetensors.gz")  # fetched when used
# Answered once per model: these answers do not depend on the sentence or the request.
FIXED = ("anatomy", "catalogue", "curves", "schedule")
POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:"
)


@dataclass(frozen=True)
class Command:
    """Write the page as a folder of files for a static host; the browser runs the model."""

    out: Path = Path("site")  # folder to write; an earlier page there is replaced
    # also folders and Hub names, with commas or blanks; first: the default
    models: tuple[str, ...] = shipped.names()
    lessons: bool = False  # start with the list of lessons


def publish(command: Command) -> None:
    """Write the folder and report its size.

    Raises:
        InputError: the folder was not built here, or a model cannot be published.
    """
    models = shipped.listed(command.models)
    build(command.out, models, begin="lessons" if command.lessons else None)
    sizes = [path.stat().st_size for path in command.out.rglob("*") if path.is_file()]
    log.info("%s: %d files, %.1f MB", command.out, len(sizes), sum(sizes) / 2**20)


def build(out: Path, models: Sequence[str] = shipped.names(), *, begin: str | None = None) -> None:
    """Write the folder again.

    Raises:
        InputError: `out` has contents that were not published here; or see `write`.
    """
    files.check_folder(out)
    if (out / MARK).exists():
        shutil.rmtree(out)
    files.check_folder(out, empty=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("Built by explorer.publish, which replaces all of this folder.\n")
    (out / ".nojekyll").write_text("")  # makes GitHub Pages serve the files unchanged
    write(out, models, begin=begin)


def write(out: Path, models: Sequence[str] = shipped.names(), *, begin: str | None = None) -> None:
    """Write the files into an empty folder.

    Raises:
        InputError: a model is not in a folder of this project's format, or too large for a browser.
    """
    chosen = listed(models, load)
    models_told = {one.key: write_model(out, one) for one in chosen}
    page = assets_path().strip("/")
    own = _write_page(out / page)
    told = _facts(chosen, models_told, begin)
    files_of_models = [item for one in models_told.values() for item in one["files"].items()]
    # The files that a visitor's browser caches in advance for offline use; not Plotly, which is
    # fetched when used, nor the scripts of views that do not open here.
    others = [name for name in own if name.startswith(OF_MODELS)]
    closed = tuple(f"explorer/exhibits/{name}/" for name in away())
    later = {PLOTLY, *FOREIGN, *others}
    ahead = [name for name in own if name not in later and not name.startswith(closed)]
    told["published"]["kept"] = {"page": ahead, "site": [""]}
    for one in chosen:
        models_told[one.key]["kept"] = _kept_with(one.name, models_told[one.key], others)
    (out / "index.html").write_text(_index(page, told), "utf-8")
    worker = (ASSETS / "shell" / "offline.js").read_text("utf-8")
    keep = json.dumps([*(f"{page}/{name}" for name in own), *(path for _, path in files_of_models)])
    (out / "offline.js").write_text(f"self.files = {keep};\n{worker}", "utf-8")


def _kept_with(name: str, told: dict[str, Any], others: Sequence[str]) -> dict[str, list[str]]:
    """The files to cache in advance with the model that a visitor sees first.

    Not the snapshots, which are larger than the model itself. Another model is fetched when it is
    chosen, and so kept.
    """
    small = [path for file, path in told["files"].items() if "/" not in file and file != WEIGHTS]
    page = [path for path in others if Path(path).stem == name]
    return {"page": [*told["scripts"], *page], "site": sorted(small)}


def _write_page(folder: Path) -> list[str]:
    """Write the scripts, styles, words and the empty saved session; return their names."""
    own = {name: one for name, one in page_files().items() if not name.startswith(OF_A_CLASS)}
    contents = {**own, "saved": saved_page().encode(), PLOTLY: plotly_file().read_bytes()}
    del contents["facts.json"]  # the document has them
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sorted(contents)


def load(place: str | None) -> Explainer:
    """Load a model for the listing of those that are published."""
    from model.explain import Explainer  # torch comes in only here

    return Explainer.load(place, device="cpu")


class ModelFiles(NamedTuple):
    """The files of a model on the page."""

    size: int  # of the weights, in bytes
    digest: str  # their SHA-256
    weights: Iterable[bytes | memoryview]
    others: dict[str, bytes]
    scripts: tuple[str, ...] = ()  # that other models do not need


def write_model(out: Path, one: Listed, most: int | None = None) -> dict[str, Any]:
    """Write a model's own files and what Python knows about it; return where each is.

    `most` bytes of weights are allowed; without it, as many as a server sends.

    Raises:
        InputError: the browser does not cut text for it, or it is too large for a browser.
    """
    explainer = one.load()
    most = weights.MAX_BYTES if most is None else most
    own = explainer.folder if explainer.format not in OTHER else None
    size = (own / WEIGHTS).stat().st_size if own else weights.header(explainer)[1]
    if size > most:
        raise InputError(
            f"The weights of {one.name} take {size / 1e6:,.0f} MB; a browser is sent at most "
            f"{most / 1e6:.0f}. Publish a smaller model, or run the page with a "
            "server."
        )
    found = _own_files(explainer, one, own) if own else _other_files(explainer, one)
    names = {WEIGHTS: _kept(out, one.key, WEIGHTS, found.digest, found.weights)}
    for name, content in found.others.items():
        names[name] = _kept(out, one.key, name, hashlib.sha256(content).hexdigest(), [content])
    about = {"bytes": found.size, "sha256": found.digest, "scripts": found.scripts}
    return {"files": names, **about}


def _own_files(explainer: Explainer, one: Listed, source: Path) -> ModelFiles:
    """Those of a folder in one of our formats, as they are."""
    found = [path for name in (*BASIC, *TOKENIZERS, *OTHERS) for path in sorted(source.glob(name))]
    contents = {path.relative_to(source).as_posix(): path.read_bytes() for path in found}
    own = {
        "tokenizers": [name for name in contents if name in TOKENIZERS],
        "glossary": glossary.FILE in contents,
        "others": [name for name in contents if name not in (*TOKENIZERS, *BASIC)],
    }
    matrix = (source / WEIGHTS).read_bytes()
    told = sheet(explainer, has_lessons=one.name in recorded.opening())
    contents[SHEET] = to_json(told | own).encode()
    return ModelFiles(len(matrix), hashlib.sha256(matrix).hexdigest(), [matrix], contents)


def _other_files(explainer: Explainer, one: Listed) -> ModelFiles:
    """Those of a model of another family: its weights as a server sends them, and what cuts text.

    Raises:
        InputError: the browser has nothing that cuts as its tokenizer does.
    """
    try:
        cuts, files = explainer.tokenizer.for_browser()
    except InputError as error:
        raise InputError(
            f"{one.name} has {error}, with which the browser does not cut text. Publish a model "
            "with a usual tokenizer.json, vocab.txt, vocab.json with merges.txt, or SentencePiece "
            "model; or run the page with a server."
        ) from None
    told = sheet(explainer, has_lessons=False) | weights.engine_sheet(explainer) | cuts
    told |= {"others": []}
    contents = {**files, SHEET: to_json(told).encode()}
    size, digest = weights.header(explainer)[1], weights.sha256(explainer)
    return ModelFiles(size, digest, weights.parts(explainer), contents, FOREIGN)


def _kept(
    out: Path, key: str, name: str, digest: str, content: Iterable[bytes | memoryview]
) -> str:
    """Write a file where only this content will ever be, and return the path.

    Browsers keep it forever: what is changed has another path, what is not is fetched once.
    """
    path = f"models/{key}/{digest[:12]}/{name}"
    # A vocabulary of both languages is one content with two names.
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    with (out / path).open("wb") as file:
        file.writelines(content)
    return path


def sheet(explainer: Explainer, *, has_lessons: bool) -> dict[str, Any]:
    """The engine's sheet, with the answers that are the same for everybody."""
    request = Request("", explainer.defaults)
    questions = {name: ask for one in exhibits.load() for name, ask in one.questions.items()}
    return weights.sheet(explainer) | {
        "training": training(explainer),
        "lessons": _lessons(explainer) if has_lessons else {},
        "answers": {name: questions[name](explainer, request, Arguments({})) for name in FIXED},
    }


def away() -> dict[str, str]:
    """The exhibits that need a server, with the message for each: {name: key}."""
    return {one.name: one.absent for one in exhibits.load() if one.absent}


def _lessons(explainer: Explainer) -> dict[str, list[dict[str, Any] | None]]:
    """The answers to the questions of each lesson's steps; null for a step without one."""
    request, ask = Request("", explainer.defaults), LESSONS.questions["lesson"]
    return {
        name: [
            None
            if step.ask is None
            else ask(explainer, request, Arguments({"lesson": name, "step": i}))
            for i, step in enumerate(one.steps)
        ]
        for name, one in lessons.load(explainer.name).items()
    }


def _facts(
    chosen: Sequence[Listed], models_told: dict[str, dict[str, Any]], begin: str | None
) -> dict[str, Any]:
    own = named(chosen)
    told = facts(own, exhibits.load(), "auto", recorded.texts(), readers_among(own))
    # One engine does all: a sentence waits for no more than one of the reader's lines.
    site = {"models": models_told, "begin": begin, "away": away()}
    return told | {"lines": 1, "published": site}


def _index(page: str, told: dict[str, Any]) -> str:
    """The document: all its paths are relative to its folder."""
    body = standing(exhibits.load(), **{"hl-lesson": template("lesson")})
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8"><title>Headlight</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'{UNTRANSLATED}<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="{page}/assets/favicon.svg">'
        f'<link rel="stylesheet" href="{page}/style.css"></head>'
        f'<body data-published style="margin:0">{body}'
        f'<script type="application/json" id="headlight-facts">{to_json(told)}</script>'
        f'<script type="module" src="{page}/assets/shell/published.js"></script></body></html>\n'
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, publish, arguments, prog="explorer.publish")


if __name__ == "__main__":
    sys.exit(main())
