"""Thirty followers of one teacher: how soon a press reaches them, what it costs, the pages' errors.

Five follow in Chromium windows of five sizes, twenty-five as clients of the protocol
(explorer/classroom/routes.py). HEADLIGHT_FOLLOWING=1200 presses for twenty minutes.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from bench.harness import Row, Site, chromium
from bench.shots import SIZES
from bench.visitors import Visitor, about, channels, sentence
from bench.workers import processor_time
from explorer.exchange.reply import to_json
from explorer.static import assets_path

SECONDS = float(os.environ.get("HEADLIGHT_FOLLOWING", "60"))
CLIENTS, FOLLOWERS = 25, 30
RUNS = 2  # of each measurement of the cost
EVERY = 3.0  # seconds between two presses
NEW = 5  # of so many presses one is a new sentence, which the model answers first
VIEWS = ("lens", "attention", "masks", "steps", "tree", "sampling")
CODE = "[data-part=class-code]"
LIVE = "document.body.dataset.ready === 'live' && window.headlight"
PRESS = "([view, text]) => { const at = Date.now(); const { page } = headlight; " + (
    "if (text === null) page.choose({ exhibit: view }); "
    "else page.explain({ text, shown: 0 }); return at / 1000; }"
)
WATCH = """setInterval(() => {
    const { page } = window.headlight ?? {};
    const now = JSON.stringify([page?.selection.get().exhibit, page?.record.get()?.text]);
    if (now !== window.lastSeen) (window.seen ??= []).push([Date.now() / 1000, now]);
    window.lastSeen = now;
}, 20)"""
Heard = list[tuple[float, str]]  # when, and what


class Clients:
    """The followers without a browser, in a thread of their own: what each heard, and when."""

    def __init__(self, site: str, code: str) -> None:
        self.site, self.code, self.errors, self.is_over = site, code, 0, False
        self.heard: list[Heard] = [[] for _ in range(CLIENTS)]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()))
        self._thread.start()

    def end(self) -> None:
        self.is_over = True
        self._thread.join()

    async def _all(self) -> None:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=self.site, timeout=30, limits=limits) as client:
            await asyncio.gather(*(self._follow(client, heard) for heard in self.heard))

    async def _follow(self, client: httpx.AsyncClient, heard: Heard) -> None:
        address = f"{assets_path()}class/"
        reply = await client.post(f"{address}join", json={"code": self.code})
        news = reply.json()["payload"]
        own = {"code": self.code, "id": news["id"]}
        while not self.is_over:
            asked = {**own, "since": news["version"], "wait": 5}
            try:
                reply = await client.post(f"{address}news", json=asked)
            except httpx.TransportError:  # a kept connection had ended; a browser asks again too
                continue
            if reply.status_code != 200 or "payload" not in reply.json():
                self.errors += 1
                await asyncio.sleep(1)
                continue
            news = reply.json()["payload"]
            heard.append((time.time(), news["state"]))


@contextmanager
def _page(browser: Browser, site: Site, query: str, size: str, errors: list[str]) -> Iterator[Page]:
    width, height, is_projector, _ = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.on("pageerror", lambda error: errors.append(f"{size}: {error}"))
    page.add_init_script(WATCH)
    page.goto(f"{site.url}{query}{'&size=projector' if is_projector else ''}")
    page.wait_for_function(LIVE, timeout=120_000)
    page.wait_for_selector(CODE, timeout=60_000)
    yield page


def _presses() -> Iterator[tuple[str | None, str | None]]:
    chance = random.Random(7)
    for number, view in enumerate(itertools.cycle(VIEWS), 1):
        yield (None, sentence(chance)) if number % NEW == 0 else (view, None)


def _after(heard: Heard, begun: float, mark: str) -> list[float]:
    """Seconds from a press until it was heard, or nothing."""
    return [when - begun for when, what in heard if when >= begun and mark in what][:1]


def measure(site: Site) -> Iterator[Row]:
    """Press for a while and measure when each press is heard and seen."""
    errors: list[str] = []
    times: dict[str, list[float]] = {f"{a} {b}": [] for a in ("view", "text") for b in ("c", "p")}
    missed, count = 0, 0
    with chromium() as browser, _page(browser, site, "?class=new", "laptop", errors) as teacher:
        query = f"?class={teacher.inner_text(CODE)}"
        pages = [_page(browser, site, query, size, errors).__enter__() for size in SIZES]
        clients = Clients(site.url, query.removeprefix("?class="))
        teacher.wait_for_selector(f"[data-part=class-here]:text('{FOLLOWERS} here')")
        end = time.time() + SECONDS
        try:
            for view, text in _presses():
                if time.time() > end:
                    break
                begun = teacher.evaluate(PRESS, [view, text])
                teacher.wait_for_timeout((EVERY if text is None else 3 * EVERY) * 1000)
                kind, mark = ("view", view) if text is None else ("text", text)
                link = httpx.QueryParams({kind: mark})
                for of, all_heard, sign in (
                    ("c", clients.heard, str(link)),
                    ("p", [page.evaluate("seen") for page in pages], to_json(mark)),
                ):
                    got = [_after([tuple(h) for h in one], begun, sign) for one in all_heard]
                    missed += sum(not one for one in got)
                    times[f"{kind} {of}"] += [one[0] for one in got if one]
                count += 1
        finally:
            clients.end()
    yield Row(f"{count} presses: a view at {CLIENTS} clients", times["view c"], "s")
    yield Row("  a view on five pages", times["view p"], "s")
    yield Row("  a new sentence, with the model's answer, at the clients", times["text c"], "s")
    yield Row("  a new sentence on the pages, with their own requests", times["text p"], "s")
    yield Row("  not heard before the next press", str(missed))
    yield Row("  errors of pages and clients", str([*errors, clients.errors]))
    yield from asyncio.run(_cost(site))


async def _cost(site: Site) -> list[Row]:
    """The server's processor time for a sentence: of one visitor, of a class, of thirty alone."""
    chance, rows = random.Random(8), []
    async with httpx.AsyncClient(base_url=site.url, timeout=120) as client:
        known = await channels(client)
        visitors = [Visitor(client, known) for _ in range(FOLLOWERS)]

        async def used(texts: list[str]) -> float:
            before = processor_time(site.process)
            asked: list[Any] = [
                visitor.ask(about(text)) for visitor, text in zip(visitors, texts, strict=False)
            ]
            await asyncio.gather(*asked)
            return processor_time(site.process) - before

        for what, count, new in (
            ("one visitor", 1, 1),
            (f"{FOLLOWERS} visitors, the same sentence", FOLLOWERS, 1),
            (f"{FOLLOWERS} visitors, {FOLLOWERS} sentences", FOLLOWERS, FOLLOWERS),
        ):
            runs = [
                await used([sentence(chance) for _ in range(new)] * (count // new))
                for _ in range(RUNS)
            ]
            rows.append(Row(f"  processor time of the server: {what}", runs, "s"))
    return rows
