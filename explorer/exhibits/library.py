"""Library: query, key and value in words, on a librarian's shelf and on a desk."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-library">
  <div>
    <h2 data-t="library.librarian"></h2>
    <p class="hl-note" data-t="library.librarian.how"></p>
    <div class="hl-library-fields" id="hl-library-query"></div>
    <div id="hl-library-shelf"></div>
    <table class="hl-library-table" id="hl-library-books"></table>
    <p id="hl-library-said" aria-live="polite"></p>
  </div>
  <div>
    <h2 data-t="library.cup"></h2>
    <p class="hl-note" data-t="library.cup.how"></p>
    <div class="hl-library-fields" id="hl-library-cue"></div>
    <div id="hl-library-desk"></div>
    <table class="hl-library-table" id="hl-library-things"></table>
    <p id="hl-library-gaze" aria-live="polite"></p>
    <p class="hl-note" data-t="library.analogy"></p>
  </div>
</div>
"""


def layout() -> None:
    """The shelf on the left, the desk on the right."""
    panel("library", TEMPLATE)


LIBRARY = Exhibit("library", "hand", layout)
