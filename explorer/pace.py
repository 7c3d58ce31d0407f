"""How long a request to a model may work: it follows from the time of one of its tokens here.

A public page must not work long for one visitor; a large model on a slow machine must get to the
end of a sentence.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from model.errors import HeadlightError

if TYPE_CHECKING:
    from model.explain import Explainer

SECONDS = 5.0  # of work for one request to a model that is fast enough
MOST_SECONDS = 3600.0  # that --seconds may set
LONGEST = 120.0  # that follow from a measurement
TOKENS = 100  # of a long sentence and its views, in times of a token with four beams
MEASURED = 4  # tokens

_times: WeakKeyDictionary[Explainer, float] = WeakKeyDictionary()
_lock = threading.Lock()


def measure(explainer: Explainer) -> None:
    """Time a few tokens of a model, with four beams and everything recorded."""
    from model.config import DecodeConfig

    texts = explainer.tokenizer.examples or ("Hello.",)
    config = DecodeConfig(method="beam", beam_size=4, max_length=MEASURED)
    runs = []
    for seed in range(3):  # another seed, so that no search is remembered
        started = time.thread_time()
        with suppress(HeadlightError):  # a model that does not read this text
            record = explainer.explain(texts[0], replace(config, seed=seed))
            runs.append((time.thread_time() - started) / len(record.search.steps))
    if runs:
        with _lock:
            _times[explainer] = min(runs)


def token_seconds(explainer: Explainer) -> float | None:
    """The seconds that a token of this model takes here; None if it was not measured."""
    with _lock:
        return _times.get(explainer)


def limit(explainer: Explainer) -> float:
    """Seconds of work for one request: `SECONDS`, or more where a sentence takes longer."""
    token = token_seconds(explainer) or 0.0
    return max(SECONDS, min(LONGEST, float(math.ceil(TOKENS * token))))
