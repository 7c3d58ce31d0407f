"""Why it looks there on the page, against the parts of Python; and the ways that lead to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest

from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from model.labs.looks import Look, look
from model.labs.removal import score_without
from tests.stage import Stage
from tests.tiers import some

Open = Callable[..., Stage]
TEXT = "The dog bit the man."
CELLS = [("cross", 1, 2, 3, 1, 4), ("decoder_self", 2, 6, 3, 0, 2), ("encoder_self", 0, 1, 2, 4, 1)]
SENTENCES = some(
    ("She reads a book.", "Why do we work?", "My father is reading in the garden.", "I am."), 2
)


def link(cell: tuple[str, int, int, int, int, int]) -> str:
    kind, layer, head, row, column, against = cell
    return (
        f"?view=looks&text={quote(TEXT)}&kind={kind}&layer={layer + 1}&head={head + 1}"
        f"&{'src' if kind == 'encoder_self' else 'step'}={row + 1}&col={column + 1}"
        f"&looks.against={against}"
    )


def numbers(page: Stage, selector: str) -> list[float]:
    texts = page.locator(f"#panel-looks {selector}").all_inner_texts()
    return [float(text.replace("−", "-").replace("+", "")) for text in texts]


def group(part: str) -> str:
    return "biases" if part.endswith("bias") else part


def sums(names: tuple[str, ...], values: np.ndarray) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        found[group(name)] = found.get(group(name), 0.0) + float(value)
    return found


def ordered(split: Look, axis: int) -> list[float]:
    """The sums of the writers of a side, the largest first, of the key ahead less the other."""
    names = split.key_parts if axis == 0 else split.query_parts
    sign = 1 if split.recorded >= 0 else -1
    return sorted(
        (sign * v for v in sums(names, split.table.sum(axis)).values()), key=lambda v: -abs(v)
    )


@pytest.mark.parametrize("cell", CELLS)
def test_the_table_on_the_page_is_pythons(
    open_stage: Open, explainer: Explainer, cell: tuple[str, int, int, int, int, int]
) -> None:
    split = look(explainer, explainer.explain(TEXT, DecodeConfig()), *cell)  # type: ignore[arg-type]
    page = open_stage(link(cell))
    total = abs(split.recorded)
    assert numbers(page, ".hl-looks-total") == [pytest.approx(total, abs=0.06)]
    for axis, selector in ((0, "tfoot td"), (1, "tbody .hl-looks-sum")):
        told, wanted = numbers(page, selector), ordered(split, axis)
        *largest, others = told[:-1] if axis == 0 else told
        assert largest == pytest.approx(wanted[: len(largest)], abs=0.06)
        assert others == pytest.approx(sum(wanted[len(largest) :]), abs=0.06)
    page.unfold("looks", "numbers")
    keys = sorted(split.table.sum(0), key=lambda value: -abs(value))
    told = numbers(page, ".hl-looks-keys tbody td:last-child")
    assert np.abs(told) == pytest.approx(np.abs(keys), abs=2e-4)
    assert f"{split.table.size:,}".replace(",", "") in page.text_content("#panel-looks .hl-numbers")
    assert page.errors == []


def test_of_two_keys_that_read_alike_it_says_which_comes_first(open_stage: Open) -> None:
    cell = f"?view=looks&text={quote('the dog and the cat')}&kind=cross&layer=2&head=3&step=2"
    page = open_stage(f"{cell}&col=1&looks.against=3")
    (first, second) = re.findall(r"“the” \((\w+)\)", page.finding("looks"))
    assert {first, second} == {"earlier", "later"}
    caption = page.inner_text("#panel-looks .hl-looks-side[colspan]")
    assert caption.index(first) < caption.index(second)
    weights = page.evaluate("headlight.page.record.get().attention.cross.head(1, 2)")
    row = [*weights.values()] if isinstance(weights, dict) else weights
    keys = len(row) // len(page.evaluate("headlight.page.record.get().tgt_in"))
    assert (row[keys] > row[keys + 3]) == (first == "earlier")
    assert "(" not in open_stage(f"{cell}&col=1&looks.against=1").finding("looks")


@pytest.mark.parametrize("cell", CELLS)
def test_a_sum_takes_its_part_out_of_the_key(
    open_stage: Open, explainer: Explainer, cell: tuple[str, int, int, int, int, int]
) -> None:
    """What the table leaves and what the run without it gives; a second press puts it back."""
    found = explainer.explain(TEXT, DecodeConfig())
    split = look(explainer, found, *cell)  # type: ignore[arg-type]
    sign = 1 if split.recorded >= 0 else -1
    page = open_stage(link(cell))
    before = page.finding("looks")
    by_name = sums(split.key_parts, split.table.sum(0))
    writer = max(by_name, key=lambda name: abs(by_name[name]))
    parts = [name for name in split.key_parts if group(name) == writer]
    page.locator("#panel-looks .hl-looks-take").nth(0).click()
    kept = sign * (split.score - by_name[writer])
    real = sign * score_without(explainer, found, split, parts)
    assert numbers(page, ".hl-looks-left") == pytest.approx([kept, real], abs=0.06)
    told = page.finding("looks")
    assert told.startswith("Without ") and len(told.split()) <= 20
    shown = page.locator("#panel-looks .hl-looks-left").all_inner_texts()
    assert all(text.strip().lstrip("+−") in told for text in shown), (told, shown)
    assert "−" not in told
    assert ("leads by" in told, "falls behind by" in told) == (kept >= 0, kept < 0)
    assert ("a real run puts it" in told) == (kept * real < 0)  # one is ahead, one behind
    page.locator("#panel-looks .hl-looks-take").nth(0).click()
    assert page.finding("looks") == before and page.errors == []


def test_an_answer_of_another_attention_does_not_bridge_the_wait(open_stage: Open) -> None:
    """The source has a key where the translation has none."""
    text = quote("My father has been reading in the garden.")
    page = open_stage(f"?view=looks&text={text}&kind=cross&layer=1&head=1&step=2&col=9")
    lengths = page.evaluate("['src', 'tgt_in'].map((of) => headlight.page.record.get()[of].length)")
    assert lengths[0] >= 9 > lengths[1]
    page.choose(kind="decoder_self")
    assert page.errors == [] and said(page).count("“") >= 1


def said(page: Stage) -> str:
    return page.finding("looks")


@pytest.mark.parametrize("text", SENTENCES)
def test_the_finding_is_short_and_its_numbers_are_in_the_table(
    open_stage: Open, explainer: Explainer, text: str
) -> None:
    """For one head of each kind, at the row that it opens on: what gives most is named."""
    for kind in KINDS:
        page = open_stage(f"?view=looks&text={quote(text)}&kind={kind}&layer=3&head=4")
        told = said(page)
        found = [f"+{one}" for one in re.findall(r"\d+\.\d+", told)]
        aloud = re.sub(r"[Tt]he (start|end) token|[Tt]he full stop", "it", told)  # a name is a word
        assert 1 <= len(found) <= 2 and len(aloud.split()) <= 20, told
        shown = page.locator("#panel-looks tbody td, #panel-looks tfoot td").all_inner_texts()
        assert set(found) <= {one.strip() for one in shown}, told
        assert page.locator("#panel-looks thead .hl-looks-lead").count() == 1
        heads = page.locator("#panel-looks .hl-looks-go").count()
        offered = page.text_content("#panel-looks .hl-looks-press") or ""
        assert ("Press a head" in offered) == (heads > 0), offered
        assert page.errors == []


def test_a_head_in_the_table_leads_to_what_it_read(open_stage: Open) -> None:
    page = open_stage(link(CELLS[0]))
    name = page.locator("#panel-looks .hl-looks-key").nth(0).inner_text()
    layer, head = re.findall(r"\d+", name)
    page.locator("#panel-looks .hl-looks-key").nth(0).click()
    at = page.evaluate("headlight.page.selection.get()")
    assert (at["exhibit"], at["kind"]) == ("attention", "encoder_self")
    assert (at["layer"], at["head"]) == (int(layer) - 1, int(head) - 1)
    assert at["row"] in (CELLS[0][4], CELLS[0][5])


@pytest.mark.parametrize("view", ["attention", "microscope"])
def test_any_cell_leads_to_its_score(open_stage: Open, view: str) -> None:
    page = open_stage(f"?view={view}&text={quote(TEXT)}&kind=cross&layer=2&head=3&step=4&col=2")
    page.locator(f"#panel-{view} .hl-why-here").click()
    at = page.evaluate("headlight.page.selection.get()")
    assert (at["exhibit"], at["layer"], at["head"]) == ("looks", 1, 2)
    assert (at["row"], at["col"]) == (3, 1)
    assert said(page).count("“") >= 2 and page.errors == []


def test_no_word_is_compared_with_one_that_it_may_not_see(open_stage: Open) -> None:
    """Nor is one offered: a link that names it opens as if it named none."""
    cell = f"?view=looks&text={quote(TEXT)}&kind=decoder_self&layer=2&head=3&step=3&col=1"
    own = said(open_stage(cell))
    page = open_stage(f"{cell}&looks.against=4")
    assert said(page) == own
    offered = page.locator("#panel-looks select").nth(0).locator("option").all_inner_texts()
    assert [text.split()[0] for text in offered[:-1]] == ["2", "3"]
