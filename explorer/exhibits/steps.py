"""Step by step: what the decoder has read, what it predicts, what is fed back."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-steps">
  <div class="hl-now">
    <h2 id="hl-now-name"></h2>
    <h3 data-t="steps.read"></h3>
    <div class="hl-tokens" id="hl-now-read"></div>
    <h3 data-t="steps.predicts"></h3>
    <ol class="hl-bars" id="hl-now-bars"></ol>
    <p class="hl-note" data-t="steps.own"></p>
    <h3 data-t="steps.back"></h3>
    <p class="hl-back" id="hl-now-back"></p>
  </div>
  <div class="hl-all">
    <h2 data-t="steps.all"></h2>
    <div class="hl-scroll"><table class="hl-table" id="hl-all-steps"></table></div>
    <p class="hl-note" id="hl-sum"></p>
  </div>
</div>
"""


def layout() -> None:
    """The step on show at the left, all steps of the hypothesis at the right."""
    panel("steps", TEMPLATE)


STEPS = Exhibit("steps", "decoding", layout)
