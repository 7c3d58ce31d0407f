"""One request in, one reply out. The one place where errors become sentences on the page."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from explorer.exchange import payload
from explorer.exchange.explain import explain as explain_request
from explorer.exchange.question import Arguments, Question
from explorer.exchange.request import PageError, parse
from explorer.loading import Explains, Loading
from explorer.words import WORDS
from model import deadline
from model.errors import CheckpointError, ConfigError, HeadlightError, InputError

log = logging.getLogger(__name__)

NONE: Mapping[str, Question] = MappingProxyType({})
SECONDS = 5.0  # of work for one request
PATIENCE = 120.0  # seconds that a request waits for the model to load


def answer(loading: Loading, raw: object, questions: Mapping[str, Question] = NONE) -> str:
    """The reply to a request: JSON with the payload, or with one sentence in every language.

    A request that names a `question` gets its answer, about the same explanation. `number` is sent
    back unchanged, so that the browser knows which request this answers. Never raises.
    """
    given = raw if isinstance(raw, dict) else {}
    number, question = given.get("number"), given.get("question")
    reply: dict[str, Any] = {"number": number if isinstance(number, int) else None}
    try:
        if question is None:
            reply["payload"] = explanation_payload(loading, raw)
        elif isinstance(question, str) and question in questions:
            arguments, explainer = Arguments(given.get("arguments", {})), ready(loading)
            request = parse(raw, explainer.defaults)
            with deadline.within(SECONDS):
                reply["payload"] = questions[question](explainer, request, arguments)
        else:
            raise PageError("error.request")
    except HeadlightError as error:
        reply["message"] = sentence(error)
    except Exception:
        log.exception("A request could not be answered.")
        reply["message"] = _worded("error.unexpected")
    return to_json(reply)


def explanation_payload(loading: Loading, raw: object) -> payload.Payload:
    """The payload of a request as the browser sends it.

    Raises:
        HeadlightError: the model is not there, or does not take this text or these settings.
    """
    explainer = ready(loading)
    request = parse(raw, explainer.defaults)
    with deadline.within(SECONDS):
        return payload.build(explain_request(explainer, request), explainer)


def ready(loading: Loading) -> Explains:
    """The model, once it is loaded.

    Raises:
        HeadlightError: it cannot be loaded, or not in time.
    """
    explainer = loading.get(timeout=PATIENCE)
    if explainer is None:
        raise PageError("error.loading")
    return explainer


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
