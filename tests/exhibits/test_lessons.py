"""Every lesson runs to its end in the page, in both languages, with the model's own numbers."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

import pytest

from explorer import lessons
from explorer.lessons import measures
from explorer.words import LANGUAGES, WORDS, Language
from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import AT_REST, BEGUN, Watched, drawn
from tests.stage import Stage
from tests.tiers import each

Open = Callable[..., Stage]
ALL = lessons.load()
BAR = ".hl-lesson"


@pytest.mark.long
@each("language", LANGUAGES, 1)
@each("name", tuple(ALL), 3)
def test_it_runs_to_its_end(
    open_stage: Open, explainer: Explainer, name: str, language: Language
) -> None:
    watched = open_stage(f"?lesson={name}&lang={language}")
    page = watched.page
    for i, step in enumerate(ALL[name].steps):
        page.wait_for_function(
            "([bar, title]) => document.querySelector(`${bar} h2`)?.textContent === title",
            arg=[BAR, step.title[language]],
        )
        shown = {key: value[0] for key, value in parse_qs(step.show).items()}
        page.wait_for_selector(f"#panel-{shown['view']}:not([hidden])")
        page.wait_for_function(
            "(text) => window.headlight.page.record.get().text === text", arg=shown["text"]
        )
        for text in step.told:
            assert text[language] in page.text_content(BAR)
        if step.ask is not None:
            found = measures.options(explainer, step.show, step.ask, step.arguments)
            check_question(page, found, step.parts["reveal"][0][language], language)
        if step.then:  # the answer is on show only now
            then = {key: value[0] for key, value in parse_qs(step.then).items()}
            page.wait_for_selector(f"#panel-{then['view']}:not([hidden])")
        label = "lessons.end" if i == len(ALL[name].steps) - 1 else "lessons.next"
        page.click(f"{BAR} footer button:text-is('{getattr(WORDS[label], language)}')")
    asked = sum(step.ask is not None for step in ALL[name].steps)
    score = getattr(WORDS["lessons.score"], language).format(right=0, count=asked)  # all wrong
    assert page.text_content(f"{BAR} h2") == score
    close = getattr(WORDS["lessons.close"], language)
    page.click(f"{BAR} footer button:text-is('{close}')")
    page.wait_for_selector(BAR, state="hidden")
    assert page.locator("[data-looked]").count() == 0
    assert watched.errors == []


def check_question(
    page: Stage, found: list[measures.Option], reveal: str, language: Language
) -> None:
    """Nothing is told before one has chosen; afterwards the numbers are the model's."""
    page.wait_for_selector(f"{BAR} .hl-lesson-options button")
    labels = page.locator(f"{BAR} .hl-lesson-options button").all_text_contents()
    assert labels == [option.label[language] for option in found]
    assert reveal not in page.text_content(BAR)
    values = [option.value for option in found]
    right = values.index(max(values))
    wrong = (right + 1) % len(found)
    page.locator(f"{BAR} .hl-lesson-options button").nth(wrong).click()
    page.wait_for_selector(f"{BAR} .hl-lesson-answers")
    told = page.text_content(BAR)
    assert reveal in told
    said = getattr(WORDS["lessons.wrong"], language).format(right=found[right].label[language])
    assert said in told
    marked = page.text_content(f"{BAR} .hl-lesson-answers .hl-chosen")
    assert found[right].label[language] in marked
    numbers = found[right].change or [values[right]]
    written = {"share": lambda n: f"{n * 100:.1f} %", "log_prob": lambda n: f"{n:.3f}"}
    if found[right].shown in written:
        texts = [written[found[right].shown](n).replace("-", "−") for n in numbers]
        assert " → ".join(texts) in marked


def test_a_lesson_does_not_hold_anybody_back(open_stage: Open) -> None:
    page = open_stage("?view=lessons").page
    page.click(".hl-lesson-begin >> nth=0")
    page.wait_for_selector(f"{BAR} h2")
    page.click("#hl-language")  # one may do anything meanwhile
    assert page.text_content(f"{BAR} h2") == ALL["one-head"].steps[0].title["zh"]
    page.click(f"{BAR} header button >> nth=0")  # folded
    assert page.locator(f"{BAR} h2").count() == 0
    page.click(f"{BAR} header button >> nth=1")
    page.wait_for_selector(BAR, state="hidden")


def test_a_failing_server_is_told_and_a_retry_works(open_stage: Open) -> None:
    page = open_stage("?lesson=one-head")
    page.change(lambda *_: {"failed": True})
    page.evaluate("() => window.headlight.page.lesson.set({ name: 'one-head', step: 2 })")
    page.wait_for_selector(f"{BAR} .hl-failed")
    page.change(None)
    page.click(f"{BAR} .hl-failed button")
    page.wait_for_selector(f"{BAR} .hl-lesson-options button")


