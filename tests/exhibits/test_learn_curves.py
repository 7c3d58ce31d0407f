"""The curves of "How it learned": every number is the file's, every chart opens large, without
another host."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from explorer import card
from tests.browsing import Server, Watched, unfold
from tests.stage import Stage

SERIES = ("train_loss", "dev_loss", "bleu", "chrf")

FIGURE = """() => {
    const figure = document.querySelector(".hl-dialog-figure");
    return {
        lines: figure.data.map(({ name, x, y, line }) => [name, [...x], [...y], line.dash]),
        ink: figure.layout.font.color,
    };
}"""


def opened(open_stage: Callable[..., Stage]) -> Stage:
    """With all parts open: the choice of the curve, and the numbers."""
    page = open_stage("?view=learn")
    page.unfold("learn")
    page.wait_for_selector(".hl-learn .hl-plot-line")
    return page


def large(page: Page, kind: str) -> dict[str, Any]:
    """What Plotly draws of a chart that is opened large; the chart is closed again."""
    page.check(f".hl-field-series [value={kind}]")
    page.click(".hl-learn .hl-enlarge")
    page.wait_for_selector(".hl-dialog-figure .scatterlayer .trace", timeout=60_000)
    found: dict[str, Any] = page.evaluate(FIGURE)
    page.click(".hl-dialog header button")
    page.wait_for_selector(".hl-dialog", state="detached")
    return found


@pytest.mark.long
@pytest.mark.browser
def test_charts_open_large_from_this_server_alone(
    open_page: Callable[..., Watched], server: Server
) -> None:
    """Plotly draws the file's numbers, in the page's language and colours."""
    watched = open_page("?view=learn")
    page, lines = watched.page, card.curves()
    unfold(page, "learn")
    page.wait_for_selector(".hl-learn .hl-plot-line")
    assert not [url for url in watched.urls if "plotly" in url], "loaded before it is wanted"
    light = large(page, "score")
    page.click("#hl-theme")
    page.click("#hl-language")
    dark = large(page, "loss")
    for drawn, names in ((light["lines"], SERIES[2:]), (dark["lines"], SERIES[:2])):
        assert [line[1] for line in drawn] == [[line["updates"] for line in lines]] * 2
        assert [line[2] for line in drawn] == [[line[name] for line in lines] for name in names]
        assert len({line[3] for line in drawn}) == 2, "told apart by colour alone"
    assert dark["ink"] != light["ink"]
    assert dark["lines"][0][0] == "训练损失"
    hosts = {urlsplit(url).netloc for url in watched.urls if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server.url).netloc}
    assert sum("plotly.min.js" in url for url in watched.urls) == 1
    assert watched.errors == []


def test_each_run_after_the_first_is_marked_where_it_begins(
    open_stage: Callable[..., Stage],
) -> None:
    page = opened(open_stage)
    runs = list(dict.fromkeys(line.get("run", 1) for line in card.curves()))
    for kind in ("loss", "score"):
        page.check(f".hl-field-series [value={kind}]")
        page.wait_for_selector(f".hl-learn .hl-plot[aria-label^='{kind.title()}']")
        # One more for the epoch that is read; the point of the training has a line of its own.
        assert page.locator(".hl-learn .hl-plot-mark.hl-quiet").count() == len(runs)
        names = [one.strip() for one in page.locator(".hl-learn .hl-plot-name").all_text_contents()]
        shown = [int(one.removeprefix("run ")) for one in names if re.fullmatch(r"(run )?\d+", one)]
        assert shown == sorted(set(shown)) and set(shown) <= set(runs[1:])
        assert shown[-1] == runs[-1] and len(shown) >= len(runs) / 2 and f"run {runs[-1]}" in names


def test_every_epoch_can_be_read(open_stage: Callable[..., Stage]) -> None:
    page, lines = opened(open_stage), card.curves()
    rows = page.locator(".hl-learn-epochs tbody tr")
    assert rows.count() == len(lines)
    cells = rows.nth(4).locator("th, td").all_text_contents()
    assert [float(cell.replace(",", "")) for cell in cells] == pytest.approx(
        list(lines[4].values()), rel=6e-4
    )
    rows.nth(4).click()
    assert f"Epoch {lines[4]['epoch']}," in page.text_content(".hl-learn-epoch")
    box = page.locator(".hl-learn svg.hl-plot").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert f"Epoch {lines[-1]['epoch']}," in page.text_content(".hl-learn-epoch")
    above = sum(line["train_loss"] > line["dev_loss"] for line in lines)
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)
    page.wait_for_selector(".hl-learn-list li:last-child [aria-pressed=true]")
    assert f"{above} of {len(lines)} epochs" in page.inner_text(".hl-learn-means")
    assert page.errors == []


def test_final_scores_are_those_of_the_card(open_stage: Callable[..., Stage]) -> None:
    page = opened(open_stage)
    page.wait_for_selector(".hl-learn-scores tbody tr")
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".hl-learn-scores tbody tr")].map((row) =>
            [...row.cells].slice(1).map((cell) => Number(cell.textContent)))"""
    )
    assert shown == [[row.bleu, row.chrf, *row.others.values()] for row in card.scores()]
