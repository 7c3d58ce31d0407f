"""A class of thirty over the page's own protocol: waiting times, a burst, memory, hostile requests.

What a limit of the server does under attack is in bench/abuse.py.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx

from bench.harness import Row, Site
from bench.visitors import Refused, Visitor, about, channels, resident, sentence
from explorer.guard.turns import BEAMS

SECONDS = 60.0  # seconds that the class works
VISITORS = 30
SENTENCE_EVERY, CLICK_EVERY = 10.0, 2.0  # seconds, each visitor
LINED = {"without lines": 0, "one line each": 1, "lines of the tree": BEAMS}
BURST = 100
EXPLANATIONS, AT_A_TIME = 5_000, 8
HOSTILE = 2_000
New = Callable[[], Visitor]


def measure(site: Site) -> Iterator[Row]:
    """Measure the requirements for a class of thirty."""
    for part in (a_class, a_burst, attack, many):
        yield from asyncio.run(_with_visitors(part, site))


async def _with_visitors(part: Callable[[New, int], Awaitable[list[Row]]], site: Site) -> list[Row]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=site.url, timeout=120, limits=limits) as client:
        known = await channels(client)

        def new() -> Visitor:
            return Visitor(client, known)

        await new().ask(about("Hello."))  # the model is loaded
        return await part(new, site.process)


async def lesson(
    visitor: Visitor, chance: random.Random, seconds: dict[str, list[float]], n_lines: int
) -> None:
    """Simulate one pupil: a new sentence now and then, and clicks with questions about it.

    The page does not wait for its lines, but asks for no others meanwhile.
    """
    lined: asyncio.Future[None] = asyncio.ensure_future(asyncio.sleep(0))
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
        seconds[kind].append(time.perf_counter() - begun)
        if kind == "sentence" and n_lines and lined.done():
            lined = asyncio.ensure_future(_lined(visitor, reply, n_lines, seconds["lines"]))
        turn += 1
        await asyncio.sleep(max(0.0, begun + CLICK_EVERY - time.perf_counter()))
    await lined


async def _lined(
    visitor: Visitor, reply: dict[str, Any], n_lines: int, seconds: list[float]
) -> None:
    answered = time.perf_counter()
    await visitor.lines(reply, n_lines)
    seconds.append(time.perf_counter() - answered)


async def gathered(work: list[Awaitable[Any]]) -> str:
    """The number of visitors with an error, and one of these."""
    results = await asyncio.gather(*work, return_exceptions=True)
    errors = [repr(result) for result in results if isinstance(result, BaseException)]
    return f"{len(errors)}" + (f", such as {errors[0][:120]}" if errors else "")


async def a_class(new: New, process: int) -> list[Row]:
    """Measure it on one server: without the reader's lines, with that of each translation, with
    those of all hypotheses, as if everybody looked at the tree.
    """
    rows = []
    for n, (name, n_lines) in enumerate(LINED.items()):
        seconds: dict[str, list[float]] = {"sentence": [], "click": [], "lines": []}
        seeds = range(n * VISITORS, (n + 1) * VISITORS)
        work = [lesson(new(), random.Random(seed), seconds, n_lines) for seed in seeds]
        errors = await gathered(work)
        rows.append(Row(f"{VISITORS} visitors for {SECONDS:.0f} s, {name}: errors", errors))
        rows += [Row(f"  {name}, {kind}", times, "s") for kind, times in seconds.items() if times]
    return rows


async def a_burst(new: New, process: int) -> list[Row]:
    seconds: list[float] = []

    async def press(at: float) -> None:
        await asyncio.sleep(at)
        begun = time.perf_counter()
        reply = await new().ask(about("Where does the old man live now?"))
        assert "payload" in reply, reply
        seconds.append(time.perf_counter() - begun)

    errors = await gathered([press(i / BURST) for i in range(BURST)])
    return [
        Row(f"{BURST} press one example within a second: errors", errors),
        Row("  until each is served", seconds, "s"),
    ]


async def many(new: New, process: int) -> list[Row]:
    """Measure resident memory before and after: a server that never frees anything grows."""

    async def ask(seed: int, count: int) -> None:
        visitor, chance = new(), random.Random(1_000 + seed)
        for _ in range(count):
            await visitor.ask(about(sentence(chance)))

    async def run(count: int, seed: int) -> str:
        return await gathered([ask(seed + i, count // AT_A_TIME) for i in range(AT_A_TIME)])

    await run(EXPLANATIONS // 10, 0)  # the caches are filled to their limits
    before = resident(process)
    errors = await run(EXPLANATIONS, 100)
    grown = (resident(process) - before) / 1e6
    what = f"{EXPLANATIONS} explanations"
    return [Row(f"{what}: errors", errors), Row(f"  grown after {what}", [grown], "MB")]


def hostile(chance: random.Random) -> object:
    """A request that no page sends."""
    junk: list[object] = [
        None, 0, -1, 1e308, "", "x" * 5_000, [], [[[]]], {}, {"text": None}, True, "\0", "🙂" * 300,
        "<script>alert(1)</script>", "../../etc/passwd", {"beam_size": 10**9}, [2**40] * 50,
    ]  # fmt: skip
    fields = ("text", "settings", "shown", "prefix", "begin", "node", "interventions", "question")
    body = {name: chance.choice(junk) for name in chance.sample(fields, chance.randint(1, 8))}
    return body if chance.random() < 0.9 else chance.choice(junk)


async def attack(new: New, process: int) -> list[Row]:
    gate, replies = asyncio.Semaphore(AT_A_TIME), []

    async def ask(seed: int) -> None:
        async with gate:
            replies.append(await new().ask(hostile(random.Random(seed))))

    errors = await gathered([ask(seed) for seed in range(HOSTILE)])
    traced = sum("Traceback" in json.dumps(reply) for reply in replies)
    begun = time.perf_counter()
    after = await new().ask(about("I am a student."))
    assert "payload" in after, after
    return [
        Row(f"{HOSTILE} hostile requests: not answered with a sentence or a record", errors),
        Row("  traces in the replies", str(traced)),
        Row("  the next visitor is served after", [time.perf_counter() - begun], "s"),
    ]
