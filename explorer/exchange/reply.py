"""Answers requests. The only place where errors become sentences on the page."""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from explorer import pace
from explorer.exchange import payload
from explorer.exchange.explain import explain as explain_request
from explorer.exchange.explain import with_weights
from explorer.exchange.gloss import glossed, glossed_record, texts_of
from explorer.exchange.lines import LINES, lines
from explorer.exchange.packing import json_text
from explorer.exchange.question import Arguments, Question
from explorer.exchange.request import PARTS, PageError, Request, parse
from explorer.models import Models
from explorer.trained import NotReady
from explorer.words import WORDS
from model import deadline
from model.errors import CheckpointError, ConfigError, HeadlightError, InputError, is_out_of_memory

if TYPE_CHECKING:
    from model.explain import Explainer

log = logging.getLogger(__name__)

NONE: Mapping[str, Question] = MappingProxyType({})
LACKING = ("no_cheat", "no_parts")  # errors of a model that cannot answer, however often asked
MAX_MORE = 7  # requests beside the first one in a list
# Questions of earlier versions, which a page still open may ask: records answer them now.
GONE = ("before_after", "cheat", "learn", "methods", "model_here", "model_there", "pair", "seeds")
_HALF = re.compile("[\ud800-\udfff]")


class Reply(NamedTuple):
    """The answer to a request, shared by everyone who sends an identical one.

    `waiting` instead of a message means that the model is being loaded or trained: the browser asks
    again.
    """

    kind: Literal["payload", "message", "waiting"]
    body: str  # JSON

    def to(self, raw: object) -> str:
        """The reply as JSON, with the request's number, so that the browser can match it."""
        number = raw.get("number") if isinstance(raw, dict) else None
        text = to_json(number if isinstance(number, int) else None)
        return f'{{"number":{text},"{self.kind}":{self.body}}}'


def answer(models: Models, raw: object, questions: Mapping[str, Question] = NONE) -> str:
    """The reply to a request, in the browser's form; see `unnumbered`. Never raises."""
    return unnumbered(models, raw, questions).to(raw)


def unnumbered(models: Models, raw: object, questions: Mapping[str, Question] = NONE) -> Reply:
    """The reply to a request: the payload, or a message in every language.

    If the request names a `question`, the reply is its answer about the same explanation; if it
    lists `more` requests, the reply is a list: its own payload, then theirs, by the same model.
    Never raises.
    """
    given = raw if isinstance(raw, dict) else {}
    question = given.get("question")
    try:
        models.admit()
        if question in GONE:
            raise PageError("error.question_gone")
        if question is None and "more" in given:
            return Reply("payload", payload_json(_records(models, given, given["more"])))
        if question is None:
            return Reply("payload", payload_json(explanation_payload(models, raw)))
        if question == LINES:
            return Reply("payload", payload_json(_lines(models, given)))
        if not isinstance(question, str) or question not in questions:
            raise PageError("error.request")
        return Reply("payload", payload_json(_answer(models, given, questions[question])))
    except NotReady as error:
        return Reply("waiting", to_json(sentence(error)))
    except HeadlightError as error:
        is_away = {"isAway": True} if error.key in LACKING else {}
        return Reply("message", to_json(sentence(error) | _choices(error) | is_away))
    except Exception:
        log.exception("A request could not be answered.")
        return Reply("message", to_json(_worded("error.unexpected")))


def _answer(models: Models, given: dict[str, Any], question: Question) -> payload.Payload:
    """The answer to a question about the explanation of a request.

    Raises:
        HeadlightError: an invalid request, or the model refuses it.
    """
    arguments = Arguments(given.get("arguments", {}))
    explainer, request = read(models, given)
    if request.weights or request.parts != PARTS:  # no question depends on them
        raise PageError("error.request")
    with work(models, explainer, request.model):
        result = question(explainer, request, arguments)
        glossed(
            result,
            explainer.glossary,
            lambda table: texts_of(explain_request(explainer, request).trace, table),
        )
    return result


