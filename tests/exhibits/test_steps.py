"""Step by step: the rows agree with one another and with the score below them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest

from model.explain import Explainer
from tests.stage import Stage, unfold


@pytest.mark.parametrize(("asked", "last"), [("hypothesis", 2), ("hypothesis", 3), ("node", 5)])
def test_the_sums_are_those_of_what_is_on_the_page(
    open_stage: Callable[..., Stage], explainer: Explainer, asked: str, last: int
) -> None:
    """Of another hypothesis, or of a prefix that ends in step 4: not the best of every step."""
    text = "Why do we work?"
    search = explainer.explain(text).search
    path: list[int] = [last - 1]
    for step in search.steps[3:0:-1]:
        path.insert(0, int(step.parents[path[0]]))
    value = f"4.{last}"
    if asked == "hypothesis":
        path, value = list(search.hypotheses[last - 1].path), str(last)
    assert any(path)
    page = open_stage(f"?view=steps&text={quote(text)}&{asked}={value}").page
    unfold(page, "steps", "numbers")
    totals = [float(step.totals[c]) for step, c in zip(search.steps, path, strict=False)]
    told = [f"{one:.3f}".replace("-", "−") for one in totals]
    sums = page.locator(".hl-steps-all tbody td:last-child").all_text_contents()
    assert [one.strip() for one in sums] == told
    assert told[-1] in page.inner_text(".hl-steps-sum")


def test_the_bars_are_the_models_shares(
    open_stage: Callable[..., Stage], explainer: Explainer
) -> None:
    page = open_stage("?view=steps&text=Why+do+we+work%3F&step=3")
    ids = explainer.explain("Why do we work?").trace.tgt_out.ids[:2].tolist()
    shares = 100 * np.sort(np.exp(explainer.next_log_probs("Why do we work?", ids)))[::-1]
    bars = page.locator(".hl-steps-bars b").all_text_contents()
    *best, rest = [float(bar.strip(" <%")) for bar in bars]
    assert best == pytest.approx(shares[: len(best)], abs=0.11)
    assert rest == pytest.approx(100 - sum(best), abs=1)  # a bar of its own
