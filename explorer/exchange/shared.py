"""Identical requests are answered once: thirty visitors with one example cost one explanation."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from explorer.exchange.reply import Reply

MAX_BYTES = 32_000_000  # bytes of the newest replies kept; one of 20 tokens has about 500 kB
Answer = Callable[[object], Reply]


class SharedReplies:
    """Replies to requests for an explanation, by what was requested.

    Such a reply does not depend on the visitor or the time: the seed of sampling is in the request.
    Answers to questions are not kept; some measure times.
    """

    def __init__(self, answer: Answer, max_bytes: int = MAX_BYTES) -> None:
        self._answer, self._max_bytes = answer, max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._at_work: dict[str, Future[Reply]] = {}

    def reply(self, sent: object) -> str:
        """The reply of `answer`, reused if an identical request was answered before."""
        if not isinstance(sent, dict) or "question" in sent:
            return self._answer(sent).to(sent)
        number = sent.get("number")
        if isinstance(number, bool) or not isinstance(number, int):
            return self._answer(sent).to(sent)
        rest = {name: value for name, value in sent.items() if name != "number"}
        return self._unnumbered(rest).to(sent)

    def _unnumbered(self, request: dict[str, Any]) -> Reply:
        key = json.dumps(request, sort_keys=True)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return Reply("payload", self._kept[key].decode())
            other = self._at_work.get(key)
            if other is None:
                mine = self._at_work[key] = Future()
        if other is not None:
            return other.result()
        try:
            reply = self._answer(request)
            mine.set_result(reply)
        except BaseException as error:
            mine.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._at_work[key]
        if reply.kind == "payload":
            self._keep(key, reply.body.encode())
        return reply

    def _keep(self, key: str, reply: bytes) -> None:
        with self._lock:
            self._bytes += len(reply) - len(self._kept.pop(key, b""))
            self._kept[key] = reply
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])
