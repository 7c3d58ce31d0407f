"""The class together: who may do what, what it holds, and that pages hear of it in order."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.classroom import rooms as bounds
from explorer.classroom.question import MAX_QUESTION, Question
from explorer.classroom.room import (
    AWAY,
    HERE,
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
from explorer.classroom.routes import Classroom, classroom_route
from explorer.classroom.sentences import MAX_SENTENCE
from explorer.exchange.request import PageError
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
        told = {"version": 1, "presses": 1, "calls": 0, "state": STATE, "question": None}
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
        desk.clock.now += HERE
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


def test_a_class_is_forgotten_three_hours_after_the_last_press() -> None:
    async def test(desk: Desk, teacher: dict[str, Any]) -> None:
        desk.clock.now += HOURS
        await desk.get("show", **teacher, state=STATE)
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
        assert refused(await desk.ask("join", code=teacher["code"]), "class.error.full")
        desk.clock.now += AWAY  # pages that were closed make room, and so do deserted classes
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
    ["join", "news", "show", "call", "ask", "reveal", "guess", "hand", "clear", "leave", "end", ""]
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


def test_a_room_says_nothing_of_a_missing_code() -> None:
    with pytest.raises(PageError):
        Rooms().room(None, 0.0)
