"""Records the example that the page shows while the model is loading.

    python -m explorer.record

Runs the shipped model on the page's first sentence and keeps the payload in assets/recorded.json,
with the answer that the page's first view asks for.
Run it again after the model or the payload's format has changed.
"""

from __future__ import annotations

import logging
import sys

from explorer.examples import FIRST
from explorer.exchange.question import Arguments
from explorer.exchange.reply import explanation_payload, to_json
from explorer.exchange.request import parse
from explorer.exhibits.figure import FIRST_OPEN, figure
from explorer.models import SHIPPED, Listed, Models
from explorer.static import RECORDED
from model.errors import HeadlightError

log = logging.getLogger(__name__)


def main() -> int:
    """Write the recording; 2 if the model cannot be used."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")

    def load_shipped():  # type: ignore[no-untyped-def]
        from model.explain import Explainer  # torch comes in only here

        return Explainer.load(device="cpu")

    models = Models([Listed(SHIPPED, SHIPPED, load_shipped)])
    raw = {"text": FIRST.text, "settings": {}}
    try:
        payload = explanation_payload(models, raw)
        explainer = models.get()
        asked = parse(raw, explainer.defaults), Arguments(dict(FIRST_OPEN))
        payload["answers"] = {"figure": figure(explainer, *asked)}
    except HeadlightError as error:
        log.error("%s", error)
        return 2
    RECORDED.write_text(to_json(payload) + "\n", "utf-8")
    log.info("%s: %s -> %s", RECORDED.name, payload["text"], payload["translation"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