@pytest.mark.long
@pytest.mark.browser
def test_a_worksheet_has_the_answers_on_a_page_of_its_own(
    open_page: Callable[..., Watched], explainer: Explainer
) -> None:
    page = open_page("?view=lessons&text=Why+do+we+work%3F", keep=False).page
    page.evaluate("() => { HTMLIFrameElement.prototype.print = () => {}; }")
    page.add_init_script("window.print = () => {}")
    page.click(".hl-lessons li:first-child button:text-is('Worksheet')")
    paper = page.frame_locator(".hl-sheet-frame")
    paper.locator(".key").wait_for(state="attached")
    text = paper.locator("body").text_content()
    for step in ALL["one-head"].steps:
        assert step.title["en"] in text
    assert paper.locator("section figure svg").count() == len(ALL["one-head"].steps)
    at = parse_qs(ALL["one-head"].steps[3].show)
    trace = explainer.explain(at["text"][0], DecodeConfig()).trace
    likely = trace.top_ids[int(at["step"][0]) - 1, 0]
    first = paper.locator("section").nth(3).locator("figure text").first.text_content()
    assert (
        first == explainer.tokenizer.piece(likely) != explainer.tokenizer.piece(trace.top_ids[0, 0])
    )
    page.wait_for_function("headlight.page.record.get().text === 'Why do we work?'")
    assert paper.locator("ul li").count() >= 4 and paper.locator(".line").count() >= 2
    size = page.evaluate(
        """() => { const body = document.querySelector('.hl-sheet-frame').contentDocument.body;
                   return body.textContent.length; }"""
    )
    assert size < 6000  # two pages of A4
    frame = page.locator(".hl-sheet-frame")
    assert frame.bounding_box()["x"] + frame.bounding_box()["width"] < 0
    page.click(".hl-lessons li:nth-child(2) button:text-is('Worksheet')")
    page.frame_locator(".hl-sheet-frame[title*='three attentions']").locator(".key").wait_for(
        state="attached"
    )
    assert frame.count() == 1
    frame.evaluate("(one) => one.contentWindow.dispatchEvent(new Event('afterprint'))")
    assert frame.count() == 0


def test_what_was_on_show_comes_back(open_stage: Open) -> None:
    page = open_stage("?view=tree&text=Why+do+we+work%3F").page
    page.evaluate("window.headlight.page.lesson.set({ name: 'masks', step: 2 })")
    page.wait_for_selector("#panel-cheat:not([hidden])")
    text = parse_qs(ALL["masks"].steps[2].show)["text"][0]
    page.wait_for_function("(text) => headlight.page.record.get().text === text", arg=text)
    page.click(f"{BAR} footer button:text-is('Finish')")
    assert WORDS["lessons.done.back"].en in page.text_content(BAR)
    assert page.locator(f"{BAR} h2").count() == 0  # nothing was guessed
    page.click(f"{BAR} footer button:text-is('Leave the lesson')")
    page.wait_for_selector("#panel-tree:not([hidden])")
    page.wait_for_function("window.headlight.page.record.get().text === 'Why do we work?'")


@pytest.mark.browser
@pytest.mark.parametrize("window", [(1366, 768), (390, 844)])
def test_the_causal_mask_is_in_sight(
    open_page: Callable[..., Watched], window: tuple[int, int]
) -> None:
    size = {"width": window[0], "height": window[1]}
    page = open_page("?lesson=masks", viewport=size).page
    page.wait_for_function(
        """() => {
            const mask = document.querySelector('#panel-masks [data-mask=causal] canvas')
                ?.getBoundingClientRect();
            const card = document.querySelector('.hl-lesson').getBoundingClientRect();
            return mask && mask.top > 0 && mask.bottom < innerHeight
                && (mask.bottom < card.top || mask.right < card.left);
        }"""
    )


