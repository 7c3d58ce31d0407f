"""Whose turn it is: many names of one client do not push the others aside, and a class gets in."""

from __future__ import annotations

import pytest

from model.errors import InputError
from model.labs.playground.job import Job, Visitor
from model.labs.playground.line import MAX_WAITING, Line, in_turns
from model.labs.playground.settings import Settings

GREEDY, HONEST = "10.0.0.1", "10.0.0.2"
SCRIPT, CHROME = "python-httpx/0.28", "Mozilla/5.0 Chrome/140"


def entered(line: Line, visitor: Visitor, settings: Settings | None = None) -> Job:
    """A run of a visitor in the line."""
    job = Job(0, settings or Settings())
    line.enter(job, visitor)
    job.followers[visitor] = (0.0, False)
    line.turns()
    return job


def many(line: Line, count: int, address: str, browser: str = "", first: int = 0) -> list[Job]:
    return [
        entered(line, Visitor(f"{address} {browser} {n}", address, browser))
        for n in range(first, first + count)
    ]


def served(line: Line) -> list[Job]:
    """All runs in the order in which the line lets them go."""
    order = []
    while jobs := line.turns():
        order.append(jobs[0])
        line.serve(jobs[0])
    return order


def test_lists_take_turns() -> None:
    assert list(in_turns([[1, 2, 3], [4], [5, 6]])) == [1, 4, 5, 2, 6, 3]
    assert list(in_turns([])) == []


def test_an_honest_visitor_waits_for_one_run_of_a_greedy_address() -> None:
    line = Line()
    line.serve(many(line, 1, GREEDY)[0])  # it trains now
    many(line, 30, GREEDY, first=1)
    honest = entered(line, Visitor("me", HONEST))
    assert line.turns()[0] is honest
    # Again and again: never more than one run of the other address between two of theirs.
    for _ in range(5):
        line.serve(honest)
        honest = entered(line, Visitor("me", HONEST))
        many(line, 3, GREEDY, first=100)
        assert line.turns().index(honest) == 1
        line.serve(line.turns()[0])
        assert line.turns()[0] is honest


def test_whoever_comes_back_while_their_run_trains_is_behind_all_who_come_meanwhile() -> None:
    line = Line()
    line.serve(many(line, 1, GREEDY)[0])
    greedy = many(line, 1, GREEDY, first=1)[0]
    honest = entered(line, Visitor("me", HONEST))
    assert line.turns() == [honest, greedy]


def test_behind_one_router_a_script_has_the_turns_of_one_browser() -> None:
    line = Line()
    greedy = many(line, 31, GREEDY, SCRIPT)
    honest = entered(line, Visitor("me", GREEDY, CHROME))
    assert served(line)[:3] == [greedy[0], honest, greedy[1]]


def test_a_class_behind_one_router_trains_in_the_order_in_which_it_came() -> None:
    line = Line()
    pupils = many(line, 30, GREEDY, CHROME)
    assert served(line) == pupils


def test_two_classes_take_turns() -> None:
    line = Line()
    first, second = many(line, 3, GREEDY, CHROME), many(line, 3, HONEST, CHROME)
    order = served(line)
    assert order == [run for pair in zip(first, second, strict=True) for run in pair]


def test_no_client_that_comes_and_goes_keeps_another_waiting() -> None:
    """Whoever comes with ever new addresses goes behind those who were there before."""
    line = Line()
    many(line, 3, GREEDY)
    mine = entered(line, Visitor("me", HONEST))
    before = 0
    while line.turns()[0] is not mine:
        many(line, 2, f"10.9.0.{before}")
        line.serve(line.turns()[0])
        before += 1
    assert before <= 2


def test_a_shared_run_has_the_best_of_its_visitors_turns() -> None:
    line = Line()
    greedy = many(line, 20, GREEDY)
    greedy[-1].followers[Visitor("me", HONEST)] = (0.0, False)
    assert line.turns().index(greedy[-1]) == 1


def test_a_full_line_makes_room_for_who_has_fewer_places() -> None:
    line = Line()
    greedy = many(line, MAX_WAITING, GREEDY)
    with pytest.raises(InputError, match=f"{MAX_WAITING} runs are already waiting"):
        entered(line, Visitor("one more", GREEDY))
    honest = Job(0, Settings())
    assert line.enter(honest, Visitor("me", HONEST)) is greedy[-1]
    honest.followers[Visitor("me", HONEST)] = (0.0, False)
    assert honest in line and greedy[-1] not in line
    # Nor does it lose its place to more of the same.
    with pytest.raises(InputError, match="Try again"):
        entered(line, Visitor("another one", GREEDY))
    assert honest in line and len(line.turns()) == MAX_WAITING


def test_a_full_line_is_shared_out_between_addresses_and_then_browsers() -> None:
    line = Line()
    many(line, MAX_WAITING, GREEDY, SCRIPT)
    half = MAX_WAITING // 2
    pupils = many(line, half, HONEST, CHROME)
    with pytest.raises(InputError):
        entered(line, Visitor("one more", HONEST, CHROME))
    neighbours = many(line, half // 2, GREEDY, CHROME)  # behind the router of the greedy one
    assert all(job in line for job in (*pupils, *neighbours))
    with pytest.raises(InputError):
        entered(line, Visitor("one more", GREEDY, CHROME))
