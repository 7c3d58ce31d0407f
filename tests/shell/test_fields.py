"""Every field of every view by its declaration: what a link may say, and what a control refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from explorer.exchange.request import RANGES, parse
from explorer.exhibits import NAMES
from model.errors import ConfigError
from tests.stage import Node, Stage

Open = Callable[..., Stage]
# Each number in sight of a view that a link may name: its field, its bounds and step, its value.
NUMBERS = """(name) => [...document.querySelectorAll(
        `#panel-${name} [class*=hl-field-] input[type=number]`)]
    .filter((one) => !one.closest('[hidden]') && one.max !== '' && one.min !== '')
    .map((one) => [/hl-field-(\\w+)/.exec(one.closest('[class*=hl-field-]').className)[1],
        Number(one.min), Number(one.max), Number(one.step || 1), Number(one.value)])"""
# Ends sooner than its field where the sentence or the model is smaller.
ENDS = {("positions", "position"), ("positions", "dimension"), ("schedule", "update")}
# Places in a list, which count from 1 where the link counts from 0.
COUNTED = {("positions", "position"), ("scaling", "query"), ("stream", "dim"), ("truth", "pair")}
CHECKS = """async (cases) => {
    const keep = await module("assets/kit/keep.js");
    const fields = await module("assets/kit/fields.js");
    const made = { ...keep, range: (...given) => fields.range(...given, { first: given[0] }).fits,
        index: (last) => fields.index(0, last).fits };
    return cases.map(([kind, given, values]) => values.map(made[kind](...given)));
}"""
# What each check takes back of a link: the bounds, and nothing beside them.
CASES: dict[str, tuple[str, list[Any], list[Any], list[Any]]] = {
    "whole": ("whole", [2, 9], [2, 9], [1, 10, 2.5, "2", None]),
    "number": ("number", [-1, 2.5], [-1, 2.5, 0.1], [-1.001, 2.501, "1", None]),
    "range": ("range", [4, 32], [4, 32], [3, 33, 4.5]),
    "index": ("index", [7], [0, 7], [-1, 8, 0.5]),
    "text": ("text", [3], ["", "abc"], ["abcd", 3]),
    "oneOf": ("oneOf", [["a", "b"]], ["a", "b"], ["c", "", None]),
}


def test_a_check_takes_its_bounds_and_refuses_what_is_beside_them(node: Node) -> None:
    cases = [[kind, given, [*good, *bad]] for kind, given, good, bad in CASES.values()]
    wanted = [[True] * len(good) + [False] * len(bad) for _, _, good, bad in CASES.values()]
    assert node.run(CHECKS, cases) == wanted


def at_link(page: Stage, name: str, values: dict[str, float]) -> dict[str, float]:
    """What the numbers of a view show where a link gives them these values."""
    page.evaluate(
        "(values) => headlight.page.choices.set(values)",
        {f"{name}.{field}": f"{value:.10g}" for field, value in values.items()},
    )
    return {field: value for field, *_, value in page.evaluate(NUMBERS, name)}


def test_every_number_of_a_view_takes_its_bounds_and_nothing_beside_them(
    open_stage: Open,
) -> None:
    page = open_stage("?text=Why+do+we+work%3F")
    seen = set()
    for name in NAMES:
        page.choose(exhibit=name)
        if page.locator(f"#panel-{name} .hl-fold-adjust").count():
            page.unfold(name, "adjust")
        for field, low, high, step, first in page.evaluate(NUMBERS, name):
            seen.add((name, field))
            for bound, beyond in ((low, low - step), (high, high + step)):
                if (name, field) not in COUNTED:
                    assert at_link(page, name, {field: bound})[field] == bound, (name, field)
                shown = at_link(page, name, {field: beyond})[field]
                assert low <= shown <= high, (name, field, beyond)
                if (name, field) not in ENDS | COUNTED:
                    assert shown == first, (name, field, beyond)
            at_link(page, name, {})
    assert len(seen) >= 17 and seen >= ENDS | COUNTED
    assert page.errors == []


def test_every_setting_is_refused_beside_its_bounds_and_reset_makes_all_the_defaults(
    open_stage: Open,
) -> None:
    page = open_stage("?text=Hello.")
    first = page.evaluate("headlight.page.record.get().settings")
    other = {"method": "beam_sampling", "penalty_form": "gnmt"}
    numbers = ("beam_size", "length_penalty", "temperature", "top_k", "top_p", "seed")
    page.click("#hl-settings summary")
    for name, value in other.items():
        page.select_option(f"[name={name}]", value)
    for name in numbers:
        low, high = RANGES[name]
        assert page.get_attribute(f"[name={name}]", "min") == f"{low:g}"
        assert float(page.get_attribute(f"[name={name}]", "max") or 0) == high
        for beyond in (low - 1, high + 1):
            before = page.evaluate("headlight.page.record.get().settings")
            page.fill(f"[name={name}]", f"{beyond:.10g}")
            page.pass_time(1_000)
            assert page.evaluate("headlight.page.record.get().settings") == before, name
            with pytest.raises(ConfigError):
                parse({"text": "Hello.", "settings": {name: type(low)(beyond)}})
        page.fill(f"[name={name}]", f"{high:.10g}" if name == "top_k" else "0.7")
        if name in ("beam_size", "top_k", "seed"):
            page.fill(f"[name={name}]", "3")
    page.pass_time(1_000)
    changed = page.evaluate("headlight.page.record.get().settings")
    assert all(changed[name] != first[name] for name in (*other, *numbers))
    page.locator("#hl-settings form button[type=button]").click()
    page.pass_time(1_000)
    assert page.evaluate("headlight.page.record.get().settings") == first
    shown = {name: page.input_value(f"#hl-settings [name={name}]") for name in (*other, *numbers)}
    assert shown == {name: str(first[name]).removesuffix(".0") for name in shown}
    assert page.errors == []
