"""One request in, one reply out. The one place where errors become sentences on the page."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from explorer.exchange import payload
from explorer.exchange.explain import explain as explain_request
from explorer.exchange.question import Arguments, Question
from explorer.exchange.request import PageError, Request, parse
from explorer.loading import Explains
from explorer.models import Models
from explorer.trained import NotReady
from explorer.words import WORDS
from model import deadline
from model.errors import CheckpointError, ConfigError, HeadlightError, InputError, is_out_of_memory

log = logging.getLogger(__name__)

NONE: Mapping[str, Question] = MappingProxyType({})
SECONDS = 5.0  # of work for one request


def answer(models: Models, raw: object, questions: Mapping[str, Question] = NONE) -> str:
    """The reply to a request: JSON with the payload, or with one sentence in every language.

    A request that names a `question` gets its answer, about the same explanation. `number` is sent
    back unchanged, so that the browser knows which request this answers. `waiting` in place of a
    message says that the model is being loaded or trained: the browser asks again. Never raises.
    """
    given = raw if isinstance(raw, dict) else {}
    number, question = given.get("number"), given.get("question")
    reply: dict[str, Any] = {"number": number if isinstance(number, int) else None}
    try:
        if question is None:
            reply["payload"] = explanation_payload(models, raw)
        elif isinstance(question, str) and question in questions:
            arguments = Arguments(given.get("arguments", {}))
            explainer, request = read(models, raw)
            with work(models, explainer, request.model):
                reply["payload"] = questions[question](explainer, request, arguments)
        else:
            raise PageError("error.request")
    except NotReady as error:
        reply["waiting"] = sentence(error)
    except HeadlightError as error:
        reply["message"] = sentence(error)
    except Exception:
        log.exception("A request could not be answered.")
        reply["message"] = _worded("error.unexpected")
    return to_json(reply)


def explanation_payload(models: Models, raw: object) -> payload.Payload:
    """The payload of a request as the browser sends it.

    Raises:
        HeadlightError: the model is not there, or does not take this text or these settings.
    """
    explainer, request = read(models, raw)
    with work(models, explainer, request.model):
        return payload.build(explain_request(explainer, request), explainer, request.model)


@contextmanager
def work(models: Models, explainer: Explains, key: str) -> Iterator[None]:
    """The work of one request with the model of a key: bounded in time and in a GPU's memory.

    Raises:
        InputError: the time is up.
        NotReady: the memory of the GPU was full. The model is on the CPU now: ask again.
    """
    try:
        with deadline.within(SECONDS):
            yield
    except RuntimeError as error:
        if explainer.device == "cpu" or not is_out_of_memory(error):
            raise
    else:
        return
    models.fall_back(key)  # out of the handler: the error no longer holds what lies on the GPU
    raise NotReady("model.gpu_full")


def read(models: Models, raw: object) -> tuple[Explains, Request]:
    """The model that a request names, and the request with what that model's authors chose.

    A request with `first` begins with the model's own example, where it has one: a text that was
    meant for another model may be none of its.

    Raises:
        HeadlightError: no such model, or a request that cannot be read.
    """
    given = raw if isinstance(raw, dict) else {}
    key = models.key(given.get("model", ""))
    explainer = models.get(key)
    request = dataclasses.replace(parse(raw, explainer.defaults), model=key)
    examples = explainer.tokenizer.examples
    if given.get("first") is True and examples:
        request = dataclasses.replace(request, text=examples[0])
    return explainer, request


def sentence(error: HeadlightError) -> dict[str, str]:
    """An error in every language: worded here if it has a key, else in its own English."""
    if error.key is not None:
        key = error.key if isinstance(error, PageError) else f"error.model.{error.key}"
        return _worded(key, **error.values)
    for kind, key in (
        (InputError, "error.input"),
        (ConfigError, "error.config"),
        (CheckpointError, "error.checkpoint"),
    ):
        if isinstance(error, kind):
            return _worded(key, message=str(error))
    log.error("A record contradicts itself.", exc_info=error)
    return _worded("error.unexpected")


def to_json(value: object) -> str:
    """JSON without a "<", so that no part of a visitor's text ever looks like a tag."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _worded(key: str, **values: object) -> dict[str, str]:
    word, setting = WORDS[key], WORDS.get(f"settings.{values.get('name')}")
    named = values if setting is None else {**values, "name": f"“{setting.zh}”"}
    return {"en": word.en.format(**values), "zh": word.zh.format(**named)}
