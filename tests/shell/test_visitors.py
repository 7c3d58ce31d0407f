"""Whatever a visitor types or follows: the page goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.labels import labels
from model.explain import Explainer
from tests.stage import Stage, choose_exhibit

Open = Callable[..., Stage]


HOSTILE = (
    '<img src=x onerror="window.broken=1"><script>window.broken=1</script> ${window.broken=1} {{x}}'
)


def test_a_text_is_only_text(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage()
    page.translate(HOSTILE)
    choose_exhibit(page, "tree")
    page.locator("#hl-src .hl-token").first.hover()
    assert page.evaluate("window.broken") is None
    foreign = "img:not(.hl-tile > img), script"  # the tiles are images of ours
    assert page.locator(f":is(#hl-src, .hl-panel) :is({foreign})").count() == 0
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(HOSTILE))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    assert page.errors == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to translate"),
        ("\u0007\u200b  ", "nothing to translate"),
        ("a " * 50_000, "100,000 characters"),
        ("frog " * 300, "The text has"),
    ],
)
def test_what_cannot_be_translated_gets_one_sentence(
    open_stage: Open, text: str, says: str
) -> None:
    page = open_stage()
    before = page.locator("#hl-src").text_content()
    page.translate(text)
    assert says in page.locator("#hl-message.hl-trouble").text_content()
    assert page.locator("#hl-src").text_content() == before, "what was on the page is lost"
    page.click("#hl-settings summary")
    page.select_option("[name=method]", "greedy")  # goes on from what is on show
    page.pass_time(1_000)  # it is asked when the visitor rests
    assert page.locator(".hl-trouble").count() == 0
    assert page.locator("#hl-src").text_content() == before
    page.press("body", "Escape")
    page.translate("Why do we work?")
    assert page.locator(".hl-trouble").count() == 0
    assert "Why" in page.locator("#hl-src").text_content()
    assert page.errors == []


@pytest.mark.parametrize("text", ["🐱🚀👩‍🚀", "我是学生。", "\u202eabc\u0301 \u200dx", "\\ ` ${1}"])
def test_odd_texts_are_translated(open_stage: Open, text: str, explainer: Explainer) -> None:
    page = open_stage()
    page.translate(text)
    assert page.locator(".hl-trouble").count() == 0
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(text))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    assert page.errors == []


@pytest.mark.parametrize(
    ("more", "said"),
    [("hypothesis=99", "Hypothesis 99"), ("hypothesis=99&beam_size=hm", "Beam size")],
)
def test_absurd_addresses_do_no_harm(open_stage: Open, more: str, said: str) -> None:
    page = open_stage(f"?kind=nonsense&layer=999&head=0&step=-4&src=1e9&view=x&{more}")
    assert page.locator(".hl-figure-svg").count() > 0
    assert said in page.locator(".hl-trouble").text_content()
    assert page.errors == []
