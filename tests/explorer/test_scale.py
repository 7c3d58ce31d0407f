"""docs/scale.md is true: two servers behind a balancer, a class of visitors, the real protocol.

Sixty of them in `make test-long`, as many as it promises; sixteen in the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from gradio_client import Client

from bench.visitors import Refused, Visitor, channels
from explorer.page import build
from explorer.serving import launch_settings
from model.explain import Explainer
from tests import loops, tiny
from tests.browsing import free_port
from tests.tiers import IS_LONG

ROOT = Path(__file__).parents[2]
TEXT = "I am a small frog."
VISITORS = 60 if IS_LONG else 16
HEAD = {"kind": "cross", "layer": 0, "head": 1, "matrix": False}
CLICK = {"question": "microscope_head", "arguments": HEAD}
Choose = Callable[[str], int]  # from the head of a request to a server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    """Two servers, each with its own model, queue and sessions; they share this process."""
    folder = tiny.write_own(tmp_path_factory.mktemp("scale") / "tiny", max_positions=160)
    demos = []
    for _ in range(2):
        models = tiny.only(lambda: Explainer.load(folder, device="cpu"))
        demos.append(build(models))
        settings = launch_settings(models)
        demos[-1].launch(server_name="127.0.0.1", prevent_thread_lock=True, quiet=True, **settings)
    yield [demo.server_port for demo in demos]
    for demo in demos:
        demo.close(verbose=False)


class Balancer:
    """Reads the head of a connection's request, chooses a server, and passes all on."""

    def __init__(self, ports: list[int], choose: Choose) -> None:
        self.port, self.served = free_port(), [0] * len(ports)
        self._ports, self._choose = ports, choose
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(10)

    def _run(self, ready: threading.Event) -> None:
        start = asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self._loop.run_until_complete(start)
        self._loop.call_soon(ready.set)
        self._loop.run_forever()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            chosen = self._choose(head.decode("latin-1"))
            self.served[chosen] += 1
            there, back = await asyncio.open_connection("127.0.0.1", self._ports[chosen])
            back.write(head)
            both = (self._copy(reader, back), self._copy(there, writer))
            await asyncio.gather(*both, return_exceptions=True)

    @staticmethod
    async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            while part := await reader.read(65_536):
                writer.write(part)
                await writer.drain()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)


def by_turns() -> Choose:
    turns = itertools.cycle((0, 1))
    return lambda _: next(turns)


def by_cookie(head: str) -> int:
    found = re.search(r"headlight=(\w+)", head)
    return zlib.crc32(found[1].encode()) % 2 if found else 0


async def visit(url: str, name: str | None, limits: httpx.Limits, patience: float) -> None:
    """One visitor: the page, a sentence, and a question about it. `name` is a cookie's."""
    cookies = {"headlight": name} if name else None
    async with httpx.AsyncClient(
        base_url=url, timeout=60, limits=limits, cookies=cookies, verify=False
    ) as client:
        assert (await client.get("/")).status_code == 200
        visitor = Visitor(client, await channels(client), patience)
        for body, channel in (({}, "explanation"), (CLICK, "question")):
            reply = await visitor.ask({"text": TEXT, "settings": {}, **body}, channel)
            if "payload" not in reply:
                raise Refused(str(reply)[:200])


def drive(url: str, count: int, *, named: bool, patience: float = 60) -> list[BaseException]:
    """What went wrong for so many visitors, who all come at once."""
    limits = httpx.Limits(max_keepalive_connections=0)  # a balancer chooses for each request

    async def all_of_them() -> list[BaseException]:
        names = [f"visitor{i}" if named else None for i in range(count)]
        visits = [visit(url, name, limits, patience) for name in names]
        results = await asyncio.gather(*visits, return_exceptions=True)
        return [result for result in results if result is not None]

    return loops.run(all_of_them())


def test_visitors_keep_to_their_server(ports: list[int]) -> None:
    balancer = Balancer(ports, by_cookie)
    try:
        assert drive(f"http://127.0.0.1:{balancer.port}/", VISITORS, named=True) == []
        assert min(balancer.served) > VISITORS  # six requests of each visitor, on either server
    finally:
        balancer.stop()


@pytest.mark.long
def test_turns_do_not_work(ports: list[int]) -> None:
    """The twin, and the reason for the cookie: the stream reaches the wrong server."""
    balancer = Balancer(ports, by_turns())
    try:
        errors = drive(f"http://127.0.0.1:{balancer.port}/", 12, named=True, patience=4)
        assert errors
    finally:
        balancer.stop()


def configured(folder: Path, port: int, *servers: int) -> Path:
    """The configuration of docs/scale.md with the ports of this test."""
    block = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / "scale.md").read_text(), re.DOTALL)
    assert len(block) == 1
    text = block[0]
    for documented, real in zip((7860, 7861, 7862), (port, *servers), strict=True):
        assert str(documented) in text
        text = text.replace(str(documented), str(real))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    owner = "user root;\n" if os.geteuid() == 0 else ""
    path = folder / "nginx.conf"
    path.write_text(
        f"{owner}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.txt;\n"
        f"events {{ worker_connections 1024; }}\nhttp {{\n{places}"
        f"log_format servers '$upstream_addr';\naccess_log {folder}/access.txt servers;\n"
        f"{text}}}\n"
    )
    return path


@contextlib.contextmanager
def nginx(folder: Path, *servers: int) -> Iterator[str]:
    """The address of nginx before servers on these ports."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    path = configured(folder, port, *servers)
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(path)])
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert process.poll() is None, (folder / "error.txt").read_text()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait(10)


def test_the_documented_nginx_serves_them(tmp_path: Path, ports: list[int]) -> None:
    """All from one address, as a class behind one router is; nginx gives each a cookie."""
    with nginx(tmp_path, *ports) as url:
        assert drive(url, VISITORS, named=False) == []
        client = Client(url, verbose=False)
        assert client.predict(TEXT, api_name="/translate")["tokens"]
    served = (tmp_path / "access.txt").read_text().split()
    assert min(served.count(f"127.0.0.1:{port}") for port in ports) > VISITORS


def test_the_other_server_takes_over(tmp_path: Path, ports: list[int]) -> None:
    with nginx(tmp_path, ports[0], free_port()) as url:  # nobody listens on the second
        assert drive(url, 12, named=False) == []
