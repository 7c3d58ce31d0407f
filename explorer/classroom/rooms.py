"""The classes of this server, in its memory: few, small, and soon forgotten."""

from __future__ import annotations

import secrets

from explorer.classroom.room import Room
from explorer.exchange.request import PageError

MAX_ROOMS = 50
MAX_OWN = 5  # of one address, so that nobody takes all: teachers of a school may share one
HOURS = 3.0 * 3600  # seconds after the teacher's last press
DESERTED = 300.0  # seconds without any page, after which a class makes room for a new one
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words
LENGTH = 5

MAX_ADDRESSES = 1_000
MEMORY = 60.0  # seconds in which a wrong code is remembered
SLOWER = 0.05  # seconds that each wrong code adds to the next answer at its address
SLOWEST = 2.0  # seconds: a whole class behind one address still gets in


class Rooms:
    """All classes by their codes."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._wrong: dict[str, tuple[float, float]] = {}  # address: (number, when)

    def begin(self, address: str, now: float) -> Room:
        """A new class of a teacher at that address.

        Raises:
            PageError: there are too many, on the server or of that address.
        """
        self._forget(now)
        own = [room for room in self._rooms.values() if room.opener == address]
        self._make_room(own, MAX_OWN, "class.error.own", now)
        self._make_room(list(self._rooms.values()), MAX_ROOMS, "class.error.many", now)
        code = self._code()
        while code in self._rooms:
            code = self._code()
        room = self._rooms[code] = Room(code, now, address)
        return room

    def _make_room(self, rooms: list[Room], most: int, refusal: str, now: float) -> None:
        """End the class that is deserted the longest, if there are as many as there may be."""
        if len(rooms) < most:
            return
        last = min(rooms, key=lambda room: room.heard)
        if now - last.heard < DESERTED:
            raise PageError(refusal, most=most)
        self.end(last)

    def end(self, room: Room) -> None:
        """Forget a class; the pages that wait for its news learn of it."""
        self._rooms.pop(room.code, None)
        room.ring()

    def find(self, code: object, now: float) -> Room | None:
        """The class with that code, if there is one."""
        self._forget(now)
        return self._rooms.get(code) if isinstance(code, str) else None

    def room(self, code: object, now: float) -> Room:
        """The class with that code.

        Raises:
            PageError: there is none.
        """
        room = self.find(code, now)
        if room is None:
            raise PageError("class.error.none")
        return room

    def pause(self, address: str, now: float) -> float:
        """Seconds for which a page there waits until it learns whether its code is right.

        Its code counts as wrong until it is `excused`, so that codes sent together wait too. Nobody
        is locked out: a class often shares one address.
        """
        number = self._recent(address, now)
        self._remember(address, number + 1, now)
        return min(SLOWEST, SLOWER * number)

    def excuse(self, address: str, since: float, now: float) -> None:
        """The code that was counted at `since` is right; what is left of it counts no more."""
        self._remember(address, self._recent(address, now) - _left(since, now), now)

    def _remember(self, address: str, number: float, now: float) -> None:
        self._wrong.pop(address, None)
        if number > 0:
            self._wrong[address] = (number, now)
        if len(self._wrong) > MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]

    def _recent(self, address: str, now: float) -> float:
        number, when = self._wrong.get(address, (0.0, now))
        return number * _left(when, now)

    def _forget(self, now: float) -> None:
        for room in [one for one in self._rooms.values() if now - one.pressed > HOURS]:
            self.end(room)

    @staticmethod
    def _code() -> str:
        return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _left(when: float, now: float) -> float:
    """The part of a wrong code that is still remembered."""
    return min(1.0, max(0.0, 1 - (now - when) / MEMORY))
