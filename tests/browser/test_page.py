"""The page in a real browser, with the shipped model, against the model's own record."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer import exhibits, openers
from explorer.card import FOLDER
from explorer.examples import opening
from explorer.labels import labels
from explorer.words import WORDS
from model.config import KINDS, DecodeConfig, Kind
from model.explain import Explainer
from model.labs import doubt
from model.trace import Explanation, Tokens
from tests.browsing import Pages, Server, Watched, choose_exhibit, drawn, show, unfold

EXHIBITS = exhibits.load()

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
EXHIBIT_NAMES = [exhibit.name for exhibit in EXHIBITS]
SENTENCE = "The cat saw the other cat. 😀"
UNKNOWN = "The cat saw the other cat. 🐱"  # a cat that may come out in bytes that are no character
CROWDED = 14  # rows; of more, only some have their label


@pytest.fixture(scope="module")
def record(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


@pytest.fixture(scope="module")
def shared(pages: Pages, server: Server) -> Iterator[Watched]:
    """For tests that look at the sentence of `record`."""
    with pages.lend(f"{server.url}?{urlencode({'text': SENTENCE})}") as watched:
        yield watched


def opened(shared: Watched, query: str) -> Page:
    return shared.go(f"{query}&{urlencode({'text': SENTENCE})}")


def lines(tokens: Tokens) -> list[str]:
    return [label.line for label in labels(tokens)]


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_text_contents()]


def labelled(page: Page, side: str, tokens: Tokens) -> bool:
    """Whether each label of the map stands at its token, and none is left out but for room."""
    found = page.evaluate(
        """(side) => [...document.querySelectorAll(`.hl-${side} text`)]
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


def choose_head(page: Page, kind: Kind, layer: int, head: int) -> None:
    page.click(f"[data-head='{kind}.{layer}.{head}']")
    page.wait_for_selector(f"[data-head='{kind}.{layer}.{head}'][aria-pressed='true']")
    page.wait_for_function(
        "(k) => document.querySelector('.hl-head-name i').className.includes(k)",
        arg=f"hl-kind-{kind}",
    )


def only_this_server(watched: Watched, server: Server) -> None:
    hosts = {urlsplit(url).netloc for url in watched.urls if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server.url).netloc}


def test_a_sentence_with_a_repeated_word_and_an_emoji(
    open_page: Open, server: Server, record: Explanation
) -> None:
    watched = open_page("?view=attention&attention.view=map")
    page = watched.translate(SENTENCE)
    trace = record.trace

    strip = [cell.text for cell in labels(trace.src)]
    found = page.locator("#hl-src .hl-token > span").all_text_contents()
    assert found == strip and found.count("cat") == 2 and found[-1] == "</s>"
    written = [labels(trace.tgt_in)[0].text, *(label.text for label in labels(trace.tgt_out))]
    assert page.locator("#hl-tgt .hl-token > span").all_text_contents() == written

    tiles = page.locator(".hl-tile")
    assert tiles.count() == sum(trace.attention(kind).weights[..., 0, 0].size for kind in KINDS)
    drawn = page.evaluate(
        """() => Array.from(document.querySelectorAll('.hl-tile img'),
            (image) => [image.naturalHeight, image.naturalWidth])"""
    )
    shapes = [list(trace.attention(k).mask.shape) for k in KINDS]
    assert all(shape in drawn for shape in shapes)

    axes = {
        "encoder_self": (trace.src, trace.src),
        "decoder_self": (trace.tgt_out, trace.tgt_in),
        "cross": (trace.tgt_out, trace.src),
    }
    for kind in KINDS:
        choose_head(page, kind, 1, 2)
        rows, columns = axes[kind]
        assert labelled(page, "rows", rows) and labelled(page, "columns", columns)
    assert watched.errors == []
    only_this_server(watched, server)


def test_cells_are_the_records(shared: Watched, record: Explanation) -> None:
    """Point at cells all over a map of each kind; the read-out tells each cell of the record."""
    page = opened(shared, "view=attention&attention.view=map")
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


