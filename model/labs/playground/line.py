"""The queue of waiting runs, and whose turn it is."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from model.errors import InputError
from model.labs.playground.job import Job, Visitor

MAX_WAITING = 100  # runs in the queue
Client = tuple[str, ...]  # (address,) or (address, browser)
T = TypeVar("T")


class Line:
    """Addresses take turns, and so do the browsers at one address; within a browser, first come,
    first served.

    A client that enters many runs under many names gets the turns of one client, and in a full
    queue loses places to clients with fewer. A class behind one router is one address: its members
    wait in order of arrival, and there is a place for each.
    """

    def __init__(self) -> None:
        self._jobs: list[Job] = []  # in order of arrival
        self._clock = itertools.count()
        self._since: dict[Client, float] = {}  # arrival, or the start of the turn after its own

    def __contains__(self, job: Job) -> bool:
        return job in self._jobs

    def enter(self, job: Job, visitor: Visitor) -> Job | None:
        """Add a visitor's run; return the run that loses its place to it, if any.

        Raises:
            InputError: the queue is full, and no other client has more places.
        """
        loser = self._most_crowded(visitor) if len(self._jobs) >= MAX_WAITING else None
        if loser is not None:
            self._jobs.remove(loser)
        self._jobs.append(job)
        return loser

    def remove(self, job: Job) -> None:
        """Remove a run without followers."""
        self._jobs.remove(job)

    def serve(self, job: Job) -> None:
        """Remove the run whose turn it is; its clients go behind all who arrive while it trains."""
        self._jobs.remove(job)
        now = next(self._clock)
        self._since = {client: min(since, now) for client, since in self._since.items()}
        self._since |= dict.fromkeys(_clients(job), math.inf)

    def turns(self) -> list[Job]:
        """The runs in the order in which they will be trained."""
        tree: dict[str, dict[str, dict[Job, None]]] = {}
        for job in self._jobs:
            for visitor in job.followers:
                tree.setdefault(visitor.address, {}).setdefault(visitor.browser, {})[job] = None
        clients = dict.fromkeys(client for job in self._jobs for client in _clients(job))
        self._since = {
            client: since
            for client, since in self._since.items()
            if client in clients or since == math.inf  # even while it has nothing in the queue
        }
        for client in clients:
            if client not in self._since:
                self._since[client] = next(self._clock)
        addresses = sorted(tree, key=lambda address: self._since[address,])
        found = in_turns(
            in_turns(tree[address][browser] for browser in self._browsers(tree[address], address))
            for address in addresses
        )
        return list(dict.fromkeys(found))

    def _browsers(self, browsers: Iterable[str], address: str) -> list[str]:
        return sorted(browsers, key=lambda browser: self._since[address, browser])

    def _most_crowded(self, visitor: Visitor) -> Job:
        """The last run of the client with the most places, if that has more than this one."""
        counts = Counter(client for job in self._jobs for client in _clients(job))

        def places(one: Visitor) -> tuple[int, int]:
            return counts[one.address,], counts[one.address, one.browser]

        def least(job: Job) -> tuple[int, int]:
            return min(map(places, job.followers))

        def has_more(job: Job) -> bool:
            level = int(any(one.address == visitor.address for one in job.followers))
            return least(job)[level] > places(visitor)[level] + 1

        crowded = [job for job in reversed(self.turns()) if has_more(job)]
        if not crowded:
            raise InputError(
                f"{MAX_WAITING} runs are already waiting. Try again in a few minutes.",
                key="line", count=MAX_WAITING,
            )  # fmt: skip
        return max(crowded, key=least)


def _clients(job: Job) -> set[Client]:
    """The addresses and browsers of a run's followers."""
    return {
        client
        for visitor in job.followers
        for client in ((visitor.address,), (visitor.address, visitor.browser))
    }


def in_turns(lists: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first of each, then the second of each, ...: [[1, 2, 3], [4]] -> 1, 4, 2, 3."""
    rounds = itertools.zip_longest(*lists)
    return (one for turn in rounds for one in turn if one is not None)
