"""The frame around the exhibits: the input bar, the sentence that is always in sight, the tabs."""

from __future__ import annotations

import dataclasses
from typing import Any

import gradio as gr

from explorer import payload, words
from explorer.examples import EXAMPLES, FIRST
from explorer.exhibit import Exhibit
from explorer.request import MAX_CHARACTERS, SETTINGS
from explorer.view import view
from model.config import DecodeConfig

BAR = """
<header class="hl-bar">
  <h1 class="hl-brand"><i data-icon="brand"></i>Headlight</h1>
  <form class="hl-form">
    <label class="hl-unseen" for="hl-text" data-t="input.label"></label>
    <textarea id="hl-text" rows="1" autocomplete="off" aria-describedby="hl-message"></textarea>
    <button type="submit" class="hl-primary" id="hl-translate" data-t="input.translate"></button>
  </form>
  <div class="hl-switches">
    <button type="button" id="hl-language" data-t-name="switch.language">
      <span data-language="en">EN</span><i class="hl-rule"></i><span data-language="zh">中</span>
    </button>
    <button type="button" id="hl-theme" data-t-name="switch.theme" data-icon="theme"></button>
    <button type="button" id="hl-size" data-t-name="switch.size" data-icon="size"></button>
  </div>
</header>
<div class="hl-second">
  <div class="hl-tries">
    <span data-t="example.try"></span>
    <div id="hl-tries"></div>
    <details class="hl-pop" id="hl-more">
      <summary data-t="example.more"></summary>
      <div class="hl-sheet"></div>
    </details>
  </div>
  <p class="hl-changed" id="hl-changed" role="status" hidden>
    <span></span><button type="button" data-t="changed.undo"></button>
  </p>
  <details class="hl-pop hl-end" id="hl-settings">
    <summary></summary>
    <form class="hl-sheet hl-fields"></form>
  </details>
  <output class="hl-status" id="hl-status"></output>
</div>
<p class="hl-message" id="hl-message" role="status"></p>
<div class="hl-work" aria-hidden="true"></div>
"""

SENTENCE = """
<div class="hl-sentence">
  <div class="hl-side" id="hl-src-name" data-t="strip.source"></div>
  <div class="hl-strip" id="hl-src" role="toolbar" aria-labelledby="hl-src-name"></div>
  <div class="hl-side" id="hl-tgt-name" data-t="strip.target"></div>
  <div class="hl-strip" id="hl-tgt" role="toolbar" aria-labelledby="hl-tgt-name"></div>
</div>
"""

BELOW = """
<div class="hl-steps-bar">
  <div class="hl-side" data-t="step.name"></div>
  <div class="hl-stepper" id="hl-stepper" role="group" data-t-label="step.group">
    <button type="button" data-go="first" data-t-name="step.first" data-icon="first"></button>
    <button type="button" data-go="back" data-t-name="step.back" data-icon="back"></button>
    <output id="hl-step"></output>
    <button type="button" data-go="forward" data-t-name="step.forward" data-icon="forward"></button>
    <button type="button" data-go="last" data-t-name="step.last" data-icon="last"></button>
    <input type="range" id="hl-slider" min="1" max="1" value="1" step="1" data-t-label="step.name">
    <p class="hl-story" id="hl-story"></p>
  </div>
  <details class="hl-pop hl-end" id="hl-hypotheses">
    <summary></summary>
    <div class="hl-sheet"></div>
  </details>
</div>
<div class="hl-choose">
  <nav class="hl-groups" data-t-label="tabs.groups"></nav>
  <div class="hl-tabs" role="tablist" data-t-label="tabs.name"></div>
</div>
"""


def bar() -> gr.HTML:
    """Brand, text box, examples, settings, status and switches."""
    return view("bar", BAR, elem_id="hl-top")


def sentence() -> gr.HTML:
    """The tokens of both sides; they stay in sight when the page scrolls."""
    return view("sentence", SENTENCE, elem_id="hl-middle")


def below() -> gr.HTML:
    """The decoding steps, the hypotheses, and the tabs."""
    return view("below", BELOW, elem_id="hl-below")


def page(exhibits: tuple[Exhibit, ...], language: str, recorded: payload.Payload | None) -> gr.HTML:
    """What the browser is told once: words, examples, exhibits, limits, the recorded example."""
    return view(
        "page",
        "<div></div>",
        elem_id="hl-page",
        page=_facts(exhibits, language, recorded),
    )


def ask(line: str) -> gr.HTML:
    """What asks Python on one line: its value is the request, sent by its `submit`."""
    return view("ask", "<div></div>", elem_id=f"hl-ask-{line}", line=line)


def reply(line: str) -> gr.HTML:
    """What Python answers with on one line: its value is the reply."""
    return view("reply", "<div></div>", elem_id=f"hl-reply-{line}", line=line)


def _facts(
    exhibits: tuple[Exhibit, ...], language: str, recorded: payload.Payload | None
) -> dict[str, Any]:
    defaults = dataclasses.asdict(DecodeConfig())
    return {
        "words": words.for_browser(),
        "language": language,
        "examples": [dataclasses.asdict(example) for example in EXAMPLES],
        "first": FIRST.text,
        "exhibits": [{"name": exhibit.name, "group": exhibit.group} for exhibit in exhibits],
        "defaults": {name: defaults[name] for name in SETTINGS},
        "characters": MAX_CHARACTERS,
        "recorded": recorded,
    }
