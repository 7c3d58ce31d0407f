"""A Marian model of two heads in the encoder and four in the decoder: each kind shows its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from model.config import KINDS
from model.explain import Explainer
from tests import tiny
from tests.stage import Desk, Stage, choose_exhibit, desk_of

TEXT = "?text=The+old+bank+stands+by+the+river+bank."
HEADS = {"encoder_self": 2, "decoder_self": 4, "cross": 4}
LAYERS = {"encoder_self": 2, "decoder_self": 3, "cross": 3}


@pytest.fixture(scope="module")
def two_and_four(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 4}
    folder = tiny.write_marian(tmp_path_factory.mktemp("heads") / "model", **heads)
    return desk_of(Explainer.load(folder, device="cpu"))


@pytest.fixture
def page(open_stage: Callable[..., Stage], two_and_four: Desk) -> Stage:
    return open_stage(TEXT, desk=two_and_four)


# What stands in the row that a corner begins.
AFTER = """(corners) => corners.flatMap((corner) => [...corner.parentElement.children]
    .filter((one) => one.matches('span:not(.hl-layer, .hl-corner)'))
    .map((one) => one.textContent))"""


def named(kind: str) -> list[str]:
    return [f"{kind}.{i}.{h}" for i in range(LAYERS[kind]) for h in range(HEADS[kind])]


def heads_in(page: Stage, inside: str) -> list[str]:
    found: list[str] = page.locator(f"{inside} [data-head]").evaluate_all(
        "(all) => all.map((one) => one.dataset.head)"
    )
    return found


def test_all_heads_of_each_kind_stand_under_their_numbers(page: Stage) -> None:
    choose_exhibit(page, "attention")
    for kind in KINDS:
        assert heads_in(page, f"#panel-attention .hl-kind-{kind}") == named(kind)
    numbers = [
        page.eval_on_selector_all(f"#panel-attention .hl-kind-{kind} .hl-corner", AFTER)
        for kind in KINDS
    ]
    assert numbers == [["1", "2"], ["1", "2", "3", "4"], []]
    page.click("#panel-attention [data-head='decoder_self.0.3']")
    page.keyboard.press("ArrowUp")  # the encoder has no fourth head
    assert page.is_visible("#panel-attention [data-head='encoder_self.1.1'][aria-pressed=true]")
    page.click("#panel-attention [data-head='cross.2.3']")
    page.evaluate("headlight.page.choose({ kind: 'encoder_self' })")
    assert page.is_visible("#panel-attention [data-head='encoder_self.1.1'][aria-pressed=true]")
    choose_exhibit(page, "experiments")
    for kind in KINDS:
        assert heads_in(page, f".hl-experiments-heads .hl-kind-{kind}") == named(kind)
    assert page.errors == []


def test_figure_1_speaks_of_the_blocks_own_heads(page: Stage) -> None:
    choose_exhibit(page, "figure")
    page.click(".hl-figure-unfold")
    for block, kind in (
        ("encoder.0.self_attention", "encoder_self"),
        ("decoder.0.self_attention", "decoder_self"),
        ("decoder.0.cross_attention", "cross"),
    ):
        name = f"[data-block='{block}.attention']"
        assert len(heads_in(page, name)) == HEADS[kind]
        small = page.locator(f"{name} .hl-figure-name + .hl-figure-small").all_text_contents()
        assert small == [f"{HEADS[kind]} heads"]
        page.hover(f"{name} .hl-figure-name")
        told = page.text_content(".hl-figure-card")
        assert f"In {HEADS[kind]} heads" in told and f"Inside: {HEADS[kind]} × " in told
    assert page.errors == []
