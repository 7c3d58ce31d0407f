"""build(models) -> gr.Blocks: the whole page, and its only connection to the models.

The templates never change and never contain values: Gradio runs `${...}` and braces in a template
as script. The browser's scripts insert words and data, as text.
"""

from __future__ import annotations

import re
from typing import Any

import gradio as gr

from explorer import exhibits, programs, recorded
from explorer.api import CALL
from explorer.exchange.reply import Reply
from explorer.exchange.shared import Answer, SharedReplies
from explorer.facts import facts, fixed, named
from explorer.freed import ANSWERS, trim_memory_every
from explorer.guard.turns import Turns
from explorer.guard.unread import Mailboxes
from explorer.loading import AT_ONCE
from explorer.models import Models
from explorer.parts import PARTS, exhibit_panels, template
from explorer.pool import Workers
from explorer.static import assets_path
from explorer.workers import answering

WAITING = 256  # most waiting requests; the next one is refused
LOOK = 0.01  # seconds between two polls of the queue
MODEL = "model"  # the line of the queue in which all work waits, the page's and programs'
CHANNELS = ("explanation", "question")  # so that no question waits behind a translation

# The script that Gradio runs when a template is in the page. Behind a proxy Gradio's root may have
# the wrong scheme, so only its path is used. A failure before the words arrive is reported in the
# languages of this file. Each part has a copy of it in the page, so it is short.
_MOUNT = re.sub(
    r"\s+",
    " ",
    """
const root = new URL(window.gradio_config?.root || "/", location);
const assets = location.origin + root.pathname.replace(/[/]?$/, props.assets);
import(assets + "assets/shell/start.js")
  .then((start) => start.mount(props.part, element, { props, trigger, watch, assets }))
  .catch((error) => {
    console.error(error);
    element.textContent = "This part did not load. Reload the page. 未能加载，请刷新。";
  });
""",
)

_QUEUED: dict[str, Any] = {
    "show_progress": "hidden",
    "trigger_mode": "multiple",
    "api_visibility": "private",
}


def build(models: Models, language: str = "auto", workers: Workers | None = None) -> gr.Blocks:
    """Build the page. A visitor's state lives in the browser, not here."""
    shown = exhibits.load()
    answer = workers.answer if workers else answering(models)

    def at_once() -> int:
        return workers.at_once if workers else AT_ONCE

    line = {"concurrency_id": MODEL, "concurrency_limit": at_once()}
    queued = {**_QUEUED, **line}
    with gr.Blocks(title="Headlight", fill_width=True, analytics_enabled=False) as blocks:
        for part, elem_id in PARTS.items():
            _part(part, template(part), elem_id=elem_id)
        _part("exhibits", exhibit_panels(shown), elem_id="hl-exhibits")
        _part("lesson", template("lesson"), elem_id="hl-lesson")
        told = facts(named(models.listed), shown, language, recorded.texts(), models.readers)
        for name in fixed(shown):  # the larger half: a file (explorer/static.py)
            del told[name]
        page = _part("page", "<div></div>", elem_id="hl-page", facts=told)
        for channel in CHANNELS:
            _connect(answer, channel, queued)
        # Does nothing; Gradio's script opens its stream for it (assets/shell/line.js).
        page.submit(lambda: None, **queued)
        programs.publish(models, answer, line)
    # The queue would not count requests that bypass it.
    blocks.queue(max_size=WAITING, default_concurrency_limit=at_once(), api_open=False)
    # Gradio polls a thousand times a second, which takes a tenth of a core on an idle server.
    blocks._queue.sleep_when_free = LOOK
    blocks._queue.pending_messages_per_session = Mailboxes(blocks._queue)
    blocks._queue.get_events = Turns(blocks._queue, at_once).next
    return blocks


def _part(part: str, html: str, *, elem_id: str, value: Any = None, **props: Any) -> gr.HTML:
    """A part of the page, run by the shell; its script receives `props`."""
    # gr.HTML searches js_on_load for names of custom events; ours are all standard.
    return gr.HTML(
        value=value,
        html_template=html,
        js_on_load=_MOUNT,
        apply_default_css=False,
        elem_id=elem_id,
        part=part,
        assets=assets_path(),
        **props,
    )


def _of_the_page(answer: Answer) -> Answer:
    """Answers no call of a program: what those get is neither shared nor in the page's form."""

    def of_the_page(sent: object) -> Reply:
        return answer(None if isinstance(sent, dict) and CALL in sent else sent)

    return of_the_page


def _connect(answer: Answer, channel: str, queued: dict[str, Any]) -> None:
    """Connect a channel: one component holds the request, another the reply."""
    request = _part("request", "<div></div>", elem_id=f"hl-request-{channel}", channel=channel)
    replied = _part("reply", "<div></div>", elem_id=f"hl-reply-{channel}", channel=channel)
    shared = SharedReplies(_of_the_page(answer))
    submitted = request.submit(
        trim_memory_every(ANSWERS, shared.reply),
        inputs=[request],
        outputs=[replied],
        **queued,
    )
    # A refused or lost request never reaches Python, so only the browser can report it.
    failed = f"new CustomEvent('headlight-failed', {{ detail: '{channel}' }})"
    submitted.failure(None, js=f"() => {{ window.dispatchEvent({failed}); }}")
