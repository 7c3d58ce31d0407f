"""The search tree's picture: what is written on it and where; and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

import pytest

from explorer.examples import EXAMPLES
from explorer.exchange.request import MAX_WRITTEN
from explorer.labels import label_of_piece
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Search
from tests import browsing
from tests.browsing import Watched
from tests.examples import first
from tests.exhibits.test_tree import LIST
from tests.stage import Stage, expect

Open = Callable[..., Stage]
TEXTS = [
    "My little sister ate all the chocolate.",
    "The committee that reviewed the proposals rejected its own recommendation.",
]
LONG = (
    "Yesterday evening my old neighbour who lives near the river told me that her three cats had "
    "been stolen by a strange man with a hat."
)


class Field(NamedTuple):
    """The tree's place on the page in px, and its letters."""

    width: int
    height: int
    em: int
    is_roomy: bool


FIELDS = {
    "laptop": Field(859, 551, 13, True),
    "large": Field(1413, 863, 13, True),
    "phone": Field(364, 398, 13, False),
    "projector": Field(794, 424, 22, False),
}
CUT = """() => {
    const side = document.querySelector(".hl-tree-side");
    const edge = side.getBoundingClientRect().right + 0.5;
    return [...side.querySelectorAll("*")].filter((one) =>
        one.getBoundingClientRect().right > edge).map((one) => one.textContent);
}"""
# Every text that was painted last, with its box in px.
PAINTED = """(canvas) => {
    const { calls } = canvas.getContext("2d");
    return calls.slice(calls.findLastIndex(({ name }) => name === "clearRect"))
        .filter(({ name }) => name === "fillText")
        .map(({ args: [text, x, y], width, font, textAlign }) => {
            const left = textAlign === "center" ? x - width / 2 : x;
            const em = parseFloat(/([\\d.]+)px/.exec(font)[1]);
            return { text, left, right: left + width, y, em };
        });
}"""
# The same on a real canvas, which must be asked before it is painted.
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


def tree(open_stage: Open, text: str, **more: Any) -> Stage:
    page = open_stage("?" + urlencode({"view": "tree", "text": text, **more}))
    page.unfold("tree")
    return page


def written(page: Stage) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.locator(".hl-tree-field canvas").evaluate(PAINTED)
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
@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_no_text_of_the_tree_covers_another_or_is_cut(
    open_stage: Open, field: Field, text: str
) -> None:
    page = tree(open_stage, text)
    page.locator(".hl-tree-field").evaluate(
        """({ style }, [width, height, em]) => Object.assign(style, {
            width: `${width}px`, height: `${height}px`, fontSize: `${em}px` })""",
        list(field),
    )
    page.set_viewport_size({"width": 1200, "height": 700})  # all that watches its size is told
    texts = written(page)
    assert field.em in {one["em"] for one in texts}
    check_texts(texts, is_roomy=field.is_roomy)


def check_texts(texts: list[dict[str, Any]], *, is_roomy: bool) -> None:
    if is_roomy:  # else where one zooms in
        assert any(one["text"].startswith("+") for one in texts), "the folded are counted"
    assert any(one["text"].startswith("−") for one in texts), "the sums are there"
    assert covered(texts) == []
    assert [one["text"] for one in texts if one["text"].endswith("…")] == []


@pytest.mark.browser
def test_a_real_canvas_and_what_stands_beside_it(open_page: Callable[..., Watched]) -> None:
    """Letters as wide as they are: no text on another, none cut, no score cut at the right."""
    page = open_page(f"?{urlencode({'view': 'steps', 'text': TEXTS[1]})}").page
    page.evaluate(f"() => {{{RECORDING}}}")  # before the tree is painted for the first time
    browsing.show(page, "tree")
    page.wait_for_selector(".hl-tree-scores li")
    browsing.unfold(page, "tree")
    for width, height, least in ((1366, 768, 330), (390, 844, 220)):
        page.set_viewport_size({"width": width, "height": height})
        browsing.at_rest(page, "tree")
        texts = page.evaluate("document.querySelector('.hl-tree-field canvas').written")
        check_texts(texts, is_roomy=width > 640)
        field = page.locator(".hl-tree-field").bounding_box()
        assert field is not None and field["height"] >= least
        assert page.evaluate(CUT) == []
    looks = page.evaluate(
        """() => [...document.querySelectorAll(".hl-tree-plot .hl-plot-line")].map((line) => {
            const { stroke, strokeDasharray } = getComputedStyle(line);
            return `${stroke} ${strokeDasharray}`;
        })"""
    )
    assert len(looks) == len(set(looks)) == 4
    name = page.locator(".hl-tree-plot .hl-plot-name", has_text="the search’s α")
    rim = name.evaluate("(e) => [getComputedStyle(e).paintOrder, getComputedStyle(e).stroke]")
    assert rim == ["stroke", "rgb(255, 255, 255)"]  # a grid line behind does not strike it through


def test_a_long_search_begins_where_its_slider_stands(
    open_stage: Open, explainer: Explainer
) -> None:
    steps = len(explainer.explain(LONG, config()).search.steps)
    page = tree(open_stage, LONG)
    for step in (steps, 5, steps - 2):
        page.fill(".hl-tree-bar input[type=range]", str(step))
        expect(page.locator(".hl-tree-bar output")).to_have_text(f"{step} / {steps}")
        assert f"Step {step}:" in page.text_content(LIST)
        assert f"at step {step}" in page.text_content(".hl-tree-facts h3")
        [head] = [one for one in written(page) if one["text"] == str(step)]
        width = page.evaluate("document.querySelector('.hl-tree-field').clientWidth")
        assert 0 < head["left"] < width - 20, "its column is not in sight"


