"""`notebook.show(explanation, view)` in a browser, framed as a notebook frames it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame
from playwright.sync_api import Error as PlaywrightError

from explorer import notebook
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Explanation
from tests.browsing import ROOT, Watched, free_port

pytestmark = pytest.mark.browser

DOCS = ROOT / "docs/research.md"
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


# As reveal.js shows slides: all but one are not displayed, and the whole is scaled to its window.
SLIDES = """<!doctype html><meta charset="utf-8"><div style="width: 960px; height: 700px;
  transform: scale(0.7); transform-origin: 0 0"><div class="slides">
  <section id="first"><h2>First</h2></section>
  <section id="second" style="display: none">{}</section></div></div>"""
TURN = """() => {
    document.getElementById("first").style.display = "none";
    document.getElementById("second").style.display = "block";
}"""


def test_the_frame_of_the_docs_works_on_a_slide_that_is_shown_later(
    explanation: Explanation, browser: Browser, tmp_path: Path
) -> None:
    [snippet] = re.findall(r"```html\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    notebook.show(explanation, "attention", kind="cross", layer=2, head=3).save(
        tmp_path / "view.html"
    )
    (tmp_path / "slides.html").write_text(SLIDES.format(snippet), "utf-8")
    with browser.new_context(offline=True) as context:
        watched = Watched(context.new_page())
        page = watched.page
        page.goto((tmp_path / "slides.html").as_uri())
        page.wait_for_timeout(500)  # the view is drawn while nobody sees it
        page.evaluate(TURN)
        frame = page.frame_locator("#second iframe")
        head = frame.locator("[data-head='cross.1.2'][aria-pressed=true]")
        head.wait_for()
        box = head.bounding_box()
        assert box is not None and box["width"] > 10 and box["height"] > 10
        frame.locator("[data-head='cross.0.4']").click()  # where the scaled slide shows it
        frame.locator("[data-head='cross.0.4'][aria-pressed=true]").wait_for()
        assert watched.errors == []


CELL = """import marimo
app = marimo.App()
@app.cell
def _():
    import headlight
    e = headlight.Explainer.load("en-zh", device="cpu").explain("I am a student.")
    headlight.show(e, "attention", layer=1, head=2)
    return
if __name__ == "__main__":
    app.run()
"""


@pytest.mark.long
def test_a_cell_of_marimo_shows_it(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("marimo")
    (tmp_path / "cell.py").write_text(CELL)
    port = free_port()
    run = ["run", "cell.py", "--headless", "--no-token", "--host=127.0.0.1", f"--port={port}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "marimo", *run], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        with browser.new_context() as context:
            page = context.new_page()
            for _ in range(300):
                with suppress(PlaywrightError):
                    page.goto(f"http://127.0.0.1:{port}/")
                    break
                time.sleep(0.5)
            frame = page.frame_locator("iframe[title='Headlight: attention']")
            found = frame.locator(".hl-finding")
            found.get_by_text("looks back at").wait_for(timeout=240_000)
            assert "student" in found.inner_text()
    finally:
        server.terminate()
        server.wait()
