"""The search tree's picture: what is written on it and where; and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from explorer.examples import EXAMPLES
from explorer.exchange.request import MAX_WRITTEN
from explorer.labels import label_of_piece
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Search
from tests.examples import first
from tests.exhibits.test_tree import LIST
from tests.stage import Stage, at_rest, expect, show, unfold

Open = Callable[..., Stage]
TEXTS = [
    "My little sister ate all the chocolate.",
    "The committee that reviewed the proposals rejected its own recommendation.",
]
LONG = (
    "Yesterday evening my old neighbour who lives near the river told me that her three cats had "
    "been stolen by a strange man with a hat."
)
WINDOWS = {
    "laptop": ({"width": 1366, "height": 768}, False),
    "large": ({"width": 1920, "height": 1080}, False),
    "phone": ({"width": 390, "height": 844}, False),
    "projector": ({"width": 1280, "height": 720}, True),
}
PATIENCE = 20_000  # ms
# Every text that the canvas was given, with its box in px; only the latest painting counts.
RECORDING = """
const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    this.canvas.written = [];
    return clearRect.apply(this, args);
};
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const em = parseFloat(/([\\d.]+)px/.exec(this.font)[1]);
    const width = this.measureText(text).width;
    const left = this.textAlign === "center" ? x - width / 2 : x;
    (this.canvas.written ??= []).push({ text, left, right: left + width, y, em });
    return fillText.call(this, text, x, y);
};
"""


def config(**settings: Any) -> DecodeConfig:
    return DecodeConfig(max_length=MAX_WRITTEN, **settings)


def tree(
    open_stage: Open,
    text: str,
    window: tuple[dict[str, int], bool] = WINDOWS["laptop"],
    **more: Any,
) -> Stage:
    viewport, is_projector = window
    options = {"viewport": viewport, **more.pop("options", {})}
    size = {"size": "projector"} if is_projector else {}
    query = urlencode({"view": "steps", "text": text, **size, **more})
    page = open_stage(f"?{query}", **options).page
    page.evaluate(f"() => {{{RECORDING}}}")  # before the tree is painted for the first time
    show(page, "tree")
    page.wait_for_selector(".hl-tree-scores li", timeout=60_000)
    unfold(page, "tree")
    at_rest(page, "tree")
    return page


def written(page: Stage) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "document.querySelector('.hl-tree-field canvas').written"
    )
    return found


def covered(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Pairs of texts that stand on one another, by more than the rounding of their boxes."""
    pairs = []
    for i, a in enumerate(texts):
        for b in texts[:i]:
            side = min(a["right"], b["right"]) - max(a["left"], b["left"])
            if side > 1 and abs(a["y"] - b["y"]) < 0.4 * (a["em"] + b["em"]):
                pairs.append((a["text"], b["text"]))
    return pairs


@pytest.mark.parametrize("text", TEXTS, ids=["short", "long"])
@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_no_text_of_the_tree_covers_another_or_is_cut(
    open_stage: Open, window: tuple[dict[str, int], bool], text: str
) -> None:
    page = tree(open_stage, text, window)
    texts = written(page)
    if window in (WINDOWS["laptop"], WINDOWS["large"]):  # else where one zooms in
        assert any(one["text"].startswith("+") for one in texts), "the folded are counted"
    assert any(one["text"].startswith("−") for one in texts), "the sums are there"
    assert covered(texts) == []
    assert [one["text"] for one in texts if one["text"].endswith("…")] == []
    field = page.locator(".hl-tree-field").bounding_box()
    assert field["height"] >= (220 if window[0]["width"] < 640 else 330)


def test_a_long_search_begins_where_its_slider_stands(
    open_stage: Open, explainer: Explainer
) -> None:
    search = explainer.explain(LONG, config()).search
    steps = len(search.steps)
    page = tree(open_stage, LONG)
    for step in (steps, 5, steps - 2):
        page.fill(".hl-tree-bar input[type=range]", str(step))
        expect(page.locator(".hl-tree-bar output")).to_have_text(
            f"{step} / {steps}", timeout=PATIENCE
        )
        expect(page.locator(LIST)).to_contain_text(f"Step {step}:")
        expect(page.locator(".hl-tree-facts h3")).to_contain_text(f"at step {step}")
        page.wait_for_function(  # its column is in sight, once the picture has come to rest
            """(step) => {
                const field = document.querySelector(".hl-tree-field");
                const [head] = field.querySelector("canvas").written
                    .filter(({ text }) => text === step);
                return head && head.left > 0 && head.left < field.clientWidth - 20;
            }""",
            arg=str(step),
        )


def test_a_new_sentence_is_shown_at_its_last_step(open_stage: Open, explainer: Explainer) -> None:
    """Slider, table, box and picture speak of one step."""
    steps = len(explainer.explain(LONG, config()).search.steps)
    page = tree(open_stage, TEXTS[0])
    page.fill("#hl-text", LONG)
    page.click("#hl-translate")
    expect(page.locator(".hl-tree-bar output")).to_have_text(f"{steps} / {steps}", timeout=60_000)
    expect(page.locator(LIST)).to_contain_text(f"Step {steps}:", timeout=PATIENCE)
    expect(page.locator(".hl-tree-facts h3")).to_contain_text(f"at step {steps}")
    at_rest(page, "tree")
    assert str(steps) in [one["text"] for one in written(page)]
    drawn = page.evaluate(
        """() => { const { drawn, clientWidth } = document.querySelector(".hl-tree-field canvas");
            return drawn.filter(({ x }) => x > 0 && x < clientWidth).map(({ node }) => node.step);
        }"""
    )
    assert max(drawn) == steps - 1


