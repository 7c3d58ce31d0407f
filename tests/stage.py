"""The page without a browser: its own scripts in Node, its requests answered in this process.

`open_stage("?view=lens&text=Hello.")` opens the whole page (explorer/parts.py) in a window without
a screen (tests/javascript/stage.mjs) and returns a `Stage`, which finds, reads and presses as
Playwright's page does. Every action ends when the page is at rest, so nothing here waits by time.
What needs layout, colours, scrolling or a real canvas belongs to a journey in Chromium instead.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from explorer import calls, exhibits, openers, recorded, session
from explorer.card import FOLDER
from explorer.exchange import reply
from explorer.exchange.lines import LINES
from explorer.exchange.question import Question
from explorer.facts import facts, named
from explorer.models import Listed, Models, pair_of
from explorer.opening import opening_head
from explorer.origin import Origin
from explorer.parts import standing, template
from explorer.saved import saved_page
from explorer.static import files
from explorer.workers import answering
from model import shipped
from model.explain import Explainer
from tests import npm

SCRIPT = npm.FOLDER / "stage.mjs"
ROOT = npm.FOLDER.parents[1]
Raw = dict[str, Any]
Holds = Callable[[Raw], bool]
LAPTOP = {"width": 1366, "height": 768}
PATIENCE, PAUSE = 4_000, 100  # ms of the page's own time, which costs next to nothing
SECONDS = 300  # of real time for another process, on a machine with much else to do
NONE: Mapping[str, str] = MappingProxyType({})
# A saved file: the marks on its body, what is in it, the script that begins it.
_BODY = re.compile(
    r'<body ([^>]*) style="margin:0">(.*)'
    r'<script type="module">import "headlight/assets/shell/(\w+)\.js";</script></body>',
    re.DOTALL,
)


class StageError(AssertionError):
    """What was looked for is not there, or a script of the page failed."""


class Desk:
    """Answers the page's requests as the server does, with the models of this process."""

    def __init__(self, models: Models) -> None:
        self.models = models
        shown = exhibits.load()
        self.questions: dict[str, Question] = {"session": session.file, "arrays": session.arrays}
        self.calls = {name: call for one in shown for name, call in one.calls.items()}
        for exhibit in shown:
            self.questions.update(exhibit.questions)
        own = named(models.listed)
        self.facts = facts(own, shown, "auto", recorded.texts(), models.readers)
        self.html = standing(shown, **{"hl-lesson": template("lesson")})

    def answer(self, raw: Raw) -> Raw:
        """The reply to a request: of a channel, or for a file or a call of the page."""
        if "channel" in raw:
            return {"text": reply.answer(self.models, raw["request"], self.questions)}
        path = urlsplit(raw["fetch"]).path
        folder, _, name = path.rpartition("/")
        if folder.endswith("/call"):
            body = str(raw["body"]).encode()
            if name == LINES:
                ask = answering(self.models)
                return {"text": calls.lines(ask, body)}
            return {"text": calls.answer(self.calls, name, body, Origin("stage", "stage"))}
        if name == "status":
            return {"text": '{"queue_size": 0}'}
        own = path.removeprefix(f"{ROOT}/")
        content = saved_page().encode() if own == "saved" else files().get(own)
        return {"status": 404, "text": ""} if content is None else {"text": content.decode()}


def desk_of(explainer: Explainer, name: str = shipped.FIRST) -> Desk:
    """A server with one model."""
    head, pair = opening_head(explainer.folder), pair_of(explainer.folder or Path(), name)
    own = Listed(name, name, lambda: explainer, openers.load(FOLDER), head, pair)
    return Desk(Models([own]))


def choose_code(page: Stage, typed: str, field: str = "into") -> None:
    """Type a language or a task into its field, and take the first that matches."""
    page.fill(f"#hl-{field} input", typed)
    page.press(f"#hl-{field} input", "Enter")


