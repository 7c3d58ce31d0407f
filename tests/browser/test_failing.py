"""A server that fails while a view asks: each view says so, and its retry works."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.browsing import AT_REST, Watched, drawn
from tests.exhibits.failing import START, check_failing
from tests.today import some

pytestmark = pytest.mark.browser

# What is there once a view has its value.
VIEWS = {
    "bleu": "[data-value=score]",
    "compare": ".hl-compare-methods tbody tr",
    "dropout": "[data-part=picture] .hl-plot",
    "experiments": ".hl-experiments-bars",
    "figure": ".hl-figure-svg",
    "flow": ".hl-flow-picture",
    "masks": ".hl-masks canvas",
    "microscope": ".hl-micro-cell",
    "order": ".hl-order-maps canvas",
    "positions": ".hl-sum-numbers",
    "sampling": ".hl-sampling-bars button",
    "schedule": ".hl-schedule-chart .hl-plot",
    "summaries": ".hl-agree-all",
    "toy": ".hl-toy-box[data-step]",
    "tree": ".hl-tree-earlier",
}


def add_in_the_sentence(page: Page) -> None:
    """The tables of positions need no server; what is added in the sentence does."""
    page.wait_for_function(AT_REST)
    drawn(page)  # what a view begins with is set in its first frames
    page.select_option(".hl-positions .hl-field-view select", "sum")


def begin_otherwise(page: Page) -> None:
    page.evaluate("headlight.page.folds.merge({ adjust: true })")
    page.fill(".hl-tree-begin input", "为什么他们")
    page.press(".hl-tree-begin input", "Enter")


def search_again(page: Page) -> None:
    page.evaluate("headlight.page.folds.merge({ adjust: true })")
    page.check("#panel-tree input[value='average']")
    page.fill(".hl-tree-alpha .hl-typed", "2")
    page.press(".hl-tree-alpha .hl-typed", "Tab")
    page.click(".hl-tree-run")


# What makes a view ask, where that takes more than to open it.
ASK = {"positions": add_in_the_sentence, "tree": begin_otherwise}


@pytest.fixture(scope="module")
def shared(browser, server) -> Iterator[Watched]:  # type: ignore[no-untyped-def]
    """One page for all views: each is opened for the first time by its own test."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    watched = Watched(context.new_page())
    watched.page.clock.install()
    watched.page.goto(f"{server.url}?view={START}")
    watched.settle()
    yield watched
    context.close()


@pytest.mark.parametrize("name", some(tuple(VIEWS), 2))
def test_a_failing_server_is_told_and_asked_again(shared: Watched, name: str) -> None:
    check_failing(shared, name, VIEWS[name], ASK.get(name))


def test_a_search_that_fails_is_told_and_asked_again(open_page: Callable[..., Watched]) -> None:
    watched = open_page(f"?view={START}", keep=False)
    watched.page.clock.install()
    check_failing(watched, "tree", ".hl-tree-outcome:not(:empty)", search_again)


# Gradio's script takes its stream for open when a request is accepted, and closes it after that:
# it happens in a busy browser. Here the end of a stream is held back, once `late.isOn` is set.
CLOSED_LATE = """(() => {
    const real = window.fetch;
    const late = (window.late = { isOn: false, accept: null, ends: 0 });
    const holding = () => new TransformStream({
        async transform(part, into) {
            const text = new TextDecoder().decode(part);
            const end = text.indexOf('data: {"msg":"close_stream"');
            if (end < 0 || !late.isOn) return into.enqueue(part);
            late.isOn = false;
            const accepted = new Promise((resolve) => { late.accept = resolve; });
            into.enqueue(new TextEncoder().encode(text.slice(0, end)));
            await accepted;
            await new Promise((resolve) => setTimeout(resolve, 300));
            late.ends += 1;
            into.enqueue(new TextEncoder().encode(text.slice(end)));
        },
    });
    window.fetch = async (input, init) => {
        const url = input.url ?? String(input);
        const reply = await real(input, init);
        if (url.includes("queue/join")) late.accept?.();
        if (!url.includes("queue/data")) return reply;
        return new Response(reply.body.pipeThrough(holding()), reply);
    };
})();"""


def test_a_reply_on_a_stream_that_closes_too_late_is_fetched(
    open_page: Callable[..., Watched],
) -> None:
    watched = open_page(f"?view={START}", keep=False)
    page = watched.page
    page.add_init_script(CLOSED_LATE)
    page.reload()
    watched.settle()
    page.wait_for_function(AT_REST)
    page.evaluate("() => { late.isOn = true; }")
    watched.translate("I am here.")
    page.wait_for_function("late.accept !== null")
    watched.translate("We are there.")
    assert page.evaluate("late.ends") == 1
    assert page.evaluate("headlight.page.message.get()") is None  # nobody gave up
    assert page.evaluate("headlight.page.record.get().text") == "We are there."
