"""Views of the page in a notebook: `notebook.show(explanation, "attention", layer=2, head=1)`.

A view is in its own frame, with the same scripts as the page but without a server, as in a session
saved as one file (explorer/saved.py). So it also works in an exported notebook.
"""

from __future__ import annotations

import datetime
import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from explorer import exhibits
from explorer.exchange import payload
from explorer.exchange.gloss import glossed, glossed_record, texts_of
from explorer.exchange.head import head_of
from explorer.exchange.question import Arguments
from explorer.exchange.reply import sentence
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.facts import Named, facts
from explorer.models import pair_of
from explorer.opening import opening_head
from explorer.printed import pdf
from explorer.saved import saved_page, with_session
from explorer.words import for_browser
from model.config import Head, Kind
from model.errors import InputError, quote
from model.files import replacing
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

VIEWS = tuple(one.name for one in exhibits.load() if one.saved)
"""The views that can be shown; the others compute with the running model."""
LANGUAGES = ("en", "zh")
MAX_HEIGHT = 10_000  # pixels
# Scripts run, files can be downloaded and the view printed, but the notebook is out of reach.
_SANDBOX = "allow-scripts allow-downloads allow-modals"


@dataclass(frozen=True, eq=False)
class View:
    """A view of an explanation; a notebook displays it, and `save` writes it as a page."""

    name: str
    document: str
    height: int

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="Headlight: {self.name}" sandbox="{_SANDBOX}" '
            f'style="width: 100%; height: {self.height}px; border: 0" '
            f'srcdoc="{html.escape(self.document)}"></iframe>'
        )

    def save(self, path: str | Path) -> Path:
        """Write the view as an HTML file, or its picture as a PDF, if the path ends in .pdf.

        Raises:
            InputError: it cannot be written, there is no Chromium to print a PDF with, or the view
                has no such picture.
        """
        is_pdf = Path(path).suffix.lower() == ".pdf"
        content = pdf(self.document) if is_pdf else self.document.encode()
        with replacing(Path(path)) as partial:
            partial.write_bytes(content)
        return Path(path)

    def __repr__(self) -> str:
        return f"View({self.name}, {len(self.document):,} characters)"


def show(
    explanation: Explanation,
    view: str = "attention",
    *,
    kind: Kind | None = None,
    layer: int | None = None,
    head: int | None = None,
    step: int | None = None,
    language: str = "en",
    height: int = 640,
) -> View:
    """Show this explanation in a view of the page, with a head and a step selected.

    layer, head and step count from 1, as on the page, which also chooses what is left out: the head
    that aligns best, and the step that shows the view's point.

    Raises:
        InputError: there is no such view, head, step or language, or the view needs a running
            model.
    """
    if not isinstance(explanation, Explanation):
        raise InputError(f"show was given {quote(explanation)}; expected what `explain` returns.")
    layer, head, step, height = map(_plain, (layer, head, step, height))
    exhibit = _exhibit(view)
    if language not in LANGUAGES:
        raise InputError(f"language is {quote(language)}; expected one of {', '.join(LANGUAGES)}.")
    if explanation.explainer is None:
        raise InputError("This explanation does not say which model made it, so it has no words.")
    explainer = explanation.explainer
    chosen = _head(explanation, explainer, kind, layer, head)
    last = len(explanation.trace.tgt_out)
    if step is not None and (type(step) is not int or not 1 <= step <= last):
        raise InputError(f"step is {quote(step)}; expected 1 to {last}.")
    if type(height) is not int or not 1 <= height <= MAX_HEIGHT:
        raise InputError(f"height is {quote(height)}; expected pixels from 1 to {MAX_HEIGHT}.")
    shown = {"kind": chosen[0], "layer": chosen[1] + 1, "head": chosen[2] + 1}
    query = urlencode(
        {"view": view, **shown, **({} if step is None else {"step": step}), "lang": language}
    )
    session: dict[str, Any] = {
        "words": for_browser(),
        "shared": _shared(explanation, explainer, exhibit, query),
        "payload": glossed_record(payload.build(explanation, explainer), explainer.glossary),
    }
    try:
        session["answers"] = _answers(explanation, explainer, exhibit, chosen)
    except PageError as error:
        raise InputError(sentence(error)["en"]) from None
    return View(exhibit.name, with_session(saved_page(exhibit.name), session), height)


def _plain(number: Any) -> Any:
    """A whole number of numpy, such as an argmax, as one of Python; else what was given."""
    return int(number) if isinstance(number, np.integer) else number


def _head(
    explanation: Explanation,
    explainer: Explainer,
    kind: Kind | None,
    layer: int | None,
    head: int | None,
) -> Head:
    """The head asked for, counted from 0; if none is, the one that the page would open with."""
    own = opening_head(explainer.folder)
    if own is not None and kind is None and layer is None and head is None:
        return (own.kind, own.layer, own.head)
    asked = (
        "cross" if kind is None else kind,
        *(1 if one is None else one for one in (layer, head)),
    )
    return head_of(explanation.trace, *asked)


def _exhibit(view: str) -> Exhibit:
    found = next((one for one in exhibits.load() if view in (one.name, *one.aliases)), None)
    listed = f"these can be shown: {', '.join(VIEWS)}."
    if found is None:
        raise InputError(f"There is no view {quote(view)}; {listed}")
    if not found.saved:
        raise InputError(f"The view {view} needs the running page (python app.py); {listed}")
    return found


def _shared(
    explanation: Explanation, explainer: Explainer, exhibit: Exhibit, query: str
) -> dict[str, Any]:
    """The page's facts for a saved session: one working view and its initial state."""
    request = {
        "model": explainer.name,
        "text": explanation.text,
        "first": False,
        "shown": explanation.shown,
        "prefix": list(explanation.prefix),
        "begin": "",
        "node": explanation.node,
    }
    name, folder = explainer.name, explainer.folder
    pair = pair_of(folder or Path(), name)
    told = facts([Named(name, name, head=opening_head(folder), pair=pair)], exhibits.load(), "auto")
    for one in told["exhibits"]:
        one["saved"] = one["name"] == exhibit.name
    date = datetime.date.today().isoformat()
    return told | {
        "constants": {exhibit.name: dict(exhibit.facts)},
        "saved": {"query": query, "date": date, "request": request},
    }


def _answers(
    explanation: Explanation, explainer: Explainer, exhibit: Exhibit, chosen: Head
) -> list[dict[str, Any]]:
    """The answers to the view's questions."""
    request = Request(
        explanation.text,
        explanation.config,
        shown=explanation.shown,
        prefix=explanation.prefix,
        node=explanation.node,
        interventions=explanation.interventions,
    )
    return [
        {
            "question": question,
            "when": when,
            "payload": glossed(
                exhibit.questions[question](explainer, request, Arguments(arguments)),
                explainer.glossary,
                lambda table: texts_of(explanation.trace, table),
            ),
        }
        for question, arguments, when in exhibit.wanted(explanation, chosen)
    ]
