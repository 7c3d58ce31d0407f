"""The reader's line: under which texts it stands, what it says, and under no other text."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from explorer.models import Listed, Models
from model import checkpoint, shipped
from model.errors import InputError
from model.explain import Explainer
from model.translate import translate_all
from tests.stage import Desk, Raw, Stage

Open = Callable[..., Stage]
BACK, FIRST = "zh-en", "en-zh"
ENGLISH, CHINESE = "?text=I+like+cats.", "?model=zh-en&text=%E6%88%91%E5%96%9C%E6%AC%A2%E7%8C%AB"


@pytest.fixture(scope="module")
def desk(explainer: Explainer) -> Desk:
    """A server with the shipped models of both directions."""
    back = Explainer.load(BACK, "cpu")
    forth = Listed(FIRST, FIRST, lambda: explainer, None, None, FIRST)
    reader = Listed(BACK, BACK, lambda: back, None, None, BACK)
    return Desk(Models([forth, reader], readers=[forth, reader]))


@functools.cache
def command(pair: str, text: str) -> str:
    """What `python -m model.translate` writes."""
    loaded = checkpoint.load(shipped.place(pair))
    return translate_all(loaded, [text], loaded.decoding())[0]


def lines(page: Stage) -> dict[str, str]:
    """The lines on the page, by the texts that they are about."""
    page.pass_time(1_500)
    page.rest()
    script = "all => all.map((one) => [one.dataset.of, one.textContent])"
    return dict(page.eval_on_selector_all("[data-part='line']", script))


def translation(page: Stage) -> str:
    return str(page.evaluate("() => headlight.page.record.get().translation"))


def is_about_lines(request: Raw) -> bool:
    return request.get("question") == "lines" and "of" not in request


@pytest.mark.parametrize(
    ("query", "reader", "lang", "mark"),
    [(ENGLISH, BACK, "en", " · by zh-en"), (f"{CHINESE}&lang=zh", FIRST, "zh-CN", " · en-zh 译")],
)
def test_the_translation_has_the_line_that_the_command_writes(
    open_stage: Open, desk: Desk, query: str, reader: str, lang: str, mark: str
) -> None:
    page = open_stage(query, desk=desk)
    written = translation(page)
    assert lines(page) == {written: f"≈ {command(reader, written)}{mark}"}
    assert page.get_attribute("#hl-said [data-part='line']", "lang") == lang
    assert page.errors == []


@pytest.mark.parametrize("query", [f"{ENGLISH}&lang=zh", f"{CHINESE}&lang=en"])
def test_a_text_in_the_language_of_the_page_has_none(
    open_stage: Open, desk: Desk, query: str
) -> None:
    page = open_stage(query, desk=desk)
    assert lines(page) == {} and page.lines_asked == []


def test_late_replies_never_stand_under_another_text(open_stage: Open, desk: Desk) -> None:
    page = open_stage(ENGLISH, desk=desk)
    page.hold(is_about_lines)
    first = translation(page)
    page.evaluate("() => headlight.page.lines.set({})")
    assert lines(page) == {first: ""}  # its room is there
    page.fill("#hl-text", "Where is the station?")
    page.click("#hl-translate")
    second = translation(page)
    assert first != second and lines(page) == {second: ""}
    assert [one.raw["body"].count(first) for one in page.held] == [1]
    page.release(0)  # of the first sentence, when the second one stands
    assert lines(page) == {second: f"≈ {command(BACK, second)} · by zh-en"}


def test_the_switch_is_remembered(open_stage: Open, desk: Desk) -> None:
    page = open_stage(f"{ENGLISH}&view=tree", desk=desk)
    assert lines(page)
    page.click("#panel-tree .hl-fold-adjust")
    page.uncheck("#panel-tree .hl-line-switch input")
    assert lines(page) == {}
    off = open_stage(ENGLISH, desk=desk, storage={"headlight.lines": "off"})
    assert lines(off) == {} and off.lines_asked == []


def test_a_saved_file_has_the_lines_that_were_on_show(
    open_stage: Open, open_file: Open, desk: Desk
) -> None:
    page = open_stage(f"{ENGLISH}&view=tree", desk=desk)
    known = lines(page)
    page.evaluate("() => headlight.page.lines.merge({ 'zh-en X': { text: 'y', unsure: false } })")
    page.click("#hl-save > summary")
    page.wait_for_process(lambda: "MB" in page.text_content("#hl-save .hl-sheet"), "saved")
    [document] = page.saved().values()
    assert b'"zh-en X"' not in document
    file = open_file(document.decode())
    assert lines(file) == known and len(known) > 1


BESIDE = """(all) => all.map((one) => {
    const plain = (text) => text.replace(/0x20|[^\\p{L}\\p{N}]/gu, ""); // a byte
    const around = plain(one.parentElement.textContent.replace(one.textContent, ""));
    return [one.dataset.of, one.textContent, around.includes(plain(one.dataset.of))];
})"""


@pytest.mark.parametrize("view", ["tree", "compare", "learn", "experiments", "sampling&step=4"])
def test_each_text_of_a_view_has_its_own_line(open_stage: Open, desk: Desk, view: str) -> None:
    page = open_stage(f"{ENGLISH}&view={view}", desk=desk)
    lines(page)
    panel = ".hl-panel:not([hidden]) [data-part='line']"
    found = page.eval_on_selector_all(panel, BESIDE)
    assert found and all(is_beside for _, _, is_beside in found)
    for text, line, _ in found:
        said = line.removesuffix(" · unsure")
        assert said == (f"≈ {command(BACK, text)} · by zh-en" if is_read(desk, text) else ""), text
    assert any(line for _, line, _ in found) and page.errors == []


def is_read(desk: Desk, text: str) -> bool:
    """Whether the reader takes the text: a model that has learnt little may write too much."""
    try:
        return len(desk.models.get(BACK).read(text)) > 0
    except InputError:
        return False


def test_one_request_has_all_lines_of_a_view(open_stage: Open, desk: Desk) -> None:
    page = open_stage(f"{ENGLISH}&view=tree", desk=desk)
    record = page.evaluate("() => headlight.page.record.get().hypotheses.map(({ text }) => text)")
    found = lines(page)
    assert found == {text: f"≈ {command(BACK, text)} · by zh-en" for text in record}
    [asked] = page.lines_asked
    assert set(asked["texts"]) == set(record)


def test_how_to_read_it_begins_with_what_the_line_is(open_stage: Open, desk: Desk) -> None:
    page = open_stage(f"{ENGLISH}&view=tree", desk=desk)
    page.click("#panel-tree .hl-fold-reading")
    first = page.locator("#panel-tree [data-part='reading'] p").first.inner_text()
    assert "translation of a translation, written by a machine, zh-en" in first


def test_a_reply_that_fails_leaves_the_text_without_a_line(open_stage: Open, desk: Desk) -> None:
    page = open_stage(f"{ENGLISH}&view=tree", desk=desk)
    known = lines(page)
    page.evaluate("() => { headlight.page.shared.readers['zh-en'] = 'none'; }")
    page.evaluate("() => headlight.page.lines.set({})")
    assert set(lines(page).values()) == {""} and lines(page).keys() == known.keys()
    asked = len(page.lines_asked)
    page.click("#panel-tree .hl-fold-reading")  # drawn again: what was refused is not asked again
    assert lines(page) and len(page.lines_asked) == asked
