"""The toy in the page: its nodes are the record's, its table can be edited, greedy can lose."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from explorer.words import WORDS
from model.labs.toy import EXAMPLE, ToyText, exhaustive, greedy_loses, toy_search
from model.trace import Search
from tests.stage import Stage, expect

Open = Callable[..., Stage]
Table = Sequence[Sequence[float]]
FINDING = "#panel-toy [data-part=finding]"


def random_table(seed: int) -> Table:
    """Rows in steps of .05 that sum to 1."""
    random = np.random.default_rng(seed)
    twentieths = random.multinomial(20, [0.2] * 5, 6)
    return [[round(int(n) / 20, 2) for n in row] for row in twentieths]


def nodes(page: Stage) -> list[list[Any]]:
    """[step, candidate, parent, fate, total, text] of every node that is drawn.

    The page adds the totals again in double precision; the record holds what float32 makes of them.
    """
    return page.evaluate(
        """() => [...document.querySelectorAll(".hl-toy-box[data-step]")].map(
            ({ dataset: d }) => [d.step, d.candidate, d.parent].map(Number)
              .concat([d.fate, Math.fround(d.total), d.text]))"""
    )


def expected(search: Search) -> list[list[Any]]:
    found: list[list[Any]] = []
    before: list[str] = []
    for t, step in enumerate(search.steps):
        texts = [
            (before[p] if p >= 0 else "") + piece
            for p, piece in zip(step.parents.tolist(), step.pieces, strict=True)
        ]
        found += [
            [t, c, int(step.parents[c]), step.fates[c], float(step.totals[c]), texts[c]]
            for c in range(len(step))
        ]
        before = texts
    return found


def at_the_table(open_stage: Open) -> Stage:
    """The page with the table and the numbers on show, wide enough for the products."""
    page = open_stage("?view=toy", viewport={"width": 2000, "height": 1200})
    page.unfold("toy")
    return page


def type_in(page: Stage, table: Table, beam: int, length: int) -> None:
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            page.fill(f"[data-cell='{i}.{j}']", str(value))
    page.fill(".hl-field-beam [type=range]", str(beam))
    page.fill(".hl-field-length [type=range]", str(length))


def wait_for(page: Stage, search: Search) -> None:
    """Until the picture is that of a search: what is typed is asked after a pause."""
    page.wait_until(lambda: nodes(page) == expected(search), "the nodes of the search")


def check_cells(page: Stage, search: Search, texts: list[ToyText], length: int) -> None:
    """Beside the tree every text has a cell as tall as it is likely, with what became of it."""
    cells = page.evaluate(
        """() => [...document.querySelectorAll(".hl-toy-cell")].map((cell) =>
            [cell.dataset.text, cell.dataset.fate,
             Number(cell.querySelector("rect").getAttribute("height"))])"""
    )
    fates = {row[5]: row[3] for row in expected(search)}
    assert {text: fate for text, fate, _ in cells if fate != "unseen"} == fates
    heights = {text: height for text, _, height in cells if len(text) == length}
    assert heights.keys() == {one.text for one in texts}
    whole = sum(heights.values())
    for one in texts:
        assert heights[one.text] / whole == pytest.approx(one.probability, rel=1e-9)


def numbers_in_picture(page: Stage) -> list[str]:
    return page.locator(".hl-toy-box .hl-toy-numbers").all_text_contents()


def test_it_begins_with_the_worked_example(open_stage: Open) -> None:
    page = at_the_table(open_stage)
    cells = page.evaluate(
        """() => [...document.querySelectorAll("[data-cell]")].map((cell) => Number(cell.value))"""
    )
    assert cells[:15] == [0.4, 0.3, 0.2, 0.1, 0, 0.1, 0.4, 0.3, 0.2, 0, 0.5, 0.2, 0.1, 0.2, 0]
    assert cells == [p for row in EXAMPLE for p in row]
    search = toy_search(EXAMPLE, 2, 3)
    assert nodes(page) == expected(search)
    survive = [n[5] for n in nodes(page) if n[0] == 1 and n[3] == "kept"]
    assert survive == ["AB", "BA"]
    written = numbers_in_picture(page)
    assert ".4 × .4 = .16" in written and ".3 × .5 = .15" in written
    said = page.locator(".hl-toy-said").text_content()
    # ABA = .4 * .4 * .5, ACA = .4 * .3 * .9; AC = .12 is third at step 2.
    assert said.startswith(
        "Beam 2 finds ABA (.08), no. 2 of all. The best is ACA (.108): lost at step 2, where AC "
        "(.12) was no. 3 and only 2 are kept."
    )
    assert page.text_content(FINDING) == (
        "Greedy and beam 2 both miss the best, “ACA”: “AC” was dropped at step 2."
    )
    assert page.errors == []


@pytest.mark.parametrize(("seed", "beam", "length"), [(1, 3, 4), (2, 1, 3), (5, 5, 2)])
def test_nodes_are_those_of_the_search(open_stage: Open, seed: int, beam: int, length: int) -> None:
    page = at_the_table(open_stage)
    table = random_table(seed)
    type_in(page, table, beam, length)
    search = toy_search(table, beam, length)
    wait_for(page, search)
    listed = page.evaluate(
        """() => [...document.querySelectorAll(".hl-toy-all tbody tr")].map((row) =>
            [...row.cells].slice(0, 3).map((cell) => cell.textContent))"""
    )
    texts = exhaustive(table, length)
    assert len(listed) == len(texts)
    for rank, text, probability in listed:
        assert texts[int(rank) - 1].text == text
        assert float(probability) == pytest.approx(texts[int(rank) - 1].probability, rel=5e-3)
    picked = page.locator(".hl-toy-all tr.hl-chosen").evaluate_all(
        "(rows) => rows.map((row) => row.cells[1].textContent)"
    )
    assert sorted(picked) == sorted(h.text for h in search.hypotheses)
    check_cells(page, search, texts, length)
    # The twin: another beam has other nodes.
    assert nodes(page) != expected(toy_search(table, beam % 5 + 1, length))
    assert page.errors == []


def test_greedy_loses_at_the_press_of_a_button(open_stage: Open) -> None:
    page = at_the_table(open_stage)
    for seed in (1, 2):
        page.click(".hl-toy-random")
        table = greedy_loses(seed, 3).table
        wait_for(page, toy_search(table, 2, 3))
        said = page.locator(".hl-toy-said").text_content()
        greedy = toy_search(table, 1, 3, method="greedy").hypotheses[0].text
        assert "the best of all" in said and f"Greedy finds {greedy}" in said
        assert str(page.text_content(FINDING)).startswith(
            f"Greedy ends at “{greedy}”; beam 2 finds "
        )
    page.click(".hl-toy-reset")
    wait_for(page, toy_search(EXAMPLE, 2, 3))


def test_a_row_that_does_not_sum_to_1(open_stage: Open) -> None:
    page = at_the_table(open_stage)
    page.fill("[data-cell='2.1']", "0.3")
    sentence = WORDS["toy.refused.after"].en.format(letter="B", sum="1.1")
    trouble = page.locator(".hl-toy-trouble")
    expect(trouble).to_have_text(sentence)
    assert page.text_content(FINDING) == sentence
    # Python refuses it too, with the same sentence.
    table = [list(row) for row in EXAMPLE]
    table[2][1] = 0.3
    refused = page.evaluate(
        """async (table) => {
            const asked = window.headlight.page.ask("toy", { table, beam: 2, length: 2 });
            return asked.then(() => null, (error) => error.sentence);
        }""",
        table,
    )
    assert refused == {
        "en": sentence,
        "zh": WORDS["toy.refused.after"].zh.format(letter="B", sum="1.1"),
    }
    page.click(".hl-toy-table tbody tr:nth-child(3) button")
    shared = [p / 1.1 for p in table[2]]
    wait_for(page, toy_search([*table[:2], shared, *table[3:]], 2, 3))
    expect(trouble).to_have_text("")
    page.fill("[data-cell='0.0']", "x")
    expect(trouble).to_have_text(WORDS["toy.refused.number"].en.format(value="x"))
    page.wait_for_selector("[data-cell='0.0'][aria-invalid='true']")
    assert page.errors == []


def test_by_keyboard(open_stage: Open) -> None:
    page = at_the_table(open_stage)
    page.focus("[data-cell='0.0']")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
        page.keyboard.press("End") if key == "ArrowRight" else None
    assert page.evaluate("() => document.activeElement.dataset.cell") == "0.2"
    page.focus(".hl-toy-box[tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    where = page.evaluate("() => document.activeElement.dataset.text")
    assert where == "BA"
    told = page.locator(".hl-toy-node").text_content().strip()
    # ln .15 = -1.8971
    assert told.startswith("BA: .3 × .5 = .15") and "−1.8971" in told and "no. 2 of 8" in told
    assert re.search(r"kept", told)


def test_what_is_pointed_at_is_marked_in_both_pictures(open_stage: Open) -> None:
    page = open_stage("?view=toy")
    page.hover(".hl-toy-cell[data-text=AC]")
    page.wait_for_selector(".hl-toy-node:has-text('AC: .4 × .3 = .12')")
    lit = page.locator(".hl-toy-lit").evaluate_all("(all) => all.map((one) => one.dataset.text)")
    assert sorted(lit) == ["A", "A", "AC", "AC"]
    page.hover(".hl-toy-cell[data-text=ACA]")
    page.wait_for_selector(".hl-toy-node:has-text('ACA: .12 × .9 = .108; never considered')")
