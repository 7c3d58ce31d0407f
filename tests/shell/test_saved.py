"""A session saved as one file: opened without a server it shows the page's numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import pytest

import headlight
from explorer.exhibits import NAMES, load
from explorer.session import Session
from explorer.words import WORDS
from model.explain import Explainer
from tests.stage import Desk, Node, Stage, choose_exhibit

Open = Callable[..., Stage]
PLAIN = (
    "I have never seen such a beautiful garden, and she told me that it was her own."  # 20 tokens
)
LIMIT = 5_500_000  # bytes; twice the 14,000 tokens at each of 20 steps: log-probs, and logits
SAVED = tuple(exhibit.name for exhibit in load() if exhibit.saved)

# The texts of tables, lists and sentences of a view: all numbers that it writes.
TEXTS = """(name) => [...document.querySelectorAll(
        `#panel-${name} :is(td, th, p, li, dd, b, output, text, figcaption, pre)`)]
    .filter((one) => !one.closest('[hidden]'))
    .map((one) => one.textContent.trim())"""


class Saved(NamedTuple):
    """A session's file, and what each view of the page wrote when it was saved."""

    document: str
    texts: dict[str, list[str]]


def texts(page: Stage, name: str) -> list[str]:
    """All that a view writes."""
    choose_exhibit(page, name)
    page.evaluate("headlight.page.folds.merge({ adjust: false, numbers: true, reading: false })")
    return list(page.evaluate(TEXTS, name))


def saved_file(page: Stage) -> bytes:
    """What the button saves."""
    page.click("#hl-save > summary")
    sheet = page.locator("#hl-save .hl-sheet")
    page.wait_for_process(lambda: "MB" in sheet.text_content(), "saved")  # scripts of all views
    [(name, content)] = page.saved().items()
    assert re.fullmatch(r"headlight-i-.*\.html", name)
    return content


@pytest.fixture(scope="module")
def saved(node: Node, desk: Desk) -> Saved:
    """The sentence of twenty tokens, a head that is not the first, and a choice of a view."""
    query = f"?kind=cross&layer=2&head=3&step=4&positions.k=9&text={PLAIN.replace(' ', '+')}"
    page = Stage(node, desk).open(query)
    content = saved_file(page)
    assert len(content) < LIMIT
    return Saved(content.decode(), {name: texts(page, name) for name in SAVED})


@pytest.mark.parametrize("name", SAVED)
def test_the_file_shows_the_pages_numbers(name: str, saved: Saved, open_file: Open) -> None:
    page = open_file(saved.document)
    assert sum(any(c.isdigit() for c in text) for text in saved.texts[name]) > 3
    assert texts(page, name) == saved.texts[name]
    assert (page.requests, page.errors) == ([], [])


def test_other_views_are_grey_and_say_why(saved: Saved, open_file: Open) -> None:
    page = open_file(saved.document)
    others = [name for name in NAMES if name not in SAVED]
    assert others
    page.click("#hl-index > summary")
    for name in others:
        entry = page.locator(f"#hl-index [data-exhibit={name}]")
        assert "hl-off" in (entry.get_attribute("class") or "")
        assert WORDS["saved.away"].en in entry.inner_text()
    page.choose(exhibit=others[0])
    page.wait_for_selector(f"#panel-{others[0]} .hl-away")
    assert page.get_attribute("#hl-text", "readonly") is not None
    assert page.requests == []


@pytest.mark.long
@pytest.mark.parametrize(("view", "lang"), [("why", "en"), ("experiments", "zh"), ("proof", "en")])
def test_a_file_saved_on_a_view_that_it_lacks_says_so(
    saved: Saved, open_file: Open, view: str, lang: Literal["en", "zh"]
) -> None:
    assert view not in SAVED
    document = saved.document.replace('"query":"', f'"query":"view={view}&lang={lang}&', 1)
    page = open_file(document)
    title = getattr(WORDS[f"{view}.title"], lang)
    wanted = getattr(WORDS["saved.no_view"], lang).format(view=title)
    assert page.text_content("#hl-message") == wanted
    assert page.locator(f"#panel-{view}").get_attribute("hidden") is not None


