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
  <h1 class="hl-brand"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 4.5h3.2a5.5 5.5 0 0 1 0 11H3z"/><path d="M14 5.5h4M14.5 10H18M14 14.5h4"/></svg>Headlight</h1>
  <form class="hl-form">
    <label class="hl-unseen" for="hl-text" data-t="input.label"></label>
    <textarea id="hl-text" rows="1" lang="en" autocomplete="off" aria-describedby="hl-message"></textarea>
    <button type="submit" class="hl-primary" id="hl-translate" data-t="input.translate"></button>
  </form>
  <div class="hl-switches">
    <button type="button" id="hl-language" data-t-label="switch.language" data-t-title="switch.language"><span data-language="en">EN</span><i aria-hidden="true"></i><span data-language="zh">中</span></button>
    <button type="button" id="hl-theme" data-t-label="switch.theme" data-t-title="switch.theme"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5"/><path class="hl-solid" d="M10 3.5a6.5 6.5 0 0 1 0 13z"/></svg></button>
    <button type="button" id="hl-size" data-t-label="switch.size" data-t-title="switch.size"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 4h15M3.5 4v9.5h13V4M10 13.5v3M6.5 17h7"/></svg></button>
  </div>
</header>
<div class="hl-second">
  <div class="hl-tries"><span data-t="example.try"></span><div id="hl-tries"></div>
    <details class="hl-pop" id="hl-more"><summary data-t="example.more"></summary><div class="hl-sheet"></div></details>
  </div>
  <details class="hl-pop hl-end" id="hl-settings"><summary></summary>
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
  <div class="hl-strip" id="hl-src" role="toolbar" aria-labelledby="hl-src-name" lang="en"></div>
  <div class="hl-side" id="hl-tgt-name" data-t="strip.target"></div>
  <div class="hl-target">
    <div class="hl-strip" id="hl-tgt" role="toolbar" aria-labelledby="hl-tgt-name" lang="zh-CN"></div>
    <details class="hl-pop hl-end" id="hl-hypotheses"><summary></summary><div class="hl-sheet"></div></details>
  </div>
  <div class="hl-side" data-t="step.name"></div>
  <div class="hl-stepper" id="hl-stepper" role="group" data-t-label="step.group">
    <button type="button" data-go="first" data-t-label="step.first" data-t-title="step.first"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M5.5 5v10M15 5l-6.5 5 6.5 5"/></svg></button>
    <button type="button" data-go="back" data-t-label="step.back" data-t-title="step.back"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M13 5l-6.5 5 6.5 5"/></svg></button>
    <output id="hl-step"></output>
    <button type="button" data-go="forward" data-t-label="step.forward" data-t-title="step.forward"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M7 5l6.5 5L7 15"/></svg></button>
    <button type="button" data-go="last" data-t-label="step.last" data-t-title="step.last"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M14.5 5v10M5 5l6.5 5L5 15"/></svg></button>
    <input type="range" id="hl-slider" min="1" max="1" value="1" step="1" data-t-label="step.name">
    <p class="hl-story" id="hl-story"></p>
  </div>
</div>
<div class="hl-tabs" role="tablist" data-t-label="tabs.name"></div>
"""


def bar() -> gr.HTML:
    """Brand, text box, examples, settings, status and switches."""
    return view("bar", BAR, elem_id="hl-top")


def sentence() -> gr.HTML:
    """The tokens of both sides, the hypotheses, the decoding steps, and the tabs."""
    return view("sentence", SENTENCE, elem_id="hl-middle")


def page(
    exhibits: tuple[Exhibit, ...], language: str, recorded: payload.Payload | None
) -> gr.HTML:
    """What the browser is told once: words, examples, exhibits, limits, the recorded example.

    It is also what asks Python: its value is the request, sent by its `submit`.
    """
    return view(
        "page",
        "<div></div>",
        elem_id="hl-ask",
        page=_facts(exhibits, language, recorded),
    )


def reply() -> gr.HTML:
    """What Python answers with: its value is the reply."""
    return view("reply", "<div></div>", elem_id="hl-reply")


def _facts(
    exhibits: tuple[Exhibit, ...], language: str, recorded: payload.Payload | None
) -> dict[str, Any]:
    defaults = dataclasses.asdict(DecodeConfig())
    return {
        "words": words.for_browser(),
        "language": language,
        "examples": [dataclasses.asdict(example) for example in EXAMPLES],
        "first": FIRST.text,
        "exhibits": [exhibit.name for exhibit in exhibits],
        "defaults": {name: defaults[name] for name in SETTINGS},
        "characters": MAX_CHARACTERS,
        "recorded": recorded,
    }
