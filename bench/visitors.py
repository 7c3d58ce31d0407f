"""Visitors without a browser, over the page's own protocol.

An event is posted to queue/join, and its reply comes as a server-sent event of queue/data; a
training run is polled. The tests of the server use them too.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from explorer.exchange.lines import LINES
from explorer.static import assets_path

PATIENCE = 120.0  # seconds until a visitor gives up: Gradio keeps a stream without replies open
FOLLOW_EVERY = 0.25  # seconds, as a slow browser does
SUBJECTS = ("the old man", "a teacher", "my sister", "this boy", "our friend", "the dog")
VERBS = ("sees", "likes", "reads", "buys", "has", "wants", "finds", "knows")
OBJECTS = ("a red car", "the new book", "a good idea", "her house", "some tea", "two cats")
ENDS = ("today", "every day", "in the morning", "at home", "with me", "again")


class Refused(Exception):
    """The server did not answer an event."""


class Visitor:
    """One browser's session with a running page; `begun` is called when a request's turn comes."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        channels: dict[str, int],
        patience: float = PATIENCE,
        begun: Callable[[], object] = lambda: None,
    ) -> None:
        self._client, self._channels, self._patience = client, channels, patience
        self._begun = begun
        self._number = 0
        self._session = uuid.uuid4().hex  # like a browser's while the page is open

    async def ask(self, body: object, channel: str = "explanation") -> dict[str, Any]:
        """Get the reply to one request, as the page's scripts would.

        Raises:
            Refused: the queue was full, the event failed, or there was no reply in time.
        """
        try:
            return await asyncio.wait_for(self._answer(body, channel), self._patience)
        except asyncio.TimeoutError:
            raise Refused(f"no reply within {self._patience:.0f} s") from None

    async def _answer(self, body: object, channel: str) -> dict[str, Any]:
        """Like the page, ask again while the model is loading."""
        while "waiting" in (reply := await self._ask(body, channel)):
            await asyncio.sleep(0.2)
        return reply

    async def lines(self, reply: dict[str, Any], most: int, model: str = "zh-en") -> None:
        """Get the reader's lines of the best hypotheses of a reply, as the page does after it.

        Raises:
            Refused: the server did not answer.
        """
        texts = [one["text"] for one in reply["payload"]["hypotheses"]][:most]
        address, asked = f"{assets_path()}call/{LINES}", {"model": model, "texts": texts}
        while True:
            answer = await self._client.post(address, json=asked)
            if answer.status_code != 200 or "message" in answer.json():
                raise Refused(f"{answer.status_code}: {answer.text[:200]}")
            if "payload" in answer.json():
                return
            await asyncio.sleep(0.5)  # its model is being loaded

    async def _ask(self, body: object, channel: str) -> dict[str, Any]:
        self._number += 1
        sent = {**body, "number": self._number} if isinstance(body, dict) else body
        session = self._session
        event = {"fn_index": self._channels[channel], "session_hash": session, "data": [sent]}
        joined = await self._client.post("gradio_api/queue/join", json=event)
        if joined.status_code != 200:
            raise Refused(f"{joined.status_code}: {joined.text[:200]}")
        stream = self._client.stream("GET", f"gradio_api/queue/data?session_hash={session}")
        async with stream as replies:
            async for line in replies.aiter_lines():
                message = json.loads(line.removeprefix("data:")) if line[:5] == "data:" else {}
                if message.get("msg") == "process_starts":
                    self._begun()
                if message.get("msg") == "process_completed":
                    if not message["success"]:
                        raise Refused(str(message["output"])[:200])
                    reply: dict[str, Any] = json.loads(message["output"]["data"][0])
                    return reply
        raise Refused("the stream ended without a reply")


class Trainee:
    """A visitor of the playground, as its page behaves."""

    def __init__(self, client: httpx.AsyncClient, settings: dict[str, Any]) -> None:
        self._client, self.settings, self.name = client, settings, uuid.uuid4().hex
        self.state = "none"
        self._since = 0

    async def look(self) -> str:
        """Poll the run once; the first call starts it."""
        run = {"settings": self.settings, "since": self._since, "paused": False}
        reply = await self._call("follow", **run)
        if "payload" in reply:
            self.state = reply["payload"]["state"]
            self._since += len(reply["payload"]["frames"])
        else:
            self.state = "refused"
        return self.state

    async def until(self, *states: str, seconds: float = 300.0) -> float:
        """Follow the run until it has one of these states; return the seconds."""
        begun = time.monotonic()
        while await self.look() not in states:
            if time.monotonic() - begun > seconds:
                raise TimeoutError(f"still {self.state} after {seconds:.0f} s")
            await asyncio.sleep(FOLLOW_EVERY)
        return time.monotonic() - begun

    async def leave(self) -> None:
        await self._call("leave")

    async def _call(self, name: str, **arguments: Any) -> dict[str, Any]:
        asked = {"visitor": self.name, **arguments}
        answer = await self._client.post(f"{assets_path()}call/playground_{name}", json=asked)
        reply: dict[str, Any] = answer.json()
        return reply


async def channels(client: httpx.AsyncClient) -> dict[str, int]:
    """Map each channel to the number of its function."""
    config = (await client.get("config")).json()
    ids = {part["props"].get("elem_id"): part["id"] for part in config["components"]}
    found = {}
    for channel in ("explanation", "question"):
        target = ids[f"hl-request-{channel}"]
        found[channel] = next(
            dependency["id"]
            for dependency in config["dependencies"]
            if [target, "submit"] in [list(pair) for pair in dependency["targets"]]
        )
    return found


def sentence(chance: random.Random) -> str:
    """A sentence not requested before."""
    parts = [chance.choice(some) for some in (SUBJECTS, VERBS, OBJECTS, ENDS, ENDS, SUBJECTS)]
    return "{} {} {} {} {} and {}.".format(*parts).capitalize()


def about(text: str) -> dict[str, Any]:
    return {"text": text, "settings": {}}


def resident(process: int) -> int:
    """Resident bytes of a process (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no VmRSS of process {process}")
