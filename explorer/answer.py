"""One request in, one reply out. The one place where errors become sentences on the page."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from explorer import payload
from explorer.loading import Explains, Loading
from explorer.question import Arguments, Question
from explorer.request import PageError, Request, parse
from explorer.wish import granted
from explorer.words import WORDS
from model.errors import CheckpointError, ConfigError, HeadlightError, InputError

log = logging.getLogger(__name__)

NONE: Mapping[str, Question] = MappingProxyType({})
PATIENCE = 120.0  # seconds that a request waits for a model that is still being loaded


def answer(loading: Loading, raw: object, questions: Mapping[str, Question] = NONE) -> str:
    """The reply to a request: JSON with the payload, or with one sentence in every language.

    A request that names a `question` gets the answer of that one, about the same wish. The
    request's `number` comes back as it came, so that the browser knows which of its requests this
    answers. Never raises.
    """
    given = raw if isinstance(raw, dict) else {}
    number, question = given.get("number"), given.get("question")
    reply: dict[str, Any] = {"number": number if isinstance(number, int) else None}
    try:
        if question is None:
            reply["payload"] = explain(loading, parse(raw))
        elif isinstance(question, str) and question in questions:
            wish, arguments = parse(raw), Arguments(given.get("arguments", {}))
            reply["payload"] = questions[question](ready(loading), wish, arguments)
        else:
            raise PageError("error.request")
    except HeadlightError as error:
        reply["message"] = sentence(error)
    except Exception:
        log.exception("A request could not be answered.")
        reply["message"] = _worded("error.unexpected")
    return to_json(reply)


def explain(loading: Loading, request: Request) -> payload.Payload:
    """The payload of a request.

    Raises:
        HeadlightError: the model is not there, or does not take this text or these settings.
    """
    explainer = ready(loading)
    return payload.build(granted(explainer, request), explainer)


def ready(loading: Loading) -> Explains:
    """The model, once it is there.

    Raises:
        HeadlightError: it cannot be loaded, or is not there in time.
    """
    explainer = loading.get(timeout=PATIENCE)
    if explainer is None:
        raise PageError("error.loading")
    return explainer


def translate(loading: Loading, text: str, beam_size: int = 4) -> dict[str, Any]:
    """The translation of a text for programs: {translation, score, log_prob, tokens}."""
    settings = {"method": "beam", "beam_size": beam_size}
    found = explain(loading, parse({"text": text, "settings": settings, "shown": 0}))
    best = found["hypotheses"][0]
    return {
        "translation": best["text"],
        "score": best["score"],
        "log_prob": best["log_prob"],
        "tokens": [label["piece"] for label in found["tgt_out"]],
    }


def sentence(error: HeadlightError) -> dict[str, str]:
    """An error in every language: worded here where it has a name, else in its own English."""
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