def _request(raw: Raw) -> Raw | None:
    """What the page asks the models for, over a channel or as a call for the reader's lines."""
    if "channel" in raw:
        request: Raw = raw["request"]
        return request
    is_lines = urlsplit(raw["fetch"]).path.endswith(f"/call/{LINES}")
    return {"question": LINES, **json.loads(raw["body"])} if is_lines else None


class Held(NamedTuple):
    """A request whose reply waits until the test lets it go."""

    number: int
    raw: Raw


class Node:
    """The process in which the pages of these tests run, one page at a time."""

    def __init__(self) -> None:
        room = ["--initial-heap-size=400", "--max-semi-space-size=64"]  # MB: a tenth less work
        flags = ["--no-warnings", "--preserve-symlinks", "--preserve-symlinks-main", *room]
        command = [npm.node(), *flags, str(SCRIPT), str(ROOT)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
        )

    def send(self, message: Raw) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def receive(self) -> Raw:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise StageError(f"Node has ended with {self.process.wait()}.")
        message: Raw = json.loads(line)
        return message

    def run(self, script: str, given: Any = None) -> Any:
        """Run a script without a page; `module("assets/kit/sampling.js")` imports one of ours."""
        self.send({"command": "evaluate", "script": script, "given": given, "restless": True})
        message = self.receive()
        if "failed" in message:
            raise StageError(message["failed"])
        return message["done"]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Stage:
    """An opened page."""

    def __init__(self, node: Node, desk: Desk) -> None:
        self._node, self.desk = node, desk
        self.requests: list[Raw] = []  # all that the page has asked for
        self.held: list[Held] = []
        self._holds: Holds | None = None
        self._change: Callable[[Raw, str], Raw | str] | None = None
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)

    # What is sent to the page, and what it asks meanwhile.

    def command(self, name: str, **given: Any) -> Any:
        """Run a command in Node, answering requests until it is done."""
        self._node.send({"command": name, **given})
        while True:
            message = self._node.receive()
            if "ask" in message:
                self._asked(message.pop("ask"), message)
            elif "failed" in message:
                raise StageError(message["failed"])
            else:
                return message["done"]

    def open(
        self,
        query: str = "",
        *,
        viewport: Mapping[str, int] = LAPTOP,
        locale: str = "en-GB",
        storage: Mapping[str, str] = NONE,
        reduced_motion: bool = False,
    ) -> Stage:
        """Open the page at an address, as a new visitor's browser does."""
        self.command(
            "open",
            html=self.desk.html,
            facts=self.desk.facts,
            query=query,
            viewport=dict(viewport),
            locale=locale,
            storage=dict(storage),
            queries=["(prefers-reduced-motion: reduce)"] if reduced_motion else [],
        )
        return self

    def open_file(self, document: str, *, locale: str = "en-GB") -> Stage:
        """Open a saved file (explorer/saved.py) as from a disk: whatever it asks for is an error.

        Its templates and its session are those in the file. Its scripts are the repository's, of
        which the file has copies (tests/explorer/test_saved.py).
        """
        _, marks, body, script = _BODY.split(document)[:4]
        self.command(
            "openFile",
            html=body,
            marks=marks.split(),
            script=script,
            viewport=LAPTOP,
            locale=locale,
        )
        return self

    def _asked(self, number: int, raw: Raw) -> None:
        self.requests.append(raw)
        request = _request(raw)
        if self._holds is not None and request is not None and self._holds(request):
            self.held.append(Held(number, raw))
            self._node.send({"to": number, "held": True})
        else:
            self._reply(number, raw)

    def _reply(self, number: int, raw: Raw) -> None:
        found = self.desk.answer(raw)
        if self._change is not None and "channel" in raw:
            changed = self._change(raw["request"], found["text"])
            found = {"text": changed} if isinstance(changed, str) else changed
        self._node.send({"to": number, **found})

    def hold(self, holds: Holds = lambda _: True) -> None:
        """Hold back the replies to these requests from now on."""
        self._holds = holds

    def release(self, *places: int) -> None:
        """Let held replies go, all or those at these places, and hold back no further ones."""
        self._holds = None
        chosen = [self.held[i] for i in places] or self.held
        self.held = [one for one in self.held if one not in chosen]
        for number, raw in chosen:
            self._reply(number, raw)
        self.rest()

    def change(self, change: Callable[[Raw, str], Raw | str] | None) -> None:
        """Give each reply as `change(request, reply)`: a text, or {"failed": True}."""
        self._change = change

    def rest(self) -> None:
        """Wait until the page awaits nothing that is not held back."""
        self.command("rest")

    def pass_time(self, ms: float) -> None:
        """Put the page's clock forward."""
        self.command("pass", ms=ms)

    # As Playwright's page.

    def locator(self, selector: str, has_text: str | None = None) -> Locator:
        locator = Locator(self, _steps(selector))
        return locator if has_text is None else locator.filter(has_text)

    def get_by_role(self, role: str, name: str) -> Locator:
        tags = {"button": "button, summary", "link": "a", "tab": "[role=tab]"}
        return Locator(self, (("css", f"{tags.get(role, role)}, [role={role}]"), ("exact", name)))

    def eval_on_selector(self, selector: str, script: str, arg: Any = None) -> Any:
        return self.locator(selector).evaluate(script, arg)

    def eval_on_selector_all(self, selector: str, script: str, arg: Any = None) -> Any:
        return self.locator(selector).evaluate_all(script, arg)

    def evaluate(self, script: str, arg: Any = None) -> Any:
        return self.command("evaluate", script=script, given=arg)

    def wait_until(self, holds: Callable[[], bool], about: str) -> None:
        """Put the clock forward, at most by `PATIENCE`, until something holds."""
        for _ in range(int(PATIENCE / PAUSE)):
            if holds():
                return
            self.pass_time(PAUSE)
        raise StageError(f"does not come to hold: {about}")

    def wait_for_process(self, holds: Callable[[], bool], about: str) -> None:
        """The same for what a process or thread does, whose time is real: training, a catalogue."""
        until = time.monotonic() + SECONDS
        while not holds():
            if time.monotonic() > until:
                raise StageError(f"does not come to hold in {SECONDS} s: {about}")
            time.sleep(PAUSE / 1000)  # the other process's turn
            self.pass_time(PAUSE)

    def wait_for_function(self, script: str, arg: Any = None, **_: Any) -> None:
        def holds() -> bool:
            return bool(self.command("holds", script=script, given=arg))

        self.wait_until(holds, f"{script} with {arg}")

    def wait_for_url(self, holds: Callable[[str], bool]) -> None:
        self.wait_until(lambda: holds(self.url), "the address")

    @property
    def url(self) -> str:
        """The address, which follows once the page has been at rest for a moment."""
        return str(self.evaluate("location.href"))

    def wait_for_timeout(self, ms: float) -> None:
        self.pass_time(ms)

    def wait_for_selector(self, selector: str, state: str = "visible", **_: Any) -> Locator:
        locator = self.locator(selector)
        locator.wait_for(state)
        return locator

    def click(self, selector: str, **given: Any) -> None:
        self.locator(selector).click(**given)

    def fill(self, selector: str, value: str) -> None:
        self.locator(selector).fill(value)

    def press(self, selector: str, key: str) -> None:
        self.locator(selector).press(key)

    def check(self, selector: str) -> None:
        self.locator(selector).check()

    def uncheck(self, selector: str) -> None:
        self.locator(selector).uncheck()

    def select_option(self, selector: str, value: str | None = None, **by: Any) -> None:
        self.locator(selector).select_option(value, **by)

    def is_checked(self, selector: str) -> bool:
        return self.locator(selector).is_checked()

    def dblclick(self, selector: str) -> None:
        self.locator(selector).dblclick()

    def focus(self, selector: str) -> None:
        self.locator(selector).focus()

    def hover(self, selector: str) -> None:
        self.locator(selector).hover()

    def text_content(self, selector: str, **_: Any) -> str:
        return self.locator(selector).text_content()

    def inner_text(self, selector: str, **_: Any) -> str:
        return self.locator(selector).inner_text()

    def input_value(self, selector: str) -> str:
        return self.locator(selector).input_value()

    def get_attribute(self, selector: str, name: str) -> str | None:
        return self.locator(selector).get_attribute(name)

    def is_visible(self, selector: str) -> bool:
        return self.locator(selector).is_visible()

    def is_hidden(self, selector: str) -> bool:
        return not self.is_visible(selector)

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self.command("resize", **size)

    def media(self, query: str, holds: bool = True) -> None:
        """Let a media query hold; `matchMedia` of the page says so from now on."""
        self.command("media", query=query, holds=holds)

    def go_back(self) -> None:
        self.command("history", by=-1)

    # What tests of this page do often.

    @property
    def page(self) -> Stage:
        return self

    def settle(self) -> Stage:
        self.rest()
        return self

    @property
    def asked(self) -> list[Raw]:
        """The requests to the model so far: explanations, and questions by name."""
        return [raw["request"] for raw in self.requests if "channel" in raw]

    @property
    def lines_asked(self) -> list[Raw]:
        """The requests for the reader's lines so far: {model, texts}; not those for lost words."""
        found = [one for one in map(_request, self.requests) if one is not None]
        return [one for one in found if one.get("question") == LINES and "of" not in one]

    @property
    def errors(self) -> list[str]:
        """What the page's scripts have reported since the last look."""
        found: list[str] = self.command("errors")
        return found

    def saved(self) -> dict[str, bytes]:
        """The files that were saved since the last look, by name."""
        return {one["name"]: base64.b64decode(one["bytes"]) for one in self.command("saved")}

    def copied(self) -> str:
        """The text on the clipboard."""
        text: str = self.command("clipboard")
        return text

    @contextmanager
    def expect_download(self) -> Iterator[Downloads]:
        """The file that is saved meanwhile, as Playwright gives it."""
        self.saved()
        waiting = Downloads()
        yield waiting
        [(name, content)] = self.saved().items()
        waiting.value = Download(name, content)

    def take(self, panel: str, form: str) -> tuple[str, bytes]:
        """Download what a view offers in a format: the name and the content of the file."""
        self.saved()
        self.click(f"{panel} .hl-download > summary")
        self.click(f"{panel} .hl-download [data-format={form}]")
        [(name, content)] = self.saved().items()
        return name, content

    def translate(self, text: str) -> Stage:
        """Type a text and press Translate."""
        self.fill("#hl-text", text)
        self.click("#hl-translate")
        return self

    def go(self, query: str) -> Stage:
        """Go to another address in the same document, as "back" does; parts are folded again."""
        self.evaluate(
            """(query) => {
                headlight.page.folds.merge({ adjust: false, numbers: false, reading: false });
                history.pushState({ query }, "");
                dispatchEvent(new PopStateEvent("popstate", { state: { query } }));
            }""",
            query,
        )
        self.pass_time(500)  # the address follows
        self.rest()
        return self

    def choose(self, **changes: Any) -> None:
        """Select on the page, as a click on a token or a tab does."""
        self.evaluate("(changes) => headlight.page.choose(changes)", changes)

    def unfold(self, name: str, *parts: str) -> None:
        """Open parts of a view that are folded: adjust, numbers, reading."""
        for part in parts or ("adjust", "numbers", "reading"):
            fold = self.locator(f"#panel-{name} .hl-fold-{part}")
            if fold.get_attribute("aria-pressed") == "false":
                fold.click()

    def finding(self, name: str) -> str:
        """What a view says, its spaces made even."""
        return " ".join(self.text_content(f"#panel-{name} [data-part=finding]").split())

    def get_by_text(self, text: str) -> Locator:
        return Locator(self, (("css", "*"), ("exact", text), ("nth", -1)))


