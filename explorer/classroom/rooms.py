"""The classes of this server, in its memory: few, small, and soon forgotten."""

from __future__ import annotations

import secrets

from explorer.classroom.room import Room
from explorer.exchange.request import PageError

MAX_ROOMS = 50
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

    def begin(self, now: float) -> Room:
        """A new class.

        Raises:
            PageError: there are too many.
        """
        self._forget(now)
        if len(self._rooms) >= MAX_ROOMS:
            last = min(self._rooms.values(), key=lambda room: room.heard)
            if now - last.heard < DESERTED:
                raise PageError("class.error.many", most=MAX_ROOMS)
            self.end(last)
        code = self._code()
        while code in self._rooms:
            code = self._code()
        room = self._rooms[code] = Room(code, now)
        return room

    def end(self, room: Room) -> None:
        """Forget a class; the pages that wait for its news learn of it."""
        self._rooms.pop(room.code, None)
        room.ring()

    def room(self, code: object, now: float) -> Room:
        """The class with that code.

        Raises:
            PageError: there is none.
        """
        self._forget(now)
        room = self._rooms.get(code) if isinstance(code, str) else None
        if room is None:
            raise PageError("class.error.none")
        return room

    def led(self, code: object, secret: object, now: float) -> Room:
        """The class with that code, for its teacher.

        Raises:
            PageError: there is none, or the secret is not its teacher's.
        """
        room = self.room(code, now)
        is_own = isinstance(secret, str) and secret.isascii()
        if not is_own or not secrets.compare_digest(str(secret), room.secret):
            raise PageError("class.error.teacher")
        return room

    def pause(self, address: str, now: float) -> float:
        """Seconds for which a page waits that joins from there, be its code right or wrong.

        Guessing gets slow, and nobody is locked out: a class often shares one address.
        """
        return min(SLOWEST, SLOWER * self._recent(address, now))

    def count_wrong(self, address: str, now: float) -> None:
        """Remember a wrong code."""
        number = self._recent(address, now) + 1
        self._wrong.pop(address, None)
        self._wrong[address] = (number, now)
        if len(self._wrong) > MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]

    def _recent(self, address: str, now: float) -> float:
        number, when = self._wrong.get(address, (0.0, now))
        return number * max(0.0, 1 - (now - when) / MEMORY)

    def _forget(self, now: float) -> None:
        for room in [one for one in self._rooms.values() if now - one.pressed > HOURS]:
            self.end(room)

    @staticmethod
    def _code() -> str:
        return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
