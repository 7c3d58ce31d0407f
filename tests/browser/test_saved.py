"""A session saved as one file: opened from a disk without a network it shows the page's numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from explorer.exhibits import NAMES, load
from explorer.session import Session
from model.explain import Explainer
from tests.browsing import Server, Watched, at_rest, choose_exhibit

pytestmark = pytest.mark.browser

# 20 tokens, and words that would end the script that they stand in, if anything could.
SENTENCE = "I saw her </script><img src=x onerror=hacked()> and a dog."
PLAIN = "I have never seen such a beautiful garden, and she told me that it was her own."
LIMIT = 5_500_000  # bytes; twice the 14,000 tokens at each of 20 steps: log-probs, and logits
SAVED = tuple(one.name for one in load() if one.saved)

# The texts of tables, lists and sentences of a view: all numbers that it writes.
TEXTS = """(name) => [...document.querySelectorAll(
        `#panel-${name} :is(td, th, p, li, dd, b, output, text, figcaption, pre)`)]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => one.textContent.trim())"""


def saved_file(page: Page, folder: Path) -> Path:
    """What the button downloads."""
    with page.expect_download(timeout=120_000) as download:
        page.click("#hl-save > summary")
    path = folder / "saved.html"
    download.value.save_as(path)
    assert download.value.suggested_filename.startswith("headlight-i-")
    return path


def texts(page: Page, name: str) -> list[str]:
    """All that a view writes, once it has come to rest."""
    page.evaluate("headlight.page.folds.merge({ adjust: false, numbers: true, reading: false })")
    choose_exhibit(page, name)
    page.wait_for_selector(f"#panel-{name} .hl-exhibit > *")
    at_rest(page, name)
    return [str(one) for one in page.evaluate(TEXTS, name)]


@pytest.fixture(scope="module")
def live(browser: Browser, server: Server) -> Iterator[Watched]:
    """The page with the sentence of twenty tokens, a head that is not the first, and a choice."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    watched = Watched(context.new_page())
    query = f"?kind=cross&layer=2&head=3&step=4&positions.k=9&text={PLAIN.replace(' ', '+')}"
    watched.page.goto(server.url + query)
    watched.settle()
    yield watched
    context.close()