@dataclass(frozen=True)
class Keyboard:
    """The keys, which go to what has the focus."""

    stage: Stage

    def press(self, key: str) -> None:
        self.stage.command("act", path=[["css", ":focus"]], what="press", given=key)


class Mouse:
    """The pointer. Nothing is laid out: it moves over the element whose box was looked at last."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.over: Locator | None = None
        self._at: dict[str, float] = {"x": 0.0, "y": 0.0}

    def move(self, x: float, y: float) -> None:
        assert self.over is not None, "look at an element's bounding_box() first"
        self._at |= {"x": x, "y": y}
        self.over.hover(self._at)

    def down(self) -> None:
        self._at["buttons"] = 1
        self._dispatch("pointerdown", "mousedown")

    def up(self) -> None:
        self._at["buttons"] = 0
        self._dispatch("pointerup", "mouseup")

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.down()
        self.up()
        self._dispatch("click")

    def _dispatch(self, *kinds: str) -> None:
        assert self.over is not None, "look at an element's bounding_box() first"
        for kind in kinds:
            self.over.dispatch_event(kind, self._at)


@dataclass(frozen=True)
class Download:
    """A file that the page saved."""

    suggested_filename: str
    content: bytes

    def path(self) -> Download:
        return self

    def read_bytes(self) -> bytes:
        return self.content

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.content.decode(encoding)


class Downloads:
    """Where `expect_download` puts the file."""

    value: Download


Step = tuple[str, Any]
_HAS_TEXT = re.compile(r":(has-text|text-is|text)\((?:\"([^\"]*)\"|'([^']*)')\)|:(visible)")


def _steps(selector: str) -> tuple[Step, ...]:
    """A selector of Playwright's as a path: ".a:has-text('b') .c >> nth=1"."""
    steps: list[Step] = []
    for part in selector.split(" >> "):
        if part.startswith("nth="):
            steps.append(("nth", int(part[4:])))
            continue
        rest = part
        while (match := _HAS_TEXT.search(rest)) is not None:
            steps.append(("css", rest[: match.start()].strip() or "*"))
            kind, double, single, visible = match.groups()
            if visible:
                steps.append(("visible", None))
            else:
                text = double if double is not None else single
                steps.append(("exact" if kind == "text-is" else "text", text))
            rest = rest[match.end() :].strip()
        if rest:
            steps.append(("css", rest))
    return tuple(steps)


