"""A running page, and a browser that opens it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from model.explain import Explainer
from tests import chromium
from tests.shared import Address, made_once

ROOT = Path(__file__).parents[1]
NONE: dict[str, str] = {}
# Options of a context that can be changed while it lives: the page itself does not change.
MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}
LAPTOP = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"}
ANY_PAGE = {"viewport", "permissions", *MEDIA}
PATIENCE = 240.0  # seconds to wait for a server on a busy machine: without one a whole worker fails
# No view and no button waits for the server any more.
AT_REST = "!('busy' in document.body.dataset) && !('asking' in document.body.dataset)"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium.find(), args=list(chromium.FLAGS)
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def blank(browser: Browser) -> Iterator[Page]:
    """A page for modules that a test imports itself: each `goto` opens a new document."""
    with browser.new_context() as context:
        yield context.new_page()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`python app.py` on a separate port."""

    def __init__(
        self,
        log: Path,
        *arguments: str,
        folder: Path = ROOT,
        command: Sequence[str] = ("app.py",),
        environment: dict[str, str] = NONE,
    ) -> None:
        self.port, self.log = free_port(), log
        self.url = f"http://127.0.0.1:{self.port}/"
        self.started = time.monotonic()
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, *command, "--host=127.0.0.1", f"--port={self.port}", *arguments],
                cwd=folder,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HF_HUB_OFFLINE": "1", **environment},
            )

    def wait(self) -> float:
        """Seconds from the process's start to the first page."""
        while time.monotonic() - self.started < PATIENCE:
            try:
                with urllib.request.urlopen(self.url, timeout=5) as answer:
                    answer.read()
                return time.monotonic() - self.started
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise AssertionError(f"no page: {self.log.read_text('utf-8')}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


@pytest.fixture(scope="session")
def server() -> Address:
    """The page with the shipped model."""

    def start(written: Path) -> None:
        running = Server(written.with_name("log.txt"))
        running.wait()
        written.write_text(json.dumps([running.url, running.process.pid]))

    return Address(*json.loads(made_once("server.json", start).read_text()))


GO = """(query) => {
    headlight.page.folds.merge({ adjust: false, numbers: false, reading: false });
    history.pushState({ query }, "");
    dispatchEvent(new PopStateEvent("popstate", { state: { query } }));
}"""


# A view is fetched when it is first chosen; before it begins it has nothing to choose.
BEGUN = ":is(.hl-exhibit > *, .hl-failed)"
SETTLED = f"""(wanted) => {{
    const {{ ready, busy, answers }} = document.body.dataset;
    const panel = document.querySelector(".hl-panel:not([hidden])");
    const hasBegun = panel === null || panel.querySelector("{BEGUN}") !== null;
    return ready === wanted && busy === undefined && answers !== "0" && hasBegun;
}}"""


class Watched:
    """A page, with its errors and its requests while it was open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.urls: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(error.stack or str(error)))
        page.on("request", lambda request: self.urls.append(request.url))

    def _console(self, message: object) -> None:
        if message.type in ("error", "warning"):  # type: ignore[attr-defined]
            self._note(message.text)  # type: ignore[attr-defined]

    def _note(self, text: str) -> None:
        # Gradio's own heartbeat, cut when a page is left or the machine is busy; the page reports a
        # lost reply of ours, and other tests check that.
        if not text.startswith("AbortError") and "errored out" not in text:
            self.errors.append(text)

    def settle(self, ready: str = "live") -> Page:
        """Wait until the answer (or the recording) is shown and the view on the page has begun."""
        self.page.wait_for_selector("#hl-src .hl-token", state="attached", timeout=60_000)
        self.page.wait_for_function(SETTLED, arg=ready, timeout=60_000)
        drawn(self.page)  # the choices of a link are set once more when a view has begun
        return self.page

    def go(self, query: str) -> Page:
        """Go to a different address in the same document, like "back"; parts are folded again."""
        self.settle()
        self.errors.clear()
        self.urls.clear()
        self.page.evaluate(GO, query)
        self.page.wait_for_function(  # it has been restored: the entry is rewritten
            "(query) => history.state.query !== query", arg=query, timeout=60_000
        )
        self.page.mouse.move(0, 0)
        return self.settle()

    def translate(self, text: str) -> Page:
        """Type a text, press Translate, wait for the answer."""
        self.page.fill("#hl-text", text)
        answers = int(self.page.evaluate("() => Number(document.body.dataset.answers)"))
        self.page.click("#hl-translate")
        self.page.wait_for_function(
            "(n) => Number(document.body.dataset.answers) > n", arg=answers, timeout=60_000
        )
        return self.settle()


def written(text: str) -> float:
    """Parse a number in the page's form: "−1.25", "4.8 × 10⁻⁷"."""
    digits, _, power = text.replace("−", "-").replace("\xa0", " ").partition(" × 10")
    return float(digits) * 10.0 ** int(
        power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0
    )


def drawn(page: Page) -> None:
    """Wait until the last action is drawn: the page draws once a frame, and the next has begun."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# Several consecutive frames without requests or pending replies.
REST = """(name) => new Promise((done, fail) => {
    const until = performance.now() + 60_000;
    const look = (calm) => requestAnimationFrame(() => {
        const view = document.querySelector(`#panel-${name} .hl-exhibit`);
        const { busy, asking } = document.body.dataset;
        const isCalm = view?.childElementCount && busy === undefined && asking === undefined
            && !view.querySelector('.hl-pending[role=status], progress');
        if (isCalm && calm === 4) done();
        else if (performance.now() > until) fail(new Error(`${name} does not come to rest`));
        else look(isCalm ? calm + 1 : 0);
    });
    look(0);
})"""


def at_rest(page: Page, name: str) -> None:
    """Wait until the current view is loaded, has its answers and is drawn."""
    page.evaluate(REST, name)


def begun(page: Page, name: str) -> None:
    """Wait until a chosen view is fetched and drawn, or has said why not."""
    page.wait_for_selector(f"#panel-{name}:not([hidden]) {BEGUN}", state="attached")
    drawn(page)


def choose_exhibit(page: Page, name: str) -> None:
    """Choose an exhibit like a visitor: in the list of all views."""
    page.click("#hl-index > summary")
    page.click(f"#hl-index [data-exhibit={name}]")
    begun(page, name)


def unfold(page: Page, name: str, *parts: str) -> None:
    """Open parts of a declared view that are folded: adjust, numbers, reading."""
    for part in parts or ("adjust", "numbers", "reading"):
        fold = page.locator(f"#panel-{name} .hl-fold-{part}")
        if fold.get_attribute("aria-pressed") == "false":
            fold.click()
        page.wait_for_selector(f"#panel-{name} .hl-fold-{part}[aria-pressed=true]")
    drawn(page)  # it scrolls to the part
    page.evaluate("window.scrollTo(0, 0)")  # tests point at the picture


def show(page: Page, name: str) -> None:
    """Show an exhibit without the menu, whatever the pointer: for tests of all views."""
    page.evaluate("(exhibit) => window.headlight.page.choose({ exhibit })", name)
    begun(page, name)


@pytest.fixture(scope="session")
def explainer() -> Explainer:
    """The shipped model, equal to the server's to the last digit."""
    return Explainer.load(None, device="cpu")


class Pages:
    """Reusable pages, by the options of their contexts: reopening costs half of a first opening.

    Document, storage and history are cleared after each test.
    """

    MOST = 3  # idle pages to keep; each takes some 200 MB

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._waiting: list[tuple[dict[str, object], Watched]] = []

    def take(self, options: dict[str, object]) -> Watched:
        """Borrow a page with these options (window, media and permissions can be changed)."""
        fixed = {name: value for name, value in options.items() if name not in ANY_PAGE}
        watched = self._taken(fixed)
        page = watched.page
        page.set_viewport_size(options["viewport"])  # type: ignore[arg-type]
        page.emulate_media(**{name: options.get(name, media) for name, media in MEDIA.items()})  # type: ignore[arg-type]
        if "permissions" in options:
            page.context.grant_permissions(options["permissions"])  # type: ignore[arg-type]
        return watched

    def _taken(self, fixed: dict[str, object]) -> Watched:
        for i, (made, watched) in enumerate(self._waiting):
            if made == fixed:
                del self._waiting[i]
                watched.errors, watched.urls = [], []
                return watched
        context = self._browser.new_context(**fixed)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE * 1000)
        return Watched(context.new_page())

    @contextmanager
    def lend(self, url: str) -> Iterator[Watched]:
        """Lend a page at an address to all tests of a file."""
        watched = self.take(LAPTOP)
        watched.page.goto(url)
        watched.settle()
        yield watched
        self.put_back(LAPTOP, watched)

    def put_back(self, options: dict[str, object], watched: Watched) -> None:
        page = watched.page
        try:
            page.unroute_all(behavior="ignoreErrors")
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.goto("about:blank")
            page.mouse.move(0, 0)
            page.context.clear_permissions()
            page.context.new_cdp_session(page).send("Page.resetNavigationHistory")
        except PlaywrightError:  # it crashed, or the test closed it
            page.context.close()
            return
        fixed = {name: value for name, value in options.items() if name not in ANY_PAGE}
        self._waiting.append((fixed, watched))
        for _, oldest in self._waiting[: -self.MOST]:
            oldest.page.context.close()
        del self._waiting[: -self.MOST]


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Pages:
    return Pages(browser)


@pytest.fixture
def open_page(pages: Pages, server: Address) -> Iterator[Callable[..., Watched]]:
    """Open the page: open_page(query="", **context options).

    `keep=False` is for a test that changes more than its document: a clock, an initial script.
    """
    opened: list[tuple[dict[str, object], Watched, bool]] = []

    def opening(
        query: str = "", ready: str = "live", keep: bool = True, **options: object
    ) -> Watched:
        options = {**LAPTOP, **options}
        watched = pages.take(options)
        opened.append((options, watched, keep))
        watched.page.goto(server.url + query)
        watched.settle(ready)
        return watched

    yield opening
    for options, watched, keep in opened:
        if keep and len(watched.page.context.pages) == 1:
            pages.put_back(options, watched)
        else:
            watched.page.context.close()
