"""Which model opens and which reads a text, on a page with four: English, German and Chinese."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, quote

import pytest

from explorer.models import Listed, Models
from explorer.openers import Openers
from explorer.words import WORDS
from model.explain import Explainer
from tests.stage import Desk, Stage

Open = Callable[..., Stage]
PAIRS = ("en-zh", "zh-en", "en-de", "de-en")
OPENS = {"en": "en-de", "zh": "en-zh"}
FIRST_TEXT = {"en-zh": "I like cats.", "zh-en": "我喜欢猫。", "de-en": "Ich mag Katzen."} | {
    "en-de": "I like dogs."
}


@pytest.fixture(scope="module")
def desk(explainer: Explainer) -> Desk:
    """A server with four models, all of which write what the first one does."""
    found = Desk(
        Models(
            [
                Listed(pair, pair, lambda: explainer, Openers(FIRST_TEXT[pair], {}, ()), None, pair)
                for pair in PAIRS
            ]
        )
    )
    found.facts = {**found.facts, "opens": OPENS}
    return found


@pytest.fixture
def visit(open_stage: Open, desk: Desk) -> Open:
    return lambda query="", **how: open_stage(query, desk=desk, **how)


def shown(page: Stage) -> tuple[str, str]:
    """The model and the sentence on the page, once the model is there."""
    on_page = "const { model, text } = headlight.page.record.get(); return [model.key, text];"
    page.wait_for_process(lambda: page.get_attribute("body", "data-ready") == "live", "an answer")
    key, text = page.evaluate(f"() => {{ {on_page} }}")
    return key, text


def address(page: Stage) -> dict[str, list[str]]:
    page.pass_time(1_000)  # the address follows when the visitor rests
    return parse_qs(str(page.evaluate("() => location.search"))[1:])


def type_in(page: Stage, text: str) -> tuple[str, str]:
    page.fill("#hl-text", text)
    page.press("#hl-text", "Enter")
    return shown(page)


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("?lang=en", "en-de"),
        ("?lang=zh", "en-zh"),
        ("?lang=zh&model=en-de", "en-de"),
        ("?lang=en&model=zh-en", "zh-en"),
        ("?lang=en&view=tree", "en-de"),
    ],
)
def test_the_page_opens_with_the_model_of_its_language_unless_a_link_names_one(
    visit: Open, query: str, key: str
) -> None:
    page = visit(query)
    assert shown(page) == (key, FIRST_TEXT[key])
    assert address(page)["model"] == [key]
    assert page.errors == []


@pytest.mark.parametrize(
    ("query", "key"),
    [
        # typed by hand: the default if that reads it
        ("text=Why do we work?&lang=en", "en-de"),
        ("text=Why do we work?&lang=zh", "en-zh"),
        ("text=Wo ist der Bahnhof?&lang=zh", "de-en"),
        ("text=我是学生。&lang=en", "zh-en"),
        ("text=Tom&lang=en", "en-de"),
        # written by the page when it had no German: what it showed then
        ("text=Why do we work?&lang=en&kind=cross&layer=1&head=1", "en-zh"),
        ("text=Wo ist der Bahnhof?&lang=en&kind=cross&layer=1&head=1", "en-zh"),
        ("text=我是学生。&lang=en&kind=cross&layer=1&head=1", "zh-en"),
        ("text=我是学生。&lang=en&model=en-zh&kind=cross&layer=1&head=1", "en-zh"),
    ],
)
def test_an_address_without_a_model(visit: Open, query: str, key: str) -> None:
    text = query.split("&")[0].removeprefix("text=")
    page = visit("?" + query.replace(text, quote(text)))
    assert shown(page) == (key, text)
    assert address(page)["model"] == [key]
    assert page.errors == []


def test_a_text_goes_to_the_model_that_reads_it(visit: Open) -> None:
    page = visit("?lang=en")
    for text, key in (
        ("Wo ist der Bahnhof?", "de-en"),
        ("Ich habe den Song Let It Be gehört.", "de-en"),
        ("Computer", "de-en"),  # it tells nothing
        ("Where is the station?", "en-de"),
        ("我是学生。", "zh-en"),
        ("I am tired.", "en-de"),  # the last one that read English
    ):
        assert type_in(page, text) == (key, text)
    page.select_option("#hl-model select", "en-zh")
    assert shown(page) == ("en-zh", "I am tired.")  # which it reads too
    assert type_in(page, "Ich bin müde.")[0] == "de-en"
    assert type_in(page, "I am here.")[0] == "en-zh"
    assert page.errors == []


def test_the_page_says_whom_it_asks_and_the_visitor_may_think_otherwise(visit: Open) -> None:
    page = visit("?lang=en&model=en-zh&text=Hello.")
    told = WORDS["message.reader"].en.format(language="German", name="German → English")
    instead = WORDS["model.instead"].en.format(name="English → Chinese")
    type_in(page, "Ich bin müde.")
    assert page.text_content("#hl-message") == f"{told} {instead}"
    page.click(".hl-leave")
    assert shown(page) == ("en-zh", "Ich bin müde.")
    page.press("#hl-text", "Enter")
    assert shown(page) == ("en-zh", "Ich bin müde.")  # it is not taken away again
    assert address(page)["model"] == ["en-zh"]
    assert page.errors == []


@pytest.mark.parametrize(
    ("before", "text", "after", "wanted"),
    [
        ("en-de", "I like cats.", "de-en", None),  # the translation
        ("en-de", "I like cats.", "en-zh", "I like cats."),
        ("en-de", "I like cats.", "zh-en", FIRST_TEXT["zh-en"]),  # neither text is in Chinese
        ("zh-en", "我是学生。", "de-en", FIRST_TEXT["de-en"]),
        ("zh-en", "我是学生。", "en-de", None),
        ("en-de", "Ich bin müde.", "de-en", "Ich bin müde."),
    ],
)
def test_the_menu_gives_a_model_a_text_that_it_reads(
    visit: Open, before: str, text: str, after: str, wanted: str | None
) -> None:
    page = visit(f"?lang=en&model={before}&text={quote(text)}")
    translation = page.evaluate("() => headlight.page.record.get().translation")
    page.select_option("#hl-model select", after)
    assert shown(page) == (after, translation if wanted is None else wanted)
    assert page.errors == []


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["English → Chinese", "Chinese → English", "English → German", "German → English"]),
        ("zh", ["英语 → 中文", "中文 → 英语", "英语 → 德语", "德语 → 英语"]),
    ],
)
def test_the_menu_names_the_languages(visit: Open, lang: str, names: list[str]) -> None:
    page = visit(f"?lang={lang}")
    shown(page)
    listed = page.eval_on_selector_all("#hl-model option", "all => all.map((o) => o.textContent)")
    assert listed == names


def test_a_narrow_bar_has_the_codes_of_the_languages(visit: Open) -> None:
    """Their names were cut: "English → Ger"."""
    page = visit("?lang=en", viewport={"width": 1000, "height": 700})
    shown(page)
    listed = page.eval_on_selector_all("#hl-model option", "all => all.map((o) => o.textContent)")
    assert listed == ["EN → ZH", "ZH → EN", "EN → DE", "DE → EN"]


def test_another_language_of_the_page_changes_only_what_it_opened_with(visit: Open) -> None:
    page = visit("?lang=en")
    assert shown(page)[0] == "en-de"
    for key in ("en-zh", "en-de"):
        page.click("#hl-language")
        assert shown(page) == (key, FIRST_TEXT[key])
    type_in(page, "I am tired.")
    page.click("#hl-language")
    assert shown(page) == ("en-de", "I am tired.")
    assert page.errors == []
    page = visit("?lang=en&model=de-en")
    page.click("#hl-language")
    assert shown(page) == ("de-en", FIRST_TEXT["de-en"])
    assert page.errors == []


def test_a_saved_file_keeps_its_model_in_either_language(visit: Open, open_file: Open) -> None:
    page = visit("?lang=en")
    shown(page)
    page.click("#hl-save > summary")
    sheet = page.locator("#hl-save .hl-sheet")
    page.wait_for_process(lambda: "MB" in sheet.text_content(), "saved")
    [content] = page.saved().values()
    file = open_file(content.decode())
    for _ in "zh", "en":
        file.click("#hl-language")
        assert shown(file) == ("en-de", FIRST_TEXT["en-de"])
    assert file.text_content("#hl-message") == ""
    assert page.errors == file.errors == []
