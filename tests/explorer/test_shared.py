"""Equal requests are answered once, and nobody gets another's number."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from explorer.exchange.reply import Reply, to_json
from explorer.exchange.shared import SharedReplies


class Counted:
    """Answers like `reply.unnumbered`, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, sent: object) -> Reply:
        self.asked.append(sent)
        assert self.gate.wait(10)
        given = sent if isinstance(sent, dict) else {}
        body = to_json({"text": given.get("text")})
        return Reply("message" if given.get("text") == "" else "payload", body)


def test_thirty_at_once_cost_one() -> None:
    answer = Counted()
    shared = SharedReplies(answer)
    answer.gate.clear()
    with ThreadPoolExecutor(30) as pool:
        replies = [pool.submit(shared.reply, {"text": "a", "number": i}) for i in range(30)]
        answer.gate.set()
        found = [json.loads(one.result()) for one in replies]
    assert found == [{"number": i, "payload": {"text": "a"}} for i in range(30)]
    assert len(answer.asked) == 1
    shared.reply({"number": 7, "text": "b"})
    assert len(answer.asked) == 2, "another text is another request"


def test_what_is_refused_is_told_to_all_and_not_kept() -> None:
    answer = Counted()
    shared = SharedReplies(answer)
    for _ in range(2):
        assert json.loads(shared.reply({"text": "", "number": 3}))["message"] == {"text": ""}
    assert len(answer.asked) == 2


@pytest.mark.parametrize(
    "sent",
    [
        {"text": "a", "number": 1, "question": "times"},
        {"text": "a"},
        {"text": "a", "number": True},
        {"text": "a", "number": "1"},
        None,
        [1],
    ],
)
def test_questions_and_what_no_page_sends_are_passed_on(sent: object) -> None:
    answer = Counted()
    shared = SharedReplies(answer)
    assert shared.reply(sent) == shared.reply(sent) == Counted()(sent).to(sent)
    assert answer.asked == [sent, sent]


def test_an_error_reaches_all_who_wait_and_ends_there() -> None:
    def broken(sent: object) -> Reply:
        raise MemoryError

    shared = SharedReplies(broken)
    for _ in range(2):
        with pytest.raises(MemoryError):
            shared.reply({"text": "a", "number": 1})


def test_the_oldest_goes_when_there_is_too_much() -> None:
    answer = Counted()
    size = len(answer({"text": "a"}).body)
    shared = SharedReplies(answer, max_bytes=2 * size)
    answer.asked.clear()
    for text in "abac":  # b is the one that nobody wanted for longest
        shared.reply({"text": text, "number": 1})
    assert len(answer.asked) == 3
    shared.reply({"text": "a", "number": 1})
    assert len(answer.asked) == 3
    shared.reply({"text": "b", "number": 1})
    assert len(answer.asked) == 4
