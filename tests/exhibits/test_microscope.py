"""The microscope: its chain against torch, its numbers against the record, its Python run."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.exchange.packing import pack
from model.config import KINDS, DecodeConfig, Kind
from model.explain import Explainer
from model.labs.dissect import attention_sub_layer
from tests.stage import Stage, desk_of, drawn
from tests.tiers import each
from tests.tiny import SINCE, write_own

Open = Callable[..., Stage]
SENTENCE = "The cat saw the other cat. 🐱"
CHANGED = {
    "heads_off": [["cross", 1, 0]],
    "scaling": False,
    "cells": [["decoder_self", 1, 0, False]],
}
STAGES = ["query", "key", "value", "product", "dot", "scaled", "masked", "exp", "weight", "part"]
STAGES += ["context", "concat", "output", "entering", "sum", "after"]
DK, HEADS = 32, 8  # of the shipped model


def on_page(page: Stage, interventions: dict[str, Any]) -> None:
    """Explain the sentence under these interventions."""
    answers = int(page.evaluate("() => Number(document.body.dataset.answers)"))
    page.evaluate(
        "(changes) => window.headlight.page.explain(changes)",
        {"text": SENTENCE, "interventions": interventions},
    )
    page.wait_for_function(
        "(n) => Number(document.body.dataset.answers) > n && !('busy' in document.body.dataset)",
        arg=answers,
        timeout=60_000,
    )


def unfold(page: Stage) -> None:
    """The lists, the tables and the Python code are open."""
    page.evaluate("headlight.page.folds.merge({ adjust: true, numbers: true, reading: true })")
    page.wait_for_selector("#panel-microscope .hl-micro-code")


def show(page: Stage, kind: Kind, layer: int, head: int, row: int, col: int) -> None:
    unfold(page)
    lists = page.locator("#panel-microscope .hl-choose-head select")
    for at, index in enumerate((KINDS.index(kind), layer, head, row, col)):
        lists.nth(at).select_option(index=index)
    settled(page)
    code = page.locator(".hl-micro-code").text_content()
    assert f'found.trace, "{kind}", {layer})' in code
    assert f"head, row, col = {head}, {row}, {col} " in code


def settled(page: Stage) -> None:
    """The numbers on show are those of the head that is chosen."""
    drawn(page)
    page.wait_for_selector(".hl-micro-picture:not(.hl-waiting) .hl-micro-cell", timeout=60_000)


def choose(page: Stage, stage: str, place: int, col: int) -> None:
    """Press the number of a key, or the place of a strip, which unfolds its digits."""
    cell = f".hl-micro-cell[data-stage='{stage}']"
    if page.locator(f"{cell}[data-key='{col}']").count():
        cell += f"[data-key='{col}']"
        page.locator(cell).click()
    else:
        cell += f"[data-place='{place}']"
        strip = page.locator(f".hl-micro-strip[data-strip='{stage}']")
        rows = int(strip.get_attribute("data-rows") or 1)
        columns = DK if stage in STAGES[: STAGES.index("concat")] else DK * HEADS
        box = strip.locator("image").bounding_box()
        assert box is not None
        x, y = (place + 0.5) / columns, ((col if rows > 1 else 0) + 0.5) / rows
        strip.locator("image").click(position={"x": x * box["width"], "y": y * box["height"]})
    page.wait_for_selector(f"{cell}[aria-pressed='true']")


def printed(code: str, explainer: Explainer) -> str:
    """What the code prints when it is pasted after `explainer = Explainer.load()`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {"explainer": explainer})
    return out.getvalue().strip()


@pytest.mark.long
@each(
    ("kind", "layer", "head", "row", "col", "interventions"),
    [
        ("encoder_self", 0, 3, 2, 4, {}),
        ("decoder_self", 2, 7, 3, 1, {}),
        ("decoder_self", 1, 0, 1, 0, CHANGED),
        ("cross", 1, 0, 2, 5, CHANGED),
        ("cross", 2, 5, 4, 0, {}),
    ],
    1,
)
def test_the_python_prints_the_same_digits(
    open_stage: Open,
    explainer: Explainer,
    kind: Kind,
    layer: int,
    head: int,
    row: int,
    col: int,
    interventions: dict[str, Any],
) -> None:
    watched = open_stage("?view=microscope")
    page = watched.page
    on_page(page, interventions)
    show(page, kind, layer, head, row, col)
    seen = set()
    for place, stage in enumerate(STAGES):
        at = 11 if stage in ("sum", "entering", "after") else place
        if at == 11:  # these stand for the number of the output chosen last
            choose(page, "output", at, col)
        choose(page, stage, at, col)
        value = page.locator(".hl-micro-value").text_content()
        code = page.locator(".hl-micro-code").text_content()
        out = printed(code, explainer).replace("-inf", "−∞").replace("-", "−")
        assert out == value, f"{stage}\n{code}"
        seen.add(value)
    assert len(seen) > 8
    assert watched.errors == []


