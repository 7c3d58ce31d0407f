"""Scoring on a phone, at a projector's size of letters and on a laptop: what must be in sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import Watched, drawn
from tests.examples import first
from tests.exhibits.test_ledger import LONG, finished, move

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
WINDOWS = {
    "phone": ({"width": 390, "height": 844}, False),
    "projector": ({"width": 1280, "height": 720}, True),
    "laptop": ({"width": 1366, "height": 768}, False),
}
# Texts of the table that are cut at its right, and how far the table reaches beyond what it shows.
OUTSIDE = """() => {
    const table = document.querySelector(".hl-ledger-table");
    const edge = table.parentElement.getBoundingClientRect().right + 0.5;
    const cells = [...table.querySelectorAll("th, td")].filter((cell) => cell.offsetWidth > 0);
    return {
        cut: cells.filter((cell) => cell.getBoundingClientRect().right > edge)
            .map((cell) => cell.textContent),
        rank: table.querySelector("tbody th").getBoundingClientRect().width
            / parseFloat(getComputedStyle(table).fontSize),
        heads: [...table.querySelectorAll("thead th")].map((cell) => cell.textContent),
    };
}"""


def ledger(
    open_page: Open, text: str, window: tuple[dict[str, int], bool], lang: str = "en"
) -> Page:
    viewport, is_projector = window
    page = open_page(
        "?" + urlencode({"view": "ledger", "text": text, "lang": lang}), viewport=viewport
    ).page
    if is_projector:
        page.evaluate("localStorage.setItem('headlight.size', 'projector')")
        page.reload()
    page.wait_for_selector(".hl-ledger-table tr.hl-first", timeout=60_000)
    drawn(page)
    return page


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_the_score_is_in_sight_without_scrolling(
    open_page: Open, window: tuple[dict[str, int], bool], lang: str
) -> None:
    page = ledger(open_page, LONG, window, lang)
    for alpha in (1.0, -1.0):  # where ranks have moved, too
        move(page, alpha, "average")
        found: dict[str, Any] = page.evaluate(OUTSIDE)
        assert found["cut"] == []
        assert found["heads"].index({"en": "score", "zh": "得分"}[lang]) == 2
        assert found["rank"] < (4.5 if alpha == 1.0 else 7)
    cut = page.evaluate(
        """() => { const p = document.querySelector(".hl-ledger-formula");
            return p.scrollWidth - p.clientWidth; }"""
    )
    assert cut <= 0


def test_where_nothing_was_dropped_a_sentence_says_so(
    open_page: Open, explainer: Explainer
) -> None:
    def dropped(text: str) -> int:
        found = explainer.explain(text, DecodeConfig()).search
        return len(finished(found)) - len(found.hypotheses)

    text = first("no finished hypothesis was dropped", lambda one: dropped(one) == 0)
    page = ledger(open_page, text, WINDOWS["laptop"])
    assert page.locator(".hl-ledger-beaten input").count() == 0
    assert "dropped no finished" in page.locator(".hl-ledger-controls").text_content()


def test_every_hypothesis_has_a_line_of_its_own_look(open_page: Open) -> None:
    page = ledger(open_page, LONG, WINDOWS["laptop"])
    looks = page.evaluate(
        """() => [...document.querySelectorAll(".hl-ledger-plot .hl-plot-line")].map((line) => {
            const { stroke, strokeDasharray } = getComputedStyle(line);
            return `${stroke} ${strokeDasharray}`;
        })"""
    )
    assert len(looks) == 4 and len(set(looks)) == 4
    name = page.locator(".hl-ledger-plot .hl-plot-name", has_text="the search’s α")
    rim = name.evaluate("(e) => [getComputedStyle(e).paintOrder, getComputedStyle(e).stroke]")
    assert rim == ["stroke", "rgb(255, 255, 255)"]  # a grid line behind does not strike it through
