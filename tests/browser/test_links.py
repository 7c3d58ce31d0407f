"""Links as a visitor uses them: reload, back and forward, copying, in a frame."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browsing import Watched, at_rest, choose_exhibit
from tests.shared import Address

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_a_reload_keeps_all(open_page: Open) -> None:
    page = open_page("?view=positions").page
    at_rest(page, "positions")
    page.select_option("#panel-positions .hl-field-view select", "rotation")
    page.fill("#panel-positions .hl-field-k .hl-typed", "17")
    page.press("#panel-positions .hl-field-k .hl-typed", "Tab")
    page.wait_for_function("() => location.search.includes('positions.k=17')")
    page.reload()
    page.wait_for_selector("#panel-positions .hl-circle")
    assert page.input_value("#panel-positions .hl-field-k .hl-typed") == "17"


@pytest.mark.long
def test_back_and_forward_go_through_what_was_on_the_page(open_page: Open) -> None:
    watched = open_page("?text=Why+do+we+work%3F&view=attention")
    page = watched.page
    page.evaluate("() => { window.same = true; }")
    shown = (
        "([text, name]) => { const { record, selection } = headlight.page;"
        " return record.get().text === text && selection.get().exhibit === name"
        " && document.body.dataset.busy === undefined; }"
    )

    def at(text: str, name: str) -> None:
        page.wait_for_function(shown, arg=[text, name], timeout=60_000)
        page.wait_for_function("(text) => location.search.includes(text)", arg=text.split()[0])
        page.wait_for_timeout(600)  # no sign on the page: the next entry is one of its own by then

    at("Why do we work?", "attention")
    start = page.evaluate("() => history.length")
    choose_exhibit(page, "tree")
    at("Why do we work?", "tree")
    page.fill("#panel-tree .hl-tree-alpha .hl-typed", "0.5")
    page.press("#panel-tree .hl-tree-alpha .hl-typed", "Tab")
    page.wait_for_function("() => location.search.includes('tree.alpha=0.5')")
    assert page.evaluate("() => history.length") in (
        start + 1,
        start + 2,
    )  # the part, then the view
    watched.translate("I am a student.")
    at("I am a student.", "tree")
    assert page.input_value("#panel-tree .hl-tree-alpha .hl-typed") == "1"  # it begins anew
    page.go_back()
    at("Why do we work?", "tree")
    page.wait_for_function(
        "() => document.querySelector('#panel-tree .hl-tree-alpha .hl-typed').value === '0.5'"
    )
    assert page.input_value("#hl-text") == "Why do we work?"
    page.go_forward()
    at("I am a student.", "tree")
    page.click("#hl-hypotheses > summary")
    page.click("#hl-hypotheses .hl-hypothesis >> nth=2")
    page.wait_for_function("() => headlight.page.record.get().shown === 1")
    page.wait_for_function("() => location.search.includes('hypothesis=2')")
    page.go_back()
    page.wait_for_function("() => headlight.page.record.get().shown === 0")
    assert page.evaluate("() => window.same"), "the page was loaded again"
    assert watched.errors == []


def test_the_button_copies_a_link(open_page: Open) -> None:
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = open_page("?view=tree", **options).page
    page.click("#hl-copy > summary")
    page.wait_for_selector("#hl-copy .hl-sheet :text('Link copied.')")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert parse_qs(urlsplit(link).query)["view"] == ["tree"]


def test_where_copying_is_refused_the_link_is_selected(open_page: Open) -> None:
    page = open_page("?view=tree").page
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    page.click("#hl-copy > summary")
    page.wait_for_selector("#hl-copy input")
    assert page.evaluate("() => getSelection().toString()") == page.input_value("#hl-copy input")


def test_in_a_frame_the_link_is_to_the_page_itself(
    open_page: Open, server: Address, browser: Browser
) -> None:
    context = browser.new_context()
    outer = context.new_page()
    outer.set_content(f'<iframe src="{server.url}?view=masks" width="1200" height="700"></iframe>')
    frame = outer.frames[1]
    frame.wait_for_selector("body[data-ready=live]", timeout=60_000)
    frame.click("#hl-copy > summary")
    frame.wait_for_selector("#hl-copy input")  # a frame may not write to the clipboard
    assert frame.input_value("#hl-copy input").startswith(f"{server.url}?")
    context.close()