@dataclass(frozen=True)
class Locator:
    """Elements of the page, looked for anew at each use."""

    stage: Stage
    path: tuple[Step, ...]

    def _read(self, what: str, given: Any = None) -> Any:
        return self.stage.command("read", path=self.path, what=what, given=given)

    def _act(self, what: str, given: Any = None) -> Any:
        return self.stage.command("act", path=self.path, what=what, given=given)

    def locator(self, selector: str, has_text: str | None = None) -> Locator:
        steps = _steps(selector) if has_text is None else (*_steps(selector), ("text", has_text))
        return Locator(self.stage, (*self.path, *steps))

    def nth(self, place: int) -> Locator:
        return Locator(self.stage, (*self.path, ("nth", place)))

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def filter(self, has_text: str) -> Locator:
        return Locator(self.stage, (*self.path, ("text", has_text)))

    def all(self) -> list[Locator]:
        return [self.nth(i) for i in range(self.count())]

    def count(self) -> int:
        return int(self._read("count"))

    def text_content(self) -> str:
        return str(self._read("text"))

    def inner_text(self) -> str:
        return str(self._read("inner_text"))

    def inner_html(self) -> str:
        return str(self._read("html"))

    def all_text_contents(self) -> list[str]:
        return list(self._read("texts"))

    def all_inner_texts(self) -> list[str]:
        return list(self._read("inner_texts"))

    def get_attribute(self, name: str) -> str | None:
        value: str | None = self._read("attribute", name)
        return value

    def input_value(self) -> str:
        return str(self._read("value"))

    def is_checked(self) -> bool:
        return bool(self._read("checked"))

    def is_enabled(self) -> bool:
        return bool(self._read("enabled"))

    def is_disabled(self) -> bool:
        return not self.is_enabled()

    def get_by_text(self, text: str) -> Locator:
        return Locator(self.stage, (*self.path, ("css", "*"), ("exact", text), ("nth", -1)))

    def is_visible(self) -> bool:
        return bool(self._read("visible"))

    def is_hidden(self) -> bool:
        return not self.is_visible()

    def has_focus(self) -> bool:
        return bool(self._read("focused"))

    def bounding_box(self) -> dict[str, float]:
        self.stage.mouse.over = self
        return dict(self._read("box"))

    def drawn(self, name: str = "") -> list[Raw]:
        """What was drawn on a canvas: {name, args, fillStyle, font, ...} for each call.

        A text has its width too, as the window without a screen measures it.
        """
        calls: list[Raw] = self._read("calls")
        return [call for call in calls if name in ("", call["name"])]

    def wait_for(self, state: str = "visible", **_: Any) -> None:
        self.stage.wait_until(lambda: self._is(state), f"{self.path} {state}")

    def _is(self, state: str) -> bool:
        found = self.stage.command("reveal", path=self.path)
        states = {
            "attached": found["count"] > 0,
            "visible": found["isVisible"],
            "hidden": not found["isVisible"],
            "detached": found["count"] == 0,
        }
        return states[state]

    def click(self, **given: Any) -> None:
        """Press; `position` in px of the box, `modifiers` as "Control"."""
        where = given.get("position", {"x": 0, "y": 0})
        names = {"Control": "ctrlKey", "Shift": "shiftKey", "Alt": "altKey", "Meta": "metaKey"}
        keys = {names[key]: True for key in given.get("modifiers", ())}
        self._act("click", {"clientX": where["x"], "clientY": where["y"], **keys})

    def fill(self, value: str) -> None:
        self._act("fill", value)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other before anything is drawn."""
        self._act("press", keys)

    def check(self) -> None:
        self._act("check")

    def uncheck(self) -> None:
        self._act("uncheck")

    def select_option(self, value: str | None = None, *, index: int | None = None) -> None:
        """Choose by the value or the label of an option, or by its place."""
        self._act("select", index if value is None else value)

    def dblclick(self) -> None:
        self.click()
        self.click()
        self.dispatch_event("dblclick")

    def focus(self) -> None:
        self._act("focus")

    def blur(self) -> None:
        self._act("blur")

    def hover(self, position: dict[str, float] | None = None) -> None:
        self._act("point", position or {})

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a place in the element's box, in px."""
        self._act("point", {"x": x, "y": y})

    def dispatch_event(self, kind: str, given: dict[str, Any] | None = None) -> None:
        self._act("dispatch", {"type": kind, **(given or {})})

    def evaluate(self, script: str, arg: Any = None) -> Any:
        return self._act("evaluate", [script, arg])

    def evaluate_all(self, script: str, arg: Any = None) -> Any:
        if self.count() == 0:
            return self.stage.evaluate(f"({script})([])")
        return self._act("evaluate_all", [script, arg])


