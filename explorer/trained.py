"""Models that are trained on the page: the pool of runs, and the keys that open them.

A key lists a run's settings as text, except the task's usual ones:
`play.reverse--length-3--positions-none--seed-7`. So a link fully describes the model.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any, NoReturn

from explorer.exchange.request import PageError
from explorer.origin import Origin, origin
from model.errors import ConfigError
from model.labs.playground.job import Visitor
from model.labs.playground.pool import Pool
from model.labs.playground.settings import Settings

POOL = Pool()  # the server's pool; its process starts with the first run and ends with the server
PREFIX = "play."
NO_FRAMES = 10**6  # more than any run has: only to get its progress
FLAGS = {"on": True, "off": False}
FORMER = {("positions", "on"): "sinusoids", ("positions", "off"): "none"}  # as links once said it
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,12})?(?:e-\d\d?)?", re.ASCII)
_USUAL = asdict(Settings())


def key_of(settings: Settings) -> str:
    """The key of this run's model; equal settings have equal keys."""
    usual = asdict(Settings(task=settings.task))
    parts = [
        f"{name}-{_text(value)}" for name, value in asdict(settings).items() if value != usual[name]
    ]
    return "--".join([f"{PREFIX}{settings.task}", *parts])


def settings_of(key: str) -> Settings:
    """The settings in a key.

    Raises:
        PageError: no such key.
        ConfigError: a setting out of range, or a model that cannot be shown.
    """
    task, *parts = key.removeprefix(PREFIX).split("--")
    given: dict[str, Any] = {"task": task}
    for part in parts:
        name, _, text = part.partition("-")
        if name not in _USUAL or name in given:
            raise PageError("error.model_unknown", name=key[:60])
        given[name] = _value(FORMER.get((name, text), text), _USUAL[name])
    try:
        settings = Settings.from_dict(given)
    except ConfigError as error:
        raise PageError("error.model_settings", why=str(error)) from None
    if not settings.causal_mask:
        raise PageError("error.model_mask")
    return settings


def progress(settings: Settings) -> NoReturn:
    """Follow the run in the pool for a visitor who waits for its model, and report its progress.

    Raises:
        NotReady: it is waiting for its turn or training.
        PageError: it failed, or ended without a model.
        InputError: too many runs wait already.
    """
    told = POOL.follow(settings, _opener(), NO_FRAMES)
    if told["state"] == "failed":
        raise PageError("error.model_ended")
    if told["state"] == "done" and told["result"]["diverged"] is not None:
        raise PageError("error.model_diverged", update=told["result"]["diverged"])
    if told["state"] == "waiting":
        raise NotReady("model.waiting", place=told["place"])
    raise NotReady("model.training", update=told["update"], updates=settings.updates)


def _opener() -> Visitor:
    """The visitor of the current request, identified by their secret Gradio session."""
    from gradio.context import LocalContext  # imported late: the models load beside Gradio

    request = LocalContext.request.get(None)
    where = Origin() if request is None else origin(request)
    return Visitor(("link", request and request.session_hash), *where)


class NotReady(PageError):
    """The model is not ready yet; the browser asks again in a moment."""


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _value(text: str, usual: object) -> object:
    """Parse a setting's value by its type; an unreadable one stays text, to be refused."""
    if isinstance(usual, bool):
        return FLAGS.get(text, text)
    if isinstance(usual, int) and _NUMBER.fullmatch(text) and text.isdigit():
        return int(text)
    if isinstance(usual, float) and _NUMBER.fullmatch(text):
        return float(text)
    return text