@pytest.mark.parametrize("name", SINCE)
@pytest.mark.parametrize(("kind", "row", "col"), [("encoder_self", 4, 1), ("decoder_self", 3, 3)])
def test_the_parts_of_t5_are_numbers_of_the_chain(
    open_stage: Open, tmp_path: Path, name: str, kind: Kind, row: int, col: int
) -> None:
    """A bias has its own column; norm and gated units are the model's; the Python agrees."""
    folder = write_own(tmp_path / "own", 5, **{**SINCE[name], "head_size": 6})
    explainer = Explainer.load(folder, device="cpu")
    watched = open_stage("?view=microscope&text=I+am+a+small+frog.", desk=desk_of(explainer))
    page = watched.page
    show(page, kind, 0, 1, row, col)
    config = explainer.model.config
    stages = ["dot", "scaled", "masked", "exp", "weight"]
    stages += ["bias"] if config.positions == "relative" else []
    trace = explainer.explain("I am a small frog.").trace
    maps = trace.attention(kind)
    for stage in stages:
        choose(page, stage, 2, col)
        value = page.locator(".hl-micro-value").text_content()
        code = page.locator(".hl-micro-code").text_content()
        out = printed(code, explainer).replace("-inf", "−∞").replace("-", "−")
        assert out == value, f"{stage}\n{code}"
        expected = {"masked": maps.scores(0, 1)}
        expected |= {} if maps.bias is None else {"bias": maps.bias[0, 1]}
        if stage in expected:
            found = float(str(value).replace("−", "-"))
            assert found == pytest.approx(float(expected[stage][row, col]), abs=1e-3)
    keys = 0 if maps.bias is None else maps.mask.shape[1]
    assert page.locator('.hl-micro-cell[data-stage="bias"]').count() == keys
    assert "hl-micro-good" in page.locator(".hl-micro-check").get_attribute("class")  # type: ignore[operator]
    assert watched.errors == []


def test_an_output_that_is_off_is_told(open_stage: Open, explainer: Explainer) -> None:
    """The twin: one number of the output is changed on its way to the page."""
    trace = explainer.explain(SENTENCE, DecodeConfig()).trace
    wrong = attention_sub_layer(explainer.model, trace, "cross", 1).output.astype("f4")
    wrong[2, 7] += 0.001
    page = open_stage("?view=microscope").page
    on_page(page, {})
    show(page, "cross", 1, 0, 1, 0)
    page.evaluate(
        """(wrong) => {
            const parse = JSON.parse;
            JSON.parse = (text, ...rest) => {
                const found = parse(text, ...rest);
                if (found?.payload?.w_q) found.payload.output = wrong;
                return found;
            };
        }""",
        pack(wrong),
    )
    show(page, "cross", 1, 3, 1, 0)
    assert page.locator(".hl-micro-check").text_content().strip().startswith("✓")
    show(page, "cross", 1, 3, 2, 0)
    check = page.locator(".hl-micro-check.hl-micro-bad")
    assert check.text_content().strip().startswith("✗")
    assert float(check.get_attribute("data-deviation")) == pytest.approx(1e-3, rel=1e-2)


def test_keyboard_and_where_a_number_came_from(open_stage: Open) -> None:
    watched = open_stage("?view=microscope")
    page = watched.page
    on_page(page, {})
    show(page, "cross", 0, 1, 0, 2)
    choose(page, "product", 3, 2)
    marked = page.locator(".hl-micro-cell.hl-micro-from")
    facts = "(cells) => cells.map((cell) => [cell.dataset.stage, cell.dataset.place])"
    assert marked.evaluate_all(facts) == [["query", "3"], ["key", "3"]]
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-stage='product'][data-place='4'][aria-pressed='true']")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("[data-stage='key'][data-place='4'][aria-pressed='true']")
    choose(page, "weight", 0, 3)  # another key: the strips follow
    page.wait_for_function(
        "() => document.querySelectorAll('.hl-choose-head select')[4].value === '3'"
    )
    assert page.locator(".hl-micro-cell[tabindex='0']").count() == 1
    page.click("#hl-language")
    page.wait_for_function(
        "() => document.querySelector('.hl-micro-check').textContent.includes('偏差')"
    )
    assert watched.errors == []


def test_every_number_leads_to_those_it_was_made_of_and_on(open_stage: Open) -> None:
    """From the output up to the query by the buttons of the parents, and back down."""
    old = "?view=microscope&kind=cross&layer=1&head=1&microscope.stage=output&microscope.place=5"
    page = open_stage(f"{old}&microscope.open=%5B%22output%22%5D").page
    cell = ".hl-micro-cell[data-stage='{}'][aria-pressed='true']"
    up = ["concat", "context", "weight", "exp", "masked", "scaled", "dot", "product", "query"]
    page.wait_for_selector(cell.format("output"))
    for stage in up:
        page.locator(".hl-micro-parents button").first.click()
        page.wait_for_selector(cell.format(stage))
    for stage in ["product", *reversed(up[2:7]), "part", "context", "concat", "output", "sum"]:
        page.locator(".hl-micro-children button").first.click()
        page.wait_for_selector(cell.format(stage))


def test_the_output_matrix_of_a_layer_is_sent_once(open_stage: Open) -> None:
    page = open_stage("?view=microscope&kind=cross&layer=1&head=1").page
    settled(page)
    page.evaluate(
        """() => {
            const { page } = headlight;
            const ask = page.ask;
            window.sent = [];
            page.ask = (question, args, ...more) => {
                window.sent.push([args.layer, args.head, args.matrix]);
                return ask(question, args, ...more);
            };
        }"""
    )
    for layer, head in ((1, 0), (1, 5), (2, 0), (1, 6)):
        page.evaluate("([layer, head]) => headlight.page.choose({ layer, head })", [layer, head])
        settled(page)
    assert page.evaluate("window.sent") == [
        [1, 0, True],
        [1, 5, False],
        [2, 0, True],
        [1, 6, False],
    ]
    assert page.locator(".hl-micro-check").text_content().strip().startswith("✓")