def choose(page: Stage, step: int, candidate: int) -> str:
    """Points the tree at a candidate through its table; what the box then says of its fate."""
    page.fill(".hl-tree-bar input[type=range]", str(step + 1))
    page.wait_for_selector(f"{LIST}:has-text('Step {step + 1}:')")
    page.locator(".hl-tree-table tbody tr").nth(candidate).click()
    page.wait_for_function("document.body.dataset.busy === undefined", timeout=60_000)
    return str(page.locator(".hl-tree-facts p").text_content()).strip()


def shown(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def apart(one: float, other: float) -> str:
    """The difference of the scores themselves; that of what is shown may end in another digit."""
    return shown(one - other)


def dropped(search: Search) -> list[tuple[int, int]]:
    return [
        (t, c)
        for t, step in enumerate(search.steps)
        for c, fate in enumerate(step.fates)
        if fate == "beaten"
    ]


def test_the_box_says_why_a_hypothesis_lost(open_stage: Open, explainer: Explainer) -> None:
    def searched(text: str) -> Search:
        return explainer.explain(text, config()).search

    text = first("a finished hypothesis was dropped", lambda t: bool(dropped(searched(t))))
    search = searched(text)
    scores = [one.score for one in search.hypotheses]
    page = tree(open_stage, text)
    for i, one in enumerate(search.hypotheses):
        said = choose(page, len(one.path) - 1, one.path[-1])
        assert f"hypothesis {i + 1} of {len(scores)}" in said
        other = scores[1 if i == 0 else 0]
        against = f"Score {shown(scores[i])} against {shown(other)} for no. {2 if i == 0 else 1}:"
        assert against in said
        if i == 0:
            assert "the best. " in said and f"it wins by {apart(scores[0], scores[1])}." in said
        else:
            assert f"it loses by {apart(scores[0], scores[i])}." in said
    step, candidate = dropped(search)[0]
    score = float(search.steps[step].totals[candidate]) / config().penalty(step + 1)
    said = choose(page, step, candidate)
    assert f"not among the best {len(scores)}" in said
    last = f"{shown(scores[-1])} for no. {len(scores)}, the last in the list"
    assert f"Score {shown(score)} against {last}: it loses by " in said
    assert f"it loses by {apart(scores[-1], score)}." in said


def test_the_list_says_how_far_each_is_behind(open_stage: Open, explainer: Explainer) -> None:
    """Of a sentence for which a difference of rounded scores is another number."""
    for text in (one.text for one in EXAMPLES):
        search = explainer.explain(text, config()).search
        best = search.hypotheses[0].score
        behind = [one.score - best for one in search.hypotheses[1:]]
        rounded = [round(one.score, 3) - round(best, 3) for one in search.hypotheses[1:]]
        if [f"{one:.3f}" for one in rounded] != [f"{one:.3f}" for one in behind]:
            break
    else:
        raise AssertionError("a difference of rounded scores would do for every example")
    page = tree(open_stage, text)
    page.click("#hl-hypotheses summary")
    cells = page.locator("#hl-hypotheses button.hl-hypothesis span:nth-child(4)")
    assert cells.all_text_contents() == ["", *(f"{one:.3f}".replace("-", "−") for one in behind)]


def test_a_touched_screen_is_told_of_touch(open_stage: Open) -> None:
    phone = {"has_touch": True, "is_mobile": True}
    page = tree(open_stage, TEXTS[0], WINDOWS["phone"], options=phone)
    said = page.inner_text("#panel-tree .hl-reading")
    assert "Tap a candidate" in said and "Arrow keys" not in said
    page = tree(open_stage, TEXTS[0], WINDOWS["phone"], options=phone, lang="zh")
    said = page.inner_text("#panel-tree .hl-reading")
    assert "点一个候选" in said and "方向键" not in said
    said = tree(open_stage, TEXTS[0]).inner_text("#panel-tree .hl-reading")
    assert "Arrow keys" in said and "Tap" not in said


def unlikely(explainer: Explainer, text: str, **settings: Any) -> int | None:
    """The first step whose token, of the best hypothesis, is not the likeliest."""
    trace = explainer.explain(text, config(**settings)).trace
    steps = range(len(trace.tgt_out.ids))
    return next((t for t in steps if trace.tgt_out.ids[t] != trace.top_ids[t, 0]), None)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [({}, "the whole hypothesis scores higher"), ({"method": "sampling", "seed": 11}, "drawn")],
    ids=["beam", "sampling"],
)
def test_the_step_in_words_says_why_the_token_is_not_the_likeliest(
    open_stage: Open, explainer: Explainer, settings: dict[str, Any], reason: str
) -> None:
    text = first(
        "a token is not the likeliest", lambda t: unlikely(explainer, t, **settings) is not None
    )
    step = unlikely(explainer, text, **settings)
    assert step is not None
    page = tree(open_stage, text, **settings)
    trace = explainer.explain(text, config(**settings)).trace
    story = page.locator("#hl-story")
    for t in range(len(trace.tgt_out.ids)):
        if t > step:
            break
        expect(page.locator("#hl-step")).to_contain_text(f"{t + 1} /", timeout=PATIENCE)
        said = story.text_content()
        assert label_of_piece(trace.tgt_out.pieces[t]).text in said or t != step
        assert (reason in said) == (t == step)
        page.click("#hl-stepper [data-go=forward]")
