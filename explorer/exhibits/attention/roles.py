"""The roles of the heads of a model that brings none along: made once, in the background.

A sentence takes a large model longer than a request may; a thread of its own takes as long as it
needs, and the page asks again how far it is.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from explorer.examples import EXAMPLES
from explorer.exchange.question import Payload
from model.errors import InputError

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.labs.catalogue import Catalogue, Scores

log = logging.getLogger(__name__)

ENOUGH = 4  # sentences to make a catalogue from
LEAST = 2  # one alone says nothing about how consistent a head is
LOOK = 0.3  # seconds that a request waits for the end; the page then asks again

_making: WeakKeyDictionary[Explainer, Making] = WeakKeyDictionary()
_lock = threading.Lock()


class Making:
    """The scores of the example sentences, one after another, until enough can be used.

    done     sentences that have been used
    skipped  those that could not be, each with the reason in every language
    found    the catalogue at the end; None before it, and if too few could be used
    """

    def __init__(self, explainer: Explainer) -> None:
        self.done = 0
        self.skipped: list[Payload] = []
        self.found: Catalogue | None = None
        self._thread = threading.Thread(
            target=self._run, args=(explainer,), name="roles", daemon=True
        )
        self._thread.start()

    def wait(self, seconds: float | None) -> bool:
        """Whether it has ended, after at most so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self, explainer: Explainer) -> None:
        # Imported late: it answers with the exhibits, this one among them; and torch, which the
        # page starts without.
        from explorer.exchange.reply import sentence
        from model.labs import catalogue

        scores: list[Scores] = []
        for text in (example.text for example in EXAMPLES):
            try:
                scores.append(catalogue.scores_of(explainer, text))
            except InputError as error:
                self.skipped.append({"text": text, "why": sentence(error)})
            except Exception:
                log.exception("The roles of the heads could not be measured.")
                return
            self.done = len(scores)
            if self.done == ENOUGH:
                break
        if self.done >= LEAST:
            self.found = catalogue.summary(explainer, scores)


def making(explainer: Explainer) -> Making:
    """The one of a model, begun at the first call."""
    with _lock:
        if explainer not in _making:
            _making[explainer] = Making(explainer)
        return _making[explainer]