@pytest.fixture(scope="module")
def file(live: Watched, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = saved_file(live.page, tmp_path_factory.mktemp("saved"))
    assert path.stat().st_size < LIMIT
    live.page.keyboard.press("Escape")
    return path


@contextmanager
def from_disk(browser: Browser, path: Path) -> Iterator[Watched]:
    """The saved file, from the disk, with the network cut."""
    context = browser.new_context(
        viewport={"width": 1366, "height": 768}, locale="en-GB", offline=True
    )
    watched = Watched(context.new_page())
    watched.page.goto(path.as_uri())
    watched.settle()
    yield watched
    context.close()


@pytest.fixture(scope="module")
def opened(browser: Browser, file: Path) -> Iterator[Watched]:
    """One for all tests that only look."""
    with from_disk(browser, file) as watched:
        yield watched


@pytest.fixture
def fresh(browser: Browser, file: Path) -> Iterator[Watched]:
    """One for a test that chooses something else."""
    with from_disk(browser, file) as watched:
        yield watched


@pytest.mark.parametrize("name", SAVED)
def test_the_file_shows_the_pages_numbers(name: str, live: Watched, opened: Watched) -> None:
    here, there = texts(opened.page, name), texts(live.page, name)
    assert sum(any(c.isdigit() for c in one) for one in there) > 3
    if name == "sampling":  # as many bars as fit, and the file has less room: no line of the bar
        assert set(here) <= set(there) and len(here) > 0.8 * len(there)
        here, there = (
            one.page.locator("#panel-sampling td").all_text_contents() for one in (opened, live)
        )
        assert len(here) > 30
    assert here == there
    assert opened.errors == []


def test_the_files_numbers_are_the_records(opened: Watched, explainer: Explainer) -> None:
    found = explainer.explain(PLAIN)
    assert len(found.trace.src.ids) == 20
    shown = opened.page.evaluate(
        """() => {
            const { attention, hypotheses, steps } = headlight.page.record.get();
            return [[...attention.cross.head(1, 2)], hypotheses.map(({ score }) => score),
                steps.map(({ log_prob }) => log_prob)];
        }"""
    )
    weights = found.trace.cross.weights[1, 2].ravel()
    assert shown[0] == pytest.approx(weights.tolist(), abs=1 / 131_070 + 1e-7)
    assert shown[1] == pytest.approx([one.score for one in found.search.hypotheses], abs=1e-5)
    assert shown[2] == pytest.approx(found.trace.log_prob.tolist(), abs=1e-5)


def test_nothing_is_asked_of_anyone(opened: Watched) -> None:
    assert {url.split(":")[0] for url in opened.urls} <= {"file", "data", "blob"}
    assert sum(url.startswith("file") for url in opened.urls) == 1


def test_other_views_are_grey_and_say_why(fresh: Watched) -> None:
    page = fresh.page
    others = [name for name in NAMES if name not in SAVED]
    assert others
    page.click("#hl-index > summary")
    for name in others:
        entry = page.locator(f"#hl-index [data-exhibit={name}]")
        assert "hl-off" in (entry.get_attribute("class") or "")
        assert "running page" in entry.inner_text()
    page.keyboard.press("Escape")
    page.evaluate("(name) => headlight.page.choose({ exhibit: name })", others[0])
    page.wait_for_selector(f"#panel-{others[0]} .hl-away")
    assert page.get_attribute("#hl-text", "readonly") is not None
    assert not page.is_visible("#hl-translate")


def test_what_the_file_does_not_hold_is_said(fresh: Watched) -> None:
    page = fresh.page
    choose_exhibit(page, "microscope")
    page.wait_for_selector("#panel-microscope .hl-micro-chain")
    saved = page.evaluate("() => headlight.page.selection.get()")
    assert (saved["kind"], saved["layer"], saved["head"]) == ("cross", 1, 2)
    page.evaluate("() => headlight.page.choose({ layer: 0, head: 0 })")
    page.wait_for_selector("#panel-microscope .hl-failed")
    assert "This file has no model" in page.inner_text("#panel-microscope .hl-failed")
    page.select_option("#panel-microscope select >> nth=1", index=1)
    page.select_option("#panel-microscope select >> nth=2", index=2)
    page.wait_for_function(
        """() => {
            const { kind, layer, head } = headlight.page.selection.get();
            return kind === 'cross' && layer === 1 && head === 2;
        }"""
    )
    page.wait_for_selector("#panel-microscope .hl-micro-chain")  # the head that was saved


def test_a_hostile_sentence_stays_text(
    open_page: Callable[..., Watched], browser: Browser, tmp_path: Path
) -> None:
    watched = open_page()
    watched.translate(SENTENCE)
    path = saved_file(watched.page, tmp_path)
    source = path.read_text("utf-8")
    session = source.split('id="headlight-session">')[1].split("</script>")[0]
    assert "<" not in session and "\\u003c/script>" in session
    context = browser.new_context(offline=True)
    opened = Watched(context.new_page())
    opened.page.add_init_script("window.hacked = () => { window.wasHacked = true; };")
    opened.page.goto(path.as_uri())
    opened.settle()
    assert opened.page.input_value("#hl-text") == SENTENCE
    assert opened.page.evaluate("() => window.wasHacked") is None
    assert opened.page.locator("img").count() == 0
    assert opened.errors == []
    context.close()


def test_the_session_as_data_is_the_records(
    open_page: Callable[..., Watched], explainer: Explainer, tmp_path: Path
) -> None:
    """The very bytes that Python writes, but for the time that the model took."""
    page = open_page("?hypothesis=2&beam_size=3&text=I+have+a+%F0%9F%90%B8+%26+a+%3Cb%3E.").page
    page.click("#hl-save > summary")
    is_data = re.compile(r"headlight-i-have-a-.*\.json").fullmatch
    with page.expect_event(
        "download", lambda one: bool(is_data(one.suggested_filename)), timeout=60_000
    ) as download:
        page.click("#hl-save [data-session]")
    path = tmp_path / "session.json"
    download.value.save_as(path)
    session = Session.load(path)
    assert session.data == path.read_bytes()
    again = Session.of(session.explain(explainer))
    seconds = re.compile(rb'"seconds":[^,]+')
    assert seconds.sub(b"", again.data) == seconds.sub(b"", session.data)
    other = Session.of(explainer.explain(session.request.text, session.request.config))
    assert seconds.sub(b"", other.data) != seconds.sub(b"", session.data)  # hypothesis 1


def test_saving_can_be_stopped(open_page: Callable[..., Watched]) -> None:
    watched = open_page()
    page = watched.page
    page.evaluate(
        """() => {
            const { createElement } = document;
            window.taken = 0;
            document.createElement = function (name, ...rest) {
                if (name === 'a') window.taken += 1;
                return createElement.call(this, name, ...rest);
            };
        }"""
    )
    page.click("#hl-save > summary")
    page.click("#hl-save button")
    page.wait_for_function(
        "() => document.querySelector('#hl-save .hl-sheet').textContent.includes('Stopped')"
    )
    assert page.evaluate("() => window.taken") == 0
