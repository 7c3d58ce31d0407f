"""What an exhibit is: one tab of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import gradio as gr

from explorer.question import Question
from explorer.view import view


@dataclass(frozen=True)
class Exhibit:
    """A tab: its name, the group of tabs that it stands in, its layout, and what it asks Python.

    The name is also that of its browser module, `assets/exhibits/<name>.js`, and of its words:
    `<name>.title` on the tab, `<name>.lead` above the picture. `group.<group>` names the group.
    """

    name: str
    group: str
    layout: Callable[[], None]
    questions: Mapping[str, Question] = field(default_factory=dict)


def panel(name: str, template: str) -> gr.HTML:
    """The part of the page that a tab shows: lead and template, drawn by its browser module."""
    return view(
        f"exhibits/{name}",
        f'<section class="hl-panel" role="tabpanel" id="panel-{name}" aria-labelledby="tab-{name}"'
        f' data-exhibit="{name}" hidden><p class="hl-lead" data-t="{name}.lead"></p>'
        f"{template}</section>",
        elem_id=f"exhibit-{name}",
    )
