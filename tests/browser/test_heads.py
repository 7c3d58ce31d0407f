"""A Marian model of two heads in the encoder and four in the decoder: each kind shows its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from model.config import KINDS
from tests import tiny
from tests.browsing import Server, Watched, choose_exhibit, unfold

pytestmark = pytest.mark.browser

TEXT = "?text=The+old+bank+stands+by+the+river+bank."
HEADS = {"encoder_self": 2, "decoder_self": 4, "cross": 4}
LAYERS = {"encoder_self": 2, "decoder_self": 3, "cross": 3}


@pytest.fixture(scope="module")
def watched(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("heads")
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 4}
    tiny.write_marian(folder / "model", **heads)
    server = Server(folder / "log.txt", f"--model={folder / 'model'}", "--device=cpu")
    server.wait()
    context = browser.new_context(locale="en-GB", viewport={"width": 1366, "height": 768})
    watched = Watched(context.new_page())
    watched.page.goto(server.url + TEXT)
    watched.settle()
    yield watched
    context.close()
    server.stop()


def named(kind: str) -> list[str]:
    return [f"{kind}.{i}.{h}" for i in range(LAYERS[kind]) for h in range(HEADS[kind])]


def heads_in(page: Page, inside: str) -> list[str]:
    page.wait_for_selector(f"{inside} [data-head]", state="attached")
    found: list[str] = page.locator(f"{inside} [data-head]").evaluate_all(
        "(all) => all.map((one) => one.dataset.head)"
    )
    return found


def test_all_heads_of_each_kind_stand_under_their_numbers(watched: Watched) -> None:
    page = watched.page
    choose_exhibit(page, "attention")
    for kind in KINDS:
        assert heads_in(page, f"#panel-attention .hl-kind-{kind}") == named(kind)
    numbers = [
        page.locator(f"#panel-attention .hl-kind-{kind} .hl-corner ~ span:not(.hl-layer)")
        for kind in KINDS
    ]
    assert [one.all_text_contents() for one in numbers] == [["1", "2"], ["1", "2", "3", "4"], []]
    page.click("#panel-attention [data-head='decoder_self.0.3']")
    page.keyboard.press("ArrowUp")  # the encoder has no fourth head
    page.wait_for_selector("#panel-attention [data-head='encoder_self.1.1'][aria-pressed=true]")
    page.click("#panel-attention [data-head='cross.2.3']")
    page.evaluate("headlight.page.choose({ kind: 'encoder_self' })")
    page.wait_for_selector("#panel-attention [data-head='encoder_self.1.1'][aria-pressed=true]")
    choose_exhibit(page, "experiments")
    for kind in KINDS:
        assert heads_in(page, f".hl-experiments-heads .hl-kind-{kind}") == named(kind)
    assert watched.errors == []


def test_figure_1_and_the_shapes_speak_of_the_blocks_own_heads(watched: Watched) -> None:
    page = watched.page
    choose_exhibit(page, "figure")
    page.click(".hl-figure-unfold")
    page.wait_for_selector("[data-block='decoder.0.cross_attention.attention']")
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
        page.wait_for_function(
            """(heads) => {
                const told = document.querySelector('.hl-figure-card').textContent;
                return told.includes(`In ${heads} heads`) && told.includes(`Inside: ${heads} × `);
            }""",
            arg=HEADS[kind],
        )
    choose_exhibit(page, "flow")
    unfold(page, "flow", "numbers")
    page.wait_for_selector(".hl-flow-table tbody tr")
    shapes = {
        stack: page.locator(f".hl-flow-{stack} .hl-flow-shape").all_text_contents()
        for stack in ("encoder", "decoder")
    }
    source, target = shapes["encoder"][0], shapes["decoder"][0]
    assert {f"2 × {source} × 8", f"2 × {source} × {source}"} <= set(shapes["encoder"])
    wanted = {f"4 × {target} × 4", f"4 × {target} × {target}", f"4 × {target} × {source}"}
    assert wanted <= set(shapes["decoder"])
    forms = page.locator(".hl-flow tr:has(small)").all_text_contents()
    assert ["encoder" in form for form in forms] == [True] * 3 + [False] * 3
    assert "2 × 3 × 16×16" in forms[0] and "4 × 3 × 16×4" in forms[4]
    assert watched.errors == []