def parting(search: Search) -> int:
    """The step at which the best hypothesis parts from the one whose score is closest."""
    best, *others = search.hypotheses
    close = min(others, key=lambda one: abs(one.score - best.score))
    both = zip(best.path, close.path, strict=False)
    return next(t for t, (one, other) in enumerate(both) if one != other)


@pytest.mark.parametrize("way", ["typed", "link"])
def test_a_new_sentence_opens_where_the_best_two_part(
    open_stage: Open, explainer: Explainer, way: str
) -> None:
    """The whole search is drawn; box, table, stepper and header speak of one step, in sight."""
    search = explainer.explain(LONG, config()).search
    steps, step = len(search.steps), parting(search) + 1
    page = tree(open_stage, TEXTS[0] if way == "typed" else LONG)
    if way == "typed":
        page.translate(LONG)
    expect(page.locator(".hl-tree-bar output")).to_have_text(f"{steps} / {steps}")
    assert f"Step {step}:" in page.text_content(LIST)
    assert f"at step {step}" in page.text_content(".hl-tree-facts h3")
    expect(page.locator("#hl-step")).to_contain_text(f"{step} /")
    assert page.get_attribute("#hl-tgt .hl-here", "data-index") == str(step)
    assert str(step) in [one["text"] for one in written(page)]
    page.press(".hl-tree-last", "Enter")  # there is a way to the end
    assert f"at step {steps}" in page.text_content(".hl-tree-facts h3")


def test_a_search_with_one_text_opens_on_its_closest_choice(
    open_stage: Open, explainer: Explainer
) -> None:
    trace = explainer.explain(LONG, config(method="greedy")).trace
    words = [i for i, piece in enumerate(trace.tgt_out.pieces) if piece.strip("▁").isalnum()]
    second = trace.top_log_probs[:, 1]
    page = tree(open_stage, LONG, method="greedy")
    shown_at = int(page.get_attribute("#hl-tgt .hl-here", "data-index")) - 1
    assert f"at step {shown_at + 1}" in page.text_content(".hl-tree-facts h3")
    assert second[shown_at] == pytest.approx(second[words].max(), abs=1e-4)


def choose(page: Stage, step: int, candidate: int) -> str:
    """Points the tree at a candidate through its table; what the box then says of its fate."""
    page.fill(".hl-tree-bar input[type=range]", str(step + 1))
    page.wait_for_selector(f"{LIST}:has-text('Step {step + 1}:')")
    page.locator(".hl-tree-table tbody tr").nth(candidate).click()
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


@pytest.mark.parametrize("form", ["average", "gnmt"])
@pytest.mark.parametrize("alpha", [-0.5, 0.4, 2.5])
def test_the_box_speaks_of_what_wins_at_the_alpha_that_is_looked_at(
    open_stage: Open, explainer: Explainer, alpha: float, form: Literal["average", "gnmt"]
) -> None:
    """Of a sentence for which another text wins there, if an example has one."""
    now = DecodeConfig(length_penalty=alpha, penalty_form=form)

    def ranked(text: str) -> list[tuple[float, int]]:
        hypotheses = explainer.explain(text, config()).search.hypotheses
        scores = [one.log_prob / now.penalty(len(one.path)) for one in hypotheses]
        return sorted(((score, -i) for i, score in enumerate(scores)), reverse=True)

    texts = [*TEXTS, *(one.text for one in EXAMPLES)]
    text = next((one for one in texts if ranked(one)[0][1] != 0), TEXTS[0])
    search = explainer.explain(text, config()).search
    page = tree(open_stage, text)
    page.evaluate(
        "(changes) => headlight.page.choices.merge(changes)",
        {"tree.alpha": str(alpha), "tree.form": form},
    )
    scores = [score for score, _ in ranked(text)]
    for place, (score, i) in enumerate(ranked(text)):
        path = search.hypotheses[-i].path
        said = choose(page, len(path) - 1, path[-1])
        rival = 1 if place == 0 else 0
        assert f"no. {place + 1} of {len(scores)} now" in said, said
        assert f"Score {shown(score)} against {shown(scores[rival])} for no. {rival + 1}:" in said
        ending = f"wins by {apart(score, scores[1])}." if place == 0 else "loses by "
        assert ending in said
    first, best = search.hypotheses[0].path, search.hypotheses[-ranked(text)[0][1]].path
    for path in {tuple(first[:2]), tuple(best[:2])}:
        said = choose(page, len(path) - 1, path[-1])
        assert ("path of the winner" in said) == (path == tuple(best[:2]))
    for step, candidate in dropped(search)[:1]:  # no number of the search's own alpha
        assert "Score" not in choose(page, step, candidate)
    assert page.errors == []


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
    page = tree(open_stage, text, step=1, **settings)
    trace = explainer.explain(text, config(**settings)).trace
    story = page.locator("#hl-story")
    for t in range(len(trace.tgt_out.ids)):
        if t > step:
            break
        expect(page.locator("#hl-step")).to_contain_text(f"{t + 1} /")
        said = story.text_content()
        assert label_of_piece(trace.tgt_out.pieces[t]).text in said or t != step
        assert (reason in said) == (t == step)
        page.click("#hl-stepper [data-go=forward]")
