"""The parts of a declared view that fold (assets/kit/exhibit.js): the same for all views."""

from __future__ import annotations

from collections.abc import Callable

from tests.stage import Stage, expect, show, unfold

Open = Callable[..., Stage]


def test_parts_stay_open_from_view_to_view_and_from_visit_to_visit(open_stage: Open) -> None:
    page = open_stage("?view=smoothing")
    expect(page.locator("#panel-smoothing .hl-numbers table")).to_be_hidden()
    unfold(page, "smoothing", "numbers")
    expect(page.locator("#panel-smoothing .hl-numbers table").first).to_be_visible()
    show(page, "dropout")
    expect(page.locator("#panel-dropout .hl-numbers table").first).to_be_visible()
    remembered = page.evaluate("({ ...localStorage })")
    again = open_stage("?view=dropout", storage=remembered)
    expect(again.locator("#panel-dropout .hl-numbers table").first).to_be_visible()
    assert open_stage("?view=dropout").locator("#panel-dropout .hl-numbers table").is_hidden()
