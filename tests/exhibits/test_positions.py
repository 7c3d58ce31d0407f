"""Positions on the page: the numbers of the browser's modules and of the page, against numpy,
torch and the model."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from model.transformer import sinusoids
from tests.stage import Node, Stage, desk_of
from tests.tiny import T5, write_own

Open = Callable[..., Stage]
TEXT = "The dog bit the man."
MODULES = ("assets/kit/sinusoids.js", "explorer/exhibits/positions/maths.js")
SHAPES = [
    {"size": 256, "base": 10_000, "layout": "interleaved"},
    {"size": 512, "base": 10_000, "layout": "halves"},
    {"size": 6, "base": 100, "layout": "interleaved"},
]


def calculated(node: Node, script: str, argument: object) -> Any:
    """What a script gives with `maths`, the page's own modules of positions."""
    return node.run(
        f"async ([names, given]) => {{ const maths = {{}};"
        f" for (const name of names) Object.assign(maths, await module(name)); {script} }}",
        [MODULES, argument],
    )


def by_formula(length: int, shape: dict[str, Any]) -> np.ndarray:
    """Section 3.5 in numpy, (length, size)."""
    size, i = shape["size"], np.arange(shape["size"] // 2)
    angles = np.arange(length)[:, None] / shape["base"] ** (2 * i / size)
    pair = [np.sin(angles), np.cos(angles)]
    stacked = np.stack(pair, -1).reshape(length, size)
    return stacked if shape["layout"] == "interleaved" else np.concatenate(pair, 1)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_table_is_the_formulas_and_the_models(
    node: Node,
    shape: dict[str, Any],
) -> None:
    found = np.array(calculated(node, "return [...maths.sinusoids(200, given)]", shape)).reshape(
        200, -1
    )
    np.testing.assert_allclose(found, by_formula(200, shape), atol=1e-12)
    if shape["base"] == 10_000:
        model = sinusoids(200, shape["size"], shape["layout"]).numpy()
        np.testing.assert_allclose(found, model, atol=1e-12)
    other = {**shape, "layout": "halves" if shape["layout"] == "interleaved" else "interleaved"}
    assert abs(found - by_formula(200, other)).max() > 1  # the layout matters


@pytest.mark.parametrize("shape", SHAPES)
def test_distances_and_rotation_are_numpys(
    node: Node,
    shape: dict[str, Any],
) -> None:
    script = """
        const rows = maths.sinusoids(40, given);
        return {
            curve: [...maths.byDistance(40, given)],
            products: [...maths.similarities(rows, 40, given.size)],
            lengths: Array.from({ length: given.size / 2 }, (_, i) => maths.wavelength(i, given)),
            turns: Array.from({ length: given.size / 2 }, (_, i) => maths.rotation(9, i, given)),
        };
    """
    found = calculated(node, script, shape)
    rows = by_formula(40, shape)
    products = rows @ rows.T
    np.testing.assert_allclose(np.reshape(found["products"], (40, 40)), products, atol=1e-9)
    np.testing.assert_allclose(found["curve"], products[0], atol=1e-9)
    i = np.arange(shape["size"] // 2)
    np.testing.assert_allclose(
        found["lengths"], 2 * np.pi * shape["base"] ** (2 * i / shape["size"]), rtol=1e-12
    )
    halves = by_formula(60, {**shape, "layout": "halves"})
    pairs = np.stack(np.split(halves, 2, axis=1), -1)  # (position, pair, 2): sine, cosine
    turned = np.einsum("iab,pib->pia", np.array(found["turns"]), pairs[:51])
    np.testing.assert_allclose(turned, pairs[9:60], atol=1e-12)
    assert abs(turned - pairs[8:59]).max() > 0.1  # eight steps are not nine


def opened(open_stage: Open, exhibit: str, **options: object) -> Stage:
    page = open_stage(f"?view={exhibit}&text={TEXT.replace(' ', '+')}", **options)
    page.wait_for_selector(f"#panel-{exhibit} .hl-{exhibit}")
    return page


def look_at(page: Stage, view: str) -> None:
    page.wait_for_selector(".hl-positions .hl-field-view select")
    page.select_option(".hl-positions .hl-field-view select", view)


def real(text: str) -> float:
    return float(text.replace("−", "-"))


RATE = 10_000 ** (-20 / 256)  # of dimensions 20 and 21, those of i = 10: PE(pos, 2i)
FINDINGS: dict[str, tuple[str, list[float]]] = {
    "table": (
        r"Position (.*) has a pattern of its own",
        [31],  # from 1, after the sentence: where a word stands, it is named
    ),
    "waves": (
        r"wave repeats every (.*) positions; .* takes ([\d,]*)",
        [2 * np.pi / RATE, 2 * np.pi * 10_000 ** (254 / 256)],
    ),
    "distance": (
        r"Two positions 7 apart .* product (.*)\.",
        [sum(np.cos(7 * 10_000 ** (-2 * i / 256)) for i in range(128))],
    ),
    "rotation": (r"by 7 steps turns this pair by (.*)°", [np.degrees(7 * RATE)]),
}


@pytest.mark.parametrize("view", FINDINGS)
def test_the_finding_has_the_formulas_numbers(open_stage: Open, view: str) -> None:
    fields = {"view": view, "position": 30, "dimension": 20, "k": 7}
    link = "".join(f"&positions.{name}={value}" for name, value in fields.items())
    page = open_stage(f"?view=positions{link}")
    pattern, numbers = FINDINGS[view]
    finding = page.inner_text(".hl-positions .hl-finding")
    told = re.search(pattern, finding)
    assert told, finding
    for text, number in zip(told.groups(), numbers, strict=True):
        digits = len(text.partition(".")[2])
        assert real(text.replace(",", "")) == pytest.approx(number, abs=0.51 * 10**-digits), finding


def test_what_was_added_is_the_models(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage, "positions")
    look_at(page, "sum")
    page.wait_for_selector(".hl-sum-numbers")
    trace = explainer.explain(TEXT, DecodeConfig()).trace
    weight = explainer.model.embedding.token.weight.detach().numpy()
    for line, ids, states in (
        (0, trace.src.ids, trace.encoder_states[0]),
        (1, trace.tgt_in.ids, trace.decoder_states[0]),
    ):
        chips = page.locator(".hl-sum-line").nth(line).locator("button")
        assert chips.count() == len(ids)
        chips.nth(3).click()
        assert chips.nth(3).get_attribute("aria-pressed") == "true"
        rows = page.locator(".hl-sum-numbers tbody tr")
        shown = [[real(c) for c in rows.nth(r).locator("td").all_text_contents()] for r in range(4)]
        heads = page.locator(".hl-sum-numbers thead th").all_text_contents()[1:]
        i = [int(head) for head in heads]
        position = by_formula(4, SHAPES[0])[3]
        expected = [weight[ids[3]][i], weight[ids[3]][i] * 16, position[i], states[3][i]]
        np.testing.assert_allclose(shown, expected, atol=6e-5)
    assert page.errors == []


def test_the_slider_of_a_position_ends_with_the_table(open_stage: Open) -> None:
    """A link, which counts from 0, may name a later one: both then have the last row."""
    page = open_stage("?view=positions&positions.position=128&positions.length=64")
    slider = page.locator("#panel-positions .hl-field-position [type=range]")
    assert (slider.get_attribute("max"), slider.input_value()) == ("64", "64")
    assert "Position 64 " in page.finding("positions")
    page.unfold("positions", "adjust")
    page.locator("#panel-positions .hl-field-length [type=range]").fill("200")
    assert (slider.get_attribute("max"), slider.input_value()) == ("200", "129")
    assert "Position 129 " in page.finding("positions")


# --------------------------------------------------------------- what a model has instead of waves


@pytest.mark.parametrize("side", ["source", "target"])
def test_each_heads_bias_is_that_of_the_pass(open_stage: Open, tmp_path: Path, side: str) -> None:
    """The file of the curves against what `trace` says was added to the scores of the sentence."""
    folder = write_own(tmp_path / "t5", **T5, max_distance=10, distance_buckets=8)
    explainer = Explainer.load(folder, device="cpu")
    query = f"?view=positions&text=I+am+a+small+frog.&positions.side=%22{side}%22"
    page = open_stage(f"{query}&positions.head=1&positions.k=3", desk=desk_of(explainer))
    trace = explainer.explain("I am a small frog.", DecodeConfig(max_length=9)).trace
    bias = (trace.encoder_self if side == "source" else trace.decoder_self).bias
    assert bias is not None
    near, far = bias[0, 1, 4, 4], bias[0, 1, 4, 1]
    told = f"Head 2 adds {near:.2f} to the score of a word's own place, {far:.2f} to the place 3 "
    assert told.replace("-", "−") in page.finding("positions")
    _, content = page.take("#panel-positions", "csv")
    rows = [line.split(",") for line in content.decode("utf-8-sig").strip().splitlines()]
    by_distance = {int(row[0]): [float(x) for x in row[1:]] for row in rows[1:]}
    n = bias.shape[-1]
    for query_at in range(n):
        for key in range(n if side == "source" else query_at + 1):
            expected = bias[0, :, query_at, key]
            np.testing.assert_allclose(by_distance[key - query_at], expected, atol=1e-6)


@pytest.mark.parametrize("k", [1, 9])
def test_a_learned_table_is_shown_with_its_cosines(
    open_stage: Open, tmp_path: Path, k: int
) -> None:
    folder = write_own(tmp_path / "bart", positions="learned", embedding_norm="sum")
    explainer = Explainer.load(folder, device="cpu")
    table = explainer.model.embedding.source_positions.weight  # type: ignore[union-attr]
    table.copy_(table.cumsum(0))  # neighbours are alike, as in a trained one
    rows = table.numpy()
    page = open_stage(
        f"?view=positions&text=I+am+a+small+frog.&positions.k={k}", desk=desk_of(explainer)
    )
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    near, far = (float(np.diag(unit @ unit.T, i).mean()) for i in (1, k))
    told = f"cosine of {near:.2f} on average, distant ones of {far:.2f}."
    assert told.replace("-", "−") in page.finding("positions")


@pytest.mark.parametrize(
    ("side", "text", "fields"),
    [
        ("source", "I am a small frog.", {"n_heads": 4}),
        ("target", "I am a small frog.", {"n_heads": 4}),
        ("source", "frog", {"n_heads": 8}),
        ("source", "I am a small frog.", {"n_heads": 4, "distances_by_layer": True}),
        ("target", "I am a small frog.", {"n_heads": 4, "distances_by_layer": True}),
        ("source", "a frog " * 20, {"max_distance": 65_536, "max_positions": 128}),
        ("target", "frog", {"max_distance": 3, "distance_buckets": 4}),
    ],
)
def test_the_bias_that_says_most_is_shown_first(
    open_stage: Open, tmp_path: Path, side: str, text: str, fields: dict[str, Any]
) -> None:
    """The one that differs most in this sentence; a link's head stays, and the list is short."""
    explainer = Explainer.load(
        write_own(tmp_path / "t5", **{**T5, "max_positions": 24, **fields}), device="cpu"
    )
    trace = explainer.explain(text, explainer.defaults).trace
    maps = trace.encoder_self if side == "source" else trace.decoder_self
    assert maps.bias is not None
    allowed = maps.bias[:, :, maps.mask]
    layer, head = np.unravel_index(np.ptp(allowed, axis=-1).argmax(), allowed.shape[:2])
    query = f"?view=positions&text={text.replace(' ', '+')}&positions.side=%22{side}%22"
    desk = desk_of(explainer)
    page = open_stage(f"{query}&positions.k=1", desk=desk)
    here, before = (float(maps.bias[layer, head, -1, i]) for i in (-1, -2))
    told = (
        f"Head {head + 1} adds {here:.2f} to the score of a word's own place, {before:.2f} to "
        "the place 1 before"
    )
    assert told.replace("-", "−") in page.finding("positions")
    slider = page.locator("[data-part=controls] .hl-field-head input[type=range]")
    assert slider.input_value() == str(head + 1)
    _, content = page.take("#panel-positions", "csv")
    farthest = content.decode("utf-8-sig").splitlines()[1].split(",")[0]
    assert farthest == str(-max(64, len(trace.src) - 1, len(trace.tgt_in) - 1))
    page = open_stage(f"{query}&positions.head={1 - min(1, head)}", desk=desk)
    assert page.finding("positions").startswith(f"Head {2 - min(1, head)} ")
