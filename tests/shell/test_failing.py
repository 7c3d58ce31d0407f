"""A server that fails while a view asks: each view says so, and its retry works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from explorer.words import WORDS
from tests.stage import Stage

SILENCE = 21_000  # ms: more than a channel waits for a reply
START = "steps"  # a view that asks nothing
# What is there once a view has its value.
VIEWS = {
    "bleu": "[data-value=score]",
    "compare": ".hl-compare-methods tbody tr",
    "dropout": "[data-part=picture] .hl-plot",
    "experiments": ".hl-experiments-bars",
    "figure": ".hl-figure-svg",
    "masks": ".hl-masks canvas",
    "microscope": ".hl-micro-cell",
    "positions": ".hl-sum-numbers",
    "sampling": ".hl-sampling-bars button",
    "schedule": ".hl-schedule-chart .hl-plot",
    "summaries": ".hl-agree-all",
    "toy": ".hl-toy-box[data-step]",
    "tree": ".hl-tree-earlier",
}


def show(page: Stage, name: str) -> None:
    page.choose(exhibit=name)


def add_in_the_sentence(page: Stage) -> None:
    """The tables of positions need no server; what is added in the sentence does."""
    show(page, "positions")
    page.select_option(".hl-positions .hl-field-view select", "sum")


def begin_otherwise(page: Stage) -> None:
    show(page, "tree")
    page.unfold("tree", "adjust")
    page.fill(".hl-tree-begin input", "为什么他们")
    page.press(".hl-tree-begin input", "Enter")


def search_again(page: Stage) -> None:
    show(page, "tree")
    page.unfold("tree", "adjust")
    page.check("#panel-tree input[value='average']")
    page.fill(".hl-tree-alpha .hl-typed", "2")
    page.press(".hl-tree-alpha .hl-typed", "Tab")
    page.click(".hl-tree-run")


# What makes a view ask, where that takes more than to open it.
ASK = {"positions": add_in_the_sentence, "tree": begin_otherwise}


def refuse(_: dict[str, Any], __: str) -> dict[str, bool]:
    return {"failed": True}


def cut(_: dict[str, Any], reply: str) -> str:
    return reply[: len(reply) // 2]


def retry(page: Stage, notice: str) -> None:
    """Press the first retry of a view by keyboard."""
    page.locator(f"{notice} button").first.press("Enter")


def check_failing(page: Stage, name: str, value: str, ask: Callable[[Stage], None] | None) -> None:
    """Refused, cut short, silent: a sentence each time; then the server works and the retry too."""
    notice, value = f"#panel-{name} .hl-failed", f"#panel-{name} {value}"
    page.change(refuse)
    if ask is None:
        show(page, name)
    else:
        ask(page)
    assert page.is_visible(notice)

    page.change(cut)
    retry(page, notice)
    assert page.is_visible(notice) and page.locator(value).count() == 0
    page.change(None)

    page.hold()
    sentences = page.locator(notice).count()
    retry(page, notice)
    assert page.locator(notice).count() < sentences  # its sentence goes at once
    while page.held:  # a view may ask for more than one thing, one after the other
        page.held.clear()
        page.pass_time(SILENCE)
    assert page.is_visible(notice) and page.locator(value).count() == 0
    page.release()

    while page.is_visible(notice):
        retry(page, notice)
    assert page.locator(value).count() > 0
    assert page.errors == []


@pytest.mark.parametrize("name", VIEWS)
def test_a_failing_server_is_told_and_asked_again(
    open_stage: Callable[..., Stage], name: str
) -> None:
    check_failing(open_stage(f"?view={START}"), name, VIEWS[name], ASK.get(name))


def test_a_search_that_fails_is_told_and_asked_again(open_stage: Callable[..., Stage]) -> None:
    page = open_stage(f"?view={START}")
    check_failing(page, "tree", ".hl-tree-outcome:has-text('The search with')", search_again)


def test_a_sentence_that_fails_is_told_and_what_was_there_stays(
    open_stage: Callable[..., Stage],
) -> None:
    page = open_stage("?text=Why+do+we+work%3F")
    for trouble in (refuse, cut):
        page.change(trouble)
        page.translate("Hello.")
        assert page.text_content("#hl-message") == WORDS["error.unreachable"].en
        assert "Why" in page.text_content("#hl-src")
    page.change(None)
    page.translate("Hello.")
    assert page.text_content("#hl-message") == "" and "Hello" in page.text_content("#hl-src")
    assert page.errors == []