def point_at(page: Page, row: int, col: int, shape: tuple[int, int]) -> None:
    """Put the pointer into a cell of the large map."""
    box = page.locator(".hl-cells").bounding_box()
    x = box["x"] + (col + 0.5) * box["width"] / shape[1]
    y = box["y"] + (row + 0.5) * box["height"] / shape[0]
    page.mouse.move(x, y)
    page.wait_for_selector(f".hl-value[data-row='{row}'][data-col='{col}']")


def test_pixels_are_the_records(shared: Watched, record: Explanation) -> None:
    """The colours of all tiles follow the weights of the same head, and of no other."""
    page = opened(shared, "view=attention")
    maps = record.trace.encoder_self
    size = maps.mask.shape[0]
    page.wait_for_function(  # tiles are painted a few a frame
        """(size) => [...document.querySelectorAll('[data-head^=encoder_self] img')]
            .every(({ naturalWidth }) => naturalWidth === size)""",
        arg=size,
    )
    grey = page.evaluate(
        """() => {
            const greys = (image) => {
                const { naturalWidth: width, naturalHeight: height } = image;
                const pen = new OffscreenCanvas(width, height).getContext('2d');
                pen.drawImage(image, 0, 0);
                const { data } = pen.getImageData(0, 0, width, height);
                return Array.from({ length: width * height },
                    (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]);
            };
            const tiles = [...document.querySelectorAll('[data-head^=encoder_self]')];
            return Object.fromEntries(
                tiles.map((t) => [t.dataset.head, greys(t.querySelector('img'))]));
        }"""
    )
    for name, darkness in grey.items():
        _, layer, head = name.split(".")
        own = maps.weights[int(layer), int(head)].ravel()
        assert len(darkness) == size * size
        order = np.argsort(own)
        assert (np.diff(np.array(darkness)[order]) <= 0).all(), name


@pytest.mark.parametrize("text", [SENTENCE, UNKNOWN], ids=["words", "bytes"])
def test_steps_go_forward_and_back(open_page: Open, explainer: Explainer, text: str) -> None:
    page = open_page().translate(text)
    trace = explainer.explain(text, DecodeConfig()).trace
    written = [labels(trace.tgt_in)[0].text, *(label.text for label in labels(trace.tgt_out))]
    assert page.locator("#hl-tgt .hl-token > span").all_text_contents() == written
    count = len(trace.tgt_out)

    def step() -> int:
        return int(page.locator("#hl-slider").input_value())

    assert step() == 1 and page.locator("#hl-step").text_content() == f"1 / {count}"
    page.click("[data-go=forward]")
    page.click("[data-go=forward]")
    drawn(page)
    assert step() == 3
    page.click("[data-go=back]")
    drawn(page)
    assert step() == 2
    page.click("[data-go=last]")
    drawn(page)
    assert step() == count
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "(n) => document.querySelector('#hl-slider').value === n", arg=str(count - 1)
    )
    page.click("[data-go=first]")
    page.focus("#hl-slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('#hl-slider').value === '2'")

    choose_exhibit(page, "steps")
    unfold(page, "steps", "numbers")
    page.wait_for_selector(".hl-steps-all tbody tr")
    for t in range(count):
        page.locator(".hl-steps-all tbody tr").nth(t).click()
        page.wait_for_function(
            "(n) => document.querySelector('#hl-slider').value === n", arg=str(t + 1)
        )
        page.wait_for_function(
            "(n) => document.querySelectorAll('.hl-steps-read .hl-token').length === n", arg=t + 1
        )
        assert texts(page, ".hl-steps-read .hl-token") == chips(trace.tgt_in)[: t + 1]
        chosen = page.locator(".hl-steps-bars .hl-chosen b").text_content()
        probability = float(np.exp(trace.log_prob[t]) * 100)
        limit = float(re.sub(r"[<>%\s]", "", chosen))
        if chosen.startswith("<"):
            assert probability < limit
        else:
            assert limit == pytest.approx(probability, abs=0.06)
    assert "stops" in page.locator(".hl-steps-back").text_content()


