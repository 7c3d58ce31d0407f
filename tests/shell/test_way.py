"""The way of a text, as docs/architecture.md tells it, followed from the press to the picture."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.stage import ROOT, Stage

MAX_FILES = 30
FOLLOW = """async () => {
    const { Session } = await import("node:inspector/promises");
    globalThis.followed = new Session();
    followed.connect();
    await followed.post("Profiler.enable");
    await followed.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
}"""
CALLED = """async () => {
    const { result } = await followed.post("Profiler.takePreciseCoverage");
    followed.disconnect();
    return result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
        .map(({ url }) => url.replace(/[?].*/, ""));
}"""


def told() -> tuple[list[str], set[str]]:
    """The files of the way in their order, and those that are asked on it."""
    document = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    part = document.split("## The way of a text")[1].split("\n## ")[0]
    way, _, asked = part.partition("They also use")
    return re.findall(r"^\d+\. `([^`]+)`", way, re.MULTILINE), set(re.findall(r"`([^`]+)`", asked))


@contextmanager
def followed() -> Iterator[list[str]]:
    """Our files in the order in which one of their functions is first called."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(("model/", "explorer/")):
                files.setdefault(name)

    order: list[str] = []
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield order
    finally:
        sys.setprofile(before)
        order.extend(files)


def test_the_way_is_the_documents(open_stage: Callable[..., Stage]) -> None:
    way, asked = told()
    assert 20 < len(way) <= MAX_FILES
    page = open_stage("?view=attention")
    page.translate("I am a student.")
    page.evaluate(FOLLOW)
    with followed() as order:
        page.translate("Nobody has ever asked this before.")
    ours = [name for name in way if name.endswith(".py")]
    assert [name for name in order if name in ours] == ours
    assert set(order) - set(ours) == asked
    called = {url.removeprefix(ROOT.as_uri() + "/") for url in page.evaluate(CALLED)}
    assert {name for name in way if name.endswith(".js")} <= called
