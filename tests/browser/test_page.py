"""The page in a real browser, with the shipped model, against the model's own record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page

from model.config import DecodeConfig, Kind
from model.explain import Explainer
from model.trace import Explanation
from tests.browsing import Pages, Server, Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "The cat saw the other cat. 😀"


@pytest.fixture(scope="module")
def record(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


@pytest.fixture(scope="module")
def shared(pages: Pages, server: Server) -> Iterator[Watched]:
    """For tests that look at the sentence of `record`."""
    with pages.lend(f"{server.url}?{urlencode({'text': SENTENCE})}") as watched:
        yield watched


def opened(shared: Watched, query: str) -> Page:
    return shared.go(f"{query}&{urlencode({'model': 'en-zh', 'text': SENTENCE})}")


def choose_head(page: Page, kind: Kind, layer: int, head: int) -> None:
    page.click(f"[data-head='{kind}.{layer}.{head}']")
    page.wait_for_selector(f"[data-head='{kind}.{layer}.{head}'][aria-pressed='true']")
    page.wait_for_function(
        "(k) => document.querySelector('.hl-head-name i').className.includes(k)",
        arg=f"hl-kind-{kind}",
    )


def test_pixels_are_the_records(shared: Watched, server: Server, record: Explanation) -> None:
    """The colours of all tiles follow the weights of the same head, and of no other."""
    page = opened(shared, "view=attention")
    maps = record.trace.encoder_self
    size = maps.mask.shape[0]
    page.wait_for_function(  # tiles are painted a few a frame
        """(size) => [...document.querySelectorAll('[data-head^=encoder_self] img')]
            .every(({ naturalWidth }) => naturalWidth === size)""",
        arg=size,
    )
    grey = page.evaluate(
        """() => {
            const greys = (image) => {
                const { naturalWidth: width, naturalHeight: height } = image;
                const pen = new OffscreenCanvas(width, height).getContext('2d');
                pen.drawImage(image, 0, 0);
                const { data } = pen.getImageData(0, 0, width, height);
                return Array.from({ length: width * height },
                    (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]);
            };
            const tiles = [...document.querySelectorAll('[data-head^=encoder_self]')];
            return Object.fromEntries(
                tiles.map((t) => [t.dataset.head, greys(t.querySelector('img'))]));
        }"""
    )
    for name, darkness in grey.items():
        _, layer, head = name.split(".")
        own = maps.weights[int(layer), int(head)].ravel()
        assert len(darkness) == size * size
        order = np.argsort(own)
        assert (np.diff(np.array(darkness)[order]) <= 0).all(), name
    hosts = {urlsplit(url).netloc for url in shared.urls if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server.url).netloc}


def test_dark_and_light(open_page: Open) -> None:
    watched = open_page("?view=attention", color_scheme="dark")
    page = watched.page
    paper = "() => getComputedStyle(document.querySelector('.gradio-container')).backgroundColor"
    tile = "() => document.querySelector('.hl-tile img').src"
    dark, drawn = page.evaluate(paper), page.evaluate(tile)
    page.click("#hl-theme")
    page.wait_for_function(f"(old) => ({tile})() !== old", arg=drawn)
    assert page.evaluate(paper) != dark
    page.reload()
    watched.settle()
    assert page.evaluate(paper) != dark, "the choice is forgotten"


def test_nothing_moves_at_rest(open_page: Open) -> None:
    """An animation that nobody sees would still cost every visitor's battery."""
    page = open_page().translate(SENTENCE)
    running = "() => document.getAnimations().map((one) => one.effect.target.className)"
    page.wait_for_function(f"() => ({running})().length === 0", timeout=5_000)
    page.evaluate("document.body.toggleAttribute('data-busy', true)")
    page.wait_for_function(  # the sign of work is seen, and what it stands for is dimmed
        """() => getComputedStyle(document.querySelector('.hl-work')).opacity === '1'
            && getComputedStyle(document.querySelector('.hl-sentence')).opacity < 0.6"""
    )
    assert page.evaluate(running) != [], "the sign of work stands still"


def test_a_long_sentence_covers_nothing_once_it_is_sent(open_page: Open) -> None:
    page = open_page("?view=bleu").page
    page.set_viewport_size({"width": 1000, "height": 700})
    height = "document.querySelector('#hl-text').clientHeight"
    one_line = page.evaluate(height)
    page.fill("#hl-text", "My aunt took three slow trains across the country to visit us. " * 2)
    assert page.evaluate(height) > 1.5 * one_line
    page.press("#hl-text", "Enter")
    assert page.evaluate(height) <= one_line
    page.press("#hl-text", "x")
    assert page.evaluate(height) > 1.5 * one_line


def test_everything_can_be_done_by_keyboard(open_page: Open) -> None:
    page = open_page("?view=attention&attention.view=map").page
    page.focus("#hl-text")
    page.keyboard.press("Control+A")
    page.keyboard.type("Why do we work?")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#hl-src').textContent.includes('Why')")
    page.focus(".hl-tile[aria-pressed=true]")
    start = page.evaluate("document.activeElement.dataset.head")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.head") != start
    page.wait_for_selector(
        f"[data-head='{page.evaluate('document.activeElement.dataset.head')}'][aria-pressed=true]"
    )
    page.focus(".hl-field")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".hl-cell-mark")
    assert page.locator(".hl-attention .hl-readout").text_content()
    page.focus("[data-view=microscope]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-microscope:not([hidden])")


def test_the_head_can_be_taken_away(shared: Watched, record: Explanation) -> None:
    page = opened(shared, "view=attention&attention.view=map")
    choose_head(page, "decoder_self", 0, 1)
    page.click("#panel-attention .hl-download > summary")
    for name in ("csv", "svg", "png"):
        with page.expect_download() as waiting:
            page.click(f"#panel-attention .hl-download [data-format={name}]")
        assert waiting.value.suggested_filename == f"headlight-decoder_self-layer1-head2.{name}"
        content = waiting.value.path().read_bytes()
        if name == "png":
            assert content.startswith(b"\x89PNG") and len(content) > 5_000
        elif name == "csv":
            rows = content.decode("utf-8-sig").strip().split("\r\n")
            assert len(rows) == len(record.trace.tgt_out) + 1
            first = float(rows[1].rsplit('",', 1)[1].split(",")[0])
            assert first == pytest.approx(record.trace.decoder_self.weights[0, 1, 0, 0], abs=1e-5)
        else:
            assert b"&lt;/s&gt;" in content


def test_many_changes_leave_room_for_the_sentence(open_page: Open) -> None:
    changes = '{"padding":4,"padding_mask":false,"scaling":false,"causal_mask":false}'
    page = open_page(f"?{urlencode({'text': SENTENCE, 'changes': changes})}").page
    field, note = (page.locator(one).bounding_box() for one in ("#hl-text", "#hl-changed"))
    assert field is not None and note is not None
    assert field["width"] >= 140 and note["height"] <= 60
    assert "no causal mask" in (page.get_attribute("#hl-changed", "title") or "")
