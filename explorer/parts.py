"""The fixed templates of the page: those of the shell, and a panel for each exhibit."""

from __future__ import annotations

import re

from explorer.exhibit import Exhibit
from explorer.static import ASSETS

# The parts above the exhibits, and the ids of their places.
PARTS = {"bar": "hl-top", "sentence": "hl-middle", "below": "hl-below"}

# Keeps Chrome from offering a translation before the page's script has said the same of it
# (assets/shell/page.js).
UNTRANSLATED = '<meta name="google" content="notranslate">'


def template(part: str) -> str:
    """Return the template of a part of the shell, without the spaces that indent it."""
    text = (ASSETS / "shell" / f"{part}.html").read_text("utf-8")
    return re.sub(r"\n +", "\n", text)


def standing(shown: tuple[Exhibit, ...], **more: str) -> str:
    """The parts as one page without Gradio; `more` has further ones by id."""
    sections = {elem_id: template(part) for part, elem_id in PARTS.items()}
    sections |= {"hl-exhibits": exhibit_panels(shown), **more}
    body = "".join(f'<div id="{name}">{html}</div>' for name, html in sections.items())
    return f'<div class="gradio-container"><main>{body}</main></div>'


def exhibit_panels(shown: tuple[Exhibit, ...]) -> str:
    """The map of the model, which is the menu, with the panels of the exhibits beside it."""
    panels = "".join(map(_panel, shown))
    return f'<div class="hl-hall">{template("menu")}<div class="hl-panels">{panels}</div></div>'


def _panel(exhibit: Exhibit) -> str:
    name = exhibit.name
    return (
        f'<section class="hl-panel" id="panel-{name}" data-exhibit="{name}"'
        f' data-t-label="{name}.title" hidden><p class="hl-lead" data-t="{name}.lead"></p>'
        '<div class="hl-exhibit"></div></section>'
    )
