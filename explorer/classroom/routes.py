"""The class over HTTP: POST with JSON, beside Gradio's queue, as the calls are (explorer/calls.py).

A page that follows asks for news, and the reply waits until there are some: a stream of events
would be held back by proxies that buffer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.classroom.addresses import open_addresses
from explorer.classroom.question import Question
from explorer.classroom.room import Room, checked_state
from explorer.classroom.rooms import Rooms
from explorer.classroom.sentences import MAX_SENTENCE
from explorer.exchange.reply import sentence, to_json
from explorer.exchange.request import PageError
from explorer.origin import origin
from explorer.static import assets_path
from model.errors import HeadlightError

log = logging.getLogger(__name__)

MAX_BODY = 8_192  # bytes
MOST_WAIT = 15.0  # seconds for which a reply waits for news: proxies give up after 30 or 60
SLICE = 0.5  # seconds after which a waiting reply looks whether the server is stopping

Given = dict[str, Any]
Act = Callable[[Room, Given, float], None]

LED: dict[str, Act] = {  # what a teacher's page does, and the whole class is told
    "show": lambda room, given, now: room.show(checked_state(given.get("state")), now),
    "call": lambda room, _, now: room.call_back(now),
    "ask": lambda room, given, now: room.ask(_question(given.get("question")), now),
    "reveal": lambda room, _, now: room.reveal(now),
    "clear": lambda room, _, now: room.clear_sentences(now),
}


class Classroom:
    """Answers the pages of all classes. `is_stopping` ends what waits."""

    def __init__(
        self,
        rooms: Rooms,
        is_stopping: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rooms, self._is_stopping, self._clock = rooms, is_stopping, clock
        self._actions: dict[str, Callable[[Given, str], Awaitable[Given]]] = {
            "begin": self._begin,
            "join": self._join,
            "news": self._news,
            "guess": self._guess,
            "hand": self._hand,
            "course": self._course,
            "leave": self._leave,
            **{name: partial(self._lead, act) for name, act in LED.items()},
            "end": self._end,
        }

    async def answer(self, name: str, body: bytes, address: str) -> str:
        """JSON: {payload}, or {message} with a sentence in every language. Never raises."""
        try:
            if len(body) > MAX_BODY:
                raise _too_long(name)
            given = _object(body)
            if name not in self._actions:
                raise PageError("error.request")
            return to_json({"payload": await self._actions[name](given, address)})
        except HeadlightError as error:
            return to_json({"message": sentence(error), "reason": error.key})
        except Exception:
            log.exception("A class could not be answered.")
            return to_json({"message": sentence(PageError("error.unexpected"))})

    async def _room(self, given: Given, address: str) -> Room:
        """The class of a code. One of its pages has it at once.

        Whoever tries codes waits, be the code right or wrong.
        """
        code, since = given.get("code"), self._clock()
        room = self._rooms.find(code, since)
        if room and (room.is_led_by(given.get("secret")) or room.knows(given.get("id"))):
            return room
        await asyncio.sleep(self._rooms.pause(address, since))
        room = self._rooms.room(code, self._clock())
        self._rooms.excuse(address, since, self._clock())
        return room

    async def _begin(self, _: Given, address: str) -> Given:
        room = self._rooms.begin(address, self._clock())
        return {"code": room.code, "secret": room.secret}

    async def _join(self, given: Given, address: str) -> Given:
        """A student's page begins to follow, or does so again after a reload."""
        room = await self._room(given, address)
        own = room.join(given.get("id"), self._clock())
        return {"id": own, **room.news(own)}

    async def _news(self, given: Given, address: str) -> Given:
        """What is new since a version that the page knows; `wait` is how long it likes to wait."""
        room, is_teacher = await self._member(given, address)
        since, wait = _whole(given.get("since")), min(MOST_WAIT, _seconds(given.get("wait")))
        until = self._clock() + wait

        def is_known() -> bool:
            if room.version != since:
                return False
            inside = room.inside(self._clock())
            return not is_teacher or all(given.get(name) == inside[name] for name in inside)

        while is_known() and self._clock() < until and not self._is_stopping():
            await room.wait(min(SLICE, max(0.0, until - self._clock())))
        room = self._rooms.room(given.get("code"), self._clock())  # it may have ended meanwhile
        if not _is_teacher(room, given):
            return room.news(given["id"])
        inside = room.inside(self._clock())
        return {**room.news(), **inside, "sentences": room.sentences.counted}

    async def _member(self, given: Given, address: str) -> tuple[Room, bool]:
        """The class of a page, which has been heard now, and whether it is the teacher's."""
        room = await self._room(given, address)
        is_teacher, now = _is_teacher(room, given), self._clock()
        if is_teacher:
            room.heard = now
        else:
            room.join(given["id"], now)
        return room, is_teacher

    async def _guess(self, given: Given, address: str) -> Given:
        room = await self._followed(given, address)
        room.guess(given["id"], given.get("key"), given.get("choice"))
        return room.news(given["id"])

    async def _hand(self, given: Given, address: str) -> Given:
        room = await self._followed(given, address)
        room.sentences.hand_in(given["id"], given.get("text"))
        return room.news(given["id"])

    async def _course(self, given: Given, address: str) -> Given:
        room, is_teacher = await self._member(given, address)
        return {"questions": room.course(None if is_teacher else given["id"])}

    async def _followed(self, given: Given, address: str) -> Room:
        """The class of a student's page."""
        room, is_teacher = await self._member(given, address)
        if is_teacher:
            raise PageError("error.request")
        return room

    async def _leave(self, given: Given, address: str) -> Given:
        (await self._room(given, address)).leave(given.get("id"), self._clock())
        return {}

    async def _led(self, given: Given, address: str) -> Room:
        room = await self._room(given, address)
        if not room.is_led_by(given.get("secret")):
            raise PageError("class.error.teacher")
        return room

    async def _lead(self, act: Act, given: Given, address: str) -> Given:
        room = await self._led(given, address)
        act(room, given, self._clock())
        return room.news()

    async def _end(self, given: Given, address: str) -> Given:
        self._rooms.end(await self._led(given, address))
        return {}


