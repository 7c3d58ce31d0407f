"""The class together: who may do what, what it holds, and that pages hear of it in order."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.classroom import addresses
from explorer.classroom import rooms as bounds
from explorer.classroom.question import MAX_QUESTION, Question
from explorer.classroom.room import (
    AWAY,
    MAX_QUESTIONS,
    MAX_STATE,
    MAX_STUDENTS,
    Room,
    checked_state,
)
from explorer.classroom.rooms import (
    DESERTED,
    HOURS,
    LETTERS,
    MAX_OWN,
    MAX_ROOMS,
    SLOWEST,
    Rooms,
)
from explorer.classroom.routes import MOST_WAIT, Classroom, classroom_route
from explorer.classroom.sentences import MAX_SENTENCE
from explorer.exchange.request import PageError
from explorer.models import Models
from explorer.serving import launch_settings
from explorer.static import assets_path
from explorer.words import WORDS
from tests.loops import run

STATE = "model=en-zh&text=Hello.&view=lens&steps.way=pace"
FEW, MANY = ({"en": en, "zh": zh} for en, zh in (("few", "少"), ("many", "多")))
QUESTION: dict[str, Any] = {
    "key": "one-head.2.en-zh",
    "text": {"en": "How many?", "zh": "有多少？"},
    "choices": [{"label": FEW, "value": "3"}, {"label": MANY, "value": "80"}],
    "right": 0,
}
CLASS_BYTES = 256_000


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Desk:
    """The classes of one server."""

    def __init__(self) -> None:
        self.clock, self.rooms = Clock(), Rooms()
        self.classroom = Classroom(self.rooms, clock=self.clock)

    async def ask(self, name: str, address: str = "10.0.0.1", **given: Any) -> dict[str, Any]:
        body = json.dumps(given).encode()
        reply: dict[str, Any] = json.loads(await self.classroom.answer(name, body, address))
        return reply

    async def get(self, name: str, **given: Any) -> dict[str, Any]:
        """A reply that is no refusal."""
        payload: dict[str, Any] = (await self.ask(name, **given))["payload"]
        return payload


def refused(reply: dict[str, Any], key: str) -> bool:
    """Whether a reply is that sentence, in both languages, and nothing else."""
    languages = {name: reply.get("message", {}).get(name) for name in ("en", "zh")}
    most = {
        "class.error.full": MAX_STUDENTS,
        "class.error.many": MAX_ROOMS,
        "class.error.own": MAX_OWN,
        "class.error.sentence": MAX_SENTENCE,
    }.get(key, "")
    words = {name: getattr(WORDS[key], name).replace("{most}", str(most)) for name in languages}
    return "payload" not in reply and languages == words and reply["reason"] == key


def in_a_class(test: Callable[[Desk, dict[str, Any]], Awaitable[None]]) -> None:
    async def whole() -> None:
        desk = Desk()
        await test(desk, await desk.get("begin"))

    run(whole())


def test_students_see_what_the_teacher_shows() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        assert len(code) == 5
        assert set(code) <= set(LETTERS)
        first = await desk.get("join", code=code)
        waiting = asyncio.create_task(
            desk.get("news", code=code, id=first["id"], since=first["version"], wait=15)
        )
        await asyncio.sleep(0)
        shown = await desk.get("show", **teacher, state=STATE)
        news = await waiting  # at once: the clock stands still, so it cannot end by its time
        told = {"version": 1, "presses": 1, "calls": 0, "reveals": 0, "state": STATE}
        told["question"] = None
        assert shown == told
        assert news == {**told, "handed": None}
        late = await desk.get("join", code=code)  # who comes later sees the same
        assert {**news, "id": late["id"]} == late
        assert (await desk.get("call", **teacher))["calls"] == 1

    in_a_class(test)


def test_a_student_cannot_lead_nor_reach_another_class() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        other = await desk.get("begin")
        student = await desk.get("join", code=teacher["code"])
        for secret in (student["id"], other["secret"], "", "é", None, 7, [teacher["secret"]]):
            for act in ("show", "call", "ask", "reveal", "clear", "end"):
                stolen = {"code": teacher["code"], "secret": secret, "state": STATE}
                stolen["question"] = QUESTION
                assert refused(await desk.ask(act, **stolen), "class.error.teacher")
        elsewhere = {"code": other["code"], "id": student["id"], "since": 0, "wait": 0}
        assert refused(await desk.ask("news", **elsewhere), "class.error.student")
        news = await desk.get("news", code=teacher["code"], id=student["id"], since=0, wait=0)
        assert news["presses"] == 0
        assert "here" not in news  # which is the teacher's
        assert teacher["secret"] not in json.dumps([student, news])

    in_a_class(test)


def test_a_reload_is_counted_once_and_a_closed_page_soon_not_at_all() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        async def here() -> int:
            count: int = (await desk.get("news", **teacher, since=-1, wait=0))["here"]
            return count

        own = await desk.get("join", code=teacher["code"])
        again = await desk.get("join", code=teacher["code"], id=own["id"])
        assert again["id"] == own["id"]
        assert await here() == 1
        forged = await desk.get("join", code=teacher["code"], id="made up")
        assert forged["id"] not in ("made up", own["id"])
        assert await here() == 2
        await desk.get("leave", code=teacher["code"], id=forged["id"])
        assert await here() == 1
        desk.clock.now += 3 * MOST_WAIT - 1  # it asks again within MOST_WAIT, and may be late
        assert await here() == 1
        desk.clock.now += 1
        assert await here() == 0

    in_a_class(test)


def test_the_teacher_hears_who_comes_while_students_hear_nothing() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        asked = {"since": 0, "wait": 15, "here": 0, "guessed": 0, "changes": 0}
        waiting = asyncio.create_task(desk.get("news", **teacher, **asked))
        await asyncio.sleep(0)
        await desk.get("join", code=teacher["code"])
        news = await waiting  # at the next look, half a second later
        assert (news["here"], news["version"]) == (1, 0)

    in_a_class(test)


def test_the_teacher_hears_of_a_guess_while_students_hear_nothing() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        student = {"code": teacher["code"], "id": (await desk.get("join", **teacher))["id"]}
        await desk.get("ask", **teacher, question=QUESTION)
        asked = {"since": 1, "wait": 15, "here": 1, "guessed": 0, "changes": 0}
        waiting = asyncio.create_task(desk.get("news", **teacher, **asked))
        await asyncio.sleep(0)
        told = await desk.get("guess", **student, key=QUESTION["key"], choice=1)
        news = await asyncio.wait_for(waiting, 5)  # the class's clock stands still
        assert (news["guessed"], news["version"], told["version"]) == (1, 1, 1)

    in_a_class(test)


def test_a_server_that_stops_keeps_nobody_waiting(models: Models) -> None:
    routes = {one.path: one for one in launch_settings(models)["app_kwargs"]["routes"]}
    path = f"{assets_path()}class/"
    with TestClient(Starlette(routes=[routes[f"{path}{{name}}"]])) as client:
        teacher = client.post(f"{path}begin", json={}).json()["payload"]
        models.stop()
        asked = {**teacher, "since": 0, "wait": MOST_WAIT, "here": 0, "guessed": 0, "changes": 0}
        begun = time.monotonic()
        assert client.post(f"{path}news", json=asked).json()["payload"]["version"] == 0
        assert time.monotonic() - begun < MOST_WAIT


def test_a_class_that_ended_and_a_server_that_began_again_say_so() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        student = await desk.get("join", code=teacher["code"])
        asked = {"code": teacher["code"], "id": student["id"], "since": 0, "wait": 15}
        waiting = asyncio.create_task(desk.ask("news", **asked))
        await asyncio.sleep(0)
        await desk.get("end", **teacher)
        assert refused(await waiting, "class.error.none")
        restarted = Desk()
        assert refused(await restarted.ask("news", **asked), "class.error.none")
        assert refused(await restarted.ask("show", **teacher, state=STATE), "class.error.none")

    in_a_class(test)


@pytest.mark.parametrize("press", ["show", "call", "ask", "reveal"])
def test_a_class_is_forgotten_three_hours_after_the_last_press(press: str) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        await desk.get("ask", **teacher, question=QUESTION)
        desk.clock.now += HOURS
        await desk.get(press, **teacher, state=STATE, question=QUESTION)
        desk.clock.now += HOURS
        await desk.get("news", **teacher, since=-1, wait=0)
        desk.clock.now += 1
        assert refused(await desk.ask("show", **teacher, state=STATE), "class.error.none")

    in_a_class(test)


def test_the_51st_class_and_the_101st_student() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        for i in range(MAX_ROOMS - 1):
            await desk.get("begin", address=str(i))
        assert refused(await desk.ask("begin"), "class.error.many")
        for _ in range(MAX_STUDENTS):
            await desk.get("join", code=teacher["code"])
        desk.clock.now += AWAY - 1
        assert refused(await desk.ask("join", code=teacher["code"]), "class.error.full")
        desk.clock.now += 1  # pages that were closed make room, and so do deserted classes
        await desk.get("join", code=teacher["code"])
        desk.clock.now += DESERTED
        await desk.get("news", **teacher, since=-1, wait=0)
        await desk.get("begin")
        await desk.get("news", **teacher, since=-1, wait=0)

    in_a_class(test)


def test_one_address_takes_no_class_from_another() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        first, *_ = [await desk.get("begin", address="10.0.0.2") for _ in range(MAX_OWN)]
        assert refused(await desk.ask("begin", "10.0.0.2"), "class.error.own")
        desk.clock.now += DESERTED
        await desk.get("begin", address="10.0.0.2")  # in place of one of its own that is deserted
        await desk.get("show", **teacher, state=STATE)
        assert refused(await desk.ask("show", **first, state=STATE), "class.error.none")

    in_a_class(test)


def test_a_place_that_is_given_away_takes_its_guess_along() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        await desk.get("ask", **teacher, question=QUESTION)
        for _ in range(3 * MAX_STUDENTS):
            student = (await desk.get("join", code=code))["id"]
            await desk.get("guess", code=code, id=student, key=QUESTION["key"], choice=0)
            await desk.get("leave", code=code, id=student)
        news = await desk.get("news", **teacher, since=-1, wait=0)
        assert news["guessed"] == MAX_STUDENTS

    in_a_class(test)


def test_a_request_that_waits_does_not_undo_that_its_page_left() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        student = await desk.get("join", code=teacher["code"])
        page = {"code": teacher["code"], "id": student["id"]}
        waiting = asyncio.create_task(desk.get("news", **page, since=0, wait=15))
        await asyncio.sleep(0)
        await desk.get("leave", **page)
        await desk.get("show", **teacher, state=STATE)
        await waiting
        assert (await desk.get("news", **teacher, since=-1, wait=0))["here"] == 0

    in_a_class(test)


def test_only_a_student_of_the_class_guesses_and_only_one_can_leave_it() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        other = (await desk.get("begin"))["code"]
        stranger = (await desk.get("join", code=other))["id"]
        await desk.get("ask", **teacher, question=QUESTION)
        for student in (stranger, "made up", teacher.get("secret")):
            sent = {"code": code, "id": student, "key": QUESTION["key"], "choice": 0}
            assert "payload" not in await desk.ask("guess", **sent)
            await desk.ask("leave", code=code, id=student)
        assert (await desk.get("news", **teacher, since=-1, wait=0))["guessed"] == 0
        again = await desk.get("join", code=code, id="made up")
        assert again["id"] != "made up"

    in_a_class(test)


def test_a_question_that_was_changed_is_another_one() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        student = (await desk.get("join", code=code))["id"]
        await desk.get("ask", **teacher, question=QUESTION)
        await desk.get("guess", code=code, id=student, key=QUESTION["key"], choice=1)
        changed = {**QUESTION, "text": {"en": "How few?", "zh": "有多少？"}}
        await desk.get("ask", **teacher, question=changed)
        news = await desk.get("news", **teacher, since=-1, wait=0)
        assert (news["question"]["text"], news["guessed"]) == (changed["text"], 0)

    in_a_class(test)


@pytest.mark.parametrize("press", [("ask",), ("ask", "reveal"), ("show",)])
def test_whoever_waits_hears_of_every_press_at_once(press: tuple[str, ...]) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        given = {"ask": {"question": QUESTION}, "reveal": {}, "show": {"state": STATE}}
        student = await desk.get("join", code=teacher["code"])
        page = {"code": teacher["code"], "id": student["id"]}
        for name in press:
            since = (await desk.get("news", **page, since=-1, wait=0))["version"]
            waiting = asyncio.create_task(desk.get("news", **page, since=since, wait=15))
            await asyncio.sleep(0)
            await desk.get(name, **teacher, **given[name])
            news = await asyncio.wait_for(waiting, 5)  # the class's clock stands still
            assert news["version"] > since

    in_a_class(test)


def test_a_guess_counts_once_and_is_told_when_the_teacher_shows_it() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        one, other = [(await desk.get("join", code=code))["id"] for _ in range(2)]

        async def guess(student: str, choice: int, key: str = QUESTION["key"]) -> Any:
            sent = {"code": code, "id": student, "key": key, "choice": choice}
            return (await desk.get("guess", **sent))["question"]

        assert await guess(one, 0) is None  # nothing is asked yet
        await desk.get("ask", **teacher, question=QUESTION)
        asked = (await desk.get("join", code=code, id=one))["question"]
        assert asked.pop("own") is None
        assert asked.pop("isShown") is False
        labels = [{"label": FEW}, {"label": MANY}]  # without the model's numbers and the answer
        assert asked == {"key": QUESTION["key"], "text": QUESTION["text"], "choices": labels}
        assert (await guess(one, 0, "another"))["own"] is None  # of a step that the class has left
        assert (await guess(one, 0))["own"] == 0
        assert (await guess(one, 1))["own"] == 0
        await desk.get("leave", code=code, id=one)
        assert (await desk.get("join", code=code, id=one))["question"]["own"] == 0
        assert (await guess(one, 1))["own"] == 0
        await guess(other, 1)
        news = await desk.get("news", **teacher, since=-1, wait=0)
        assert news["guessed"] == 2
        assert "counts" not in news["question"]  # the page is on the projector
        for wrong in (2, -1, True, "0", None):
            sent = {"code": code, "id": other, "key": QUESTION["key"], "choice": wrong}
            assert refused(await desk.ask("guess", **sent), "error.request")
        await desk.get("ask", **teacher, question=None)
        await desk.get("ask", **teacher, question=QUESTION)  # a step back
        await desk.get("reveal", **teacher)
        late = (await desk.get("join", code=code))["id"]
        told = {**QUESTION, "isShown": True, "counts": [1, 1]}
        assert await guess(late, 0) == {**told, "own": None}  # too late
        await desk.get("ask", **teacher, question={**QUESTION, "key": "another"})
        news = await desk.get("ask", **teacher, question=None)
        assert news["reveals"] == 1  # of two
        questions = (await desk.get("course", code=code, id=late))["questions"]
        assert questions[0] == {**told, "own": None}
        assert "counts" not in questions[1]
        assert "right" not in questions[1]
        own = (await desk.get("course", code=code, id=one))["questions"][0]["own"]
        assert own == 0
        assert refused(await desk.ask("course", code=code, id="made up"), "class.error.student")
        await desk.get("ask", **teacher, question=QUESTION)
        assert await guess(other, 0) == {**told, "own": 1}

    in_a_class(test)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"key": "<b>"}, "error.request"), ({"right": 2}, "error.request"),
        ({"text": {"en": "?"}}, "error.request"), ({"choices": []}, "error.request"),
        ({"choices": [{"label": FEW, "value": 3}] * 2}, "error.request"),
        ({"choices": QUESTION["choices"] * 7}, "error.request"), ({"more": 1}, "error.request"),
        ({"text": {"en": "?", "zh": "a" * 4_000}}, "class.error.question"),
    ],
)  # fmt: skip
def test_what_is_no_question_is_not_asked(change: dict[str, Any], key: str) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        assert refused(await desk.ask("ask", **teacher, question={**QUESTION, **change}), key)
        assert (await desk.get("news", **teacher, since=-1, wait=0))["question"] is None

    in_a_class(test)


def test_what_a_student_hands_in_reaches_the_teacher_alone() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        code = teacher["code"]
        one, other = [
            {"code": code, "id": (await desk.get("join", code=code))["id"]} for _ in range(2)
        ]
        known = await desk.get("news", **teacher, since=-1, wait=0)
        asked = {name: known[name] for name in ("here", "guessed", "changes")}
        since = known["version"]
        waiting = asyncio.create_task(desk.get("news", **teacher, **asked, since=since, wait=15))
        await asyncio.sleep(0)
        for student, text in ((one, "a"), (one, " <b>c "), (other, "<b>c")):
            reply = await desk.get("hand", **student, text=text)
            assert (reply["handed"], "sentences" in reply) == (text.strip(), False)
        # Each page's last one; the teacher hears at the next look, half a second later.
        assert (await waiting)["sentences"] == [{"text": "<b>c", "count": 2}]
        for wrong in ("x" * (MAX_SENTENCE + 1), "x" * 1_000_000):
            reply = await desk.ask("hand", **other, text=wrong)
            assert refused(reply, "class.error.sentence")
        for wrong in (" ", "", None, ["a"]):
            assert refused(await desk.ask("hand", **other, text=wrong), "error.request")
        assert refused(await desk.ask("hand", **teacher, text="x"), "error.request")
        assert (await desk.get("join", **other))["handed"] == "<b>c"  # after a reload too
        await desk.get("clear", **teacher)
        assert (await desk.get("news", **other, since=-1, wait=0))["handed"] is None
        assert (await desk.get("news", **teacher, since=-1, wait=0))["sentences"] == []

    in_a_class(test)


def test_a_full_class_with_the_longest_state_and_questions_is_small() -> None:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    room = Room("BCDFG", 0.0)
    students = [room.join(None, 0.0) for _ in range(MAX_STUDENTS)]
    for number in range(2 * MAX_QUESTIONS):
        text = {"en": "a" * (MAX_QUESTION - 300), "zh": "？"}
        room.ask(Question({**QUESTION, "key": str(number), "text": text}), 0.0)
        for student in students:
            room.guess(student, str(number), 1)
    for number, student in enumerate(students):
        room.sentences.hand_in(student, f"{number:03}" + "\U0001f600" * (MAX_SENTENCE - 3))
    room.show(checked_state("text=" + "a" * (MAX_STATE - 5)), 0.0)
    cost = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0 < cost < CLASS_BYTES


@pytest.mark.parametrize(
    ("state", "key"),
    [
        (None, "error.request"), (7, "error.request"), ("", "error.request"),
        ("text", "error.request"), ("text=猫", "error.request"), ("<b>=1", "error.request"),
        ("%3Cscript%3E=&a=b", "error.request"), ("__proto__=&a=1", "error.request"),
        ("a=b\n", "error.request"), ("&".join(["text=a"] * 101), "error.request"),
        ("text=" + "a" * MAX_STATE, "class.error.long"),
    ],
)  # fmt: skip
def test_what_is_no_link_is_not_shown(state: object, key: str) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        assert refused(await desk.ask("show", **teacher, state=state), key)
        assert (await desk.get("news", **teacher, since=-1, wait=0))["state"] == ""

    in_a_class(test)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
JSON = PLAIN | st.lists(PLAIN, max_size=2) | st.dictionaries(st.text(max_size=3), PLAIN, max_size=2)
NAMES = st.sampled_from(
    [
        "join",
        "news",
        "show",
        "call",
        "ask",
        "reveal",
        "guess",
        "hand",
        "clear",
        "course",
        "leave",
        "end",
    ]
)
FIELDS = st.sampled_from(
    ["id", "since", "wait", "here", "state", "secret", "question", "key", "choice", "text"]
)


@given(NAMES, st.dictionaries(FIELDS, JSON))
def test_whatever_is_sent_gets_a_reply_and_changes_nothing(name: str, fields: Any) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        for body in ({**fields, "code": teacher["code"]}, fields, [fields]):
            text = json.dumps(body).encode()
            reply = json.loads(await desk.classroom.answer(name, text, "10.0.0.1"))
            assert ("payload" in reply) != ("message" in reply)
            unexpected = WORDS["error.unexpected"].en
            assert reply.get("message", {}).get("en") != unexpected
        room = desk.rooms.room(teacher["code"], desk.clock())
        assert (room.presses, room.calls, room.state) == (0, 0, "")

    in_a_class(test)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that replies wait, one after the other; they pass at once."""
    waited: list[float] = []
    at_once = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await at_once(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waited


def test_guessing_is_slowed_and_nobody_is_locked_out(pauses: list[float]) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        student = {"id": (await desk.get("join", code=teacher["code"]))["id"]}
        for i in range(10_000):  # no vowels, so none of them can be a class
            assert refused(await desk.ask("join", code=f"A{i:04}"), "class.error.none")
        assert sum(pauses) > 0.9 * 10_000 * SLOWEST
        for _ in range(30):
            await desk.get("join", code=teacher["code"])
        assert max(pauses) == pauses[-1] == SLOWEST
        before = len(pauses)  # who is in the class already does not wait
        await desk.get("news", **student, code=teacher["code"], since=-1, wait=0)
        await desk.get("show", **teacher, state=STATE)
        assert len(pauses) == before
        await desk.ask("join", code=teacher["code"], address="10.0.0.2")
        assert pauses[-1] == 0  # at another address nothing was guessed
        for i in range(2 * bounds.MAX_ADDRESSES):
            desk.rooms.pause(str(i), desk.clock())
        assert len(desk.rooms._wrong) == bounds.MAX_ADDRESSES

    in_a_class(test)


@pytest.mark.parametrize("name", ["join", "news", "guess", "hand", "leave", "show", "ask", "end"])
def test_no_action_tells_a_code_without_the_pause(name: str, pauses: list[float]) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        for _ in range(40):  # 40 x 0.05 s
            await desk.ask(name, code="AAAAA", id="", secret="")
        assert (pauses[0], pauses[39]) == (0, 39 * 0.05)
        await desk.ask(name, code=teacher["code"], id="", secret="")
        assert pauses[40] == SLOWEST

    in_a_class(test)


def test_wrong_codes_fade_with_time(pauses: list[float]) -> None:
    async def test(desk: Desk, _: dict[str, Any]) -> None:
        for _ in range(20):
            await desk.ask("join", code="AAAAA")
        desk.clock.now += bounds.MEMORY / 4
        for _ in range(2):
            await desk.ask("join", code="AAAAA")
        assert pauses[-2:] == pytest.approx([15 * 0.05, 16 * 0.05])

    in_a_class(test)


def test_codes_that_are_sent_together_wait_and_right_ones_leave_nothing(
    pauses: list[float],
) -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        await asyncio.gather(*[desk.get("join", code=teacher["code"]) for _ in range(30)])
        pauses.clear()
        await asyncio.gather(*[desk.ask("join", code="AAAAA") for _ in range(100)])
        # 0, 0.05, ..., 1.95, and 60 times 2 s: of the thirty nothing is left.
        assert sum(pauses) == pytest.approx(39 + 120)
        desk.clock.now += bounds.MEMORY
        await desk.get("join", code=teacher["code"])
        assert pauses[-1] == 0

    in_a_class(test)


def test_the_route_takes_json_of_a_small_size_alone() -> None:
    route = classroom_route(Classroom(Rooms()))
    path = f"{assets_path()}class/begin"
    with TestClient(Starlette(routes=[route])) as client:
        reply = client.post(path, json={})
        assert set(reply.json()["payload"]) == {"code", "secret"}
        assert reply.headers["cache-control"] == "no-store"
        assert client.post(path, content="{}").status_code == 415
        assert refused(
            client.post(path, json={"state": "a" * 1_000_000}).json(), "class.error.long"
        )
        refusal = client.post(path, content="{", headers={"Content-Type": "application/json"})
        assert refused(refusal.json(), "error.request")
        # Who is not on this machine learns nothing of its addresses.
        hosts = client.post(f"{assets_path()}class/addresses", json={})
        assert hosts.json()["payload"] == {"addresses": []}


@pytest.mark.parametrize(
    ("server", "browser", "is_told"),
    [
        ("127.0.0.1", "127.0.0.1", True), ("localhost", "::1", True), ("[::1]", "127.0.0.9", True),
        ("127.0.0.1", "192.168.1.7", False), ("192.168.1.9", "127.0.0.1", False),
        ("localhost.example", "127.0.0.1", False), ("10.0.0.1", "10.0.0.1", False),
    ],
)  # fmt: skip
def test_the_teacher_at_this_machine_alone_learns_its_addresses(
    server: str, browser: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a proxy the server's name is another one, and a student is another client."""
    monkeypatch.setattr(addresses, "_own_addresses", lambda: ["127.0.0.1"])
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        app = Starlette(routes=[classroom_route(Classroom(Rooms()))])
        with TestClient(app, f"http://{server}:{port}", client=(browser, 50_000)) as client:

            def told() -> Any:
                reply = client.post(f"{assets_path()}class/addresses", json={})
                return reply.json()["payload"]["addresses"]

            open_ = [{"host": "127.0.0.1", "open": True}]
            assert told() == (open_ if is_told else [])
            listening.close()
            shut = [{"host": "127.0.0.1", "open": False}]
            assert told() == (shut if is_told else [])


@pytest.mark.parametrize("own", ["192.168.1.9", "127.0.0.1"])
def test_an_address_that_only_this_machine_knows_is_no_use(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Probe(socket.socket):
        def connect(self, _: object) -> None:
            pass

        def getsockname(self) -> tuple[str, int]:
            return own, 40_000

    monkeypatch.setattr(socket, "socket", Probe)
    assert addresses._own_addresses() == [own] * (own != "127.0.0.1")


def test_a_room_says_nothing_of_a_missing_code() -> None:
    with pytest.raises(PageError):
        Rooms().room(None, 0.0)


class Proxy(BaseHTTPRequestHandler):
    """Passes on nothing before it has the whole reply, and gives up when its client does."""

    client: httpx.Client

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        sent = {"Content-Type": "application/json"}
        try:
            reply = self.client.post(self.path, content=body, headers=sent)
            status, content = reply.status_code, reply.content
        except httpx.TimeoutException:
            status, content = 504, b""
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def behind_a_proxy(patience: float) -> Iterator[Callable[..., httpx.Response]]:
    """What a page behind the proxy sends to the classes of a server."""
    app = Starlette(routes=[classroom_route(Classroom(Rooms()))])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    inside = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=patience)
    handler = type("Handler", (Proxy,), {"client": inside})
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    outside = f"http://127.0.0.1:{proxy.server_port}{assets_path()}class/"
    with inside, httpx.Client(base_url=outside, timeout=30) as client:
        yield lambda name, **given: client.post(name, json=given)
    proxy.shutdown()
    proxy.server_close()
    server.should_exit = True


def test_a_proxy_that_buffers_delays_nothing() -> None:
    with behind_a_proxy(patience=30) as post, ThreadPoolExecutor(1) as waiting:
        teacher = post("begin").json()["payload"]
        student = post("join", code=teacher["code"]).json()["payload"]
        page = {"code": teacher["code"], "id": student["id"]}
        news = waiting.submit(post, "news", **page, since=student["version"], wait=MOST_WAIT)
        time.sleep(0.2)
        assert not news.done()
        begun = time.monotonic()
        post("show", **teacher, state=STATE)
        assert news.result().json()["payload"]["state"] == STATE
        assert time.monotonic() - begun < MOST_WAIT / 2  # 15 s if it came by its time alone


def test_a_proxy_that_cuts_off_what_waits_passes_on_plain_requests() -> None:
    with behind_a_proxy(patience=0.5) as post:
        teacher = post("begin").json()["payload"]
        student = post("join", code=teacher["code"]).json()["payload"]
        page = {"code": teacher["code"], "id": student["id"], "since": student["version"]}
        # After two of them the page asks plainly (tests/scripts/class.test.mjs).
        assert post("news", **page, wait=MOST_WAIT).status_code == 504
        post("show", **teacher, state=STATE)
        assert post("news", **page, wait=0).json()["payload"]["state"] == STATE
