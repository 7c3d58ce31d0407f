"""Records the example that the page shows while the model is loading.

    python -m explorer.record

Runs the shipped model on the page's opening sentence and stores the payload in
assets/recorded.json, with the answer for the page's first view. Run it again when the model or the
payload's format has changed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from explorer import openers
from explorer.card import FOLDER
from explorer.examples import opening
from explorer.exchange.question import Arguments
from explorer.exchange.reply import explanation_payload, to_json
from explorer.exchange.request import parse
from explorer.exhibits.figure import FIRST_OPEN, figure
from explorer.models import SHIPPED, Listed, Models
from explorer.static import RECORDED
from model import cli, files

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Command:
    """Record the example that the page shows while the model is loading."""


def record(_: Command) -> None:
    """Translate, answer the first question and write both."""

    def load_shipped():  # type: ignore[no-untyped-def]
        from model.explain import Explainer  # torch is imported only here

        return Explainer.load(device="cpu")

    models = Models([Listed(SHIPPED, SHIPPED, load_shipped)])
    raw = {"text": opening(openers.load(FOLDER)).text, "settings": {}}
    payload = explanation_payload(models, raw)
    explainer = models.get()
    asked = parse(raw, explainer.defaults), Arguments(dict(FIRST_OPEN))
    payload["answers"] = {"figure": figure(explainer, *asked)}
    files.write_text(RECORDED, to_json(payload) + "\n")
    log.info("%s: %s -> %s", RECORDED.name, payload["text"], payload["translation"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, record, arguments, prog="explorer.record")


if __name__ == "__main__":
    sys.exit(main())
