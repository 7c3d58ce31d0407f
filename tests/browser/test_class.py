"""A class in the browser: a teacher leads, a student follows, goes own ways and comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from explorer.words import WORDS
from tests.browsing import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
PHONE = {"width": 390, "height": 844}
CODE = "[data-part=class-code]"
OWN = "The bank closed at noon."
GUESSES = "[data-part=guesses]"


def wait(page: Page, condition: str) -> None:
    page.wait_for_function(condition, timeout=60_000)


def said(page: Page, key: str) -> None:
    page.locator(".hl-class").get_by_text(WORDS[key].en).wait_for(timeout=60_000)


def press(page: Page, key: str) -> None:
    page.locator(".hl-class").get_by_role("button", name=WORDS[key].en).click()


def test_a_student_follows_and_returns(open_page: Open) -> None:
    teacher = open_page("?class=new", keep=False).page
    teacher.wait_for_selector(CODE)
    code = teacher.inner_text(CODE)
    student = open_page(f"?class={code.lower()}", keep=False, viewport=PHONE).page
    said(student, "class.following")
    teacher.wait_for_selector("[data-part=class-here]:text('1 here')")
    teacher.evaluate("headlight.page.choose({ exhibit: 'lens' })")
    wait(student, "document.body.dataset.view === 'lens'")

    student.evaluate("headlight.page.choose({ exhibit: 'steps' })")  # nobody's hand was in it
    student.click("#hl-src .hl-token >> nth=1")
    said(student, "class.own")
    teacher.evaluate("headlight.page.choose({ exhibit: 'masks' })")
    wait(teacher, "location.search.includes('view=masks')")
    assert student.evaluate("document.body.dataset.view") == "steps"
    press(student, "class.return")
    wait(student, "document.body.dataset.view === 'masks'")
    said(student, "class.following")

    student.fill("#hl-text", OWN)
    student.press("#hl-text", "Enter")
    student.click("[data-part=hand-in]", timeout=60_000)
    said(student, "class.handed")
    press(student, "class.return")
    wait(student, "document.body.dataset.view === 'masks'")
    teacher.click("[data-part=sentences] summary")
    teacher.get_by_role("button", name=OWN).click()
    for page in (teacher, student):
        wait(page, f"headlight.page.record.get()?.text === '{OWN}'")

    for page in (student, teacher):
        page.reload()
        page.wait_for_selector(CODE)
    assert teacher.inner_text(CODE) == code
    wait(student, "document.body.dataset.view === 'masks'")
    teacher.evaluate("headlight.page.lesson.set({ name: 'one-head', step: 2 })")
    student.wait_for_selector("[data-part=class-place]:text('step 3')", state="attached")
    student.click(".hl-lesson-options button >> nth=0", timeout=60_000)
    teacher.wait_for_selector(f"{GUESSES}:has-text('1 of 1 have guessed')")
    assert student.locator(f"{GUESSES} li").count() == 0  # nor on the projector
    assert teacher.locator(f"{GUESSES} li").count() == 0
    press(teacher, "class.reveal")
    student.wait_for_selector(f"{GUESSES} li.hl-chosen")  # the right one
    for page in (student, teacher):
        assert page.locator(f"{GUESSES} li > b").all_inner_texts() == ["1", "0", "0", "0"]
    press(teacher, "class.ask.done")
    student.wait_for_selector(GUESSES, state="detached")
    teacher.wait_for_selector("[data-part=class-here]:text('1 here')")  # nobody is counted twice
    press(teacher, "class.end")
    said(student, "class.error.none")


HEAR = """async (all) => {
    const names = performance.getEntriesByType("resource").map(({ name }) => name);
    const teach = names.find((name) => name.endsWith("assets/shell/teach.js"));
    const { createFollower } = await import(teach.replace("teach.js", "class/follow.js"));
    const { signal } = new AbortController();
    window.follower ??= createFollower({ tell: (isAway) => { window.isAway = isAway; },
        shown: () => {}, signal });
    for (const [presses, view, calls = 0] of all)
        window.follower.hear({ presses, calls, state: `text=Hello.&view=${view}` });
}"""


def test_news_that_come_late_or_swapped_never_move_a_page_back(open_page: Open) -> None:
    page = open_page("?text=Hello.", keep=False).page

    def hear(*news: list[object]) -> None:
        page.evaluate(HEAR, news)

    def stays(view: str) -> None:
        wait(page, f"document.body.dataset.view === '{view}'")
        page.wait_for_timeout(1_000)
        assert page.evaluate("document.body.dataset.view") == view

    hear([3, "lens"], [1, "steps"], [2, "masks"])
    stays("lens")
    hear([4, "steps"], [5, "masks"], [4, "steps"])  # while it shows the first
    stays("masks")
    page.click("#hl-src .hl-token >> nth=1")
    wait(page, "window.isAway")
    hear([6, "lens"])
    stays("masks")
    hear([6, "lens", 1])  # called back
    stays("lens")
    assert not page.evaluate("window.isAway")
