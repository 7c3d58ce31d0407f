"""Cost on the page: what is counted, what is measured, and a server that fails."""

from __future__ import annotations

from collections.abc import Callable

from model.explain import Explainer
from tests.stage import Stage

Open = Callable[..., Stage]


def test_counts_and_measured_times(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage("?view=cost")
    page.unfold("cost", "numbers")
    page.wait_for_selector(".hl-cost-seconds td")
    shown = page.locator(".hl-cost-seconds td").all_text_contents()
    assert len(shown) == 7 and all(float(text.split()[0]) > 0 for text in shown)
    cells = page.locator(".hl-cost-counts tbody td:nth-child(3)").all_text_contents()
    counts = [int(text.replace(",", "")) for text in cells]
    n, d, d_ff = 128, explainer.model.config.d_model, explainer.model.config.d_ff
    assert counts == [2 * n * n * d, 4 * n * d * d, 2 * n * d * d_ff]
    ticks = page.locator(".hl-pair > :last-child .hl-plot-tick").all_text_contents()
    assert ticks[:7] == ["8", "16", "32", "64", "128", "256", "512"]
    assert page.errors == []
