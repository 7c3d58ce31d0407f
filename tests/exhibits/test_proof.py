"""The proof of the shipped model: the browser fetches it, runs it, and compares what is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from explorer import card
from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import Server, Watched, drawn, written

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "The cat saw the other cat. 🐱"
MODEL = "/model/en-zh/model.safetensors"
PARTS = ("weights", "asked", "tokens", "encoder_self", "decoder_self", "cross", "predictions")
PARTS += ("candidates", "fates", "hypotheses", "doubt", "answers")
PATIENCE = 90_000  # ms


@pytest.fixture(scope="module")
def ready(browser: Browser, server: Server) -> Iterator[Watched]:
    """One page that has fetched the model, for all sentences after another."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    watched = Watched(context.new_page())
    watched.page.goto(f"{server.url}?view=proof")
    run(watched.settle())
    yield watched
    assert watched.errors == []
    context.close()


def run(page: Page) -> None:
    """Press the button, and wait for what comes of it."""
    page.wait_for_selector(".hl-proof-run")
    page.click(".hl-proof-run")
    compared(page)


def compared(page: Page) -> None:
    page.wait_for_selector(".hl-proof [data-compared]", timeout=PATIENCE)


def states(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.hl-proof [data-compared]')]"
        ".map((one) => [one.dataset.compared, one.dataset.state]))"
    )
    return found


def broken(page: Page) -> set[str]:
    found = states(page)
    lines = ("lines",) if page.locator("[data-part=line]:not(:empty)").count() else ()
    lost = ("lost",) if page.locator("#hl-src .hl-lost").count() else ()
    assert tuple(found) == PARTS + lines + lost
    return {part for part, state in found.items() if state == "fails"}


def said(page: Page) -> str:
    return page.inner_text(".hl-proof-sum")


def explained(watched: Watched, text: str, settings: dict[str, object] | None = None) -> Page:
    """Ask for a sentence; the model is there, so it is proved at once."""
    page = watched.page
    answers = int(page.evaluate("() => Number(document.body.dataset.answers)"))
    page.evaluate(
        "(changes) => window.headlight.page.explain(changes)",
        {"text": text, **({} if settings is None else {"settings": settings})},
    )
    page.wait_for_function(
        "(n) => Number(document.body.dataset.answers) > n && !('busy' in document.body.dataset)",
        arg=answers,
        timeout=PATIENCE,
    )
    drawn(page)
    compared(page)
    return page


def test_one_press_runs_the_model_and_finds_the_same(open_page: Open, explainer: Explainer) -> None:
    watched = open_page("?view=proof&model=en-zh&text=The+old+man+reads.", keep=False)
    page = watched.page
    size = (card.FOLDER / card.WEIGHTS).stat().st_size
    page.wait_for_selector(".hl-proof-run")
    assert f"{size / 1e6:.1f} MB" in page.inner_text(".hl-proof-run")
    assert said(page).startswith("Not checked yet: your browser can run the model")
    assert not [url for url in watched.urls if "/model/" in url], "fetched before it was asked for"
    run(page)
    assert broken(page) == set()
    counts = page.locator(".hl-proof-compared td:nth-child(2)").all_inner_texts()
    total = sum(int(one.replace(",", "")) for one in counts)
    assert f"Your browser ran the model and got the same: {total:,} numbers compared" in said(page)
    fetched = {url.rpartition("/")[2] for url in watched.urls if "/model/" in url}
    assert fetched == set(card.FILES)
    # What stands beside the log-probs shown is the model's, and not what was sent.
    trace = explainer.explain("The old man reads.", DecodeConfig()).trace
    own = page.locator(".hl-proof-beside td:last-child").all_inner_texts()
    assert [written(one) for one in own] == pytest.approx(trace.log_prob.tolist(), abs=2e-5)
    untold = page.inner_text(".hl-proof-untold")
    for what in ("time it took", "device", "beside its mark", "training", "these scripts"):
        assert what in untold
    assert watched.errors == []


@pytest.mark.long
def test_a_number_that_the_visitor_changes_is_noticed(ready: Watched) -> None:
    page = explained(ready, SENTENCE, {"method": "beam"})
    page.select_option(".hl-proof select", "predictions")
    page.wait_for_selector(".hl-proof-changed")
    assert broken(page) == {"predictions"}
    page.select_option(".hl-proof select", "")
    page.wait_for_selector(".hl-proof-changed", state="detached")
    assert broken(page) == set()


@pytest.mark.long
def test_weights_that_are_not_the_cards_are_named(open_page: Open) -> None:
    """The last weight of the file is another one: the numbers agree, or not; the hash does not."""
    page = open_page("?view=proof", keep=False).page

    def other(route: Route) -> None:
        body = bytearray((card.FOLDER / card.WEIGHTS).read_bytes())
        body[-2] ^= 1  # the last digit of its fraction
        route.fulfill(body=bytes(body))

    page.route(f"**{MODEL}", other)
    run(page)
    assert states(page)["weights"] == "fails"
    assert "do not match the model card" in said(page)


@pytest.mark.long
def test_a_fetch_that_fails_is_told_and_tried_again(open_page: Open) -> None:
    page = open_page("?view=proof", keep=False).page
    page.route(f"**{MODEL}", lambda route: route.fulfill(status=503, body=""))
    page.wait_for_selector(".hl-proof-run")
    page.click(".hl-proof-run")
    page.wait_for_selector("#panel-proof .hl-failed")
    assert "could not run the model" in page.inner_text("#panel-proof .hl-failed")
    page.unroute(f"**{MODEL}")
    page.click("#panel-proof .hl-failed button")
    compared(page)
    assert broken(page) == set()


@pytest.mark.long
def test_it_can_be_stopped(open_page: Open) -> None:
    page = open_page("?view=proof", keep=False).page
    held: list[Route] = []
    page.route(f"**{MODEL}", lambda route: held.append(route))
    page.wait_for_selector(".hl-proof-run")
    page.click(".hl-proof-run")
    page.wait_for_selector(".hl-proof progress")
    page.click(".hl-proof-run")
    page.wait_for_selector(".hl-proof progress", state="detached")
    assert page.locator("#panel-proof .hl-failed").count() == 0
    page.unroute(f"**{MODEL}")
    run(page)
    assert broken(page) == set()
