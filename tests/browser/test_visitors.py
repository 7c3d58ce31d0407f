"""Two visitors at once, and a server that is gone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.words import WORDS
from tests.browsing import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_two_visitors_do_not_meet(open_page: Open) -> None:
    first, second = open_page(), open_page()
    first.page.fill("#hl-text", "My secret is a blue frog.")
    second.page.fill("#hl-text", "I like old walruses.")
    first.page.click("#hl-translate")
    second.page.click("#hl-translate")
    for watched, own, other in ((first, "secret", "walruses"), (second, "walruses", "secret")):
        watched.page.wait_for_function(
            "(own) => document.querySelector('#hl-src').textContent.includes(own.slice(0, 3))",
            arg=own,
        )
        assert other not in watched.page.content()
        watched.settle().wait_for_url(  # the address follows when the visitor rests
            lambda url, own=own: own in parse_qs(urlsplit(url).query).get("text", [""])[0]
        )


def test_a_server_that_is_gone_is_told(open_page: Open) -> None:
    watched = open_page()
    page = watched.page
    page.route("**/gradio_api/queue/join*", lambda route: route.fulfill(status=503, body="{}"))
    before = page.locator("#hl-src").text_content()
    page.fill("#hl-text", "Hello.")
    page.click("#hl-translate")
    page.wait_for_selector(".hl-trouble")
    assert page.locator("#hl-message").text_content() == WORDS["error.unreachable"].en
    assert page.locator("#hl-src").text_content() == before


# What a browser's translation does: other nodes stand where the texts were. It honours the mark
# of HTML (`translate`, which an element inherits), the page's (meta) or the older class.
TRANSLATION = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const { parentElement: near } = node;
        const isLeft = near.closest("script, style, textarea, font, .notranslate");
        if (!isLeft && near.translate && node.data.trim()) texts.push(node);
    }
    for (const node of texts) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = `${node.data}\u02b9`;
        outer.append(inner);
        node.replaceWith(outer);
    }
}"""
STRIP = """(side) => [...document.querySelectorAll(`#hl-${side} .hl-token > span`)]
    .map((one) => one.textContent)"""
TOKENS = """() => { const { src, tgt_in, tgt_out } = headlight.page.record.get();
    return [src, [tgt_in[0], ...tgt_out]].map((side) => side.map(({ text }) => text)); }"""


@pytest.mark.long
def test_a_browsers_translation_leaves_no_words_of_another_sentence(open_page: Open) -> None:
    watched = open_page("?view=attention", keep=False)
    page = watched.page

    def is_one_sentence() -> None:
        page.evaluate(TRANSLATION)
        assert [page.evaluate(STRIP, side) for side in ("src", "tgt")] == page.evaluate(TOKENS)
        assert page.locator("font").count() == 0
        assert page.title() == "Headlight"

    is_one_sentence()
    watched.translate("Where is the station?")
    is_one_sentence()
    page.click("#hl-hypotheses > summary")
    page.click("#hl-hypotheses .hl-hypothesis >> nth=2")
    page.wait_for_function("() => headlight.page.record.get().shown === 1")
    watched.settle()
    is_one_sentence()
    for change in ({"exhibit": "figure"}, {"step": 1}, {"exhibit": "tree"}):
        page.evaluate("(change) => headlight.page.choose(change)", change)
        watched.settle()
        is_one_sentence()
    page.click("#hl-language")
    watched.settle()
    is_one_sentence()
    assert watched.errors == []