def test_hypotheses_can_be_chosen(open_page: Open, explainer: Explainer) -> None:
    watched = open_page()
    page = watched.translate(SENTENCE)
    second = explainer.explain(SENTENCE, DecodeConfig(), shown=1)
    page.click("#hl-hypotheses summary")
    shown = texts(page, "#hl-hypotheses button.hl-hypothesis span:nth-child(2)")
    assert shown == [hypothesis.text for hypothesis in second.search.hypotheses]
    scores = texts(page, "#hl-hypotheses button.hl-hypothesis span:nth-child(3)")
    assert [float(score.replace("−", "-")) for score in scores] == pytest.approx(
        [hypothesis.score for hypothesis in second.search.hypotheses], abs=6e-4
    )
    page.locator("#hl-hypotheses button.hl-hypothesis").nth(1).click()
    page.wait_for_function(
        "() => document.querySelector('#hl-hypotheses summary').textContent.includes('2 of')"
    )
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(second.trace.tgt_out)]
    assert watched.errors == []


def test_the_selection_is_one_everywhere(shared: Watched, record: Explanation) -> None:
    page = opened(shared, "view=attention&attention.view=map")
    choose_head(page, "cross", 0, 0)
    page.locator("#hl-tgt .hl-token").nth(3).click()  # the cell after the start token is step 1
    drawn(page)
    assert page.locator("#hl-slider").input_value() == "3"
    page.wait_for_selector(".hl-rows text.hl-here[data-at='2']")
    page.locator("#hl-src .hl-token").nth(1).click()
    page.wait_for_selector(".hl-columns text.hl-here[data-at='1']")
    page.mouse.move(5, 5)
    value = page.locator(".hl-value[data-row='2'][data-col='1']").text_content()
    assert float(value) == pytest.approx(record.trace.cross.weights[0, 0, 2, 1], abs=6e-4)
    page.locator("#hl-src .hl-token").nth(4).hover()
    page.wait_for_selector(".hl-columns text.hl-lit[data-at='4']")
    bars = page.evaluate(
        """() => Array.from(document.querySelectorAll('#hl-src .hl-token'),
            (token) => Number(token.style.getPropertyValue('--weight')))"""
    )
    hundredths = 5.001e-3  # as fine as the bars are drawn
    np.testing.assert_allclose(bars, record.trace.cross.weights[0, 0, 2], atol=hundredths)


def test_rows_are_labelled_by_what_is_written_or_read(shared: Watched, record: Explanation) -> None:
    page = opened(shared, "view=attention&attention.view=map")
    choose_head(page, "cross", 0, 0)
    assert labelled(page, "rows", record.trace.tgt_out)
    unfold(page, "attention", "reading")
    reading = page.locator(".hl-attention .hl-reading")
    expect(reading).to_contain_text(WORDS["axes.cross.writes"].en)
    page.check(".hl-labels input[value=reads]")
    page.wait_for_function("() => document.querySelector('.hl-rows text').textContent !== ''")
    page.wait_for_function(
        "(first) => document.querySelector('.hl-rows text').textContent === first",
        arg=lines(record.trace.tgt_in)[0],
    )
    assert labelled(page, "rows", record.trace.tgt_in)
    expect(reading).to_contain_text(WORDS["axes.cross.reads"].en)


def test_the_strongest_links_say_what_the_picture_shows(
    shared: Watched, record: Explanation
) -> None:
    page = opened(shared, "view=attention")
    choose_head(page, "cross", 2, 1)
    weights = record.trace.cross.weights[2, 1]
    unfold(page, "attention", "numbers")
    page.wait_for_selector(".hl-links td")
    found = [float(text) for text in texts(page, ".hl-links tbody td:last-child")]
    assert found == pytest.approx(np.sort(weights.ravel())[::-1][:5], abs=6e-4)