def test_a_file_saved_while_roles_were_measured_is_at_its_end(
    saved: Saved, open_file: Open
) -> None:
    """The file measures nothing: what it holds of the roles stays as it is."""
    few = '"few":{"done":3,"all":16,"is_over":false,"skipped":[]}'
    assert '"few":null' in saved.document
    page = open_file(saved.document.replace('"few":null', few, 1))
    choose_exhibit(page, "attention")
    page.unfold("attention", "reading")
    said = page.inner_text("#panel-attention .hl-reading")
    assert "is being measured" not in said and "was measured here" in said


def test_what_the_file_does_not_hold_is_said(saved: Saved, open_file: Open) -> None:
    page = open_file(saved.document)
    choose_exhibit(page, "microscope")
    page.wait_for_selector("#panel-microscope .hl-micro-chain")
    chosen = (
        "() => (({ kind, layer, head }) => [kind, layer, head])(headlight.page.selection.get())"
    )
    assert page.evaluate(chosen) == ["cross", 1, 2]
    page.choose(layer=0, head=0)
    assert "This file has no model" in page.inner_text("#panel-microscope .hl-failed")
    page.select_option("#panel-microscope select >> nth=1", index=1)
    page.select_option("#panel-microscope select >> nth=2", index=2)
    assert page.evaluate(chosen) == ["cross", 1, 2]
    page.wait_for_selector("#panel-microscope .hl-micro-chain")  # the head that was saved


def test_the_session_as_data_is_the_records(open_stage: Open, explainer: Explainer) -> None:
    """The very bytes that Python writes, but for the time that the model took."""
    page = open_stage("?hypothesis=2&beam_size=3&text=I+have+a+%F0%9F%90%B8+%26+a+%3Cb%3E.")
    saved_file(page)
    page.click("#hl-save [data-session]")
    [(name, content)] = page.saved().items()
    assert re.fullmatch(r"headlight-i-have-a-.*\.json", name)
    session = Session.read(content)
    assert session.data == content
    again = Session.of(session.explain(explainer))
    seconds = re.compile(rb'"seconds":[^,]+')
    assert seconds.sub(b"", again.data) == seconds.sub(b"", session.data)
    other = Session.of(explainer.explain(session.request.text, session.request.config))
    assert seconds.sub(b"", other.data) != seconds.sub(b"", session.data)  # hypothesis 1


def test_all_arrays_are_one_press(open_stage: Open, explainer: Explainer, tmp_path: Path) -> None:
    """The file that Explanation.save writes, of the hypothesis that the page shows."""
    page = open_stage("?hypothesis=2&beam_size=3&text=I+have+a+%F0%9F%90%B8.")
    saved_file(page)
    page.click("#hl-save [data-arrays]")
    [(name, content)] = page.saved().items()
    assert re.fullmatch(r"headlight-i-have-a.*\.npz", name)
    (tmp_path / name).write_bytes(content)
    found = headlight.load(tmp_path / name)
    own = explainer.explain("I have a 🐸.", found.config, shown=1)
    assert (found.text, found.shown, found.config.beam_size) == ("I have a 🐸.", 1, 3)
    assert np.array_equal(found.trace.cross.weights, own.trace.cross.weights)
    assert found.search.hypotheses[1].ids == own.search.hypotheses[1].ids


def test_saving_can_be_stopped(open_stage: Open) -> None:
    page = open_stage()
    page.hold()
    page.click("#hl-save > summary")
    page.wait_for_process(lambda: bool(page.held), "asked")  # the scripts of all views
    page.click("#hl-save button")
    page.release()
    assert "Stopped" in page.text_content("#hl-save .hl-sheet")
    assert page.saved() == {}


def test_it_offers_no_class_and_says_so(saved: Saved, open_file: Open) -> None:
    page = open_file(saved.document)
    page.click("[data-part=teach]")
    assert page.inner_text("#hl-message") == WORDS["class.away"].en
    assert page.locator(".hl-class").count() == 0
