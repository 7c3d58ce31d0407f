"""A class of thirty over the page's own protocol: waiting times, a burst, memory, hostile requests.

Every visitor has a session like a browser's in Gradio: an event is posted to queue/join, and
its reply comes as a server-sent event of queue/data.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from bench.page import server

SECONDS = 60.0  # seconds that the class works
VISITORS = 30
SENTENCE_EVERY, CLICK_EVERY = 10.0, 2.0  # seconds, each visitor
BURST = 100
EXPLANATIONS, AT_A_TIME = 5_000, 8
PATIENCE = 120.0  # seconds until a visitor gives up: Gradio keeps a stream without replies open
HOSTILE = 2_000
SUBJECTS = ("the old man", "a teacher", "my sister", "this boy", "our friend", "the dog")
VERBS = ("sees", "likes", "reads", "buys", "has", "wants", "finds", "knows")
OBJECTS = ("a red car", "the new book", "a good idea", "her house", "some tea", "two cats")
ENDS = ("today", "every day", "in the morning", "at home", "with me", "again")


class Refused(Exception):
    """The server did not answer an event."""


class Visitor:
    """One browser's session with a running page."""

    def __init__(
        self, client: httpx.AsyncClient, functions: dict[str, int], patience: float = PATIENCE
    ) -> None:
        self._client, self._functions, self._patience = client, functions, patience
        self._number = 0
        self._session = uuid.uuid4().hex  # like a browser's while the page is open

    async def ask(self, body: object, channel: str = "explanation") -> dict[str, Any]:
        """Get the reply to one request, as the page's scripts would.

        Raises:
            Refused: the queue was full, the event failed, or there was no reply in time.
        """
        try:
            return await asyncio.wait_for(self._ask(body, channel), self._patience)
        except asyncio.TimeoutError:
            raise Refused(f"no reply within {self._patience:.0f} s") from None

    async def _ask(self, body: object, channel: str) -> dict[str, Any]:
        self._number += 1
        sent = {**body, "number": self._number} if isinstance(body, dict) else body
        session = self._session
        event = {"fn_index": self._functions[channel], "session_hash": session, "data": [sent]}
        joined = await self._client.post("gradio_api/queue/join", json=event)
        if joined.status_code != 200:
            raise Refused(f"{joined.status_code}: {joined.text[:200]}")
        stream = self._client.stream("GET", f"gradio_api/queue/data?session_hash={session}")
        async with stream as replies:
            async for line in replies.aiter_lines():
                message = json.loads(line.removeprefix("data:")) if line[:5] == "data:" else {}
                if message.get("msg") == "process_completed":
                    if not message["success"]:
                        raise Refused(str(message["output"])[:200])
                    reply: dict[str, Any] = json.loads(message["output"]["data"][0])
                    return reply
        raise Refused("the stream ended without a reply")


def functions(config: dict[str, Any]) -> dict[str, int]:
    """Map each channel to the number of its function, from /config."""
    ids = {part["props"].get("elem_id"): part["id"] for part in config["components"]}
    found = {}
    for channel in ("explanation", "question"):
        target = ids[f"hl-request-{channel}"]
        found[channel] = next(
            dependency["id"]
            for dependency in config["dependencies"]
            if [target, "submit"] in [list(one) for one in dependency["targets"]]
        )
    return found


def sentence(chance: random.Random) -> str:
    """A sentence not requested before."""
    parts = [chance.choice(some) for some in (SUBJECTS, VERBS, OBJECTS, ENDS, ENDS, SUBJECTS)]
    return "{} {} {} {} {} and {}.".format(*parts).capitalize()


def about(text: str) -> dict[str, Any]:
    return {"text": text, "settings": {}}


async def lesson(visitor: Visitor, chance: random.Random, found: dict[str, list[float]]) -> None:
    """Simulate one pupil: a new sentence now and then, and clicks with questions about it."""
    await asyncio.sleep(chance.uniform(0, SENTENCE_EVERY))
    end, text, turn = time.perf_counter() + SECONDS, sentence(chance), 0
    while time.perf_counter() < end:
        begun = time.perf_counter()
        if turn % round(SENTENCE_EVERY / CLICK_EVERY) == 0:
            text = sentence(chance)
            reply = await visitor.ask(about(text))
            kind = "sentence"
        else:
            head = {"kind": "cross", "layer": turn % 3, "head": turn % 8, "matrix": False}
            click = {**about(text), "question": "microscope_head", "arguments": head}
            reply = await visitor.ask(click, "question")
            kind = "click"
        if "payload" not in reply:
            raise Refused(str(reply)[:200])
        found[kind].append(time.perf_counter() - begun)
        turn += 1
        await asyncio.sleep(max(0.0, begun + CLICK_EVERY - time.perf_counter()))


