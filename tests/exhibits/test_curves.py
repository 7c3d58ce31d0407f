"""Training curves: every number is the file's, every chart opens large, without another host."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from explorer import card
from tests.browsing import Server, Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SERIES = ("train_loss", "dev_loss", "bleu", "chrf")

FIGURE = """() => {
    const figure = document.querySelector(".hl-dialog-figure");
    return {
        lines: figure.data.map(({ name, x, y, line }) => [name, [...x], [...y], line.dash]),
        ink: figure.layout.font.color,
    };
}"""


def large(watched: Watched, kind: str) -> dict[str, object]:
    """What Plotly draws of a chart that is opened large; the chart is closed again."""
    page = watched.page
    page.click(f".hl-curves-{kind} .hl-enlarge")
    page.wait_for_selector(".hl-dialog-figure .scatterlayer .trace", timeout=60_000)
    found: dict[str, object] = page.evaluate(FIGURE)
    page.click(".hl-dialog header button")
    page.wait_for_selector(".hl-dialog", state="detached")
    return found


def test_each_run_after_the_first_is_marked_where_it_begins(open_page: Open) -> None:
    page = open_page("?view=curves").page
    runs = list(dict.fromkeys(line.get("run", 1) for line in card.curves()))
    for kind in ("loss", "score"):
        page.wait_for_selector(f".hl-curves-{kind} .hl-plot-mark.hl-quiet", state="attached")
        assert (
            page.locator(f".hl-curves-{kind} .hl-plot-mark:not(.hl-quiet)").count() == len(runs) - 1
        )
        names = page.locator(f".hl-curves-{kind} .hl-plot-name").all_text_contents()
        assert [name.strip() for name in names if "run" in name] == [f"run {n}" for n in runs[1:]]


def test_charts_open_large_from_this_server_alone(open_page: Open, server: Server) -> None:
    watched = open_page("?view=curves")
    page = watched.page
    page.wait_for_selector(".hl-curves-loss .hl-plot-line")
    assert not [url for url in watched.urls if "plotly" in url], "loaded before it is wanted"
    lines = card.curves()
    for kind, names in (("loss", SERIES[:2]), ("score", SERIES[2:])):
        drawn = large(watched, kind)["lines"]
        assert [line[1] for line in drawn] == [[line["updates"] for line in lines]] * 2
        assert [line[2] for line in drawn] == [[line[name] for line in lines] for name in names]
        assert len({line[3] for line in drawn}) == 2, "told apart by colour alone"
    hosts = {urlsplit(url).netloc for url in watched.urls if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server.url).netloc}
    assert sum("plotly.min.js" in url for url in watched.urls) == 1
    assert watched.errors == []


def test_every_epoch_can_be_read(open_page: Open) -> None:
    watched = open_page("?view=curves")
    page, lines = watched.page, card.curves()
    rows = page.locator(".hl-curves-table tbody tr")
    page.click(".hl-curves-all")
    rows.first.wait_for()
    assert rows.count() == len(lines)
    cells = rows.nth(4).locator("th, td").all_text_contents()
    assert [float(cell) for cell in cells] == pytest.approx(
        [lines[4][name] for name in ("epoch", "updates", *SERIES)], abs=6e-3
    )
    rows.nth(4).click()
    now = "() => document.querySelector('.hl-curves-now').textContent"
    page.wait_for_function(f"() => ({now})().includes('Epoch {lines[4]['epoch']},')")
    box = page.locator(".hl-curves-loss svg.hl-plot").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.wait_for_function(f"() => ({now})().includes('Epoch {lines[-1]['epoch']},')")
    above = sum(line["train_loss"] > line["dev_loss"] for line in lines)
    assert f"{above} of {len(lines)} epochs" in page.inner_text(".hl-curves-means")
    assert watched.errors == []


def test_final_scores_are_those_of_the_card(open_page: Open) -> None:
    page = open_page("?view=curves").page
    page.wait_for_selector(".hl-curves-scores tbody tr")
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".hl-curves-scores tbody tr")].map((row) =>
            [...row.cells].slice(1).map((cell) => Number(cell.textContent)))"""
    )
    assert shown == [[row.bleu, row.chrf, *row.others.values()] for row in card.scores()]


def test_the_charts_speak_the_page_and_wear_its_colours(open_page: Open) -> None:
    watched = open_page("?view=curves")
    page = watched.page
    page.wait_for_selector(".hl-curves-loss .hl-plot-line")
    light = large(watched, "loss")
    page.click("#hl-theme")
    page.click("#hl-language")
    page.wait_for_function(
        "() => document.querySelector('.hl-curves-loss').textContent.includes('训练损失')"
    )
    dark = large(watched, "loss")
    assert dark["ink"] != light["ink"]
    assert dark["lines"][0][0] == "训练损失"


def test_a_failing_server_is_told_and_a_retry_works(open_page: Open) -> None:
    check_failing(open_page, "curves", ".hl-curves-now")