def test_the_language_changes_at_once_and_wholly(open_page: Open, server: Server) -> None:
    watched = open_page("?view=steps")  # a view that asks nothing
    page = watched.page
    page.wait_for_function("() => headlight.page.roles.get() !== null")  # asked in the background
    before = len(watched.urls)
    assert page.locator("#hl-translate").text_content() == WORDS["input.translate"].en
    page.click("#hl-language")
    page.wait_for_function("() => document.documentElement.lang === 'zh-CN'")
    assert page.locator("#hl-translate").text_content() == WORDS["input.translate"].zh
    assert len(watched.urls) == before, "asked the server for words"
    page.wait_for_function("() => location.search.includes('lang=zh')")
    assert watched.errors == []
    page.reload()
    watched.settle()
    assert page.evaluate("document.documentElement.lang") == "zh-CN"


def test_the_browsers_language_is_the_first(open_page: Open) -> None:
    page = open_page(locale="zh-CN").page
    assert page.locator("#hl-translate").text_content() == WORDS["input.translate"].zh


def test_dark_and_light(open_page: Open) -> None:
    watched = open_page("?view=attention", color_scheme="dark")
    page = watched.page
    paper = "() => getComputedStyle(document.querySelector('.gradio-container')).backgroundColor"
    tile = "() => document.querySelector('.hl-tile img').src"
    dark, drawn = page.evaluate(paper), page.evaluate(tile)
    page.click("#hl-theme")
    page.wait_for_function(f"(old) => ({tile})() !== old", arg=drawn)
    assert page.evaluate(paper) != dark
    page.reload()
    watched.settle()
    assert page.evaluate(paper) != dark, "the choice is forgotten"


def test_nothing_moves_at_rest(open_page: Open) -> None:
    """An animation that nobody sees would still cost every visitor's battery."""
    page = open_page().translate(SENTENCE)
    running = "() => document.getAnimations().map((one) => one.effect.target.className)"
    page.wait_for_function(f"() => ({running})().length === 0", timeout=5_000)
    page.evaluate("document.body.toggleAttribute('data-busy', true)")
    page.wait_for_function(  # the sign of work is seen, and what it stands for is dimmed
        """() => getComputedStyle(document.querySelector('.hl-work')).opacity === '1'
            && getComputedStyle(document.querySelector('.hl-sentence')).opacity < 0.6"""
    )
    assert page.evaluate(running) != [], "the sign of work stands still"


def test_the_attention_exhibit_fits_a_laptop(shared: Watched) -> None:
    page = opened(shared, "view=attention")
    assert page.evaluate("document.documentElement.scrollHeight") <= 768
    for part in (".hl-heads .hl-kind:last-child", ".hl-lines", ".hl-attention .hl-download"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 768, part


@pytest.mark.parametrize("penalty", [1.0, -1.0])
def test_the_list_says_why_a_hypothesis_is_not_the_first(
    open_page: Open, explainer: Explainer, penalty: float
) -> None:
    """Its sum of log-probs is lower, or it is not and the sum is divided by less."""
    text = "He goes to school by bus but often forgets his umbrella at home."
    page = open_page(f"?{urlencode({'text': text, 'length_penalty': penalty})}").page
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
    open_page: Open, explainer: Explainer
) -> None:
    text = "He goes to school by bus but often forgets his umbrella at home."
    page = open_page().translate(text)
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


def test_settings_are_heeded_and_checked(open_page: Open, explainer: Explainer) -> None:
    watched = open_page()
    page = watched.translate(SENTENCE)
    page.click("#hl-settings summary")
    answers = page.evaluate("Number(document.body.dataset.answers)")
    page.select_option("[name=method]", "greedy")
    page.wait_for_function("(n) => Number(document.body.dataset.answers) > n", arg=answers)
    greedy = explainer.explain(SENTENCE, DecodeConfig(method="greedy"))
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(greedy.trace.tgt_out)]
    assert page.locator("[name=beam_size]").is_disabled()
    page.select_option("[name=method]", "beam")
    page.fill("[name=beam_size]", "99")
    page.wait_for_selector(".hl-trouble")
    assert "beam_size is 99" in page.locator("#hl-message").text_content()
    page.keyboard.press("Escape")
    drawn(page)
    assert page.locator("#hl-settings[open]").count() == 0


