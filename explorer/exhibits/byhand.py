"""By hand: attention on small matrices that a visitor types in."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-byhand">
  <form class="hl-byhand-controls" id="hl-byhand-controls"></form>
  <div class="hl-byhand-work">
    <div class="hl-byhand-all">
      <div class="hl-byhand-line" id="hl-byhand-given"></div>
      <div id="hl-byhand-steps"></div>
    </div>
    <div class="hl-byhand-origin" id="hl-byhand-origin" aria-live="polite"></div>
  </div>
</div>
"""


def layout() -> None:
    """What to begin with on the left; matrices, steps and the chosen number beside it."""
    panel("byhand", TEMPLATE)


BYHAND = Exhibit("byhand", "hand", layout)
