"""A picture as PDF: printed on a sheet of its own size, with its faces and with text to select."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page

from explorer import notebook
from model.errors import InputError
from model.explain import Explainer
from tests import chromium
from tests.browsing import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
TEXT = "Two students of physics sleep."
POINTS = 0.75  # of a pixel


def pressed(page: Page) -> tuple[bytes, dict[str, float]]:
    """What the browser prints when PDF is pressed, and the size of the picture."""
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.click("#panel-attention .hl-download > summary")
    page.click("#panel-attention [data-format=pdf]")
    page.wait_for_function("() => window.printed")
    size: dict[str, float] = page.evaluate(
        """() => {
            const { width, height } = document.querySelector(".hl-paper > svg").viewBox.baseVal;
            return { width, height };
        }"""
    )
    return page.pdf(prefer_css_page_size=True), size


def has_chinese() -> bool:
    """Whether this machine has a face with Chinese characters; else a browser draws boxes."""
    if shutil.which("fc-list") is None:
        return False
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True).stdout)


def boxes(content: bytes) -> list[list[float]]:
    """The sizes of all sheets, in points."""
    found = re.findall(rb"/MediaBox \[([\d. ]+)\]", content)
    return [[float(number) for number in one.split()] for one in found]


def test_a_picture_is_printed_alone_at_its_size(open_page: Open) -> None:
    query = urlencode({"text": TEXT, "view": "attention", "attention.view": "map"})
    page = open_page(f"?{query}").page
    content, size = pressed(page)
    [[_, _, width, height]] = boxes(content)  # one sheet
    assert (
        size["width"] * POINTS - 1 < width < size["width"] * POINTS + 150
    )  # with its longest text
    assert size["height"] * POINTS < height < size["height"] * POINTS + 60  # a line or two below it
    assert b"/FontFile" in content and b"/Title" in content
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator(".hl-paper").count() == 0 and page.title() == "Headlight"


@pytest.mark.long
def test_two_readers_open_it_and_its_text_and_caption_can_be_selected(open_page: Open) -> None:
    pypdf, pdfium = pytest.importorskip("pypdf"), pytest.importorskip("pypdfium2")
    head = {"kind": "cross", "layer": 2, "head": 3}
    query = {"text": TEXT, "view": "attention", "attention.view": "map", **head}
    words = {"en-zh": "学生", "en-de": "Physik"}
    for model, word in words.items() if has_chinese() else [("en-de", words["en-de"])]:
        page = open_page(f"?{urlencode({**query, 'model': model})}").page
        content, size = pressed(page)
        [sheet] = pypdf.PdfReader(io.BytesIO(content)).pages
        text = sheet.extract_text()
        assert word in re.sub(r"[\s·▁]", "", text) and "students" in text
        caption = f"{model} · {TEXT} · Cross-attention, layer 2, head 3 · {page.url}"
        assert "".join(caption.split()) in "".join(text.split())
        read = pdfium.PdfDocument(content)
        assert len(read) == 1 and word in re.sub(
            r"[\s▁]", "", read[0].get_textpage().get_text_range()
        )
        pixels = np.asarray(read[0].render(scale=1 / POINTS).to_pil().convert("L"))
        assert pixels.shape[1] > size["width"] - 2
        assert pixels.std() > 10  # the map, not a white sheet
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "zh"])
def test_python_saves_the_same_picture(
    explainer: Explainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHROMIUM", str(chromium.find()))
    view = notebook.show(explainer.explain(TEXT), "attention", layer=2, head=1, language=language)
    content = view.save(tmp_path / "figure.pdf").read_bytes()
    assert content.startswith(b"%PDF") and b"/FontFile" in content
    [[_, _, width, height]] = boxes(content)
    assert 200 < width < 1500 and 100 < height < 1500 and (width, height) != (612, 792)


def test_without_a_chromium_the_next_step_is_told(
    explainer: Explainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("HEADLIGHT_CHROMIUM", raising=False)
    view = notebook.show(explainer.explain(TEXT), "attention")
    with pytest.raises(InputError, match=r"There is no Chromium .* HEADLIGHT_CHROMIUM"):
        view.save(tmp_path / "figure.pdf")
    assert view.save(tmp_path / "figure.html").read_text("utf-8").startswith("<!doctype html>")
