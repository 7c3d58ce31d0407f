"""The curves of "How it learned": every number is the file's, every chart opens large, without
another host."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from explorer import card
from tests.browsing import Server
from tests.stage import Stage, unfold

Open = Callable[..., Stage]
SERIES = ("train_loss", "dev_loss", "bleu", "chrf")

FIGURE = """() => {
    const figure = document.querySelector(".hl-dialog-figure");
    return {
        lines: figure.data.map(({ name, x, y, line }) => [name, [...x], [...y], line.dash]),
        ink: figure.layout.font.color,
    };
}"""


def opened(open_stage: Open) -> Stage:
    """With all parts open: the choice of the curve, and the numbers."""
    watched = open_stage("?view=learn")
    for fold in ("adjust", "numbers", "reading"):
        unfold(watched.page, "learn", fold)
    watched.page.wait_for_selector(".hl-learn .hl-plot-line")
    return watched


def large(watched: Stage, kind: str) -> dict[str, object]:
    """What Plotly draws of a chart that is opened large; the chart is closed again."""
    page = watched.page
    page.check(f".hl-field-series [value={kind}]")
    page.click(".hl-learn .hl-enlarge")
    page.wait_for_selector(".hl-dialog-figure .scatterlayer .trace", timeout=60_000)
    found: dict[str, object] = page.evaluate(FIGURE)
    page.click(".hl-dialog header button")
    page.wait_for_selector(".hl-dialog", state="detached")
    return found


def test_each_run_after_the_first_is_marked_where_it_begins(open_stage: Open) -> None:
    page = opened(open_stage).page
    runs = list(dict.fromkeys(line.get("run", 1) for line in card.curves()))
    for kind in ("loss", "score"):
        page.check(f".hl-field-series [value={kind}]")
        page.wait_for_selector(f".hl-learn .hl-plot[aria-label^='{kind.title()}']")
        # One more for the epoch that is read; the point of the training has a line of its own.
        assert page.locator(".hl-learn .hl-plot-mark.hl-quiet").count() == len(runs)
        names = page.locator(".hl-learn .hl-plot-name").all_text_contents()
        shown = [name.strip() for name in names if "run" in name]
        assert set(shown) <= {f"run {n}" for n in runs[1:]} and shown[-1] == f"run {runs[-1]}"


def test_charts_open_large_from_this_server_alone(open_stage: Open, server: Server) -> None:
    watched = opened(open_stage)
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


def test_every_epoch_can_be_read(open_stage: Open) -> None:
    watched = opened(open_stage)
    page, lines = watched.page, card.curves()
    rows = page.locator(".hl-learn-epochs tbody tr")
    rows.first.wait_for()
    assert rows.count() == len(lines)
    cells = rows.nth(4).locator("th, td").all_text_contents()
    assert [float(cell.replace(",", "")) for cell in cells] == pytest.approx(
        list(lines[4].values()), rel=6e-4
    )
    rows.nth(4).click()
    now = "() => document.querySelector('.hl-learn-epoch').textContent"
    page.wait_for_function(f"() => ({now})().includes('Epoch {lines[4]['epoch']},')")
    page.evaluate("() => window.scrollTo(0, 0)")
    box = page.locator(".hl-learn svg.hl-plot").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.wait_for_function(f"() => ({now})().includes('Epoch {lines[-1]['epoch']},')")
    above = sum(line["train_loss"] > line["dev_loss"] for line in lines)
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)
    page.wait_for_selector(".hl-learn-list li:last-child [aria-pressed=true]")
    assert f"{above} of {len(lines)} epochs" in page.inner_text(".hl-learn-means")
    assert watched.errors == []


def test_final_scores_are_those_of_the_card(open_stage: Open) -> None:
    page = opened(open_stage).page
    page.wait_for_selector(".hl-learn-scores tbody tr")
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".hl-learn-scores tbody tr")].map((row) =>
            [...row.cells].slice(1).map((cell) => Number(cell.textContent)))"""
    )
    assert shown == [[row.bleu, row.chrf, *row.others.values()] for row in card.scores()]


def test_each_score_says_which_sentences_it_is_of(open_stage: Open) -> None:
    """1,524 sentences of Tatoeba are not all that was held out: the card has sixteen domains."""
    page = opened(open_stage).page
    page.wait_for_selector(".hl-learn-scores tbody tr")
    headings = page.locator(".hl-learn h3").all_text_contents()
    assert "Final scores on 1,524 held-out sentences of Tatoeba" in headings
    sentences = card.trained().dev_sentences
    page.get_by_text(f"about {sentences} development sentences").wait_for()
    page.click("#hl-language")
    page.get_by_text("Tatoeba 的 1,524 个留出测试句").wait_for()


def test_the_charts_speak_the_page_and_wear_its_colours(open_stage: Open) -> None:
    watched = opened(open_stage)
    page = watched.page
    light = large(watched, "loss")
    page.click("#hl-theme")
    page.click("#hl-language")
    page.wait_for_function(
        "() => document.querySelector('.hl-learn .hl-picture').textContent.includes('训练损失')"
    )
    dark = large(watched, "loss")
    assert dark["ink"] != light["ink"]
    assert dark["lines"][0][0] == "训练损失"
