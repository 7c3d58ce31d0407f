"""Every view's files: each is made, and a table's file has the rows and numbers of the table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from explorer.exhibits import NAMES
from tests.stage import Desk, Node, Stage

# Views without a table, and formats that are drawn by a canvas: those belong to Chromium.
NO_TABLE = {"lessons", "byhand", "proof", "playground"}
MENU = ".hl-download [data-format]"
# Tables in sight that have a file: their rows, their last cells.
TABLES = """(name) => [...document.querySelectorAll(`#panel-${name} .hl-numbers section`)]
    .filter((one) => one.querySelector("[data-format=csv]") && one.querySelector("tbody tr"))
    .map((one) => [...one.querySelectorAll("tbody tr")].map(({ cells }) =>
        [...cells].map((cell) => cell.textContent.trim())))"""
# The pictures of a view: the values of the field that chooses among them.
PICTURES = """(name) => ["show", "view", "stack", "what"].flatMap((field) => [...document
    .querySelectorAll(`#panel-${name} .hl-field-${field} :is(option, input)`)]
    .map(({ value }) => ({ [`${name}.${field}`]: value })))"""
SAVE = """([name, i]) => [...document.querySelectorAll(`#panel-${name} .hl-numbers section`)]
    .filter((one) => one.querySelector("[data-format=csv]") && one.querySelector("tbody tr"))[i]
    .querySelector("[data-format=csv]").click()"""


@pytest.fixture(scope="module")
def page(node: Node, desk: Desk) -> Iterator[Stage]:
    stage = Stage(node, desk).open("?text=Why+do+we+work%3F")
    yield stage
    stage.command("close")


def numbers(cells: list[str]) -> list[float]:
    """Those of the cells that are a number alone, as it is written in a table or in its file."""
    plain = [cell.replace("−", "-").replace(",", "") for cell in cells]
    return [float(cell) for cell in plain if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", cell)]


def agree(shown: float, written: list[float], text: str) -> bool:
    """Rounded to its digits after the point, or to four that count."""
    digits = len(text.partition(".")[2])
    return any(abs(shown - one) <= max(0.51 * 10**-digits, 5e-4 * abs(one)) for one in written)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_view_offers_is_made(page: Stage, name: str) -> None:
    page.choose(exhibit=name)
    page.rest()
    for picture in page.evaluate(PICTURES, name) or [{}]:
        page.evaluate("(picture) => headlight.page.choices.set(picture)", picture)
        page.rest()
        make_all(page, name)
    assert page.errors == []


def make_all(page: Stage, name: str) -> None:
    """Press each file that is offered beside the picture on show."""
    page.saved()
    offered = page.eval_on_selector_all(
        f"#panel-{name} {MENU}", "(all) => all.map((one) => one.dataset.format)"
    )
    for form in {*offered} - {"png", "pdf"}:  # of Chromium: tests/browser/test_paper.py
        page.locator(f"#panel-{name} .hl-download [data-format={form}]").first.click()
        made = page.saved()
        assert len(made) == 1, form
        [(file, content)] = made.items()
        assert re.fullmatch(r"headlight-[\w.·-]+\." + form, file)
        text = content.decode("utf-8-sig")
        if form == "svg":
            assert ElementTree.fromstring(text).tag.endswith("svg")
        elif form == "json":
            assert json.loads(text)
        else:
            rows = list(csv.reader(io.StringIO(text)))
            assert len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_TABLE])
def test_the_file_of_a_table_is_the_table(page: Stage, name: str) -> None:
    page.choose(exhibit=name)
    page.unfold(name, "numbers")
    page.saved()
    tables = page.evaluate(TABLES, name)
    assert tables
    for i, table in enumerate(tables):
        page.evaluate(SAVE, [name, i])
        [content] = page.saved().values()
        _, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
        assert len(rows) == len(table)
        for shown, written in ((table[0], rows[0]), (table[-1], rows[-1])):
            for cell in shown:
                if found := numbers([cell]):
                    assert agree(found[0], numbers(written), cell), (name, i, shown, written)
    assert page.errors == []
