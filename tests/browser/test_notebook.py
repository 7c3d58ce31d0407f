"""`notebook.show(explanation, view)` in a browser, framed as a notebook frames it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame

from explorer import notebook
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Explanation
from tests.browsing import Watched

pytestmark = pytest.mark.browser

TEXT = "I saw her </script><b onclick=hacked()> and a dog."
Shown = Callable[..., tuple[Watched, list[Frame]]]


@pytest.fixture(scope="module")
def explanation(explainer: Explainer) -> Explanation:
    return explainer.explain(TEXT, DecodeConfig(beam_size=3), shown=1)


@pytest.fixture
def shown(browser: Browser) -> Iterator[Shown]:
    """Puts views into one page without a network; gives their frames, once they have drawn."""
    context = browser.new_context(viewport={"width": 1100, "height": 900}, offline=True)

    def opened(*views: notebook.View) -> tuple[Watched, list[Frame]]:
        watched = Watched(context.new_page())
        watched.page.set_content("".join(view._repr_html_() for view in views))
        frames = watched.page.main_frame.child_frames
        for view, frame in zip(views, frames, strict=True):
            frame.wait_for_selector(f"#panel-{view.name}:not([hidden]) .hl-exhibit > *")
            frame.wait_for_function(
                "() => document.body.dataset.ready === 'live' && !document.body.dataset.asking"
            )
        return watched, frames

    yield opened
    context.close()


WEIGHTS = """() => {
    const { page } = headlight;
    const { kind, layer, head } = page.selection.get();
    return [[kind, layer, head], [...page.record.get().attention[kind].head(layer, head)]];
}"""


def test_it_shows_the_attention_of_the_explanation(explanation: Explanation, shown: Shown) -> None:
    """Two of them on one page, each with a head of its own: they do not meet."""
    first = notebook.show(explanation, "attention", kind="cross", layer=2, head=3)
    second = notebook.show(explanation, "attention", kind="cross", layer=1, head=5, language="zh")
    watched, frames = shown(first, second)
    maps = explanation.trace.cross.weights
    for frame, (layer, head), other in (
        (frames[0], (1, 2), (0, 4)),
        (frames[1], (0, 4), (1, 2)),
    ):
        where, numbers = frame.evaluate(WEIGHTS)
        assert where == ["cross", layer, head]
        np.testing.assert_allclose(numbers, maps[layer, head].ravel(), atol=1 / 131_070 + 1e-7)
        assert not np.allclose(numbers, maps[other].ravel(), atol=1e-3)  # the twin
    assert "attention" in frames[0].inner_text(".hl-lead")
    assert "注意力" in frames[1].inner_text(".hl-lead")
    assert not any(frames[0].is_visible(one) for one in ("#hl-top", "#hl-middle", ".hl-way"))
    assert {url.split(":")[0] for url in watched.urls} <= {"about", "data", "blob"}
    assert watched.errors == []


def test_the_notebook_around_it_is_out_of_reach(explanation: Explanation, shown: Shown) -> None:
    _, (frame,) = shown(notebook.show(explanation, "steps"))
    reached = frame.evaluate(
        "() => { try { return Boolean(parent.document.body); } catch { return false; } }"
    )
    assert reached is False
    assert frame.locator("b[onclick]").count() == 0
