"""Shapes and weights on the page, against the model's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from model.explain import Explainer
from tests.browsing import Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def test_the_weights_add_up_to_the_models(open_page: Open, explainer: Explainer) -> None:
    watched = open_page("?text=The+dog+bit+the+man.&view=flow")
    page = watched.page
    page.wait_for_selector(".hl-flow-table tbody tr")
    cells = page.locator(".hl-flow-table tbody tr td:last-child").all_text_contents()
    true = sum(p.numel() for p in explainer.model.parameters())
    assert sum(int(cell.replace(",", "")) for cell in cells) == true
    assert f"{true:,}" in (page.locator(".hl-flow-total").text_content() or "")
    page.check(".hl-flow-norm input[value=pre]")  # what the lead proposes
    page.wait_for_function(
        "() => document.querySelector('.hl-flow-formula').textContent.includes('x + Sublayer')"
    )
    assert watched.errors == []


def test_a_failing_server_is_told_and_asked_again(open_page: Open) -> None:
    check_failing(open_page, "flow", ".hl-flow-table")
