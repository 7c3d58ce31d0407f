"""Calls for the reader's lines: one at a time, in turns, and no more than there is room for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from explorer import calls
from explorer.exchange.reply import Reply
from explorer.guard import lane
from explorer.guard.lane import Full, Lane
from explorer.origin import Origin
from explorer.static import assets_path
from tests.loops import run

SCRIPT, PUPIL, TEACHER = Origin("9.9.9.9", "a"), Origin("1.1.1.1", "b"), Origin("1.1.1.1", "c")


async def served(
    *calls_of: Origin, gone: int | None = None, sizes: Sequence[int] = ()
) -> list[int]:
    """The numbers of the calls in the order of their turns, one of which may be cancelled."""
    own, order, alone = Lane(), [], asyncio.Lock()

    async def call(number: int) -> None:
        async with own.turn(calls_of[number], sizes[number] if sizes else 1):
            assert not alone.locked()
            async with alone:
                await asyncio.sleep(0.001)
                order.append(number)

    tasks = [asyncio.create_task(call(number)) for number in range(len(calls_of))]
    await asyncio.sleep(0)
    if gone is not None:
        tasks[gone].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return order


def test_one_visitor_with_many_calls_does_not_hold_up_the_others() -> None:
    assert run(served(SCRIPT, SCRIPT, SCRIPT, SCRIPT, PUPIL, PUPIL, TEACHER)) == [
        0, 4, 1, 6, 2, 5, 3
    ]  # fmt: skip


def test_in_a_class_one_line_goes_before_many_but_not_before_another_address() -> None:
    assert run(served(SCRIPT, PUPIL, PUPIL, TEACHER, SCRIPT, sizes=[9, 9, 9, 1, 1])) == [
        0, 3, 4, 1, 2
    ]  # fmt: skip


def test_a_large_call_that_has_waited_long_is_as_small_as_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lane, "AGED", 0.0)
    assert run(served(PUPIL, PUPIL, PUPIL, PUPIL, sizes=[1, 9, 1, 1])) == [0, 1, 2, 3]


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_call_that_is_given_up_passes_its_turn_on(gone: int) -> None:
    assert run(served(SCRIPT, SCRIPT, SCRIPT, gone=gone)) == [n for n in range(3) if n != gone]


def test_a_call_that_is_given_up_as_its_turn_comes_passes_it_on() -> None:
    async def whole() -> None:
        own = Lane()
        async with own.turn(SCRIPT, 1):
            first, second = [
                asyncio.create_task(own.turn(SCRIPT, 1).__aenter__()) for _ in range(2)
            ]
            await asyncio.sleep(0)
        first.cancel()  # which does not know yet that it is next
        await asyncio.wait_for(second, 20)

    run(whole())


def test_nobody_comes_between_a_turn_and_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    async def whole() -> None:
        own = Lane()
        async with own.turn(SCRIPT, 1):
            following = asyncio.create_task(own.turn(SCRIPT, 1).__aenter__())
            await asyncio.sleep(0)
        monkeypatch.setattr(lane, "MAX_WAITING", 0)
        with pytest.raises(Full):  # it would have to wait
            await own.turn(PUPIL, 1).__aenter__()
        await following

    run(whole())


def test_an_address_has_no_more_than_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "MAX_OF_ONE", 1)

    async def whole() -> None:
        own = Lane()
        async with own.turn(PUPIL, 1):
            waiting = asyncio.create_task(own.turn(PUPIL, 1).__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(Full):
                await own.turn(TEACHER, 1).__aenter__()
            other = asyncio.create_task(own.turn(SCRIPT, 1).__aenter__())
            await asyncio.sleep(0)
        await asyncio.wait([waiting, other], return_when=asyncio.FIRST_COMPLETED)
        assert other.done() and not waiting.done()
        waiting.cancel()

    run(whole())


def test_beyond_its_room_the_lane_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """And answers all those that wait."""
    monkeypatch.setattr(lane, "MAX_WAITING", 2)
    go_on = threading.Event()

    def ask(_: object) -> Reply:
        go_on.wait(20)
        return Reply("payload", '{"lines": []}')

    app = Starlette(routes=[calls.calls_route(ask)])

    async def whole() -> list[int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
            address, body = f"{assets_path()}call/lines", {"model": "zh-en", "texts": ["x"]}
            sent: list[Any] = [asyncio.create_task(client.post(address, json=body))]
            for _ in range(3):
                await asyncio.sleep(0.05)
                sent.append(asyncio.create_task(client.post(address, json=body)))
            await asyncio.wait([sent[-1]])
            go_on.set()
            return [reply.status_code for reply in await asyncio.gather(*sent)]

    assert run(whole()) == [200, 200, 200, 503]
