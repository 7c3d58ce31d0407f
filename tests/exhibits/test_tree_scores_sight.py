"""The scores on a phone, at a projector, on a laptop: what must be in sight."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from tests.examples import first
from tests.exhibits.test_tree_scores import LONG, finished, move, opened
from tests.stage import Stage, drawn
from tests.today import some

Open = Callable[..., Stage]
WINDOWS = {
    "phone": ({"width": 390, "height": 844}, False),
    "projector": ({"width": 1280, "height": 720}, True),
    "laptop": ({"width": 1366, "height": 768}, False),
}


def tree(
    open_stage: Open, text: str, window: tuple[dict[str, int], bool], lang: str = "en"
) -> Stage:
    viewport, is_projector = window
    size = {"size": "projector"} if is_projector else {}
    query = urlencode({"view": "tree", "text": text, "lang": lang, **size})
    page = open_stage(f"?{query}", viewport=viewport).page
    opened(page)
    drawn(page)
    return page


@pytest.mark.parametrize("lang", some(["en", "zh"], 1))
@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_every_score_is_in_sight(
    open_stage: Open, window: tuple[dict[str, int], bool], lang: str
) -> None:
    """Beside the tree or below it, none cut at the right; also where ranks have moved."""
    page = tree(open_stage, LONG, window, lang)
    for alpha in (1.0, -1.0):
        move(page, alpha, "average")
        cut = page.evaluate(
            """() => { const side = document.querySelector(".hl-tree-side");
                const edge = side.getBoundingClientRect().right + 0.5;
                return [...side.querySelectorAll("*")].filter((one) =>
                    one.getBoundingClientRect().right > edge).map((one) => one.textContent); }"""
        )
        assert cut == []
        assert page.locator(".hl-tree-scores li").count() == 4


def test_where_nothing_was_dropped_a_sentence_says_so(
    open_stage: Open, explainer: Explainer
) -> None:
    def dropped(text: str) -> int:
        found = explainer.explain(text, DecodeConfig()).search
        return len(finished(found)) - len(found.hypotheses)

    text = first("no finished hypothesis was dropped", lambda one: dropped(one) == 0)
    page = tree(open_stage, text, WINDOWS["laptop"])
    assert page.locator(".hl-tree-beaten input").count() == 0
    assert "dropped no finished" in page.inner_text("#panel-tree .hl-numbers")


def test_every_hypothesis_has_a_line_of_its_own_look(open_stage: Open) -> None:
    page = tree(open_stage, LONG, WINDOWS["laptop"])
    looks = page.evaluate(
        """() => [...document.querySelectorAll(".hl-tree-plot .hl-plot-line")].map((line) => {
            const { stroke, strokeDasharray } = getComputedStyle(line);
            return `${stroke} ${strokeDasharray}`;
        })"""
    )
    assert len(looks) == 4 and len(set(looks)) == 4
    name = page.locator(".hl-tree-plot .hl-plot-name", has_text="the search’s α")
    rim = name.evaluate("(e) => [getComputedStyle(e).paintOrder, getComputedStyle(e).stroke]")
    assert rim == ["stroke", "rgb(255, 255, 255)"]  # a grid line behind does not strike it through
