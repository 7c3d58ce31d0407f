"""Records the first page that a shipped model opens with, to be shown while it is loading.

    python -m explorer.record [--model en-zh]

Runs the model on its opening sentence and stores the payload beside it (explorer/recorded.py), with
the answer for the page's first view. Run it again when the model or the payload's format has
changed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from explorer import recorded
from explorer.examples import opening
from explorer.exchange.question import Arguments
from explorer.exchange.reply import explanation_payload, to_json
from explorer.exchange.request import parse
from explorer.exhibits.figure import FIRST_OPEN, figure
from explorer.models import Models, listed
from explorer.recorded import FILE
from model import cli, files, shipped
from model.errors import InputError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Command:
    """Record the first page that a shipped model opens with."""

    model: str = ""  # en-zh, for example (default: each that a page opens with)


def record(command: Command) -> None:
    """Translate, answer the first question and write both, for each of the models.

    Raises:
        InputError: no page opens with that model.
    """
    own = recorded.opening()
    if command.model and command.model not in own:
        raise InputError(f"No page opens with {command.model}; expected one of {', '.join(own)}.")
    for name in (command.model,) if command.model else own:
        record_one(name)


def record_one(name: str) -> None:
    """Record the first page of a shipped model."""

    def load(place: str | None):  # type: ignore[no-untyped-def]
        from model.explain import Explainer  # torch is imported only here

        return Explainer.load(place, device="cpu")

    (one,) = listed([name], load)
    models = Models([one])
    models.default.get()  # however busy the machine is
    raw = {"text": opening(one.openers, one.pair).text, "settings": {}}
    payload = explanation_payload(models, raw)
    explainer = models.get()
    asked = parse(raw, explainer.defaults), Arguments(dict(FIRST_OPEN))
    payload["answers"] = {"figure": figure(explainer, *asked)}
    files.write_text(shipped.FOLDERS[name] / FILE, to_json(payload) + "\n")
    log.info("%s: %s -> %s", name, payload["text"], payload["translation"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, record, arguments, prog="explorer.record")


if __name__ == "__main__":
    sys.exit(main())