def test_the_address_restores_what_was_seen(open_page: Open) -> None:
    first = open_page("?view=attention")
    page = first.translate(SENTENCE)
    choose_head(page, "decoder_self", 1, 5)
    page.click("[data-go=forward]")
    page.click("[data-go=forward]")
    page.click("#hl-language")
    page.wait_for_function(
        "() => location.search.includes('step=3') && location.search.includes('lang=zh')"
    )
    query = "?" + urlsplit(page.url).query
    again = open_page(query).page
    again.wait_for_selector("[data-head='decoder_self.1.5'][aria-pressed='true']")
    assert again.locator("#hl-slider").input_value() == "3"
    assert again.input_value("#hl-text") == SENTENCE
    assert again.evaluate("document.documentElement.lang") == "zh-CN"


def test_everything_can_be_done_by_keyboard(open_page: Open) -> None:
    page = open_page("?view=attention&attention.view=map").page
    page.focus("#hl-text")
    page.keyboard.press("Control+A")
    page.keyboard.type("Why do we work?")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#hl-src').textContent.includes('Why')")
    page.focus(".hl-tile[aria-pressed=true]")
    start = page.evaluate("document.activeElement.dataset.head")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.head") != start
    page.wait_for_selector(
        f"[data-head='{page.evaluate('document.activeElement.dataset.head')}'][aria-pressed=true]"
    )
    page.focus(".hl-field")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".hl-cell-mark")
    assert page.locator(".hl-attention .hl-readout").text_content()
    page.focus("[data-view=microscope]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-microscope:not([hidden])")


def test_every_control_has_a_name(open_page: Open) -> None:
    page = open_page().page
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('main :is(button, input, select, textarea, [role])')]
            .filter((e) => e.checkVisibility() && e.getAttribute('aria-hidden') !== 'true')
            .filter((e) => e.role !== 'status')  // empty until there is something to say
            .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.title
                || e.labels?.length || e.getAttribute('aria-labelledby')))
            .map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []


def test_the_head_can_be_taken_away(shared: Watched, record: Explanation) -> None:
    page = opened(shared, "view=attention&attention.view=map")
    choose_head(page, "decoder_self", 0, 1)
    page.click("#panel-attention .hl-download > summary")
    for name in ("csv", "svg", "png"):
        with page.expect_download() as waiting:
            page.click(f"#panel-attention .hl-download [data-format={name}]")
        assert waiting.value.suggested_filename == f"headlight-decoder_self-layer1-head2.{name}"
        content = waiting.value.path().read_bytes()
        if name == "png":
            assert content.startswith(b"\x89PNG") and len(content) > 5_000
        elif name == "csv":
            rows = content.decode("utf-8-sig").strip().split("\r\n")
            assert len(rows) == len(record.trace.tgt_out) + 1
            first = float(rows[1].rsplit('",', 1)[1].split(",")[0])
            assert first == pytest.approx(record.trace.decoder_self.weights[0, 1, 0, 0], abs=1e-5)
        else:
            assert b"&lt;/s&gt;" in content


def test_the_recorded_example_comes_first(
    browser: object, explainer: Explainer, server: Server
) -> None:
    """Before any answer there is the example, drawn, and said to be recorded."""
    context = browser.new_context(locale="en-GB")  # type: ignore[attr-defined]
    watched = Watched(context.new_page())
    page = watched.page
    page.route("**/gradio_api/queue/join*", lambda route: None)  # the answer never comes
    page.goto(server.url)
    page.wait_for_selector(".hl-figure-svg", timeout=30_000)
    assert page.evaluate("document.body.dataset.ready") == "recorded"
    assert page.locator("#hl-message").text_content() == WORDS["message.recorded"].en
    first = opening(openers.load(FOLDER)).text
    expected = [label.text for label in labels(explainer.tokenizer.encode_source(first))]
    assert page.locator("#hl-src .hl-token > span").all_text_contents() == expected
    for name in EXHIBIT_NAMES:  # those that need the model wait for it
        show(page, name)
        page.wait_for_function("(name) => headlight.mounted.get(name)", arg=name)
        drawn(page)
    assert watched.errors == []
    context.close()