@pytest.mark.long
@pytest.mark.browser
@each("size", [(1366, 768), (1280, 720), (1000, 700), (390, 844)], 1)
@pytest.mark.parametrize("projector", [False, True])
def test_the_card_stands_beside_the_picture(
    open_page: Callable[..., Watched], size: tuple[int, int], projector: bool
) -> None:
    """Over nothing; its buttons are in the window, and so is the picture, at every step."""
    if projector and size[0] < 1000:
        pytest.skip("a phone is no projector")
    query = "?lesson=masks" + ("&size=projector" if projector else "")
    page = open_page(query, viewport={"width": size[0], "height": size[1]}).page
    for i in range(len(ALL["masks"].steps)):
        page.wait_for_function(
            "([bar, title]) => document.querySelector(`${bar} h2`)?.textContent === title",
            arg=[BAR, ALL["masks"].steps[i].title["en"]],
        )
        page.wait_for_function(AT_REST)
        page.wait_for_selector(f".hl-panel:not([hidden]) {BEGUN}", state="attached")
        page.wait_for_selector(f"{BAR} p[role=status]", state="detached")  # "…" until it can ask
        if ALL["masks"].steps[i].look:
            page.wait_for_selector("[data-looked]")
        drawn(page)
        found = page.evaluate(
            """(bar) => {
                const box = (one) => one.getBoundingClientRect();
                const view = box(document.querySelector('.hl-panel:not([hidden]) .hl-exhibit > *'));
                const card = box(document.querySelector(bar));
                const buttons = [...document.querySelectorAll(`${bar} footer button`)].map(box);
                const isSheet = card.width >= innerWidth - 1;
                const looked = document.querySelector('[data-looked]');
                return {
                    seen: !isSheet || looked === null || box(looked).bottom <= card.top + 1,
                    beside: view.right <= card.left + 1 || isSheet,
                    buttons: buttons.every(({ top, bottom, left, right }) =>
                        top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth),
                    free: (isSheet ? card.top : innerHeight) - Math.max(0, view.top),
                    inside: card.right <= innerWidth,
                };
            }""",
            BAR,
        )
        assert found["beside"] and found["buttons"] and found["inside"], (i, found)
        assert found["seen"], (i, found)
        assert found["free"] >= (400 if size[1] > 720 else 340), (i, found)
        if i < len(ALL["masks"].steps) - 1:
            page.click(f"{BAR} footer button:text-is('Next')")


@pytest.mark.parametrize("hits", [(True,), (False,), (False, True), (True, False, False)])
def test_the_first_guess_at_a_step_counts(
    open_stage: Open, explainer: Explainer, hits: tuple[bool, ...]
) -> None:
    """Whoever comes back to a step knows its answer."""
    steps = ALL["order"].steps
    at = next(i for i, step in enumerate(steps) if step.ask is not None)
    found = measures.options(explainer, steps[at].show, steps[at].ask or "", steps[at].arguments)
    values = [option.value for option in found]
    right = values.index(max(values))
    page = open_stage()
    go = "(step) => window.headlight.page.lesson.set({ name: 'order', step })"
    for is_right in hits:
        page.evaluate(go, at)
        option = right if is_right else (right + 1) % len(found)
        page.locator(f"{BAR} .hl-lesson-options button").nth(option).click()
        page.wait_for_selector(f"{BAR} .hl-lesson-answers")
        page.evaluate(go, len(steps) - 1)
    page.click(f"{BAR} footer button:text-is('Finish')")
    score = WORDS["lessons.score"].en.format(right=int(hits[0]), count=1)
    assert page.text_content(f"{BAR} h2") == score


@pytest.mark.browser
def test_a_step_that_is_cut_fades_until_its_end(open_page: Callable[..., Watched]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}).page
    page.evaluate("window.headlight.page.lesson.set({ name: 'one-head', step: 2 })")
    step = page.locator(".hl-lesson-step")
    step.locator(".hl-lesson-options button").first.wait_for(timeout=60_000)
    assert step.evaluate("(one) => one.scrollHeight > one.clientHeight")
    mask = "(one) => getComputedStyle(one).maskImage"
    page.wait_for_function(f"({mask})(document.querySelector('.hl-lesson-step')) !== 'none'")
    step.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    page.wait_for_function(f"({mask})(document.querySelector('.hl-lesson-step')) === 'none'")


def test_each_lesson_has_its_first_picture_and_one_button(open_stage: Open) -> None:
    watched = open_stage("?view=lessons")
    page = watched.page
    page.wait_for_selector(".hl-lesson-picture")
    longest = max(lesson.minutes for lesson in ALL.values())
    finding = page.inner_text("#panel-lessons .hl-finding")
    assert f"{len(ALL)} lessons, none longer than {longest} minutes" in finding
    cards = page.locator(".hl-lesson-cards > li")
    assert cards.count() == len(ALL) == page.locator(".hl-lesson-begin").count()
    titles = page.locator(".hl-lesson-cards h3").all_text_contents()
    assert titles == [f"{i}. {one.title['en']}" for i, one in enumerate(ALL.values(), 1)]
    # A picture is of the sentence on the page: the second one is a head of its encoder.
    sizes = page.evaluate(
        """() => {
            const maps = headlight.page.record.get().attention.encoder_self;
            const weights = maps.head(1, 1);
            const [, second] = document.querySelectorAll('.hl-lesson-picture');
            const cells = [...second.querySelectorAll('.hl-lesson-weight')];
            return cells.map((cell, i) => Math.abs(Number(cell.getAttribute('opacity'))
                - (weights[i] || 0)));
        }"""
    )
    assert len(sizes) > 4 and max(sizes) < 1e-6
    assert page.locator(".hl-lesson-picture >> nth=5 >> .hl-lesson-bar").count() == 5
    assert watched.errors == []
