"""Records the example that the page shows while the model is being loaded.

    python -m explorer.record

Runs the shipped model on the page's first sentence and keeps the payload in assets/recorded.json.
Run it again after the model or the payload's format has changed.
"""

from __future__ import annotations

import logging
import sys

from explorer.answer import explain, to_json
from explorer.examples import FIRST
from explorer.interface import RECORDED
from explorer.loading import Loading
from explorer.request import Request
from model.config import DecodeConfig
from model.errors import HeadlightError

log = logging.getLogger(__name__)


def main() -> int:
    """Write the recording; 2 if the model cannot be used."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")

    def load_shipped():  # type: ignore[no-untyped-def]
        from model.explain import Explainer  # torch comes in only here

        return Explainer.load(device="cpu")

    try:
        payload = explain(Loading(load_shipped), Request(FIRST.text, DecodeConfig()))
    except HeadlightError as error:
        log.error("%s", error)
        return 2
    RECORDED.write_text(to_json(payload) + "\n", "utf-8")
    log.info("%s: %s -> %s", RECORDED.name, payload["text"], payload["translation"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
