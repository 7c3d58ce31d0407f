"""The menu, the map of the views by question, and the front door for whoever is new."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer import lessons
from explorer.exhibits import NAMES, VIEWS
from explorer.words import LANGUAGES, WORDS, Language
from tests.stage import Stage

Open = Callable[..., Stage]
DOOR = ".hl-door"
FIRST = next(iter(lessons.load().values()))
GROUPS = """() => [...document.querySelectorAll('[data-part=map] section')].map((section) => [
    section.querySelector('h2').textContent,
    [...section.querySelectorAll('[data-exhibit]')].map((one) => one.dataset.exhibit)])"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_has_every_view_below_its_question(open_stage: Open, language: Language) -> None:
    page = open_stage(f"?lang={language}")
    groups = page.evaluate(GROUPS)
    assert sorted(name for _, names in groups for name in names) == sorted(NAMES)
    for view in VIEWS:
        question = getattr(WORDS[f"map.{view.question}"], language)
        assert set(view.exhibits) <= set(dict(groups)[question])
    assert len(groups) == len({view.question for view in VIEWS}) == 6


def test_a_question_unfolds_its_views_and_the_view_on_the_page_its_own(open_stage: Open) -> None:
    page = open_stage("?view=tree")
    states = """() => [...document.querySelectorAll('[data-question]')]
        .filter((one) => one.getAttribute('aria-expanded') === 'true')
        .map((one) => [one.dataset.question, one.nextElementSibling.hidden])"""
    assert page.evaluate(states) == [["choose", False]]
    page.click("[data-question=believe]")
    assert page.evaluate(states) == [["believe", False]]
    assert page.evaluate("headlight.page.selection.get().exhibit") == "tree"  # nothing is left
    page.click(".hl-entry[data-view=bleu]")
    assert page.evaluate("headlight.page.selection.get().exhibit") == "bleu"
    page.click("[data-question=believe]")
    assert page.evaluate(states) == []
    page.choose(exhibit="toy")  # by another way
    assert page.evaluate(states) == [["choose", False]]
    assert page.get_attribute("#tab-toy", "aria-current") == "true"
    page.click("[data-question=believe]")
    page.click(".hl-entry[data-view=bleu]")
    page.click("[data-question=choose]")
    page.click(".hl-entry[data-view=tree]")  # its picture that was open last
    assert page.evaluate("headlight.page.selection.get().exhibit") == "toy"


def test_each_exhibit_says_what_of_the_header_it_uses(open_stage: Open) -> None:
    """Also where one of an entry needs a sentence and the next does not."""
    page = open_stage("?view=tree")
    header = "document.body.dataset.header"
    assert page.evaluate(header) == "sentence step"
    page.click("#tab-toy")
    assert page.evaluate(header) == ""
    page.click("#tab-compare")
    assert page.evaluate(header) == "sentence step"


def test_whoever_is_new_is_led_to_the_first_lesson_once(open_stage: Open) -> None:
    page = open_stage()
    assert FIRST.title["en"] in page.text_content(DOOR)
    page.choose(exhibit="attention")
    assert page.locator(f"{DOOR} button").count() == 0  # it belongs to the first view
    page.choose(exhibit="figure")
    page.click(".hl-door-lesson")
    assert page.text_content(".hl-lesson h2") == FIRST.steps[0].title["en"]
    page.click(".hl-lesson header button >> nth=1")
    page.choose(exhibit="figure")
    assert page.locator(f"{DOOR} button").count() == 0  # for good


def test_the_line_for_whoever_is_new_can_be_closed_for_good(open_stage: Open) -> None:
    page = open_stage()
    page.click(".hl-door-close")
    assert page.locator(f"{DOOR} button").count() == 0
    assert page.evaluate("localStorage.getItem('headlight.door')") == "closed"
    again = open_stage(storage={"headlight.door": "closed"})
    assert again.locator(f"{DOOR} button").count() == 0
    again.evaluate("document.querySelector('#hl-index').open = true")
    again.click(".hl-map-lesson")  # the map keeps it, and does not stand over the lesson
    assert not again.evaluate("document.querySelector('#hl-index').open")
    assert again.text_content(".hl-lesson h2") == FIRST.steps[0].title["en"]
