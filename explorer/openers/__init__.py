"""Openers: the opening sentence of the page, and for each view a sentence that shows its point.

`python -m explorer.openers` finds them among held-out sentences and stores them beside the model,
in `openers.json`, with their measurements. A model without that file starts with the examples of
`explorer/examples.py`.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import ConfigError

FILE = "openers.json"
POOL = "sentences.tsv"  # the sentences to choose from, with their references


@dataclass(frozen=True)
class Opener:
    """The opener of a view: a sentence and parameters of the page's address.

    The place in the sentence is not among them: the page finds it as in any other sentence
    (assets/kit/telling.js).
    """

    view: str
    text: str
    settings: dict[str, str]
    measured: dict[str, Any]


@dataclass(frozen=True)
class Openers:
    """The page's opening sentence, its measurements, and an opener for each view."""

    default: str
    measured: dict[str, Any]
    views: tuple[Opener, ...]

    def for_browser(self) -> dict[str, Any]:
        """What the page needs to open one: {text, views: {view: {text, settings}}}.

        A text is left out that is the default one, and so are settings if there are none.
        """
        views = {
            one.view: {
                **({"text": one.text} if one.text != self.default else {}),
                **({"settings": one.settings} if one.settings else {}),
            }
            for one in self.views
        }
        return {"text": self.default, "views": views}

    def as_json(self) -> str:
        """Return the content of `openers.json`."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=1) + "\n"


def load(folder: Path) -> Openers | None:
    """Load the openers of the model in a folder; None if it has none.

    Raises:
        ConfigError: the file was not written by the command.
    """
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        raw = json.loads(file.read_text("utf-8"))
        views = tuple(Opener(**one) for one in raw["views"])
        return Openers(raw["default"], raw["measured"], views)
    except (ValueError, KeyError, TypeError):
        raise ConfigError(
            f"{file} does not hold openers; make them again: python -m explorer.openers"
        ) from None
