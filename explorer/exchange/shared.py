"""Equal requests are answered once: thirty who press the same example cost one explanation."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

MAX_BYTES = 32_000_000  # of replies that are kept, the newest; one of 20 tokens has some 500 kB
_BEFORE = '{"number":null'  # how a reply to a request without a number begins
Answer = Callable[[object], str]


class SharedReplies:
    """Replies to requests for an explanation, by what was requested.

    Nothing in such a reply depends on who requested it, nor on when: sampling has its seed in the
    request. Questions are not kept; some of them measure.
    """

    def __init__(self, answer: Answer, max_bytes: int = MAX_BYTES) -> None:
        self._answer, self._max_bytes = answer, max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._at_work: dict[str, Future[str]] = {}

    def reply(self, sent: object) -> str:
        """What `answer` replies, from an equal request's reply where there is one."""
        if not isinstance(sent, dict) or "question" in sent:
            return self._answer(sent)
        number = sent.get("number")
        if isinstance(number, bool) or not isinstance(number, int):
            return self._answer(sent)
        rest = {name: value for name, value in sent.items() if name != "number"}
        return _BEFORE.replace("null", str(number)) + self._unnumbered(rest)[len(_BEFORE) :]

    def _unnumbered(self, request: dict[str, Any]) -> str:
        key = json.dumps(request, sort_keys=True)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key].decode()
            other = self._at_work.get(key)
            if other is None:
                mine = self._at_work[key] = Future()
        if other is not None:
            return other.result()
        try:
            text = self._answer(request)
            mine.set_result(text)
        except BaseException as error:
            mine.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._at_work[key]
        if text.startswith(f'{_BEFORE},"payload"'):
            self._keep(key, text.encode())
        return text

    def _keep(self, key: str, reply: bytes) -> None:
        with self._lock:
            self._bytes += len(reply) - len(self._kept.pop(key, b""))
            self._kept[key] = reply
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])
