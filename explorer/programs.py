"""The endpoints on the page (explorer/api.py): each call goes where the page's requests go."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from typing import Any

import gradio as gr

from explorer.api import ARGUMENTS, CALL, Api
from explorer.exchange.question import Payload
from explorer.exchange.shared import Answer
from explorer.models import Models


def publish(models: Models, answer: Answer, line: dict[str, Any]) -> None:
    """Add the endpoints to the page under construction, with these settings of Gradio's queue."""
    for name, endpoint in Api(models).endpoints().items():
        gr.api(_answered(name, endpoint, answer), api_name=name, **line)


def _answered(
    name: str, endpoint: Callable[..., Payload], answer: Answer
) -> Callable[..., Payload]:
    """The endpoint as its clients see it, answered by `answer`; they get errors as messages."""
    signature = inspect.signature(endpoint)

    @functools.wraps(endpoint)
    def answered(*arguments: Any, **named: Any) -> Payload:
        given = signature.bind(*arguments, **named).arguments
        kind, body = answer({CALL: name, ARGUMENTS: given})
        found: Payload = json.loads(body)
        if kind == "payload":
            return found
        raise gr.Error(found["en"], print_exception=False)

    return answered
