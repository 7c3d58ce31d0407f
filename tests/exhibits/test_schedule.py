"""The learning rate: the paper's schedule is the paper's, the shipped one the trainer's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from explorer import card
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibits.schedule import shipped
from model.config import DecodeConfig
from model.explain import Explainer
from tests.browser.test_scripts import files as files  # the fixture that serves the repository
from tests.browsing import Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


@pytest.fixture(scope="module")
def modules(browser: Browser, files: str) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(f"{files}/assets/favicon.svg")
    path = f"{files}/explorer/exhibits/schedule/maths.js"
    page.evaluate("async (path) => { window.schedule = await import(path); }", path)
    yield page
    page.close()


def test_the_shipped_schedule_is_the_trainers(modules: Page) -> None:
    updates = card.last_run()[-1]["updates"]
    config = card.trained()
    settings = {"peak": config.peak_lr, "warmup": config.warmup, "updates": updates}
    settings["falling"] = config.falling(updates)
    steps = [*range(1, updates + 1, 13), config.warmup, updates, updates + 1]
    found = modules.evaluate(
        "([steps, s]) => steps.map((n) => window.schedule.linearRate(n, s))", [steps, settings]
    )
    wanted = [config.learning_rate(n, updates) for n in steps]
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=0)


def test_the_dots_are_the_rates_that_the_run_used(explainer: Explainer) -> None:
    """As the run wrote them down. No rule gives them all: the settings of a run may change on its
    way (docs/training.md), and those that are kept are its last."""
    request = Request("I am a student.", DecodeConfig())
    sent = shipped(explainer, request, Arguments({}))
    assert sent["epochs"] == [{k: line[k] for k in ("updates", "lr")} for line in card.last_run()]


def test_the_papers_schedule_is_the_papers(modules: Page) -> None:
    steps = np.arange(1, 20_000, 7)
    for d_model, warmup in ((512, 4000), (256, 800), (2048, 16_000)):
        found = modules.evaluate(
            "([steps, s]) => steps.map((n) => window.schedule.paperRate(n, s))",
            [steps.tolist(), {"dModel": d_model, "warmup": warmup}],
        )
        wanted = d_model**-0.5 * np.minimum(steps**-0.5, steps * warmup**-1.5)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_sliders_move_the_schedule(open_page: Open) -> None:
    watched = open_page("?view=schedule")
    page = watched.page
    page.wait_for_selector(".hl-schedule-read p")
    before = len(watched.urls)
    for name, number in (("dModel", "256"), ("warmup", "2000"), ("update", "8000")):
        page.fill(f".hl-schedule-{name} [type=range]", number)
    page.wait_for_function(
        "() => document.querySelector('.hl-schedule-read').textContent.includes('= 0.0006988.')"
    )
    assert len(watched.urls) == before, "asked the server"
    assert watched.errors == []


def test_what_is_read_of_the_shipped_model_is_its_trainers(open_page: Open) -> None:
    """At the update that is read, wherever the chart is pressed; and after the last one."""
    page = open_page("?view=schedule").page
    page.wait_for_selector(".hl-schedule-read p")
    config, updates = card.trained(), card.last_run()[-1]["updates"]
    box = page.locator(".hl-schedule-chart svg.hl-plot").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.15 * box["width"], box["y"] + 0.5 * box["height"])
    page.wait_for_function(
        "() => document.querySelector('.hl-schedule-update .hl-typed').value !== '4000'"
    )
    read = int(page.input_value(".hl-schedule-update .hl-typed"))
    assert 0 < read < updates
    assert f"{config.learning_rate(read, updates):.4g}" in page.inner_text(".hl-schedule-read")
    last = page.get_attribute(".hl-schedule-update [type=range]", "max")
    page.fill(".hl-schedule-update [type=range]", last)
    page.wait_for_function(
        "() => document.querySelector('.hl-schedule-read').textContent.includes('is over')"
    )


def test_a_failing_server_is_told_and_a_retry_works(open_page: Open) -> None:
    check_failing(open_page, "schedule", ".hl-schedule-read p")
