"""A lesson, or the whole page, as one file that opens from a disk; the model is in it.

    python -m explorer.onefile --lesson masks --out masks.html

The file holds the scripts, styles and words of the published page and the files of one model, so
it takes some 30 MB. The engine (`assets/engine/`) answers in the page itself: a page that was
opened from a disk may begin no worker. Nothing is fetched, whatever a visitor's text says.
"""

from __future__ import annotations

import base64
import json
import logging
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from explorer import exhibits, lessons
from explorer.card import MAX_WEIGHTS
from explorer.exchange.reply import to_json
from explorer.facts import facts, named, readers_among
from explorer.models import listed
from explorer.parts import UNTRANSLATED, standing, template
from explorer.publish import away, load, write_model
from explorer.saved import PREFIX, scripts, styles
from explorer.static import assets_path
from explorer.static import files as page_files
from model import cli, files, shipped
from model.errors import InputError, quote

log = logging.getLogger(__name__)

LESSON, LANGUAGE = "@lesson@", "@language@"  # their places in a document kept for all lessons
Language = Literal["auto", "en", "zh"]  # auto: the browser's
LANGUAGES = get_args(Language)
PIECE = 2**16  # bytes that are sent at a time
SNAPSHOTS = "snapshots/"  # of a training, which would double the file
# `data:` for the scripts and the text face, `blob:` for the files of the model.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; connect-src data: blob:"
)


@dataclass(frozen=True)
class Command:
    """Write one HTML file that holds the page and a model, and opens without server or network."""

    out: Path = Path("headlight.html")
    lesson: str = ""  # that the file begins with, as one-head; without it, the list of lessons
    model: str = ""  # a shipped one, or a folder (default: the one of the language's page)
    language: Language = "auto"  # that the file begins in


def onefile(command: Command) -> None:
    """Write the file, and say how large it is.

    Raises:
        InputError: there is no such lesson, or the model cannot be published.
    """
    names = list(lessons.load())
    if command.lesson and command.lesson not in names:
        raise InputError(f"No lesson {command.lesson}; expected {', '.join(names)}.")
    model = command.model or opened(command.language)
    taught = [pair.name for pair in shipped.PAIRS if pair.opens and pair.name in shipped.names()]
    if command.lesson and model not in taught:
        raise InputError(
            f"The lessons speak of {' and '.join(taught)}, not of {quote(model)}; leave out "
            "--lesson or --model."
        )
    files.write_text(command.out, document(model, command.lesson, command.language))
    log.info("%s: %.1f MB", command.out, command.out.stat().st_size / 2**20)


def document(model: str, lesson: str = "", language: str = "auto") -> str:
    """Return the whole file as text.

    Raises:
        InputError: the browser does not cut text for the model, or it is too large for a file.
    """
    (one,) = listed([model], load)
    with tempfile.TemporaryDirectory() as folder:
        model_told = write_model(Path(folder), one, MAX_WEIGHTS)
        written = model_told["files"]
        contents = {name: (Path(folder) / path).read_bytes() for name, path in written.items()}
    contents = {name: own for name, own in contents.items() if not name.startswith(SNAPSHOTS)}
    sheet = json.loads(contents["sheet.json"])
    sheet["others"] = [name for name in sheet["others"] if name in contents]
    contents["sheet.json"] = to_json(sheet).encode()
    own = named([one])
    told = facts(own, exhibits.load(), language, readers=readers_among(own))
    told["published"] = {
        "models": {one.key: {"bytes": len(contents["model.safetensors"])}},
        "begin": None if lesson else "lessons",
        "lesson": lesson or None,
        "alone": True,  # nothing beside it can be fetched
        "away": away() | {"learn": "published.server"},
    }
    return _assembled(told, contents, model_told["scripts"])


def opened(language: str) -> str:
    """The shipped model that a page in a language opens with; "auto": the first one."""
    rows = {pair.opens: pair.name for pair in shipped.PAIRS if pair.name in shipped.names()}
    return rows.get(language, shipped.FIRST)


@cache
def _shipped(model: str) -> tuple[bytes, ...]:
    """The document with a shipped model, without a language and a lesson: 29 MB that stay."""
    before, rest = document(model, LESSON, LANGUAGE).split(LANGUAGE)
    return tuple(part.encode() for part in (before, *rest.split(LESSON)))


def lesson_route() -> Route:
    """Return the route of a lesson as one file, of its language's model: `lesson/masks?lang=zh`."""
    one_at_a_time = threading.Lock()

    def made(language: str, name: str) -> list[memoryview]:
        with one_at_a_time:
            before, between, after = _shipped(opened(language))
        parts = (before, language.encode(), between, name.encode(), after)
        return [memoryview(part) for part in parts]

    async def sent(parts: list[memoryview]) -> AsyncIterator[bytes]:
        # In pieces: a slow download must not hold a copy of its own.
        for part in parts:
            for start in range(0, len(part), PIECE):
                yield bytes(part[start : start + PIECE])

    async def respond(request: Request) -> Response:
        name, names = request.path_params["name"], list(lessons.load())
        if name not in names:
            told = f"There is no lesson {name[:60]}; expected one of {', '.join(names)}."
            return PlainTextResponse(told, status_code=404)
        language = request.query_params.get("lang", "auto")
        if language not in LANGUAGES:
            told = f"There is no language {language[:60]}; expected one of {', '.join(LANGUAGES)}."
            return PlainTextResponse(told, status_code=404)
        parts = await run_in_threadpool(made, language, name)
        headers = {
            "Content-Disposition": f'attachment; filename="headlight-{name}.html"',
            "Content-Length": str(sum(map(len, parts))),
        }
        return StreamingResponse(sent(parts), headers=headers, media_type="text/html")

    return Route(f"{assets_path()}lesson/{{name}}", respond)


def _assembled(told: dict[str, Any], contents: dict[str, bytes], more: Sequence[str] = ()) -> str:
    kept = {one.name for one in exhibits.load()}
    words = page_files()["words.json"].decode()
    body = standing(exhibits.load(), **{"hl-lesson": template("lesson")})
    imports = json.dumps({"imports": scripts("onefile", kept, more)})
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8"><title>Headlight</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'{UNTRANSLATED}<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{styles()}</style>"
        f'<script type="importmap">{imports}</script></head>'
        f'<body data-published data-onefile style="margin:0">{body}'
        f"{_data('headlight-facts', to_json(told))}{_data('headlight-words', words)}"
        f"{''.join(_file(name, content) for name, content in contents.items())}"
        f'<script type="module">import "{PREFIX}assets/shell/onefile.js";</script></body></html>\n'
    )


def _data(elem_id: str, text: str) -> str:
    """A script that is data; no text in it can end it."""
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{elem_id}">{safe}</script>'


def _file(name: str, content: bytes) -> str:
    text = base64.b64encode(content).decode()
    return f'<script type="application/octet-stream" data-file="{name}">{text}</script>'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    return cli.run(Command, onefile, arguments, prog="explorer.onefile")


if __name__ == "__main__":
    sys.exit(main())
