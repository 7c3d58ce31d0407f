"""The whole model on the page: every number and pixel is the record's, for models of any size."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image

from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from explorer.exhibits import figure
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from model.labs.dissect import FeedForwardSubLayer, inputs, output_layer, sub_layers
from model.trace import Explanation
from tests import browsing, tiny
from tests.browsing import Watched
from tests.stage import Stage, choose_exhibit, desk_of, expect

Open = Callable[..., Stage]
TEXT = "The old bank stands by the river bank."
PLAY = "#panel-figure .hl-play"
OPEN = "&figure.encoder=[0]&figure.decoder=[0]"  # the first layer of each stack
ROOM = {"width": 2000, "height": 1100}  # for lengths with two decimals and for thin ribbons
CAT = "When I got home, the cat was sleeping on my bed."
LONG = "Yesterday evening my old neighbour told me that her three cats had been stolen by a man."
SHADES = 127  # of either sign; not taken from the code under test
WEIGHTS = 254  # steps of colour of a weight

# What stands in the picture: images as addresses, numbers as text.
READ = """() => {
    const text = (node) => node.textContent.trim();
    return Object.fromEntries([...document.querySelectorAll('[data-block]')].map((block) => [
        block.dataset.block, {
            images: [...block.querySelectorAll('image:not([data-head])')].map((image) =>
                ({ url: image.getAttribute('href'), ...image.dataset })),
            heads: [...block.querySelectorAll('image[data-head]')].map((image) =>
                ({ url: image.getAttribute('href'), name: image.dataset.head })),
            lengths: Object.fromEntries([...block.querySelectorAll('[data-length]')].map((one) =>
                [one.dataset.length, text(one.querySelector('tspan'))])),
            bars: [...block.querySelectorAll('[data-id]')].map((bar) =>
                [bar.dataset.id, text(bar.querySelector('.hl-figure-value'))]),
            small: [...block.querySelectorAll('.hl-figure-name + .hl-figure-small')].map(text),
        }]));
}"""


@dataclass(frozen=True)
class Case:
    """A model, the page that shows it, and what the model says."""

    page: Stage
    explainer: Explainer
    explanation: Explanation


@pytest.fixture(scope="module", params=["shipped", "marian"])
def shown(
    request: pytest.FixtureRequest, explainer: Explainer, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    """The model that the page shows."""
    if request.param == "shipped":
        return explainer
    folder = tmp_path_factory.mktemp("figure")
    sizes = {"d_model": 32, "encoder_layers": 4, "decoder_layers": 2}
    heads = {"encoder_attention_heads": 4, "decoder_attention_heads": 4}
    tiny.write_marian(folder, **sizes, **heads, max_length=12)
    return Explainer.load(str(folder), device="cpu")


@pytest.fixture
def case(open_stage: Open, shown: Explainer) -> Case:
    page = open_stage(f"?text={quote(TEXT)}{OPEN}", desk=desk_of(shown), viewport=ROOM)
    limit = min(shown.defaults.max_length, shown.max_source_tokens)
    settings = {**vars(shown.defaults), "max_length": limit}
    return Case(page, shown, shown.explain(TEXT, DecodeConfig(**settings)))


def pixels(url: str) -> np.ndarray:
    image = Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1])))
    assert image.mode == "P"
    return np.asarray(image).astype(int)


def shades(array: np.ndarray) -> np.ndarray:
    share = np.sqrt(np.abs(array) / np.abs(array).max())
    return np.rint(np.sign(array) * share * SHADES) + SHADES + 1


def wrong(
    found: dict[str, Any], explainer: Explainer, explanation: Explanation, step: int, src: int
) -> set[str]:
    """The blocks whose picture or numbers are not those of the record."""
    bad: set[str] = set()
    trace, model = explanation.trace, explainer.model

    def check(block: str, holds: bool) -> None:
        if not holds:
            bad.add(block)

    def matrix(block: str, array: np.ndarray, last: int) -> None:
        image = found[block]["images"][0]
        shown, start = pixels(image["url"]), int(image["from"])
        rows = shown.shape[0]
        expected = shades(array)[start : start + rows]
        if expected.shape != shown.shape:
            return check(block, False)
        expected[max(0, last + 1 - start) :] = 0
        check(block, bool(np.abs(shown - expected).max() <= 1))

    for stack, states, at, side in (
        ("encoder", trace.encoder_states, src, "source"),
        ("decoder", trace.decoder_states, step, "target"),
    ):
        last = len(states[0]) - 1 if stack == "encoder" else step
        read = inputs(model, trace, side)  # type: ignore[arg-type]
        matrix(f"{stack}.embedding", read.tokens, last)
        matrix(f"{stack}.position", read.positions, last)
        matrix(f"{stack}.sum", states[0], last)
        for layer in range(1, len(states) - 1):
            matrix(f"{stack}.{layer}.layer", states[layer + 1], last)
        for part in sub_layers(model, trace, stack, 0):  # type: ignore[arg-type]
            own = {"before": part.before, "inside": part.x, "adds": part.output}
            own["after"] = part.after
            name = f"{stack}.0.{part.name}."
            for block, values in found.items():
                if block.startswith(name):
                    for key, text in values["lengths"].items():
                        true = float(np.linalg.norm(own[key][at]))
                        check(block, abs(float(text) - true) < 0.006)
            if isinstance(part, FeedForwardSubLayer):
                units = part.hidden
                shown = pixels(found[f"{name}feed_forward"]["images"][0]["url"])
                # Each pixel is the strongest of the units that it stands for.
                width = min(128, units.shape[1])
                begins = -(-np.arange(width) * units.shape[1] // width)
                strongest = np.maximum.reduceat(shades(units)[at], begins)
                off = np.abs(shown[0] - strongest).max()
                check(f"{name}feed_forward", shown.shape == (1, width) and off <= 1)
                said = f"{(units[at] > 0).sum()} of {units.shape[1]} fire"
                check(f"{name}feed_forward", found[f"{name}feed_forward"]["small"] == [said])
    heads(found, explanation, step, check)
    final = output_layer(model, trace, [0]).x
    shown = pixels(found["decoder.linear"]["images"][0]["url"])
    check("decoder.linear", bool(np.abs(shown[0] - shades(final)[step]).max() <= 1))
    log_probs = dict(zip(trace.top_ids[step].tolist(), trace.top_log_probs[step], strict=True))
    log_probs[int(trace.tgt_out.ids[step])] = trace.log_prob[step]
    for token, text in found["decoder.softmax"]["bars"]:
        true = 100 * float(np.exp(log_probs.get(int(token), -np.inf)))
        check("decoder.softmax", abs(float(text.strip("<> %")) - true) < 0.11)
    check("decoder.softmax", len(found["decoder.softmax"]["bars"]) == 6)
    return bad


def heads(
    found: dict[str, Any],
    explanation: Explanation,
    step: int,
    check: Callable[[str, bool], None],
) -> None:
    shown = {one["name"]: (b, one["url"]) for b, v in found.items() for one in v["heads"]}
    for kind in KINDS:
        maps = explanation.trace.attention(kind)
        last = len(maps.mask) - 1 if kind == "encoder_self" else step
        for head, weights in enumerate(maps.weights[0]):
            block, url = shown[f"{kind}.0.{head}"]
            expected = np.where(maps.mask, 1 + np.rint(weights * WEIGHTS), 0)
            expected[last + 1 :] = 0
            cells = pixels(url)
            close = cells.shape == expected.shape and np.abs(cells - expected).max() <= 1
            check(block, bool(close))


@pytest.mark.slow
@pytest.mark.parametrize(("step", "src"), [(0, 0), (2, 3)])
def test_every_picture_and_number_is_the_records(case: Case, step: int, src: int) -> None:
    case.page.choose(step=step, src=src)
    found = case.page.evaluate(READ)
    assert wrong(found, case.explainer, case.explanation, step, src) == set()
    # The twin: the same picture is not that of another step, nor of another sentence's model.
    assert len(wrong(found, case.explainer, case.explanation, step + 1, src + 1)) > 8
    assert case.page.errors == []


@pytest.mark.long
def test_all_layers_open_and_every_block_is_the_models(case: Case) -> None:
    page, config = case.page, case.explainer.model.config
    count = "document.querySelectorAll('[data-block]').length"
    outside = 4 + 4 + 3  # tokens, embedding, positions, sum; linear, softmax, written
    folded = config.n_encoder_layers - 1 + config.n_decoder_layers - 1
    assert page.evaluate(count) == outside + 4 + 6 + folded
    page.click(".hl-figure-unfold")
    wanted = outside + 4 * config.n_encoder_layers + 6 * config.n_decoder_layers
    assert page.evaluate(count) == wanted
    blocks = set(page.evaluate(READ))
    arrows = page.locator("[data-arrow]").evaluate_all("(all) => all.map((a) => a.dataset.to)")
    assert set(arrows) <= blocks
    memory = page.locator("[data-arrow^='memory>']").count()
    assert memory == config.n_decoder_layers
    page.click(".hl-figure-unfold")  # folds them, back to the whole
    layers = config.n_encoder_layers + config.n_decoder_layers
    assert page.evaluate(count) == 2 * 2 + layers + 1
    assert page.locator(".hl-figure-part").count() == 2 * 2 + layers + 1
    layer = config.n_decoder_layers - 1
    page.locator(f"[data-block='decoder.{layer}.layer']").press("Enter")
    page.wait_for_selector(f"[data-block='decoder.{layer}.cross_attention.attention']")
    page.click(".hl-figure-crumbs button")
    page.wait_for_selector("[data-block='encoder.0.layer'] .hl-figure-ribbons")
    assert page.errors == []


def strip(page: Stage, block: str) -> np.ndarray:
    """The pixels of a row of strips; the columns of earlier steps are a picture of their own."""
    rows = page.locator(f"[data-block='{block}'] image").evaluate_all(
        "(all) => all.map((image) => image.getAttribute('href'))"
    )
    return np.maximum.reduce([pixels(row) for row in rows])


def test_strips_and_ribbons_are_the_models(open_stage: Open, explainer: Explainer) -> None:
    """A strip shows 16 of a vector's numbers; a ribbon is as wide as the heads' mean weight."""
    page, step = open_stage(f"?text={quote(CAT)}&step=8", viewport=ROOM), 7
    trace = explainer.explain(CAT, DecodeConfig()).trace
    page.wait_for_selector("[data-block='decoder.2.layer'] .hl-figure-ribbons.hl-here")
    for stack, states, last in (
        ("encoder", trace.encoder_states, len(trace.src.ids) - 1),
        ("decoder", trace.decoder_states, step),
    ):
        for level, state in enumerate(states):
            block = f"{stack}.{level - 1}.layer" if level else f"{stack}.sum"
            shown = strip(page, block)
            place = shown.shape[1] // len(state)
            middle = shown[:, place // 2 :: place].T[: len(state)]
            expected = shades(state)[:, :: state.shape[1] // 16]
            assert np.abs(middle[: last + 1] - expected[: last + 1]).max() <= 1, block
            assert (middle[last + 1 :] == 0).all()  # not written yet
            assert (
                np.abs(middle[: last + 1] - shades(states[level - 1])[: last + 1, ::16]).max() > 9
            )
    # A ribbon begins and ends with a line across it, as long as the weight is large.
    paths = page.locator("[data-block='decoder.1.layer'] .hl-figure-ribbons.hl-here")
    path = paths.get_attribute("d") or ""
    wide = [float(to) - float(at) for at, to in re.findall(r"([\d.]+) [\d.]+H([\d.]+)C", path)]
    mean = trace.decoder_self.weights[1, :, step, : step + 1].mean(0)
    seen = mean[mean > 0.05]
    widest = max(wide) / mean.max()
    drawn = sorted(w / widest for w in wide)[-len(seen) :]
    assert drawn == pytest.approx(sorted(seen.tolist()), abs=0.02)
    assert page.errors == []


def test_it_opens_in_place_down_to_a_cell_and_back(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage(f"?text={quote(CAT)}&step=8")
    weights = explainer.explain(CAT, DecodeConfig()).trace.cross.weights
    finding = page.locator("#panel-figure .hl-finding")
    page.locator("[data-block='decoder.0.layer']").press("Enter")
    block = page.locator("[data-block='decoder.0.cross_attention.attention']")
    block.press("Enter")
    tiles = page.locator(".hl-figure-tile button")
    expect(tiles).to_have_count(weights.shape[1])
    expect(finding).to_contain_text(f"{100 * weights[0, :, 7].max():.0f} %")
    tiles.nth(1).click()
    page.wait_for_selector(".hl-figure-cells .hl-matrix")
    expect(finding).to_contain_text(f"{100 * weights[0, 1, 7].max():.0f} %")
    page.wait_for_function("location.search.includes('figure.within=cross.0.1')")
    page.click(".hl-figure-more")
    page.wait_for_selector("#panel-microscope:not([hidden])")
    choose_exhibit(page, "figure")
    for left in (3, 2, 1):
        crumbs = page.locator(".hl-figure-crumbs button")
        expect(crumbs).to_have_count(left)
        crumbs.nth(left - 1).click()
    expect(page.locator(".hl-figure-crumbs")).to_have_count(0)
    page.wait_for_selector("[data-block='decoder.0.layer'] .hl-figure-ribbons")
    assert page.errors == []


def test_it_plays_a_step_and_can_be_stepped(open_stage: Open) -> None:
    page = open_stage("?text=Why+do+we+work%3F")
    opened = page.input_value("#hl-slider")
    assert opened not in ("", "1")  # where the sentence shows most
    page.unfold("figure", "adjust")
    page.select_option(".hl-field-speed select", "fast")

    def now() -> str | None:
        lit = page.locator("[data-block][data-state=now]")
        return lit.get_attribute("data-block") if lit.count() else None

    expect(page.locator("[data-block='encoder.tokens']")).to_have_attribute("data-state", "done")
    way_back = page.locator(".hl-figure-back-way ~ text")
    assert way_back.count() > 0
    page.click(PLAY)
    page.wait_for_selector("[data-block='decoder.softmax'][data-state=ahead]")
    page.pass_time(400)
    page.click(PLAY)
    expect(page.locator(PLAY)).to_have_text("Play this step")
    stopped = now()
    page.pass_time(3000)
    assert stopped is not None and now() == stopped
    # What is said of it stands beside the decoder, whose earlier columns are drawn already, and
    # where the way back has its words otherwise.
    assert way_back.count() == 0
    style = page.get_attribute(".hl-figure-card[data-pinned]", "style") or ""
    box = page.locator(".hl-figure-hit[data-zoom='decoder.0']")
    x, width = (float(box.get_attribute(name) or "") for name in ("x", "width"))
    assert float(style.split("left:min(")[1].split("px")[0]) >= x + width
    page.click(".hl-figure-forward")
    assert now() not in (None, stopped)
    page.click(".hl-figure-back")
    assert now() == stopped
    page.click(PLAY)  # from the beginning of where it stands, to the end of the step
    page.wait_for_selector("[data-block='decoder.softmax'][data-state=now]")
    expect(page.locator(PLAY)).to_have_text("Play this step")
    assert page.input_value("#hl-slider") == opened
    page.click(PLAY)  # the next step; the encoder has done its work
    assert page.input_value("#hl-slider") == str(int(opened) + 1)
    page.wait_for_selector("[data-block='encoder.tokens'][data-state=done]")


def test_a_block_tells_its_shapes_and_opens_its_view(
    open_stage: Open, explainer: Explainer
) -> None:
    page, config = open_stage("?text=Why+do+we+work%3F&step=1" + OPEN), explainer.model.config
    block = "[data-block='decoder.0.cross_attention.attention']"
    page.wait_for_selector(block)
    page.hover(f"{block} .hl-figure-name")
    shape = f"{config.n_heads} × 1 × 6"
    page.wait_for_function(
        "(shape) => document.querySelector('.hl-figure-card').textContent.includes(shape)",
        arg=shape,
    )
    page.focus("[data-block='encoder.tokens']")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.block") == "encoder.embedding"
    page.locator("[data-pick='encoder_self.0.3']").click()
    page.wait_for_selector(".hl-figure-cells .hl-matrix")
    page.click(".hl-figure-crumbs button >> nth=1")
    page.focus("[data-block='decoder.softmax']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-sampling:not([hidden])")
    assert page.errors == []


def test_back_closes_what_was_opened_last(open_stage: Open) -> None:
    page = open_stage("?text=Why+do+we+work%3F&view=figure")
    whole, layer = "[data-block='encoder.0.layer'] .hl-figure-ribbons", "[data-frame='decoder.1']"
    page.wait_for_selector(whole)
    page.wait_for_timeout(600)  # the address rests
    page.locator("[data-block='decoder.1.layer']").press("Enter")
    page.wait_for_selector(layer)
    page.wait_for_timeout(600)
    page.locator("[data-pick='cross.1.3']").click()
    page.wait_for_selector(".hl-figure-cells .hl-matrix")
    page.go_back()
    page.wait_for_selector(layer)
    page.go_back()
    page.wait_for_selector(whole)
    assert page.errors == []


def test_a_head_names_its_rows_as_the_view_it_leads_to(open_stage: Open) -> None:
    """Whatever the rows of the head before were named by."""
    page = open_stage("?text=Why+do+we+work%3F&view=figure&kind=cross&layer=1&head=2")
    page.wait_for_function("() => headlight.page.roles.get() !== null")
    fits = "([kind, layer, head]) => headlight.page.namesFor({ kind, layer, head }).labels"
    every = [("cross", layer, head) for layer in range(3) for head in range(8)]
    named = {one: page.evaluate(fits, list(one)) for one in every}
    assert set(named.values()) == {"reads", "writes"}
    tokens = "([side]) => headlight.page.record.get()[side].map(({ text }) => text)"
    rows = ".hl-figure-cells .hl-matrix"
    for wanted, side in (("reads", "tgt_in"), ("writes", "tgt_out")):
        kind, layer, head = next(one for one in every if named[one] == wanted)
        page.evaluate(
            "(within) => headlight.page.choices.set({ 'figure.within': within })",
            f"{kind}.{layer}.{head}",
        )
        page.wait_for_selector(f"[data-zoom='{kind}.{layer}.{head}'] .hl-matrix")
        first = page.evaluate(tokens, [side])[1]
        assert first in page.locator(rows).first.text_content()
        finding = page.text_content("#panel-figure [data-part=finding]")
        step = page.evaluate("headlight.page.selection.get().step")
        assert page.evaluate(tokens, [side])[step] in finding


def test_a_pre_norm_model_has_its_norms_before(tmp_path: Path) -> None:
    """And one more at the top of each stack: what the question answers is what the blocks show."""
    explainer = Explainer.load(str(tiny.write_own(tmp_path / "pre", norm="pre")), device="cpu")
    request = parse({"text": "I am a frog.", "settings": {}}, explainer.defaults)
    answer = figure.figure(explainer, request, Arguments({"encoder": [1], "decoder": []}))
    assert answer["encoder"]["final"] is not None and list(answer["encoder"]["layers"]) == [1]
    assert answer["decoder"]["layers"] == {}


# ----------------------------------------------------------------------------- shapes and weights


def sized(array: np.ndarray) -> str:
    """A shape as the page writes it."""
    return " × ".join(f"{size:,}" for size in array.shape)


def test_the_shapes_in_the_whole_are_those_of_the_arrays(
    open_stage: Open, explainer: Explainer
) -> None:
    page, step = open_stage(f"?text={quote(TEXT)}&step=3", viewport=ROOM), 3
    assert page.locator(".hl-figure-sizes").count() == 0
    page.get_by_role("button", name="Shapes").click()
    trace = explainer.explain(TEXT, DecodeConfig()).trace
    hidden = {
        stack: next(
            part.hidden
            for part in sub_layers(explainer.model, trace, stack, 0)  # type: ignore[arg-type]
            if isinstance(part, FeedForwardSubLayer)
        )
        for stack in ("encoder", "decoder")
    }
    own = (trace.encoder_self.weights[0], hidden["encoder"])
    encoder = [sized(trace.encoder_states[0]), *map(sized, own)]
    read = (trace.decoder_self.weights[0][:, :step, :step], trace.cross.weights[0][:, :step])
    decoder = [
        sized(trace.decoder_states[0][:step]),
        *map(sized, read),
        sized(hidden["decoder"][:step]),
    ]
    layers = [len(states) - 1 for states in (trace.encoder_states, trace.decoder_states)]
    scores = f"1 × {explainer.model.config.vocab_size:,}"
    wanted = encoder * layers[0] + encoder[:1] + decoder * layers[1] + decoder[:1] + [scores]
    written = page.locator(".hl-figure-sizes text").all_text_contents()
    assert [re.sub(r"^[^\d]*", "", text) for text in written] == wanted
    assert written[1].startswith("Self-attention") and written[2].startswith("Feed-forward")
    page.get_by_role("button", name="Shapes").click()
    assert page.locator(".hl-figure-sizes").count() == 0
    assert page.errors == []


def test_the_weights_add_up_to_the_models(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage(f"?view=figure&text={quote(TEXT)}")
    page.unfold("figure", "numbers")
    cells = page.locator(".hl-figure-weights tbody tr td:last-child").all_text_contents()
    true = sum(p.numel() for p in explainer.model.parameters())
    assert sum(int(cell.replace(",", "")) for cell in cells) == true
    assert f"{true:,}" in (page.text_content(".hl-figure-total") or "")
    assert "They agree" in (page.text_content(".hl-figure-total") or "")
    assert page.errors == []


def test_a_model_that_has_more_weights_is_noticed(open_stage: Open, explainer: Explainer) -> None:
    """The counts are products of the shapes, made in the browser: no server can say them."""
    true = sum(p.numel() for p in explainer.model.parameters())

    def more(_: dict[str, Any], reply: str) -> str:
        return reply.replace(f'"counted":{true}', f'"counted":{true + 5}')

    page = open_stage(f"?view=figure&text={quote(TEXT)}")
    page.change(more)
    page.unfold("figure", "numbers")
    total = page.text_content(".hl-figure-total") or ""
    assert f"{true:,}" in total and f"{true + 5:,}" in total and "They differ" in total


def test_weights_that_do_not_arrive_are_asked_for_again(open_stage: Open) -> None:
    page = open_stage(f"?view=figure&text={quote(TEXT)}")
    page.change(lambda _, __: {"failed": True})
    page.unfold("figure", "numbers")
    assert page.is_visible("#panel-figure .hl-figure-svg")  # the rest stays
    page.change(None)
    page.click("#panel-figure .hl-failed button")
    assert "They agree" in (page.text_content(".hl-figure-total") or "")


@pytest.mark.browser
def test_by_touch_the_first_tap_tells_and_the_next_opens(
    open_page: Callable[..., Watched],
) -> None:
    watched = open_page(
        "?text=Why+do+we+work%3F" + OPEN, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = watched.page
    block = page.locator("[data-block='encoder.0.feed_forward.feed_forward'] .hl-figure-name")
    block.tap()
    page.wait_for_selector(".hl-figure-card[data-pinned] .hl-figure-more")
    card = page.locator(".hl-figure-card").bounding_box()
    assert card is not None and card["y"] + card["height"] == pytest.approx(844, abs=1)
    block.tap()
    page.wait_for_selector("#panel-stream:not([hidden])")
    browsing.choose_exhibit(page, "figure")
    page.locator("[data-block='decoder.softmax'] .hl-figure-name").tap()
    page.locator(".hl-figure-more").tap()
    page.wait_for_selector("#panel-sampling:not([hidden])")
    assert watched.errors == []


# The blocks that light until a word is written, by whether they are in sight. A block is brought
# out in the frame after it is drawn, so each is looked at two frames later, if it is still lit.
FOLLOWED = """async ([lit, seen]) => {
    const frame = () => new Promise(requestAnimationFrame);
    const found = { true: [], false: [] };
    let before = null;
    for (let now = eval(lit); now !== undefined; now = eval(lit)) {
        await frame();
        if (now === before) continue;
        before = now;
        await frame();
        await frame();
        if (eval(lit) === now) found[eval(seen)].push(now);
    }
    return found;
}"""


@pytest.mark.long
@pytest.mark.browser
def test_all_of_it_can_be_seen(open_page: Callable[..., Watched]) -> None:
    """The rows of a long sentence; and the block that plays, in a frame that is lower than all."""
    watched = open_page("?step=1&text=" + quote(LONG) + "&figure.decoder=[0]")
    page = watched.page
    page.wait_for_selector(".hl-figure-svg [data-block='decoder.0.cross_attention.attention']")
    rows = page.locator("[data-block^='decoder'] .hl-figure-row").evaluate_all(
        "(all) => all.map((row) => Number(row.getAttribute('height')))"
    )
    assert rows and min(rows) >= 3
    page.evaluate("document.documentElement.dataset.size = 'projector'")
    page.set_viewport_size({"width": 1280, "height": 560})
    frame = "document.querySelector('.hl-figure-scroll')"
    page.wait_for_function(f"{frame}.scrollHeight > {frame}.clientHeight + 90")
    browsing.unfold(page, "figure", "adjust")
    page.select_option(".hl-field-speed select", "fast")
    play = page.inner_text(PLAY)
    page.click(PLAY)
    seen = f"""() => {{
        const now = document.querySelector('[data-block][data-state=now]')?.getBoundingClientRect();
        const {{ top, bottom }} = {frame}.getBoundingClientRect();
        return now === undefined ? null : now.top >= top - 1 && now.bottom <= bottom + 1;
    }}"""
    page.wait_for_selector(".hl-figure-vector")  # vectors on their way
    page.wait_for_function(f"({seen})() === true && {frame}.scrollTop > 0")
    lit = "document.querySelector('[data-block][data-state=now]')?.dataset.block"
    followed = page.evaluate(FOLLOWED, [lit, f"({seen})()"])
    assert followed["false"] == [] and len(followed["true"]) > 6, followed
    page.locator(PLAY).get_by_text(play).click()  # the step has ended; the next one
    away = f"{frame}.scrollTop > 80 && ({frame}.scrollTo(0, 0), true)"
    page.wait_for_function(away)  # a reader who scrolls is left alone
    for _ in range(3):
        before = page.evaluate(lit)
        page.wait_for_function(f"(before) => ({lit}) !== before", arg=before)
        browsing.drawn(page)
        assert page.evaluate(f"{frame}.scrollTop") == 0
    page.emulate_media(reduced_motion="reduce")
    assert page.is_hidden(PLAY) and page.is_visible(".hl-figure-forward")
    page.emulate_media(reduced_motion="no-preference")
    page.locator("[data-block='encoder.tokens']").press("Escape")
    page.wait_for_selector("[data-block='encoder.0.layer']")
    page.wait_for_selector(".hl-figure-ghost", state="detached")  # the zoom has ended
    assert watched.errors == []