def classroom_route(room: Classroom) -> Route:
    """The route of all classes."""

    async def respond(request: Request) -> Response:
        # Another site could send a form or plain text here, but not JSON: a browser asks us first.
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return Response(status_code=415)
        body = await request.body()  # of a bounded size (explorer/guard/bodies.py)
        name = request.path_params["name"]
        if name == "addresses":
            reply = to_json({"payload": {"addresses": await open_addresses(request)}})
        else:
            reply = await room.answer(name, body, origin(request).address)
        headers = {"Cache-Control": "no-store"}
        return Response(reply, media_type="application/json", headers=headers)

    return Route(f"{assets_path()}class/{{name}}", respond, methods=["POST"])


def _object(body: bytes) -> Given:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise PageError("error.request") from None
    if not isinstance(given, dict):
        raise PageError("error.request")
    return given


def _is_teacher(room: Room, given: Given) -> bool:
    """Whether it is the teacher's page that asks; if not, it is a student's."""
    if "secret" in given and not room.is_led_by(given["secret"]):
        raise PageError("class.error.teacher")
    if "secret" not in given and not room.knows(given.get("id")):
        raise PageError("class.error.student")
    return "secret" in given


def _too_long(name: str) -> PageError:
    if name == "hand":
        return PageError("class.error.sentence", most=MAX_SENTENCE)
    return PageError("class.error.question" if name == "ask" else "class.error.long")


def _question(asked: object) -> Question | None:
    return None if asked is None else Question(asked)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise PageError("error.request")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PageError("error.request")
    if not 0 <= value <= MOST_WAIT:
        raise PageError("error.request")
    return float(value)
