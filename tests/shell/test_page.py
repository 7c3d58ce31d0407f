"""The page with the shipped model, against the model's own record: what it says and how it acts."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from explorer import exhibits, openers
from explorer.card import FOLDER
from explorer.examples import opening
from explorer.labels import labels
from explorer.words import WORDS
from model.config import KINDS, DecodeConfig, Kind
from model.explain import Explainer
from model.labs import doubt
from model.trace import Explanation, Tokens
from tests.stage import Stage, choose_exhibit, expect

Open = Callable[..., Stage]
EXHIBIT_NAMES = [exhibit.name for exhibit in exhibits.load()]
SENTENCE = "The cat saw the other cat. 😀"
UNKNOWN = "The cat saw the other cat. 🐱"  # a cat that may come out in bytes that are no character
CROWDED = 14  # rows; of more, only some have their label


@pytest.fixture(scope="module")
def record(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


@pytest.fixture
def shared(open_stage: Open) -> Open:
    """A page on the sentence of `record`."""
    return lambda query: open_stage(f"?{query}&{urlencode({'text': SENTENCE})}")


def lines(tokens: Tokens) -> list[str]:
    return [label.line for label in labels(tokens)]


def texts(page: Stage, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_text_contents()]


def labelled(page: Stage, side: str, tokens: Tokens) -> bool:
    """Whether each label of the map stands at its token, and none is left out but for room."""
    found = page.evaluate(
        """(side) => [...document.querySelectorAll(`.hl-${side} text[data-at]`)]
            .map((text) => [Number(text.dataset.at), text.textContent.trim()])""",
        side,
    )
    wanted = lines(tokens)
    return all(wanted[at] == text for at, text in found) and (
        len(found) == len(wanted) or len(wanted) > CROWDED
    )


def chips(tokens: Tokens) -> list[str]:
    """The tokens as they are written in a row: parts of a character have their number below."""
    return [
        f"{label.text}{label.part[0]}/{label.part[1]}" if label.part else label.line
        for label in labels(tokens)
    ]


def choose_head(page: Stage, kind: Kind, layer: int, head: int) -> None:
    page.click(f"[data-head='{kind}.{layer}.{head}']")
    assert page.get_attribute(f"[data-head='{kind}.{layer}.{head}']", "aria-pressed") == "true"


def test_cells_are_the_records(shared: Open, record: Explanation) -> None:
    """Point at cells all over a map of each kind; the read-out tells each cell of the record."""
    page = shared("view=attention&attention.view=map")
    for kind in KINDS:
        maps = record.trace.attention(kind)
        layer, head = maps.weights.shape[0] - 1, 3
        choose_head(page, kind, layer, head)
        rows, columns = maps.mask.shape
        for row, col in itertools.product(range(0, rows, 2), range(0, columns, 3)):
            point_at(page, row, col, maps.mask.shape)
            found = page.locator(f".hl-value[data-row='{row}'][data-col='{col}']").text_content()
            if maps.mask[row, col]:
                assert float(found) == pytest.approx(maps.weights[layer, head, row, col], abs=6e-4)
            else:
                assert found == WORDS["readout.masked"].en


def point_at(page: Stage, row: int, col: int, shape: tuple[int, int]) -> None:
    """Put the pointer into a cell of the large map."""
    box = page.locator(".hl-cells").bounding_box()
    x = box["x"] + (col + 0.5) * box["width"] / shape[1]
    y = box["y"] + (row + 0.5) * box["height"] / shape[0]
    page.mouse.move(x, y)
    assert page.is_visible(f".hl-value[data-row='{row}'][data-col='{col}']")


@pytest.mark.parametrize("text", [SENTENCE, UNKNOWN], ids=["words", "bytes"])
def test_steps_go_forward_and_back(open_stage: Open, explainer: Explainer, text: str) -> None:
    page = open_stage().translate(text)
    page.click("[data-go=first]")
    trace = explainer.explain(text, DecodeConfig()).trace
    written = [labels(trace.tgt_in)[0].text, *(label.text for label in labels(trace.tgt_out))]
    assert page.locator("#hl-tgt .hl-token > span").all_text_contents() == written
    count = len(trace.tgt_out)

    def step() -> int:
        return int(page.locator("#hl-slider").input_value())

    assert step() == 1 and page.locator("#hl-step").text_content() == f"1 / {count}"
    page.click("[data-go=forward]")
    page.click("[data-go=forward]")
    assert step() == 3
    page.click("[data-go=back]")
    assert step() == 2
    page.click("[data-go=last]")
    assert step() == count
    page.keyboard.press("ArrowLeft")
    assert step() == count - 1
    page.click("[data-go=first]")
    page.focus("#hl-slider")
    page.keyboard.press("ArrowRight")
    assert step() == 2

    choose_exhibit(page, "steps")
    page.unfold("steps", "numbers")
    assert page.is_visible(".hl-steps-all tbody tr")
    for t in range(count):
        page.locator(".hl-steps-all tbody tr").nth(t).click()
        assert step() == t + 1
        assert texts(page, ".hl-steps-read .hl-token") == chips(trace.tgt_in)[: t + 1]
        chosen = page.locator(".hl-steps-bars .hl-chosen b").text_content()
        probability = float(np.exp(trace.log_prob[t]) * 100)
        limit = float(re.sub(r"[<>%\s]", "", chosen))
        if chosen.startswith("<"):
            assert probability < limit
        else:
            assert limit == pytest.approx(probability, abs=0.06)
    assert "stops" in page.locator(".hl-steps-back").text_content()


def test_hypotheses_can_be_chosen(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage()
    page.translate(SENTENCE)
    second = explainer.explain(SENTENCE, DecodeConfig(), shown=1)
    page.click("#hl-hypotheses summary")
    shown = texts(page, "#hl-hypotheses button.hl-hypothesis span:nth-child(2)")
    assert shown == [hypothesis.text for hypothesis in second.search.hypotheses]
    scores = texts(page, "#hl-hypotheses button.hl-hypothesis span:nth-child(3)")
    assert [float(score.replace("−", "-")) for score in scores] == pytest.approx(
        [hypothesis.score for hypothesis in second.search.hypotheses], abs=6e-4
    )
    page.locator("#hl-hypotheses button.hl-hypothesis").nth(1).click()
    assert "2 of" in page.text_content("#hl-hypotheses summary")
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(second.trace.tgt_out)]
    assert page.errors == []


def test_the_selection_is_one_everywhere(shared: Open, record: Explanation) -> None:
    page = shared("view=attention&attention.view=map")
    choose_head(page, "cross", 0, 0)
    page.locator("#hl-tgt .hl-token").nth(3).click()  # the cell after the start token is step 1
    assert page.locator("#hl-slider").input_value() == "3"
    assert page.is_visible(".hl-rows text.hl-here[data-at='2']")
    page.locator("#hl-src .hl-token").nth(1).click()
    assert page.is_visible(".hl-columns text.hl-here[data-at='1']")
    value = page.locator(".hl-value[data-row='2'][data-col='1']").text_content()
    assert float(value) == pytest.approx(record.trace.cross.weights[0, 0, 2, 1], abs=6e-4)
    page.locator("#hl-src .hl-token").nth(4).hover()
    assert page.is_visible(".hl-columns text.hl-lit[data-at='4']")
    bars = page.evaluate(
        """() => Array.from(document.querySelectorAll('#hl-src .hl-token'),
            (token) => Number(token.style.getPropertyValue('--weight')))"""
    )
    hundredths = 5.001e-3  # as fine as the bars are drawn
    np.testing.assert_allclose(bars, record.trace.cross.weights[0, 0, 2], atol=hundredths)


def test_rows_are_labelled_by_what_is_written_or_read(shared: Open, record: Explanation) -> None:
    page = shared("view=attention&attention.view=map")
    choose_head(page, "cross", 0, 0)
    assert labelled(page, "rows", record.trace.tgt_out)
    page.unfold("attention", "reading")
    reading = page.locator(".hl-attention .hl-reading")
    expect(reading).to_contain_text(WORDS["axes.cross.writes"].en)
    page.check(".hl-labels input[value=reads]")
    assert labelled(page, "rows", record.trace.tgt_in)
    expect(reading).to_contain_text(WORDS["axes.cross.reads"].en)


def test_the_strongest_links_say_what_the_picture_shows(shared: Open, record: Explanation) -> None:
    page = shared("view=attention")
    choose_head(page, "cross", 2, 1)
    weights = record.trace.cross.weights[2, 1]
    page.unfold("attention", "numbers")
    assert page.is_visible(".hl-links td")
    found = [float(text) for text in texts(page, ".hl-links tbody td:last-child")]
    assert found == pytest.approx(np.sort(weights.ravel())[::-1][:5], abs=6e-4)


def test_the_language_changes_at_once_and_wholly(open_stage: Open) -> None:
    page = open_stage("?view=steps")  # a view that asks nothing
    before = len(page.requests)
    assert page.text_content("#hl-translate") == WORDS["input.translate"].en
    page.click("#hl-language")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    assert page.text_content("#hl-translate") == WORDS["input.translate"].zh
    assert len(page.requests) == before, "asked the server for words"
    page.pass_time(1_000)
    assert "lang=zh" in page.evaluate("location.search")
    assert page.errors == []


def test_the_browsers_language_is_the_first(open_stage: Open) -> None:
    page = open_stage(locale="zh-CN")
    assert page.locator("#hl-translate").text_content() == WORDS["input.translate"].zh


@pytest.mark.parametrize("penalty", [1.0, -1.0])
def test_the_list_says_why_a_hypothesis_is_not_the_first(
    open_stage: Open, explainer: Explainer, penalty: float
) -> None:
    """Its sum of log-probs is lower, or it is not and the sum is divided by less."""
    text = "He goes to school by bus but often forgets his umbrella at home."
    page = open_stage(f"?{urlencode({'text': text, 'length_penalty': penalty})}")
    asked = DecodeConfig(length_penalty=penalty)
    first, *others = explainer.explain(text, asked).search.hypotheses
    page.click("#hl-hypotheses > summary")
    told = texts(page, "#hl-hypotheses button.hl-hypothesis small:first-of-type")
    assert len(told) == len(others) > 1
    for one, sentence in zip(others, told, strict=True):
        assert one.score <= first.score
        if one.log_prob >= first.log_prob:
            shorter, longer = sorted((len(one.path), len(first.path)))
            assert (len(one.path) == shorter) == (penalty > 0) and shorter < longer
            assert "divided by a smaller number" in sentence
        else:
            assert ("as long as" in sentence) == (len(one.path) == len(first.path))
            assert "less likely" in sentence


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(
        1
        for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )


def test_the_list_underlines_where_a_hypothesis_differs(
    open_stage: Open, explainer: Explainer
) -> None:
    text = "He goes to school by bus but often forgets his umbrella at home."
    page = open_stage().translate(text)
    first, *others = explainer.explain(text).search.hypotheses
    page.click("#hl-hypotheses > summary")
    rows = page.locator("#hl-hypotheses button.hl-hypothesis")
    assert rows.nth(0).locator("u").text_content() == ""
    for i, one in enumerate(others, 1):
        place = rows.nth(i).locator("span").nth(1)
        assert place.text_content() == one.text
        begin = alike(one.text, first.text)
        rest = one.text[begin:]
        end = alike(rest[::-1], first.text[begin:][::-1])
        assert place.locator("u").text_content() == rest[: len(rest) - end]


def test_settings_are_heeded_and_checked(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage()
    page.translate(SENTENCE)
    page.click("#hl-settings summary")
    page.select_option("[name=method]", "greedy")
    page.pass_time(1_000)  # it is asked when the visitor rests
    greedy = explainer.explain(SENTENCE, DecodeConfig(method="greedy"))
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(greedy.trace.tgt_out)]
    assert page.locator("[name=beam_size]").is_disabled()
    page.select_option("[name=method]", "beam")
    page.fill("[name=beam_size]", "99")
    page.pass_time(1_000)
    assert page.is_visible(".hl-trouble")
    assert "beam_size is 99" in page.locator("#hl-message").text_content()
    page.keyboard.press("Escape")
    assert page.locator("#hl-settings[open]").count() == 0


def test_the_address_restores_what_was_seen(open_stage: Open) -> None:
    page = open_stage("?view=attention").translate(SENTENCE)
    choose_head(page, "decoder_self", 1, 5)
    page.click("[data-go=first]")
    page.click("[data-go=forward]")
    page.click("[data-go=forward]")
    page.click("#hl-language")
    page.pass_time(1_000)
    query = page.evaluate("location.search")
    assert "step=3" in query and "lang=zh" in query
    again = open_stage(query)
    chosen = "[data-head='decoder_self.1.5']"
    assert again.get_attribute(chosen, "aria-pressed") == "true"
    assert again.input_value("#hl-slider") == "3"
    assert again.input_value("#hl-text") == SENTENCE
    assert again.evaluate("document.documentElement.lang") == "zh-CN"


def test_lines_that_were_pasted_are_said_to_be_one_text(open_stage: Open) -> None:
    page = open_stage()
    told = WORDS["message.one_text"].en
    for text, expected in (("Milk\nEggs\r\n\nBread\n", told), ("Milk, eggs.\n", "")):
        assert page.translate(text).text_content("#hl-message") == expected
        assert page.locator("#hl-src .hl-token").count() > 0


def test_the_recorded_example_comes_first(open_stage: Open, explainer: Explainer) -> None:
    """Before any answer there is the example, drawn, and said to be recorded."""
    page = open_stage(hold=lambda _: True)
    assert page.locator(".hl-figure-svg").count() > 0
    assert page.evaluate("document.body.dataset.ready") == "recorded"
    assert page.text_content("#hl-message") == WORDS["message.recorded"].en
    first = opening(openers.load(FOLDER)).text
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(first))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    for name in EXHIBIT_NAMES:  # those that need the model wait for it
        page.choose(exhibit=name)
        assert page.locator(f"#panel-{name} .hl-exhibit > *").count() > 0, name
    assert page.errors == []


def test_a_doubtful_translation_says_so(open_stage: Open, explainer: Explainer) -> None:
    """A sentence of odd words is doubted, an ordinary one is not; both languages."""
    odd = "Quarks hadronise asymptotically under perturbative renormalisation of gauge invariants."
    thresholds = explainer.thresholds
    found = doubt.judge(explainer, explainer.explain(odd).trace, thresholds)
    plain = doubt.judge(explainer, explainer.explain("I am a student.").trace, thresholds)
    assert found.reasons and not plain.reasons, "poor examples"
    page = open_stage(f"?text={odd}")
    page.click("#hl-doubt > summary")
    told = page.text_content("#hl-doubt .hl-sheet")
    if "unlikely" in found.reasons:
        value, limit = (f"−{-one.log_prob:.3f}" for one in (found.signs, thresholds))
        assert WORDS["doubt.unlikely"].en.format(value=value, limit=limit) in told
    assert f"{thresholds.sentences}" in told and f"{thresholds.precision * 100:.1f}" in told
    page.click("#hl-language")
    said = WORDS[f"doubt.short.{found.reasons[0]}"].zh
    assert page.text_content("#hl-doubt > summary") == said.format(items="")
    page = open_stage("?text=I am a student.")
    assert page.locator("#hl-doubt").is_hidden()


def test_whoever_waits_is_told_the_place_in_the_line(
    open_stage: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_stage("?view=steps")
    lengths = [9, 7, 8, 0]
    answer = page.desk.answer

    def of_a_queue(raw: dict[str, Any]) -> dict[str, Any]:
        is_length = str(raw.get("fetch")).endswith("queue/status")
        return {"text": json.dumps({"queue_size": lengths.pop(0)})} if is_length else answer(raw)

    monkeypatch.setattr(page.desk, "answer", of_a_queue)
    page.hold()
    page.translate("Who waits?")
    for place in (9, 7):
        page.pass_time(1_000)
        assert page.text_content("#hl-message") == WORDS["message.line"].en.format(place=place)
    page.click("#hl-language")
    page.pass_time(1_000)  # eight wait now: one came after this visitor
    assert page.text_content("#hl-message") == WORDS["message.line"].zh.format(place=7)
    page.pass_time(1_000)
    assert page.text_content("#hl-message") == "" and not lengths


@pytest.mark.parametrize(
    ("language", "lead", "hint"),
    [("en", "English into Chinese", "a sentence in English"), ("zh", "把英语翻译成中文", "英语")],
)
def test_the_first_sight_says_which_languages(
    open_stage: Open, language: str, lead: str, hint: str
) -> None:
    page = open_stage(f"?lang={language}")
    page.unfold("figure", "reading")
    expect(page.locator("#panel-figure .hl-reading")).to_contain_text(lead)
    assert "Attention Is All You Need" in page.inner_text("#panel-figure .hl-reading")
    assert hint in (page.get_attribute("#hl-text", "placeholder") or "")


def test_without_the_mask_the_page_says_what_was_read(open_stage: Open) -> None:
    """The traced pass has read the whole text; the search could not."""
    query = urlencode({"text": "Why do we work?", "changes": '{"causal_mask":false}'})
    page = open_stage(f"?view=steps&{query}")
    ahead = WORDS["story.ahead"].en
    assert ahead in (page.locator("#hl-story").text_content() or "")
    written = page.locator("#hl-tgt .hl-token").count()
    expect(page.locator(".hl-steps-read .hl-token")).to_have_count(written - 1)
    choose_exhibit(page, "figure")
    page.click(".hl-figure-unfold")
    expect(page.locator(".hl-figure-svg").last).to_contain_text("Self-attention")
    expect(page.locator(".hl-figure-svg")).not_to_contain_text("Masked attention")
    page.click("#hl-changed button")
    expect(page.locator(".hl-figure-svg")).to_contain_text("Masked attention")
    assert ahead not in (page.locator("#hl-story").text_content() or "")


# The key that ends a composition, as browsers report it: [isComposing, keyCode, ends before].
COMPOSED = {
    "chrome": (True, 229, False),
    "firefox": (True, 229, False),
    "safari": (False, 229, True),
}
KEY = """([selector, key, isComposing, keyCode, endsBefore]) => {
    const field = document.querySelector(selector);
    const end = () => field.dispatchEvent(new Event("compositionend", { bubbles: true }));
    if (endsBefore) end();
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    for (const [name, value] of Object.entries({ isComposing, keyCode }))
        Object.defineProperty(event, name, { value });
    field.dispatchEvent(event);
    if (!endsBefore) end();
    return event.defaultPrevented;
}"""


@pytest.mark.parametrize("form", COMPOSED)
def test_a_key_of_an_input_method_does_nothing_else(open_stage: Open, form: str) -> None:
    page = open_stage("?view=toy")
    page.fill("#hl-text", "I am a stu")

    def is_sent() -> bool:
        page.rest()
        return "I am a stu" in [one["text"] for one in page.asked]

    page.click("#hl-settings > summary")
    for selector, key in [
        ("#hl-text", "Enter"),  # takes over what was composed
        ("#hl-text", "Escape"),  # drops it; a sheet stays open
        ("#panel-toy input[data-cell]", "ArrowDown"),  # chooses among the candidates
    ]:
        assert not page.evaluate(KEY, [selector, key, *COMPOSED[form]]), (selector, key)
    assert not is_sent()
    assert page.get_attribute("#hl-settings", "open") is not None
    assert page.evaluate(KEY, ["#hl-text", "Enter", False, 13, True])
    assert is_sent()


# The pages of a process that are still in memory, of those that were noted.
KEPT = """() => {
    process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
    process.getBuiltinModule("node:vm").runInNewContext("gc")();
    return globalThis.noted.filter((one) => one.deref() !== undefined).length;
}"""


def test_a_closed_page_leaves_nothing_to_the_next(open_stage: Open) -> None:
    """What listens outlives it and acts on later pages; it also keeps 17 MB of memory."""
    for _ in range(3):
        page = open_stage("?view=tree")
        page.evaluate("() => { (globalThis.noted ??= []).push(new WeakRef(headlight.page)); }")
        page.pass_time(16)
    assert page.evaluate(KEPT) == 1
