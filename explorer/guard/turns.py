"""Whose turn it is in Gradio's queue.

Gradio serves in order of arrival, so one user with several long searches slows a whole class. Here
addresses take turns, then the browsers at one address, then the pages of one browser (as in the
playground's line); short work goes before long, and long work never takes every place at once.
"""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from gradio.queueing import Event, Queue

from explorer.origin import origin

LONG = 240  # characters of a search with four beams that takes 0.3 s; sentences have some 60
AGED = 10.0  # seconds of waiting after which long work counts as short
MOST_CLIENTS = 10_000  # remembered, those served last
BEAMS, MOST_BEAMS = 4, 64  # of a request that does not say; more are refused
TEXT, SETTINGS = "text", "settings"
Client = tuple[str, ...]


class Served:
    """When clients were served last, by which they take turns."""

    def __init__(self) -> None:
        self._clock = itertools.count(1)
        self._last: OrderedDict[Client, int] = OrderedDict()

    def place(self, clients: Sequence[Client]) -> tuple[int, ...]:
        """Of a request: the smallest is next. `clients` are its address, its browser there, ..."""
        return tuple(self._last.get(one, 0) for one in clients)

    def serve(self, clients: Sequence[Client]) -> None:
        """Note that it is the turn of a request."""
        now = next(self._clock)
        for client in clients:
            self._last[client] = now
            self._last.move_to_end(client)
        while len(self._last) > MOST_CLIENTS:
            self._last.popitem(last=False)


class Turns:
    """Chooses the next event of a queue; takes the place of `Queue.get_events`.

    `at_once` events may run at the same time, which changes as workers come and go.
    """

    def __init__(self, queue: Queue, at_once: Callable[[], int]) -> None:
        self._queue, self._at_once = queue, at_once
        self._served = Served()

    def next(self) -> tuple[list[Event], bool, str] | None:
        """The event whose turn it is, off the queue; None if none may run now."""
        for name, line in self._queue.event_queue_per_concurrency_id.items():
            if line.concurrency_limit is not None:  # as when the server stops
                line.concurrency_limit = self._at_once()
            limit = line.concurrency_limit
            if not line.queue or (limit is not None and line.current_concurrency >= limit):
                continue
            running = [event for job in self._queue.active_jobs if job for event in job]
            long = sum(is_long(event) for event in running)
            has_room = limit is None or limit == 1 or long < limit - 1
            event = self._chosen(line.queue, has_room)
            if event is not None:
                line.queue.remove(event)
                self._served.serve(_clients(event))
                return [event], False, name
        return None

    def _chosen(self, waiting: Sequence[Event], has_room: bool) -> Event | None:
        """The first of the short ones; of the long ones only if there is room for one more."""
        now = time.monotonic()
        allowed = [event for event in waiting if has_room or not is_long(event)]

        def place(event: Event) -> tuple[int, ...]:
            is_late = is_long(event) and now - event.enqueue_time < AGED
            return (int(is_late), *self._served.place(_clients(event)))

        return min(allowed, key=place, default=None)  # the first of equals: in order of arrival


def _clients(event: Event) -> list[Client]:
    address, browser = origin(event.request)
    return [(address,), (address, browser), (address, browser, event.session_hash)]


def is_long(event: Event) -> bool:
    """Whether its search will take long, as far as the request says."""
    data = event.data.data if event.data is not None else []
    sent = data[0] if data and isinstance(data[0], dict) else {TEXT: data[0] if data else ""}
    # Measured: 16 beams take twice the time of 4, one beam three quarters of it.
    return _characters(sent) * (8 + _beams(sent)) / 12 > LONG


def _characters(sent: dict[str, Any]) -> int:
    text = sent.get(TEXT)
    return len(text) if isinstance(text, str) else 0


def _beams(sent: dict[str, Any]) -> int:
    settings = sent.get(SETTINGS)
    given = settings.get("beam_size") if isinstance(settings, dict) else None
    return given if isinstance(given, int) and 0 < given <= MOST_BEAMS else BEAMS
