"""The picture of a view as PDF, printed by a Chromium of this machine: the view's own page in it
presses its PDF, so it is the picture that the page gives.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from model.errors import InputError

NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
    "google-chrome-stable", "chrome",
)  # fmt: skip
PATIENCE = 120.0  # seconds, on a busy machine
ELSE = "save the view as .html, open it in a browser and take a picture from its menu Download."
# Chromium reads orders from its file 3 and writes replies to its file 4.
PIPED = """import fcntl, os, sys
given = [fcntl.fcntl(int(one), fcntl.F_DUPFD_CLOEXEC, 10) for one in sys.argv[1:3]]
for at, one in enumerate(given, 3):
    os.dup2(one, at)
os.execvp(sys.argv[3], sys.argv[3:])
"""
END = b"\0"  # of a message
# Presses PDF once the view is drawn; false if it has none, because its picture is made of pixels.
PRESS = """new Promise((done) => {
  const looking = setInterval(() => {
    const { ready, busy, asking } = document.body?.dataset ?? {};
    const menu = document.querySelector(".hl-download:not([inert])");
    if (ready !== "live" || busy !== undefined || asking !== undefined || menu === null) return;
    clearInterval(looking);
    window.print = () => done(true);
    const button = document.querySelector("[data-format=pdf]");
    if (button === null) done(false);
    else button.click();
  }, 50);
})"""


def pdf(document: str) -> bytes:
    """The picture of a view's document (explorer/notebook.py).

    Raises:
        InputError: there is no Chromium, it fails, or the view has no such picture.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        page = Path(place, "view.html")
        page.write_text(document, "utf-8")
        with _opened(page) as tab:
            pressed = tab.call("Runtime.evaluate", expression=PRESS, awaitPromise=True)
            if not pressed["result"].get("value"):
                raise InputError(f"The picture of this view is made of pixels: {ELSE}")
            printed = tab.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
    return base64.b64decode(printed["data"])


class _Tab:
    """A page in a Chromium, which is told what to do through a pair of pipes."""

    def __init__(self, orders: IO[bytes], replies: IO[bytes], url: str) -> None:
        self._orders, self._replies, self._number, self._session = orders, replies, 0, ""
        target = self.call("Target.createTarget", url="about:blank")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        self.call("Page.navigate", url=url)

    def call(self, method: str, **values: object) -> dict[str, Any]:
        """The result of a command of the DevTools protocol.

        Raises:
            InputError: Chromium refuses it, or has ended.
        """
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        sent = {"id": self._number, "method": method, "params": values, **session}
        try:
            self._orders.write(json.dumps(sent).encode() + END)
            while (reply := json.loads(self._next())).get("id") != self._number:
                pass  # an event
        except (OSError, ValueError):
            raise InputError("Chromium ended before it printed a PDF.") from None
        if "error" in reply:
            raise InputError(f"Chromium printed no PDF: {reply['error']['message']}.")
        result: dict[str, Any] = reply["result"]
        return result

    def _next(self) -> bytes:
        """The next message; an end without one is no JSON."""
        read = bytearray()
        while (byte := self._replies.read(1)) not in (END, b""):
            read += byte
        return bytes(read)


@contextmanager
def _opened(page: Path) -> Iterator[_Tab]:
    """A Chromium with a page of the disk, ended afterwards or after a while."""
    chromium = _chromium()
    read, orders = os.pipe()
    replies, write = os.pipe()
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    command = [
        sys.executable, "-c", PIPED, str(read), str(write), chromium, "--headless",
        "--disable-gpu", *root, "--remote-debugging-pipe", f"--user-data-dir={page.parent}/profile",
    ]  # fmt: skip
    silent: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(  # noqa: S603
        command, pass_fds=(read, write), start_new_session=True, **silent
    )

    def kill() -> None:
        """With the processes that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    for end in (read, write):  # ours; then an end of the process ends the reading
        os.close(end)
    timer = threading.Timer(PATIENCE, kill)
    timer.start()
    try:
        with open(orders, "wb", buffering=0) as told, open(replies, "rb") as heard:
            yield _Tab(told, heard, page.as_uri())
    finally:
        timer.cancel()
        kill()
        process.wait()


def _chromium() -> str:
    """The path of a Chromium.

    Raises:
        InputError: none is here.
    """
    if os.name != "posix":
        raise InputError(f"A PDF is printed on Linux and macOS alone; {ELSE}")
    named = os.environ.get("HEADLIGHT_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise InputError(
            f"There is no Chromium here to print a PDF: name one in HEADLIGHT_CHROMIUM, or {ELSE}"
        )
    return found
