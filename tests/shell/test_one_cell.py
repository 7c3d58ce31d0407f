"""One cell: what a view says, what its picture reads out and what the header marks are one.

Ten sentences of `own.txt`, a page for each view and each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.stage import Stage
from tests.tiers import each

OWN = Path(__file__).with_name("own.txt").read_text("utf-8").splitlines()
TEN = OWN[4:32:3]  # of all lengths, with tokens that stand twice

# The tokens in what a view says first, the header's marked ones and its strongest underline, and
# what its picture rings or reads out: texts of tokens, null where it has none.
SEEN = """(name) => {
    const { page } = headlight;
    const panel = document.querySelector(`#panel-${name}`);
    const within = (selector) => [...panel.querySelectorAll(selector)]
        .map((one) => one.dataset.token ?? one.textContent.trim());
    const marked = (side) => document.querySelector(`#hl-${side} .hl-here > span`)?.textContent;
    const bars = [...document.querySelectorAll("#hl-src .hl-token")]
        .map((one) => [Number(one.style.getPropertyValue("--weight")), one.dataset.index]);
    const most = Math.max(...bars.map(([weight]) => weight)); // in hundredths: several may have it
    const line = ({ line, text }) => line ?? text;
    return {
        said: within(".hl-finding :is(q, b)"),
        whole: panel.querySelector(".hl-finding").textContent,
        src: marked("src") ?? null, tgt: marked("tgt") ?? null,
        bar: bars.filter(([weight]) => weight === most && most > 0)
            .map(([, at]) => line(page.record.get().src[at])),
        words: within(".hl-words :is(q, b)"), part: within(".hl-stream-lengths .hl-chosen").join(),
    };
}"""

# Which of the header's marks a view speaks of.
SPEAKS: dict[str, tuple[str, ...]] = {
    "attention": ("src", "tgt", "bar"),
    "microscope": ("src", "tgt", "bar"),
    "summaries": ("src", "tgt", "bar"),
    "figure": ("src", "bar"),
    "steps": ("tgt",),
    "lens": ("tgt",),
    "smoothing": ("tgt",),
    "stream": ("src",),
    "dropout": ("src",),
    "learn": ("src", "tgt"),
    "why": ("src", "tgt"),
    "masks": ("tgt",),
    "sampling": (),
}
SILENT = ("steps", "lens", "smoothing", "stream", "dropout", "learn", "why", "masks", "sampling")
"""The views that say nothing of weights: no bar stands under the source."""


def is_one(name: str, seen: dict[str, Any], text: str) -> None:
    said = [one.strip() for one in seen["said"]]
    about = (name, text, seen)
    for part in SPEAKS[name]:
        marked = seen[part]
        if marked is None:
            assert part == "src" and name == "why", about  # the lead may read the translation
        elif name == "why" and part == "tgt":
            assert marked in said or "feed-forward" in seen["whole"], about
        else:
            marks = marked if part == "bar" else [marked]
            assert any(mark in one or one in mark for mark in marks for one in said), about
    if name in SILENT:
        assert seen["bar"] == [], about


@pytest.mark.long
@each("text", TEN, 3)
def test_the_picture_shows_what_the_view_says(open_stage: Callable[..., Stage], text: str) -> None:
    """The readout names the finding's cell, the table its sub-layer, the drawing its head."""
    page = open_stage("?view=attention").translate(text)
    seen = page.evaluate(SEEN, "attention")
    assert set(seen["said"]) <= set(seen["words"]), seen
    page.choose(exhibit="summaries")
    seen = page.evaluate(SEEN, "summaries")
    assert seen["words"][:2] == seen["said"][:2], seen
    page.choose(exhibit="stream")
    page.unfold("stream", "numbers")
    seen = page.evaluate(SEEN, "stream")
    assert seen["whole"].split("In layer 1, ")[1].split(" adds ")[0] in seen["part"], seen
    page.choose(exhibit="why")
    head = re.search(r"head (\d+·\d+)", page.finding("why"))
    assert head is None or head[1] in " ".join(
        page.locator("#panel-why .hl-why-title").all_text_contents()
    )
    assert page.errors == []


@each("text", TEN, 1)
@pytest.mark.parametrize("name", SPEAKS)
def test_the_header_marks_what_the_view_says(
    open_stage: Callable[..., Stage], name: str, text: str
) -> None:
    page = open_stage(f"?view={name}").translate(text)
    is_one(name, page.evaluate(SEEN, name), text)
    page.click("#hl-tgt [data-index='2']")  # a token that is pressed is the one that is marked
    if "tgt" in SPEAKS[name] and name != "learn":
        marked = page.get_attribute("#hl-tgt .hl-here", "data-index")
        assert marked == "2"
        is_one(name, page.evaluate(SEEN, name), text)
    assert page.errors == []


@pytest.mark.parametrize("view", ["dropout", "schedule"])
def test_a_finding_about_no_step_marks_none(open_stage: Callable[..., Stage], view: str) -> None:
    """The header marks what the finding speaks of: a source token, or nothing."""
    page = open_stage(f"?view={view}&text=The+dog+bit+the+man.")
    assert page.locator("#hl-tgt .hl-here").count() == 0
    assert page.locator("#hl-src .hl-here").count() == (view == "dropout")
