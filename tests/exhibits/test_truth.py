"""Which picture is true: the scores on the page are those of the file beside the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits import truth
from model.checkpoint import SHIPPED
from model.explain import Explainer
from tests.odd import EVERY
from tests.stage import Stage
from tests.tiny import write_own

Open = Callable[..., Stage]


def asked(explainer: Explainer, text: str = "I read.") -> Request:
    return Request(text, explainer.defaults)


def test_a_model_without_the_files_has_neither_scores_nor_pairs(tmp_path: Path) -> None:
    tiny = Explainer.load(write_own(tmp_path / "model"), device="cpu")
    nothing = {"rows": None, "pairs": []}
    assert truth.scores(tiny, asked(tiny), Arguments({})) == nothing
    given = {"pair": 0, "label": "read", "method": "weight", "layer": 1, "head": 1}
    with pytest.raises(PageError):
        truth.gold(tiny, asked(tiny), Arguments(given))


@pytest.mark.parametrize(
    "wrong",
    [{"layer": 99}, {"method": "guess"}, {"method": "value_zeroing"}, {"pair": 10**6},
     {"label": "both"}, {"head": -1}],
)  # fmt: skip
def test_what_there_is_not_is_refused(explainer: Explainer, wrong: dict[str, object]) -> None:
    given = {"pair": 0, "label": "read", "method": "weight", "layer": 1, "head": 1}
    assert truth.gold(explainer, asked(explainer), Arguments(given))["strongest"]
    with pytest.raises(PageError):
        truth.gold(explainer, asked(explainer), Arguments(given | wrong))


@pytest.mark.slow
@pytest.mark.parametrize("text", EVERY)
def test_shares_of_the_source_are_shares(explainer: Explainer, text: str) -> None:
    shares = np.array(truth.share(explainer, asked(explainer, text), Arguments({}))["shares"])
    trace = explainer.explain(text).trace
    assert shares.shape == (len(trace.tgt_out),)
    assert (shares > 0).all() and (shares < 1).all()


def test_the_board_is_the_file_and_a_press_draws_its_picture(open_stage: Open) -> None:
    rows = json.loads((SHIPPED / "alignment.json").read_text("utf-8"))["rows"]
    heads = [row for row in rows if row["method"] == "weight" and row["head"]]
    best = min(heads, key=lambda row: row["aer"])
    page = open_stage("?view=truth")
    page.wait_for_selector(".hl-truth-map canvas")
    said = page.text_content("#panel-truth [data-part=finding]") or ""
    assert f"{best['layer']}·{best['head']}" in said and f"{100 * best['aer']:.1f} %" in said
    assert len(said.split()) <= 20
    page.unfold("truth", "numbers")
    lines = page.locator(".hl-truth-scores tbody tr")
    lines.first.wait_for()
    assert lines.count() == len(heads) // 2
    assert f"{best['aer']:.3f} ({best['low']:.3f}–{best['high']:.3f})" in lines.nth(0).inner_text()
    page.wait_for_selector(".hl-truth-share tbody tr")
    page.locator(".hl-truth-place").nth(1).press("Enter")
    name = page.locator(".hl-truth-name").nth(1).text_content() or ""
    page.wait_for_selector(f"#panel-truth figcaption b:has-text('{name}')")
    said = page.text_content("#panel-truth [data-part=finding]") or ""
    assert name.lower() in said.lower()
    assert page.errors == []
