"""A lesson as one file: opened from a disk it runs to its end with the model that is in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page

from explorer import lessons, onefile
from explorer.exchange.explain import explain
from explorer.exchange.request import parse
from explorer.static import assets_path
from model.explain import Explainer
from tests.browsing import Server, Watched
from tests.shared import made_once
from tests.tiers import each

pytestmark = pytest.mark.browser
NEXT = ".hl-lesson footer .hl-primary"
OPTION = ".hl-lesson-options button"
PATIENCE = 60_000
# What was asked for, and the translation that came of it.
SHOWN = """() => {
    const { text, settings, interventions, hypotheses, shown } = headlight.page.record.get();
    return [{ text, settings, interventions }, hypotheses[shown].text];
}"""
TRAINING = ("without-positions", "what-changed")  # these train
NAMES = [name for name in lessons.load() if name not in TRAINING]


@pytest.fixture(scope="module")
def template(explainer: Explainer) -> str:
    """The document for any lesson, made once."""

    def make(path: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(onefile, "load", lambda _: explainer)
            document = onefile.document(lesson=onefile.LESSON, language=onefile.LANGUAGE)
        path.write_text(document, "utf-8")

    return made_once("lesson.html", make).read_text("utf-8")


def written(template: str, lesson: str, language: str = "auto") -> str:
    return template.replace(onefile.LANGUAGE, language).replace(onefile.LESSON, lesson)


def opened(browser: Browser, path: Path) -> tuple[Page, list[str]]:
    """A page on the file, and what it asked of a network or complained about."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda r: faults.append(r.url) if r.url.startswith(("http", "ws")) else None)
    page.goto(path.as_uri())
    return page, faults


@pytest.mark.long
@pytest.mark.slow
@each("name", NAMES, 1)
def test_a_lesson_runs_to_its_end(
    browser: Browser, template: str, explainer: Explainer, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "lesson.html"
    path.write_text(written(template, name), "utf-8")
    page, faults = opened(browser, path)
    page.wait_for_selector("body[data-ready=live]")
    steps = lessons.load()[name].steps
    for i, step in enumerate(steps):
        page.wait_for_selector(f".hl-lesson header span:has-text('{i + 1} of {len(steps)}')")
        if step.ask is not None:
            page.locator(OPTION).first.click()
            page.wait_for_selector(".hl-lesson-answers .hl-chosen")
        page.wait_for_function("() => document.body.dataset.busy === undefined")
        request, translation = page.evaluate(SHOWN)
        ours = explain(explainer, parse(request))
        assert translation == ours.trace.tgt_out.text
        page.click(NEXT)
    page.locator(".hl-lesson footer button", has_text="Leave the lesson").click()
    page.wait_for_selector(".hl-lesson", state="hidden")
    assert faults == []
    page.close()


@pytest.mark.long
def test_a_file_without_its_weights_says_so(
    browser: Browser, template: str, tmp_path: Path
) -> None:
    """The twin: what the tests above see is computed from the file's own weights."""
    path = tmp_path / "lesson.html"
    path.write_text(template.replace('data-file="model.safetensors"', 'data-file="other"'), "utf-8")
    page, _ = opened(browser, path)
    page.wait_for_selector("text=The model could not be loaded.")
    page.close()


def test_an_open_lesson_is_what_the_page_saves(open_page: Callable[..., Watched]) -> None:
    watched = open_page("?lesson=masks")
    watched.page.wait_for_selector(NEXT)
    watched.page.click("#hl-save > summary")
    link = watched.page.locator("#hl-save a[download]")
    assert str(link.get_attribute("href")).endswith("lesson/masks?lang=en")
    assert watched.errors == []


@pytest.mark.long
def test_the_server_gives_a_lesson_and_no_other_file(server: Server, template: str) -> None:
    address = server.url.rstrip("/") + assets_path() + "lesson/"
    with urlopen(Request(address + "masks?lang=zh")) as response:
        sent = response.read().decode()
        assert 'filename="headlight-masks.html"' in response.headers["Content-Disposition"]
    assert sent == written(template, "masks", "zh")
    for name in ("nothing", "..%2f..%2fapp.py", "masks?lang=de"):
        with pytest.raises(OSError, match="404"):
            urlopen(address + name)


def test_a_lesson_that_is_not_there_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert onefile.main(["--lesson", "mask"]) == 2
    assert "No lesson mask; expected one-head" in capsys.readouterr().err
