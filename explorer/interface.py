"""build(loading) -> gr.Blocks: the whole page, and the one line between it and the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gradio as gr

from explorer import answer, frame
from explorer.exhibits import EXHIBITS
from explorer.loading import AT_ONCE, Loading
from explorer.payload import FORMAT, Payload
from explorer.view import ASSETS
from model.errors import HeadlightError

RECORDED = ASSETS / "recorded.json"
WAITING = 64  # requests that may wait; the next one is refused


def build(loading: Loading, language: str = "auto") -> gr.Blocks:
    """The page. Whatever differs between visitors lives in their browsers, nothing of it here."""
    with gr.Blocks(title="Headlight", fill_width=True, analytics_enabled=False) as blocks:
        frame.bar()
        frame.sentence()
        frame.below()
        for exhibit in EXHIBITS:
            exhibit.layout()
        frame.page(EXHIBITS, language, read_recorded())
        # Two lines: a question of an exhibit does not wait behind a translation, nor it behind one.
        for line in ("wish", "question"):
            _wire(loading, line)
        _api(loading)
    blocks.queue(max_size=WAITING, default_concurrency_limit=AT_ONCE)
    return blocks


def read_recorded(path: Path = RECORDED) -> Payload | None:
    """The example that is shown before the model is there; None where none was recorded."""
    try:
        recorded = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return recorded if recorded.get("format") == FORMAT else None


def _wire(loading: Loading, line: str) -> None:
    ask, reply = frame.ask(line), frame.reply(line)
    questions = {name: one for exhibit in EXHIBITS for name, one in exhibit.questions.items()}

    def respond(request: object) -> str:
        return answer.answer(loading, request, questions)

    asked = ask.submit(
        respond,
        inputs=[ask],
        outputs=[reply],
        show_progress="hidden",
        trigger_mode="multiple",
        concurrency_id="model",
        concurrency_limit=AT_ONCE,
        api_visibility="private",
    )
    # A refused or lost request never reaches `respond`: only the browser can say so.
    failed = f"new CustomEvent('headlight-failed', {{ detail: '{line}' }})"
    asked.failure(None, js=f"() => {{ window.dispatchEvent({failed}); }}")


def _api(loading: Loading) -> None:
    def translate(text: str, beam_size: int = 4) -> dict[str, Any]:
        """Translate an English sentence with beam search."""
        try:
            return answer.translate(loading, text, beam_size)
        except HeadlightError as error:
            raise gr.Error(answer.sentence(error)["en"], print_exception=False) from None

    gr.api(
        translate,
        api_name="translate",
        concurrency_id="model",
        concurrency_limit=AT_ONCE,
    )
