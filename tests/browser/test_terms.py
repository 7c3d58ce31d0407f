"""The terms of a finding in a real window: beside its lines, or one line below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browsing import Watched, at_rest, drawn

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Watched]
TEXT = "text=I+met+him+at+the+station."
# The right end of the finding's lines, and the box of the terms.
PLACES = """() => {
    const panel = document.querySelector(".hl-panel:not([hidden])");
    const [finding, terms] = ["finding", "terms"].map((part) =>
        panel.querySelector(`[data-part=${part}]`));
    const lines = document.createRange();
    lines.selectNodeContents(finding);
    const ends = [...lines.getClientRects()].map(({ right }) => right);
    const { left, top, bottom, right } = terms.getBoundingClientRect();
    const { top: above, bottom: below } = finding.getBoundingClientRect();
    return { end: Math.max(...ends), above, below, left, top, bottom, right,
        cut: terms.scrollWidth > terms.clientWidth || terms.scrollHeight > terms.clientHeight + 1,
        inner: innerWidth };
}"""


def places(open_page: Open, view: str, width: int, height: int) -> dict[str, Any]:
    size = {"width": width, "height": height}
    page = open_page(f"?view={view}&lang=en&{TEXT}", viewport=size).page
    at_rest(page, view)
    drawn(page)
    found: dict[str, Any] = page.evaluate(PLACES)
    return found


def test_terms_stand_beside_two_lines_and_take_no_height(open_page: Open) -> None:
    at = places(open_page, "why", 1366, 768)
    assert at["left"] > at["end"] and at["right"] <= at["inner"] and not at["cut"]
    assert at["top"] >= at["above"] - 1 and at["bottom"] <= at["below"] + 1


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_terms_without_room_beside_stand_below(open_page: Open, width: int, height: int) -> None:
    at = places(open_page, "attention", width, height)
    assert at["top"] >= at["below"] - 4 and not at["cut"]  # on a phone they take two lines
    assert at["bottom"] - at["top"] < (24 if width > 640 else 40)