def unfold(page: Stage, name: str, *parts: str) -> None:
    """Open parts of a view that are folded: adjust, numbers, reading."""
    page.unfold(name, *parts)


def show(page: Stage, name: str) -> None:
    """Show a view without the menu."""
    page.choose(exhibit=name)


def choose_exhibit(page: Stage, name: str) -> None:
    """Choose a view like a visitor: in the list of all views."""
    page.click("#hl-index > summary")
    page.click(f"#hl-index [data-exhibit={name}]")


def drawn(page: Stage) -> None:
    """Nothing to wait for."""
    page.rest()


class Expected:
    """What comes to hold of a locator, before the page's patience ends."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def to_have_text(self, wanted: str | re.Pattern[str] | Sequence[str], **_: Any) -> None:
        if isinstance(wanted, (str, re.Pattern)):
            self._wait(lambda: _matches(self._text(), wanted, whole=True), wanted)
        else:
            self._wait(lambda: self._texts() == list(wanted), wanted)

    def to_contain_text(self, wanted: str | re.Pattern[str], **_: Any) -> None:
        self._wait(lambda: _matches(self._text(), wanted, whole=False), wanted)

    def not_to_contain_text(self, wanted: str, **_: Any) -> None:
        self._wait(lambda: wanted not in self._text(), f"not {wanted}")

    def not_to_have_text(self, wanted: str, **_: Any) -> None:
        self._wait(lambda: wanted != self._text(), f"not {wanted}")

    def to_have_count(self, wanted: int, **_: Any) -> None:
        self._wait(lambda: self._locator.count() == wanted, wanted)

    def to_be_visible(self, **_: Any) -> None:
        self._wait(self._locator.is_visible, "visible")

    def to_be_hidden(self, **_: Any) -> None:
        self._wait(self._locator.is_hidden, "hidden")

    def to_be_focused(self, **_: Any) -> None:
        self._wait(self._locator.has_focus, "focused")

    def to_be_checked(self, **_: Any) -> None:
        self._wait(self._locator.is_checked, "checked")

    def to_be_enabled(self, **_: Any) -> None:
        self._wait(self._locator.is_enabled, "enabled")

    def to_be_disabled(self, **_: Any) -> None:
        self._wait(self._locator.is_disabled, "disabled")

    def to_have_value(self, wanted: str, **_: Any) -> None:
        self._wait(lambda: self._locator.input_value() == wanted, wanted)

    def to_have_attribute(self, name: str, wanted: str, **_: Any) -> None:
        self._wait(lambda: self._locator.get_attribute(name) == wanted, f"{name}={wanted}")

    def _wait(self, holds: Callable[[], bool], wanted: object) -> None:
        try:
            self._locator.stage.wait_until(holds, str(wanted))
        except StageError as error:
            raise StageError(f"{error}; there is {self._texts()!r:.500}") from None

    def _texts(self) -> list[str]:
        return [" ".join(text.split()) for text in self._locator.all_text_contents()]

    def _text(self) -> str:
        return " ".join(self._locator.text_content().split())


def _matches(text: str, wanted: str | re.Pattern[str], *, whole: bool) -> bool:
    if isinstance(wanted, re.Pattern):
        return wanted.search(text) is not None
    return text == wanted if whole else wanted in text


def expect(locator: Locator) -> Expected:
    """Like Playwright's: expect(page.locator("h2")).to_have_text("Positions")."""
    return Expected(locator)


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """The process of all staged pages."""
    running = Node()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def desk(explainer: Explainer) -> Desk:
    """The shipped model, as the server has it."""
    return desk_of(explainer)


@pytest.fixture
def open_stage(node: Node, desk: Desk) -> Iterator[Callable[..., Stage]]:
    """Open the page: open_stage("?view=lens", locale="zh-CN", hold=lambda request: True)."""
    used: list[Node] = []

    def opening(
        query: str = "", *, desk: Desk = desk, hold: Holds | None = None, **given: Any
    ) -> Stage:
        stage = Stage(node, desk)
        if hold is not None:
            stage.hold(hold)
        used.append(node)
        return stage.open(query, **given)

    yield opening
    if used and node.process.poll() is None:
        Stage(node, desk).command("close")


@pytest.fixture
def open_file(node: Node, desk: Desk) -> Iterator[Callable[..., Stage]]:
    """Open a saved file: open_file(document)."""
    yield lambda document: Stage(node, desk).open_file(document)
    if node.process.poll() is None:
        Stage(node, desk).command("close")
