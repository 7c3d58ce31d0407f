"""Cost: the multiply-adds of a layer as sentence and vectors grow, and measured times."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer

LENGTHS = (8, 16, 32, 64, 128, 256, 512)  # tokens; the longest takes about 10 ms


_measured: WeakKeyDictionary[Explainer, Payload] = WeakKeyDictionary()
_one_at_a_time = threading.Lock()


def cost(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The times of one encoder layer, measured once per model for all visitors."""
    from model.labs.timing import layer_times  # torch is imported with the first question

    with _one_at_a_time:
        if explainer not in _measured:
            times = layer_times(explainer.model, LENGTHS)
            _measured[explainer] = {**times._asdict(), "device": explainer.device}
        return _measured[explainer]


EXHIBIT = Exhibit(
    "cost",
    {"cost": cost},
    away={"cost": "published.torch"},
    header=("model",),
    opener=effects.NONE,
)