def test_a_doubtful_translation_says_so(open_page: Open, explainer: Explainer) -> None:
    """A sentence of odd words is doubted, an ordinary one is not; both languages."""
    odd = "Quarks hadronise asymptotically under perturbative renormalisation of gauge invariants."
    thresholds = explainer.thresholds
    found = doubt.judge(explainer, explainer.explain(odd), thresholds)
    plain = doubt.judge(explainer, explainer.explain("I am a student."), thresholds)
    assert found.reasons and not plain.reasons, "poor examples"
    page = open_page(f"?text={odd}").page
    page.click("#hl-doubt > summary")
    told = page.text_content("#hl-doubt .hl-sheet")
    if "unlikely" in found.reasons:
        assert f"−{abs(found.signs.log_prob):.3f}" in told
    assert f"{thresholds.sentences}" in told and f"{thresholds.precision * 100:.1f}" in told
    page.click("#hl-language")
    drawn(page)
    assert page.text_content("#hl-doubt > summary") == WORDS["doubt.name"].zh
    page = open_page("?text=I am a student.").page
    assert page.locator("#hl-doubt").is_hidden()


def test_whoever_waits_is_told_the_place_in_the_line(open_page: Open) -> None:
    watched = open_page("?view=steps")
    page = watched.page
    lengths = [9, 7, 8, 0]
    page.route("**/gradio_api/queue/join*", lambda route: None)  # the reply never comes
    page.route(
        "**/gradio_api/queue/status",
        lambda route: route.fulfill(json={"queue_size": lengths.pop(0) if lengths else 0}),
    )
    page.fill("#hl-text", "Who waits?")
    page.click("#hl-translate")
    for place in (9, 7):
        said = WORDS["message.line"].en.format(place=place)
        page.wait_for_selector(f"#hl-message:has-text('{said}')")
    page.click("#hl-language")
    said = WORDS["message.line"].zh.format(place=7)  # eight wait now: one came after this visitor
    page.wait_for_selector(f"#hl-message:has-text('{said}')")
    page.wait_for_function("document.querySelector('#hl-message').textContent === ''")
    assert not lengths


@pytest.mark.parametrize(
    ("language", "lead", "hint"),
    [("en", "English into Chinese", "English sentence"), ("zh", "把英文翻译成中文", "英文")],
)
def test_the_first_sight_says_which_languages(
    open_page: Open, language: str, lead: str, hint: str
) -> None:
    page = open_page(f"?lang={language}").page
    unfold(page, "figure", "reading")
    expect(page.locator("#panel-figure .hl-reading")).to_contain_text(lead)
    assert "Attention Is All You Need" in page.inner_text("#panel-figure .hl-reading")
    assert hint in (page.get_attribute("#hl-text", "placeholder") or "")


def test_without_the_mask_the_page_says_what_was_read(open_page: Open) -> None:
    """The traced pass has read the whole text; the search could not."""
    query = urlencode({"text": "Why do we work?", "changes": '{"causal_mask":false}'})
    page = open_page(f"?view=steps&{query}").page
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


def test_many_changes_leave_room_for_the_sentence(open_page: Open) -> None:
    changes = '{"padding":4,"padding_mask":false,"scaling":false,"causal_mask":false}'
    page = open_page(f"?{urlencode({'text': SENTENCE, 'changes': changes})}").page
    field, note = (page.locator(one).bounding_box() for one in ("#hl-text", "#hl-changed"))
    assert field is not None and note is not None
    assert field["width"] >= 140 and note["height"] <= 60
    assert "no causal mask" in (page.get_attribute("#hl-changed", "title") or "")
