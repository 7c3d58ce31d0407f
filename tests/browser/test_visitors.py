"""Whatever a visitor types, and whoever else is there: the page goes on."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.labels import labels
from explorer.words import WORDS
from model.explain import Explainer
from tests.browsing import Watched, choose_exhibit

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


HOSTILE = (
    '<img src=x onerror="window.broken=1"><script>window.broken=1</script> ${window.broken=1} {{x}}'
)


def test_a_text_is_only_text(open_page: Open, explainer: Explainer) -> None:
    watched = open_page()
    page = watched.translate(HOSTILE)
    choose_exhibit(page, "tree")
    page.locator("#hl-src .hl-token").first.hover()
    assert page.evaluate("window.broken") is None
    foreign = "img:not(.hl-tile > img), script"  # the tiles are images of ours
    assert page.locator(f":is(#hl-src, .hl-panel) :is({foreign})").count() == 0
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(HOSTILE))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    assert watched.errors == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to translate"),
        ("\u0007\u200b  ", "nothing to translate"),
        ("a " * 50_000, "100,000 characters"),
        ("frog " * 300, "The text has"),
    ],
)
def test_what_cannot_be_translated_gets_one_sentence(open_page: Open, text: str, says: str) -> None:
    watched = open_page()
    page = watched.page
    before = page.locator("#hl-src").text_content()
    watched.translate(text)
    assert says in page.locator("#hl-message.hl-trouble").text_content()
    assert page.locator("#hl-src").text_content() == before, "what was on the page is lost"
    answers = int(page.evaluate("() => Number(document.body.dataset.answers)"))
    page.click("#hl-settings summary")
    page.select_option("[name=method]", "greedy")  # goes on from what is on show
    page.wait_for_function("(n) => Number(document.body.dataset.answers) > n", arg=answers)
    assert page.locator(".hl-trouble").count() == 0
    assert page.locator("#hl-src").text_content() == before
    page.keyboard.press("Escape")
    watched.translate("Why do we work?")
    assert page.locator(".hl-trouble").count() == 0
    assert "Why" in page.locator("#hl-src").text_content()
    assert watched.errors == []


@pytest.mark.parametrize("text", ["🐱🚀👩‍🚀", "我是学生。", "\u202eabc\u0301 \u200dx", "\\ ` ${1}"])
def test_odd_texts_are_translated(open_page: Open, text: str, explainer: Explainer) -> None:
    watched = open_page()
    page = watched.translate(text)
    assert page.locator(".hl-trouble").count() == 0
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(text))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    assert watched.errors == []


@pytest.mark.parametrize(
    ("more", "said"),
    [("hypothesis=99", "Hypothesis 99"), ("hypothesis=99&beam_size=hm", "Beam size")],
)
def test_absurd_addresses_do_no_harm(open_page: Open, more: str, said: str) -> None:
    watched = open_page(f"?kind=nonsense&layer=999&head=0&step=-4&src=1e9&view=x&{more}")
    watched.page.wait_for_selector(".hl-figure-svg")
    assert said in watched.page.locator(".hl-trouble").text_content()
    assert watched.errors == []


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