def _lines(models: Models, given: dict[str, Any]) -> payload.Payload:
    """The reader's lines of some texts, by the shipped model that the page names.

    Raises:
        HeadlightError: no shipped model has this key, or the texts are beyond the bounds.
    """
    key = models.reader(given.get("model"))
    explainer = models.get(key)
    with work(models, explainer, key):
        return lines(explainer, Arguments(given.get("arguments", {})))


def explanation_payload(models: Models, raw: object) -> payload.Payload:
    """The payload for a request from the browser.

    Raises:
        HeadlightError: the model is missing, or refuses this text or these settings.
    """
    explainer, request = read(models, raw)
    with work(models, explainer, request.model):
        made = with_weights(explainer, request.weights)
        record = payload.build(
            explain_request(made, request), made, request.model, request.weights, request.parts
        )
    seconds, token = models.limit(explainer), pace.token_seconds(explainer)
    if seconds != pace.SECONDS and token is not None:  # of a fast model there is nothing to say
        record["model"]["pace"] = {"seconds": seconds, "token": token}
    return glossed_record(record, explainer.glossary)


def _records(models: Models, first: dict[str, Any], more: object) -> list[payload.Payload]:
    """The payloads of a request and of those that it lists, in the time of one request.

    Raises:
        HeadlightError: as `explanation_payload`; no such list, or a longer one than a view needs.
    """
    if not isinstance(more, list) or len(more) > MAX_MORE:
        raise PageError("error.request")
    if not all(isinstance(one, dict) for one in more):
        raise PageError("error.request")
    explainer, request = read(models, first)
    with work(models, explainer, request.model):
        return [
            explanation_payload(models, one)
            for one in (first, *({**other, "model": request.model} for other in more))
        ]


@contextmanager
def work(models: Models, explainer: Explainer, key: str) -> Iterator[None]:
    """Do the work of one request with the model of a key, limited in time and GPU memory.

    Raises:
        InputError: the time is up.
        NotReady: the memory of the GPU was full. The model is now on the CPU: ask again.
    """
    try:
        with deadline.within(models.limit(explainer)):
            yield
    except RuntimeError as error:
        if explainer.device == "cpu" or not is_out_of_memory(error):
            raise
    else:
        return
    models.fall_back(key)  # outside the handler, where the error no longer holds GPU memory
    raise NotReady("model.gpu_full")


def read(models: Models, raw: object) -> tuple[Explainer, Request]:
    """The model that a request names, and the request completed with that model's defaults.

    A request with `first` starts with the model's own example, if it has one: a text for a
    different model may not suit it.

    Raises:
        HeadlightError: no such model, or an invalid request.
    """
    given = raw if isinstance(raw, dict) else {}
    key = models.key(given.get("model", ""))
    explainer = models.get(key)
    request = dataclasses.replace(parse(raw, explainer.defaults), model=key)
    examples = explainer.tokenizer.examples
    if given.get("first") is True and examples:
        request = dataclasses.replace(request, text=examples[0])
    return explainer, request


def sentence(error: HeadlightError) -> dict[str, Any]:
    """An error in every language: translated if it has a key, else in its own English."""
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


def _choices(error: HeadlightError) -> dict[str, list[str]]:
    """What the text may begin with, if that is what was wrong: the page offers the whole list."""
    choices = error.values.get("choices")
    return {"choices": list(choices)} if isinstance(choices, tuple) else {}


def payload_json(value: payload.Payload | list[payload.Payload]) -> str:
    """A payload as JSON.

    Raises:
        PageError: it has a non-finite number, which is our bug and is logged.
    """
    try:
        return to_json(value)
    except PageError:
        log.exception("A reply holds a number that is not finite.")
        raise


def to_json(value: object) -> str:
    """JSON without "<", so that no part of a visitor's text can look like a tag.

    Half a surrogate pair in a visitor's text is escaped, because UTF-8 cannot encode it.

    Raises:
        PageError: it would contain NaN or Infinity, which are not JSON.
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
