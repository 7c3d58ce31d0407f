"""What an exhibit is: one tab of the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gradio as gr

from explorer.view import view


@dataclass(frozen=True)
class Exhibit:
    """A tab: its name, and the function that lays it out.

    The name is also that of its browser module, `assets/<name>.js`, and of its words:
    `<name>.title` on the tab, `<name>.lead` above the picture.
    """

    name: str
    layout: Callable[[], None]


def panel(name: str, template: str) -> gr.HTML:
    """The part of the page that a tab shows: lead and template, drawn by `assets/<name>.js`."""
    return view(
        name,
        f'<section class="hl-panel" role="tabpanel" id="panel-{name}" aria-labelledby="tab-{name}"'
        f' data-exhibit="{name}" hidden><p class="hl-lead" data-t="{name}.lead"></p>'
        f"{template}</section>",
        elem_id=f"exhibit-{name}",
    )
