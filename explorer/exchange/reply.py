"""One request in, one reply out. The one place where errors become sentences on the page."""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from explorer.exchange import payload
from explorer.exchange.explain import explain as explain_request
from explorer.exchange.packing import json_text
from explorer.exchange.question import Arguments, Question
from explorer.exchange.request import PageError, Request, parse
from explorer.models import Models
from explorer.trained import NotReady
from explorer.words import WORDS
from model import deadline
from model.errors import CheckpointError, ConfigError, HeadlightError, InputError, is_out_of_memory

if TYPE_CHECKING:
    from model.explain import Explainer

log = logging.getLogger(__name__)

NONE: Mapping[str, Question] = MappingProxyType({})
_HALF = re.compile("[\ud800-\udfff]")
SECONDS = 5.0  # of work for one request


class Reply(NamedTuple):
    """The answer to a request, for everyone who sends an equal one.

    `waiting` in place of a message says that the model is being loaded or trained: the browser
    asks again.
    """

    kind: Literal["payload", "message", "waiting"]
    body: str  # JSON

    def to(self, raw: object) -> str:
        """The reply as JSON, with the request's number: so the browser knows what this answers."""
        number = raw.get("number") if isinstance(raw, dict) else None
        text = to_json(number if isinstance(number, int) else None)
        return f'{{"number":{text},"{self.kind}":{self.body}}}'


def answer(models: Models, raw: object, questions: Mapping[str, Question] = NONE) -> str:
    """The reply to a request, as the browser gets it; see `unnumbered`. Never raises."""
    return unnumbered(models, raw, questions).to(raw)


def unnumbered(models: Models, raw: object, questions: Mapping[str, Question] = NONE) -> Reply:
    """The reply to a request: the payload, or one sentence in every language.

    A request that names a `question` gets its answer, about the same explanation. Never raises.
    """
    given = raw if isinstance(raw, dict) else {}
    question = given.get("question")
    try:
        models.admit()
        if question is None:
            return Reply("payload", payload_json(explanation_payload(models, raw)))
        if not isinstance(question, str) or question not in questions:
            raise PageError("error.request")
        arguments = Arguments(given.get("arguments", {}))
        explainer, request = read(models, raw)
        with work(models, explainer, request.model):
            result = questions[question](explainer, request, arguments)
        return Reply("payload", payload_json(result))
    except NotReady as error:
        return Reply("waiting", to_json(sentence(error)))
    except HeadlightError as error:
        return Reply("message", to_json(sentence(error)))
    except Exception:
        log.exception("A request could not be answered.")
        return Reply("message", to_json(_worded("error.unexpected")))


def explanation_payload(models: Models, raw: object) -> payload.Payload:
    """The payload of a request as the browser sends it.

    Raises:
        HeadlightError: the model is not there, or does not take this text or these settings.
    """
    explainer, request = read(models, raw)
    with work(models, explainer, request.model):
        return payload.build(explain_request(explainer, request), explainer, request.model)


@contextmanager
def work(models: Models, explainer: Explainer, key: str) -> Iterator[None]:
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


def read(models: Models, raw: object) -> tuple[Explainer, Request]:
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


def payload_json(value: payload.Payload) -> str:
    """A payload as JSON.

    Raises:
        PageError: it holds a number that is not finite, which is a bug of ours and is logged.
    """
    try:
        return to_json(value)
    except PageError:
        log.exception("A reply holds a number that is not finite.")
        raise


def to_json(value: object) -> str:
    """JSON without a "<", so that no part of a visitor's text ever looks like a tag.

    Half a character, which a visitor's text may hold, is written as an escape: UTF-8 has none.

    Raises:
        PageError: it would hold NaN or Infinity, which are no JSON.
    """
    text = json_text(value, separators=(",", ":")).replace("<", "\\u003c")
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text


def _worded(key: str, **values: object) -> dict[str, str]:
    word, setting = WORDS[key], WORDS.get(f"settings.{values.get('name')}")
    named = values if setting is None else {**values, "name": f"“{setting.zh}”"}
    return {"en": word.en.format(**values), "zh": word.zh.format(**named)}
