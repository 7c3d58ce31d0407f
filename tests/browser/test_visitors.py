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
