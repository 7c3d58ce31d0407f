"""The proof of the shipped model: the browser fetches it, runs it, and compares what is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from explorer import card
from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import AT_REST, Server, Watched, choose_exhibit, drawn, written

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "The cat saw the other cat. 🐱"
MODEL = "/model/model.safetensors"
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
    assert tuple(found) == PARTS
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
    watched = open_page("?view=proof&text=The+old+man+reads.", keep=False)
    page = watched.page
    size = (card.FOLDER / card.WEIGHTS).stat().st_size
    page.wait_for_selector(".hl-proof-run")
    assert f"{size / 1e6:.1f} MB" in page.inner_text(".hl-proof-run")
    assert f"{size / 1e6:.1f} MB" in said(page)
    assert not [url for url in watched.urls if "/model/" in url], "fetched before it was asked for"
    run(page)
    assert broken(page) == set()
    counts = page.locator(".hl-proof-compared td:nth-child(2)").all_inner_texts()
    total = sum(int(one.replace(",", "")) for one in counts)
    assert f"Your browser ran the model again: {total:,} numbers compared" in said(page)
    fetched = {url.rpartition("/")[2] for url in watched.urls if "/model/" in url}
    assert fetched == set(card.FILES)
    # What stands beside the log-probs shown is the model's, and not what was sent.
    trace = explainer.explain("The old man reads.", DecodeConfig()).trace
    own = page.locator(".hl-proof-beside td:last-child").all_inner_texts()
    assert [written(one) for one in own] == pytest.approx(trace.log_prob.tolist(), abs=2e-5)
    untold = page.inner_text(".hl-proof-untold")
    for what in ("time it took", "device", "other sentences", "training", "these scripts"):
        assert what in untold
    assert watched.errors == []


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "sampling", "seed": 3, "temperature": 2.0, "top_p": 0.95},
        {"method": "beam_sampling", "seed": 7, "temperature": 1.3, "top_k": 50},
        {"method": "greedy"},
    ],
    ids=lambda one: one["method"],
)
def test_each_method_is_run_again(ready: Watched, settings: dict[str, object]) -> None:
    page = explained(ready, SENTENCE, settings)
    assert broken(page) == set()
    assert said(page).startswith("✓ Your browser ran the model again")


@pytest.mark.parametrize(
    ("act", "parts"),
    [
        ("p.settings.seed = 5; p.settings.top_k = 9", {"asked"}),
        ("p.model.name = 'another'", {"asked"}),
        ("p.hypotheses.pop()", {"hypotheses"}),
        ("p.steps[2].log_prob += 0.01", {"predictions"}),
        ("p.attention.cross.weights = p.attention.encoder_self.weights", {"cross"}),
    ],
)
def test_what_is_changed_on_its_way_is_noticed(ready: Watched, act: str, parts: set[str]) -> None:
    """The table names the part, and the sentence does not hold."""
    page = ready.page
    page.evaluate(
        """(act) => {
            const parse = window.untampered ??= JSON.parse;
            const change = new Function('p', act);
            JSON.parse = (text, ...rest) => {
                const found = parse(text, ...rest);
                if (found?.payload?.attention) change(found.payload);
                return found;
            };
        }""",
        act,
    )
    try:
        explained(ready, SENTENCE, {"method": "beam"})
    finally:
        page.evaluate("() => { JSON.parse = window.untampered; }")
    assert broken(page) == parts
    assert said(page).startswith("✗") and "numbers do not match" in said(page)
    page.click(".hl-proof .hl-fold-numbers")
    page.wait_for_selector(".hl-proof .hl-numbers td")
    page.click(".hl-proof .hl-fold-numbers")
    explained(ready, "The old man reads.")  # another sentence, which nobody changed
    assert broken(page) == set()


def test_a_number_that_the_visitor_changes_is_noticed(ready: Watched) -> None:
    page = explained(ready, SENTENCE, {"method": "beam"})
    page.select_option(".hl-proof select", "entropy")
    page.wait_for_selector(".hl-proof-changed")
    assert broken(page) == {"predictions"}
    page.select_option(".hl-proof select", "")
    page.wait_for_selector(".hl-proof-changed", state="detached")
    assert broken(page) == set()


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


def test_every_view_says_that_it_was_proved_and_when(open_page: Open) -> None:
    """Until another sentence, or other settings, are shown."""
    watched = open_page("?view=proof&text=The+old+man+reads.", keep=False)
    page = watched.page
    assert page.locator(".hl-proved").count() == 0
    run(page)
    for name in ("attention", "tree"):
        choose_exhibit(page, name)
        mark = page.locator(f"#panel-{name} .hl-proved")
        mark.wait_for()
        assert mark.inner_text() == "✓ just now"
    choose_exhibit(page, "bleu")  # which has no number of the sentence
    assert page.locator("#panel-bleu .hl-proved:visible").count() == 0
    choose_exhibit(page, "tree")
    three = "() => headlight.page.proved.merge({ at: Date.now() - 185_000 })"
    page.evaluate(three)
    page.wait_for_function(
        "() => document.querySelector('#panel-tree .hl-proved').textContent === '✓ 3 min ago'"
    )
    mark.click()
    page.wait_for_selector("#panel-proof:not([hidden])")
    choose_exhibit(page, "lens")  # it asks something that was not compared
    expect(page.locator("#panel-lens .hl-proved")).to_have_text("✓ sentence, 3 min ago")
    choose_exhibit(page, "tree")  # all of whose numbers were compared
    expect(page.locator("#panel-tree .hl-proved")).to_have_text("✓ 3 min ago")
    choose_exhibit(page, "proof")
    run(page)
    choose_exhibit(page, "lens")
    expect(page.locator("#panel-lens .hl-proved")).to_have_text("✓ just now")
    choose_exhibit(page, "tree")
    page.evaluate("() => headlight.page.explain({ settings: { beam_size: 2 } })")
    page.wait_for_selector("#panel-tree .hl-proved", state="detached")
    assert watched.errors == []


def test_what_views_asked_is_asked_again(ready: Watched) -> None:
    """The answers that are kept with the sentence; one that was altered on its way is noticed."""
    page = explained(ready, "I am a student.", {"method": "beam"})
    number = "tr:has([data-compared=answers]) td"
    assert page.locator(number).first.inner_text() == "0"  # nobody asked anything yet
    choose_exhibit(page, "lens")
    choose_exhibit(page, "smoothing")
    page.wait_for_function(
        "() => (headlight.page.answers.get(headlight.page.record.get()) ?? []).length >= 2"
    )
    page.wait_for_function(f"() => {AT_REST}")
    choose_exhibit(page, "proof")
    page.click(".hl-proof-run")
    page.wait_for_function(
        f"() => parseInt(document.querySelector('{number}')?.textContent) > 0", timeout=PATIENCE
    )
    assert broken(page) == set()
    page.evaluate(
        """() => {
            const kept = headlight.page.answers.get(headlight.page.record.get());
            const one = kept.find(({ question }) => question === 'smoothing');
            const change = (part) => {
                for (const [name, value] of Object.entries(part)) {
                    if (typeof value === 'number') part[name] = value + 0.01;
                    else if (typeof value === 'object' && value !== null) change(value);
                }
            };
            change(one.payload);
        }"""
    )
    page.click(".hl-proof-run")
    page.wait_for_selector("[data-compared=answers][data-state=fails]", timeout=PATIENCE)
    assert broken(page) == {"answers"}
