"""The parts of a declared view that fold (assets/kit/layout.js): the same for all views."""

from __future__ import annotations

from collections.abc import Callable

from tests.stage import Stage

Open = Callable[..., Stage]


def test_what_is_open_in_a_view_is_not_in_the_next(open_stage: Open) -> None:
    page = open_stage("?view=tree&text=Hello.")
    page.unfold("tree", "adjust", "numbers")
    opened = ".hl-panel:not([hidden]) .hl-fold[aria-pressed=true]"
    assert page.locator(opened).count() == 2
    for view in ("lens", "attention", "tree"):
        page.choose(exhibit=view)
        assert page.locator(opened).count() == 0, view
    page.unfold("tree", "numbers")
    page.translate("Why?")  # another sentence in the same view leaves it open
    assert page.locator(opened).count() == 1
    kept = page.evaluate("localStorage.getItem('headlight.folds')")
    for view, count in (("tree", 1), ("lens", 0), ("figure", 0)):  # a reload, and other links
        page = open_stage(f"?view={view}&text=Hello.", storage={"headlight.folds": kept})
        assert page.locator(opened).count() == count, view
