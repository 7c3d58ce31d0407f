"""The search tree's response to its player: ten beams over a long sentence."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from bench.explain import LONG
from bench.harness import Row, Site, opened
from tests.browsing import unfold

MOVES = 20
QUERY = f"?{urlencode({'view': 'tree', 'beam_size': 10, 'text': LONG})}"


def measure(site: Site) -> Iterator[Row]:
    """Measure a slider's move to the task after its paint, pruned candidates folded or not."""
    with opened(site, QUERY, reduced_motion="reduce") as page:
        unfold(page, "tree", "adjust")
        yield Row("steps of the search", str(page.evaluate(_STEPS)))
        yield Row("search step painted, readable", page.evaluate(_SLIDE, MOVES))
        page.click(".hl-tree .hl-tree-fit")
        yield Row("search step painted, whole", page.evaluate(_SLIDE, MOVES))
        page.check(".hl-tree-all input")
        yield Row("search step painted, whole, all unfolded", page.evaluate(_SLIDE, MOVES))


_STEPS = "window.headlight.page.record.get().search.steps.length"
_SLIDE = """(moves) =>
    bench.slide(document.querySelector(".hl-tree-bar input[type=range]"), moves)"""
