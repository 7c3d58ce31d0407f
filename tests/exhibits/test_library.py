"""The librarian and the red cup in a browser."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.stage import Stage, expect, unfold

Open = Callable[..., Stage]


def test_what_is_sought_and_what_is_needed(open_stage: Open) -> None:
    watched = open_stage("?view=library")
    page = watched.page
    unfold(page, "library", "numbers")
    unfold(page, "library", "adjust")
    # Nothing in particular: a fifth of each book. Then only the sea, by the slider.
    fish = page.locator(".hl-library-books tbody tr").nth(1)
    page.select_option(".hl-library-need select", "any")
    expect(fish).to_contain_text("20.0 %")
    finding = page.locator(".hl-library .hl-finding")
    expect(finding).to_contain_text("You take home a little of every book: 20 % of each.")
    page.fill(".hl-library-sliders .hl-typed >> nth=0", "2")
    page.keyboard.press("Enter")
    scores = [4, 2, 0, 0, 4]
    share = math.exp(2) / sum(math.exp(score) for score in scores)
    expect(fish).to_contain_text(f"{100 * share:.1f} %")
    assert page.input_value(".hl-library-need select") == "sea"
    page.check(".hl-library .hl-field-show input[value=desk]")
    page.check(".hl-library .hl-field-sought input[value=read]")
    expect(page.locator(".hl-library-things tbody tr").nth(4)).to_contain_text("87.5")
    expect(finding).to_contain_text("your eye rests on the book: 88 %")
    assert watched.errors == []
