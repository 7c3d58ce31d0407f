"""Cost on the page: what is counted, what is measured, and a server that fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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


@pytest.mark.parametrize(
    ("n", "d", "factor", "half"), [(100, 256, 4, 1536), (320, 32, 8, 320), (9000, 512, 1, 1536)]
)
def test_the_finding_says_from_where_attention_is_half_of_it(
    open_stage: Open, n: int, d: int, factor: int, half: int
) -> None:
    """2 N² d is 4 N d² + 2 N d d_ff where N is 2 d + d_ff."""
    page = open_stage(f"?view=cost&cost.n={n}&cost.d={d}&cost.factor={factor}")
    finding = page.inner_text(".hl-cost .hl-finding")
    share = n * n / (n * n + n * half)
    assert f"At {n:,} tokens attention is {100 * share:.1f} %" in finding
    assert f"{'below' if n >= half else 'beyond'} {half:,} tokens" in finding
    page.unfold("cost", "reading")
    assert f"N = d = {d}" in page.inner_text(".hl-cost .hl-reading")
