"""The weights of a loaded model for the browser's engine: GET and HEAD weights/KEY beside the
page's files, and engine/KEY for what the engine needs beside them.

A key names a model that is in memory: nothing is loaded or trained here, and no path of this
machine is opened. The tensors are sent one by one, as safetensors in the network's own names and
float32, so that no second copy of a model is made.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from explorer.exchange.reply import payload_json, sentence, to_json
from explorer.exchange.request import PageError
from explorer.models import Models
from explorer.static import assets_path
from model.errors import HeadlightError, InputError

if TYPE_CHECKING:
    from model.explain import Explainer

MAX_BYTES = 400_000_000  # of one model; a browser keeps them in memory
MAX_STREAMS = 4  # at a time, of all visitors
PART = 1_048_576  # bytes sent at once
PATIENCE = 60.0  # seconds that a visitor may take for one part
_streams = threading.BoundedSemaphore(MAX_STREAMS)
_hashes: WeakKeyDictionary[Explainer, str] = WeakKeyDictionary()
_hashing = threading.Lock()


def sheet(explainer: Explainer) -> dict[str, Any]:
    """What the engine needs to know about a model besides its weights and its pieces' scores."""
    tokenizer = explainer.tokenizer
    return {
        "name": explainer.name,
        "revision": explainer.revision,
        "config": explainer.model.config.shown(),
        "rules": asdict(explainer.rules),
        "defaults": asdict(explainer.defaults),
        "thresholds": asdict(explainer.thresholds) if explainer.thresholds else None,
        "pieces": list(tokenizer.pieces),
        "examples": list(tokenizer.examples),
        "codes": list(tokenizer.codes),
        "beams": None if explainer.names_beams else explainer.defaults.beam_size,
        "notes": [list(note) for note in explainer.notes] or None,
        "languages": tokenizer.languages,
        "max_source_tokens": explainer.max_source_tokens,
    }


def engine_sheet(explainer: Explainer) -> dict[str, Any]:
    """The same with the pieces of the source and the tokenizer, where the engine can read it."""
    form, tokenizer = explainer.format, explainer.tokenizer
    pieces = [tokenizer.piece(i, "source") for i in range(tokenizer.size("source"))]
    models = [base64.b64encode(one).decode() for one in tokenizer.models()]
    own: dict[str, Any] = {"format": form, "source_pieces": pieces, "tokenizers": models}
    with suppress(InputError):  # without a usual language every text names one
        own["language"] = tokenizer.target_language("a")
    own |= {
        "special_ids": sorted(tokenizer.special_ids),
        "style": tokenizer.style,
        "broken": tokenizer.broken,
        "opened": sorted(tokenizer.opened),
        "glossary": explainer.glossary and explainer.glossary.for_browser(),
    }
    return sheet(explainer) | own


def header(explainer: Explainer) -> tuple[bytes, int]:
    """The beginning of the file, and the size of the whole file in bytes."""
    entries, end = {}, 0
    for name, weight in explainer.model.state_dict().items():
        begin, end = end, end + 4 * weight.numel()
        entries[name] = {
            "dtype": "F32", "shape": list(weight.shape), "data_offsets": [begin, end],
        }  # fmt: skip
    text = json.dumps(entries).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of eight
    return len(text).to_bytes(8, "little") + text, 8 + len(text) + end


def parts(explainer: Explainer) -> Iterator[memoryview]:
    """The file, in parts of at most `PART` bytes."""
    yield memoryview(header(explainer)[0])
    for weight in explainer.model.state_dict().values():
        numbers = weight.detach().cpu().float().contiguous().numpy().astype("<f4", copy=False)
        whole = memoryview(numbers.reshape(-1)).cast("B")
        yield from (whole[at : at + PART] for at in range(0, len(whole), PART))


def sha256(explainer: Explainer) -> str:
    """The SHA-256 of the file, computed once."""
    with _hashing:
        if explainer not in _hashes:
            digest = hashlib.sha256()
            for part in parts(explainer):
                digest.update(part)
            _hashes[explainer] = digest.hexdigest()
        return _hashes[explainer]


class _Stream(StreamingResponse):
    """A reply that gives its place back when it ends, also if the visitor leaves."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def in_time(message: Message) -> None:
            await asyncio.wait_for(send(message), PATIENCE)

        try:
            await super().__call__(scope, receive, in_time)
        finally:
            _streams.release()


def weights_routes(models: Models) -> tuple[Route, Route]:
    """The routes of the weights and of the sheets."""

    async def send_weights(request: Request) -> Response:
        try:
            explainer = _bounded(models, request.path_params["key"])
            headers = {
                "Content-Length": str(header(explainer)[1]),
                "ETag": f'"{await run_in_threadpool(sha256, explainer)}"',
                "Cache-Control": "no-store",
            }
            kind = "application/octet-stream"
            if request.method == "HEAD":
                return Response(headers=headers, media_type=kind)
            if not _streams.acquire(blocking=False):
                return _refused(PageError("proof.weights.busy"), 503)
            return _Stream(parts(explainer), headers=headers, media_type=kind)
        except HeadlightError as error:
            return _refused(error)

    async def send_sheet(request: Request) -> Response:
        try:
            explainer = _bounded(models, request.path_params["key"])
        except HeadlightError as error:
            return _refused(error)
        content = payload_json(await run_in_threadpool(engine_sheet, explainer))
        headers = {"Cache-Control": "no-store"}
        return Response(content, media_type="application/json", headers=headers)

    return (
        Route(f"{assets_path()}weights/{{key:path}}", send_weights),
        Route(f"{assets_path()}engine/{{key:path}}", send_sheet),
    )


def _bounded(models: Models, key: str) -> Explainer:
    """The model of a key.

    Raises:
        HeadlightError: there is none, it is not in memory, or too large for a browser.
    """
    explainer = models.loaded(models.key(key))
    if explainer is None:
        raise PageError("proof.weights.gone")
    size = header(explainer)[1]
    if size > MAX_BYTES:
        raise PageError("proof.weights.large", size=_megabytes(size), limit=_megabytes(MAX_BYTES))
    return explainer


def _megabytes(size: int) -> int:
    return round(size / 1e6)


def _refused(error: HeadlightError, status: int = 404) -> Response:
    """A sentence in every language."""
    content = to_json({"message": sentence(error)})
    headers = {"Cache-Control": "no-store"}
    return Response(content, status, headers, "application/json")
