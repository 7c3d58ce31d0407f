"""The words that a translation may lack: underlined in the source, and named with the doubt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.models import Listed, Models
from model.explain import Explainer
from tests.stage import Desk, Stage

Open = Callable[..., Stage]
LOSES = "Don't forget to lock the back door."  # judged, docs/doubt/en-zh.tsv: “back” is left out
QUERY = "?text=Don%27t+forget+to+lock+the+back+door."
KEPT = "?text=My+father+drinks+a+cup+of+tea+every+evening."  # judged right


@pytest.fixture(scope="module")
def desk(explainer: Explainer) -> Desk:
    """A server with the shipped models of both directions."""
    back = Explainer.load("zh-en", "cpu")
    forth = Listed("en-zh", "en-zh", lambda: explainer, None, None, "en-zh")
    reader = Listed("zh-en", "zh-en", lambda: back, None, None, "zh-en")
    return Desk(Models([forth, reader], readers=[forth, reader]))


def underlined(page: Stage) -> list[str]:
    page.pass_time(1_500)
    page.rest()
    tokens: list[str] = page.eval_on_selector_all(
        "#hl-src .hl-lost", "all => all.map((one) => one.textContent)"
    )
    return tokens


def doubt(page: Stage) -> str:
    sheet = page.locator("#hl-doubt")
    return "" if sheet.get_attribute("hidden") is not None else str(sheet.text_content())


@pytest.mark.parametrize(
    ("lang", "short", "sentence", "note"),
    [("en", "May leave out “back”", "“back” may be missing: Chinese → English",
      "may lack this word"),
     ("zh", "可能漏译「back」", "「back」可能漏译了：中文 → 英语", "可能漏了这个词")],
)  # fmt: skip
def test_a_lost_word_is_underlined_and_named(
    open_stage: Open, desk: Desk, lang: str, short: str, sentence: str, note: str
) -> None:
    """In both languages of the page: the Chinese one asks though it has no line of the reader."""
    page = open_stage(f"{QUERY}&lang={lang}", desk=desk)
    assert underlined(page) == ["back"] and sentence in doubt(page)
    assert page.text_content("#hl-doubt > summary") == short
    assert note in str(page.get_attribute("#hl-src .hl-lost", "title"))
    assert note in str(page.get_attribute("#hl-src .hl-lost", "aria-description"))
    assert page.errors == []


def test_a_translation_that_has_all_words_has_no_mark(open_stage: Open, desk: Desk) -> None:
    page = open_stage(KEPT, desk=desk)
    assert underlined(page) == [] and doubt(page) == ""


def test_the_next_sentence_loses_the_mark(open_stage: Open, desk: Desk) -> None:
    page = open_stage(QUERY, desk=desk)
    assert underlined(page)
    page.fill("#hl-text", "I like cats.")
    page.click("#hl-translate")
    assert underlined(page) == [] and "back" not in doubt(page)


def test_a_changed_model_is_not_doubted(open_stage: Open, desk: Desk) -> None:
    page = open_stage(QUERY, desk=desk)
    page.evaluate("() => headlight.page.explain({ interventions: { causal_mask: false } })")
    page.rest()
    assert page.evaluate("() => headlight.page.record.get().interventions.causal_mask") is False
    assert underlined(page) == []


def test_a_saved_file_has_the_marks_that_were_on_show(
    open_stage: Open, open_file: Open, desk: Desk
) -> None:
    page = open_stage(QUERY, desk=desk)
    assert underlined(page)
    page.click("#hl-save > summary")
    page.wait_for_process(lambda: "MB" in page.text_content("#hl-save .hl-sheet"), "saved")
    [document] = page.saved().values()
    file = open_file(document.decode())
    assert underlined(file) == ["back"] and "“back” may be missing" in doubt(file)
