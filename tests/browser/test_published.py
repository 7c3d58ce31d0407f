"""The page without a server: a published folder below a path of a static host, in a browser."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from explorer import publish
from explorer.exhibits import NAMES
from explorer.publish import away
from explorer.words import WORDS
from model import shipped
from model.config import DecodeConfig
from model.explain import Explainer
from tests import foreign
from tests.browsing import Watched
from tests.tiers import some

pytestmark = pytest.mark.browser
MOST = 25 * 10**6  # bytes of the first load
PATIENCE = 60_000
TEXTS = ("I have never been to China.", "I like cats. 😀")


class Host(http.server.ThreadingHTTPServer):
    """A static host; it counts what it sends, and can be switched off."""

    def __init__(self, folder: Path) -> None:
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def copyfile(self, source, outputfile) -> None:  # type: ignore[no-untyped-def]
                content = source.read()
                self.server.sent += len(content)  # type: ignore[attr-defined]
                outputfile.write(content)

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder.parent)))
        self.sent = self.first = 0  # bytes: in all, and for the first load
        self.url = f"http://127.0.0.1:{self.server_address[1]}/{folder.name}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[Host]:
    running = Host(site)
    yield running
    running.shutdown()
    running.server_close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1366, "height": 768})
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def page(host: Host, context: BrowserContext) -> Page:
    """The page after its first load, with all that it keeps; how much that was is in `first`."""
    opened, before = context.new_page(), host.sent  # by tests that ran earlier
    opened.goto(f"{host.url}?lang=en&text=No.")
    # Its policy forbids what `wait_for_function` does.
    opened.wait_for_selector("body[data-kept]", state="attached", timeout=PATIENCE)
    host.first = host.sent - before
    return opened


def test_a_folder_for_a_class_opens_its_lessons_unless_a_link_says_otherwise(
    browser: Browser, host: Host
) -> None:
    def begins(route: Route) -> None:
        sent = route.fetch().text()
        changed = sent.replace('"begin":null', '"begin":"lessons"')
        assert changed != sent
        route.fulfill(body=changed, content_type="text/html")

    with browser.new_context(service_workers="block") as context:
        page = context.new_page()
        page.route(lambda url: url.split("?")[0] == host.url, begins)
        for query, view in (("", "lessons"), ("?view=tree", "tree")):
            page.goto(f"{host.url}{query}")
            page.wait_for_selector(f"#panel-{view}:not([hidden])", state="attached")


def show(page: Page, host: Host, text: str, view: str = "attention") -> Page:
    page.goto(f"{host.url}?{urlencode({'text': text, 'view': view, 'lang': 'en'})}")
    page.wait_for_selector("body[data-ready=live]", state="attached", timeout=PATIENCE)
    page.wait_for_selector("body:not([data-busy]):not([data-asking])", state="attached")
    return page


def test_the_first_load_is_small_and_a_link_translates_as_python_does(
    page: Page, host: Host, explainer: Explainer
) -> None:
    assert host.first <= MOST, f"{host.first:,} bytes"
    for text in TEXTS:
        shown = show(page, host, text).evaluate("() => ({ ...document.body.dataset })")
        ours = explainer.explain(text, DecodeConfig(), prefix=())
        assert (shown["text"], shown["translation"]) == (text, ours.trace.tgt_out.text)


@pytest.mark.long
@pytest.mark.skipif(len(shipped.names()) < 2, reason="the second model is not there")
def test_the_second_model_is_fetched_when_a_sentence_needs_it(
    context: BrowserContext, page: Page, host: Host
) -> None:
    watched = Watched(context.new_page())
    own = show(watched.page, host, "I am a student.")
    assert not any("/models/zh-en/" in url or "cards/zh-en" in url for url in watched.urls)
    own.fill("#hl-text", "我是学生。")
    own.press("#hl-text", "Enter")
    own.wait_for_function("() => headlight.page.record.get().model.key === 'zh-en'")
    assert any("/models/zh-en/" in url for url in watched.urls)
    assert own.input_value("#hl-model select") == "zh-en" and watched.errors == []
    watched.page.close()


@pytest.mark.long
def test_views_open_and_nothing_leaves_the_folder(
    context: BrowserContext, page: Page, host: Host
) -> None:
    watched = Watched(context.new_page())
    shown = show(watched.page, host, "I am a student.")
    for name in some(NAMES, 7):  # all of the answers: tests/parity/test_answers.py
        shown.evaluate("(exhibit) => window.headlight.page.choose({ exhibit })", name)
        panel = shown.locator(f"#panel-{name}")
        if name in away():
            shown.wait_for_selector(f"#panel-{name} .hl-away")
            assert panel.locator(".hl-away").inner_text() == WORDS[away()[name]].en
            continue
        shown.wait_for_selector(f"#panel-{name} .hl-exhibit > *", state="attached")
        shown.wait_for_selector(f"#panel-{name}:not(:has(.hl-pending))", timeout=PATIENCE)
        assert panel.locator(".hl-exhibit").inner_text().strip(), name
        assert panel.locator(".hl-failed:visible").all_inner_texts() == [], name
        assert panel.locator(".hl-away").count() == 0, name
        if name == "cost":  # its times are a server's: that is its finding, with nothing to adjust
            assert panel.locator(".hl-finding").inner_text() == WORDS["published.torch"].en
            assert panel.locator("[data-part=controls] input").count() == 0
    assert watched.errors == []
    assert {url for url in watched.urls if not url.startswith(host.url)} == set()
    watched.page.close()


def test_once_loaded_it_needs_no_network(
    context: BrowserContext, page: Page, host: Host, explainer: Explainer
) -> None:
    context.set_offline(True)
    arrived: list[str] = []  # at this page: what an earlier one has asked for may still be sent
    page.on("response", lambda one: one.from_service_worker or arrived.append(one.url))
    try:
        shown = show(page, host, "Why do we work?", "sampling")
        translation = explainer.explain("Why do we work?", DecodeConfig()).trace.tgt_out.text
        assert shown.evaluate("() => document.body.dataset.translation") == translation
        assert shown.locator("#panel-sampling .hl-failed").count() == 0
        assert arrived == []
    finally:
        context.set_offline(False)


@pytest.mark.long
def test_a_model_of_another_family_answers_without_a_server(
    browser: Browser, tmp_path: Path
) -> None:
    """A BART: it opens, a typed text is translated as Python does, views are changed."""
    pytest.importorskip("transformers")
    folder = foreign.write_family(tmp_path / "tiny-bart", "bart")
    publish.build(tmp_path / "site", [str(folder)])
    host, text = Host(tmp_path / "site"), "Café? I can't come. 😀"
    explainer = Explainer.load(folder, device="cpu")
    expected = explainer.explain(text, explainer.defaults).trace
    with browser.new_context(viewport={"width": 1366, "height": 768}) as context:
        watched = Watched(context.new_page())
        page = watched.page
        page.goto(f"{host.url}?lang=en")
        page.wait_for_selector("body[data-ready=live]", state="attached", timeout=PATIENCE)
        page.fill("#hl-text", text)
        page.press("#hl-text", "Enter")
        page.wait_for_selector(f'body[data-text="{text}"]', state="attached", timeout=PATIENCE)
        shown = page.evaluate("() => document.body.dataset.translation")
        assert shown == expected.tgt_out.text
        src = page.evaluate("() => headlight.page.record.get().src.map(({ id }) => id)")
        assert src == expected.src.ids.tolist()
        for name in some([name for name in NAMES if name not in away()], 4):
            page.evaluate("(exhibit) => window.headlight.page.choose({ exhibit })", name)
            page.wait_for_selector(f"#panel-{name} .hl-exhibit > *", state="attached")
            page.wait_for_selector(f"#panel-{name}:not(:has(.hl-pending))", timeout=PATIENCE)
            assert page.locator(f"#panel-{name} .hl-failed:visible").all_inner_texts() == [], name
        assert watched.errors == []
        assert {url for url in watched.urls if not url.startswith(host.url)} == set()
    host.shutdown()
    host.server_close()