async def gathered(work: list[Awaitable[Any]]) -> list[str]:
    """Collect the errors of all visitors."""
    results = await asyncio.gather(*work, return_exceptions=True)
    return [repr(result) for result in results if isinstance(result, BaseException)]


async def a_class(new: Callable[[], Visitor]) -> list[tuple[str, str]]:
    found: dict[str, list[float]] = {"sentence": [], "click": []}
    errors = await gathered([lesson(new(), random.Random(i), found) for i in range(VISITORS)])
    rows = [(f"{VISITORS} visitors for {SECONDS:.0f} s: errors", _errors(errors))]
    for kind, seconds in found.items():
        rows.append((f"  {kind}, {len(seconds)} of them", _spread(seconds)))
    return rows


async def a_burst(new: Callable[[], Visitor]) -> list[tuple[str, str]]:
    found: list[float] = []

    async def press(at: float) -> None:
        await asyncio.sleep(at)
        begun = time.perf_counter()
        reply = await new().ask(about("Where does the old man live now?"))
        assert "payload" in reply, reply
        found.append(time.perf_counter() - begun)

    errors = await gathered([press(i / BURST) for i in range(BURST)])
    return [
        (f"{BURST} press one example within a second: errors", _errors(errors)),
        ("  until each is served", _spread(found)),
    ]


async def many(new: Callable[[], Visitor], process: int) -> list[tuple[str, str]]:
    """Measure resident memory before and after: a server that never frees anything grows."""
    errors: list[str] = []

    async def some(seed: int, count: int) -> None:
        visitor, chance = new(), random.Random(1_000 + seed)
        for _ in range(count):
            await visitor.ask(about(sentence(chance)))

    async def run(count: int, seed: int) -> None:
        errors.extend(
            await gathered([some(seed + i, count // AT_A_TIME) for i in range(AT_A_TIME)])
        )

    await run(EXPLANATIONS // 10, 0)  # the caches are filled to their limits
    before = resident(process)
    await run(EXPLANATIONS, 100)
    grown = (resident(process) - before) / 1e6
    return [
        (f"grown after {EXPLANATIONS} explanations, MB; errors", f"{grown:.0f}; {_errors(errors)}")
    ]


def resident(process: int) -> int:
    """Resident bytes of a process (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no VmRSS of process {process}")


def hostile(chance: random.Random) -> object:
    """A request that no page sends."""
    junk: list[object] = [
        None, 0, -1, 1e308, "", "x" * 5_000, [], [[[]]], {}, {"text": None}, True, "\0", "🙂" * 300,
        "<script>alert(1)</script>", "../../etc/passwd", {"beam_size": 10**9}, [2**40] * 50,
    ]  # fmt: skip
    fields = ("text", "settings", "shown", "prefix", "begin", "node", "interventions", "question")
    body = {name: chance.choice(junk) for name in chance.sample(fields, chance.randint(1, 8))}
    return body if chance.random() < 0.9 else chance.choice(junk)


async def attack(new: Callable[[], Visitor]) -> list[tuple[str, str]]:
    gate, replies = asyncio.Semaphore(AT_A_TIME), []

    async def one(seed: int) -> None:
        async with gate:
            replies.append(await new().ask(hostile(random.Random(seed))))

    errors = await gathered([one(seed) for seed in range(HOSTILE)])
    traced = sum("Traceback" in json.dumps(reply) for reply in replies)
    begun = time.perf_counter()
    after = await new().ask(about("I am a student."))
    served = f"{time.perf_counter() - begun:.2f} s" if "payload" in after else str(after)[:80]
    return [
        (f"{HOSTILE} hostile requests: not answered with a sentence or a record", _errors(errors)),
        ("  traces in the replies; the next visitor is served after", f"{traced}; {served}"),
    ]


def _errors(errors: list[str]) -> str:
    return f"{len(errors)}" + (f", such as {errors[0][:120]}" if errors else "")


def _spread(seconds: list[float]) -> str:
    if len(seconds) < 2:
        return "too few"
    p95 = statistics.quantiles(seconds, n=20)[-1]
    return f"median {statistics.median(seconds):.2f} s, p95 {p95:.2f}, worst {max(seconds):.2f}"


async def _all(address: str, process: int) -> AsyncIterator[tuple[str, str]]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        known = functions((await client.get("config")).json())

        def new() -> Visitor:
            return Visitor(client, known)

        await new().ask(about("Hello."))  # the model is loaded
        parts = (a_class, a_burst, attack, partial(many, process=process))
        for part in parts:
            for row in await part(new):
                yield row


def measure() -> Iterator[tuple[str, str]]:
    """Measure the requirements for a class of thirty."""
    with server() as (address, _, process):
        rows = _all(address, process)
        loop = asyncio.new_event_loop()
        while True:
            try:
                yield loop.run_until_complete(anext(rows))
            except StopAsyncIteration:
                break
        loop.close()
