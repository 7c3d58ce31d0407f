"""The search tree as the page shows it, against the search of the model itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from explorer.exchange.request import MAX_WRITTEN
from explorer.labels import labels
from explorer.words import WORDS
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Explanation, Search
from tests.examples import first
from tests.stage import Stage, choose_exhibit, expect
from tests.tiers import each

Open = Callable[..., Stage]
Drawn = dict[str, Any]
TEXT = "Why do we work?"
LIST = "#panel-tree .hl-numbers section:nth-child(3) h3"  # names the step of its table
SEARCHES: list[tuple[str, dict[str, Any]]] = [
    (TEXT, {}),
    ("The old man saw the other cat. 🐱", {"beam_size": 2, "length_penalty": 0.6}),
    ("I live in the red house.", {"method": "sampling", "temperature": 1.4, "seed": 11}),
    ("The dog bit the man.", {"method": "beam_sampling", "beam_size": 3, "top_k": 40, "seed": 5}),
]

# What stands on the large canvas, as the tree left it there.
DRAWN = """() => {
    const { drawn } = document.querySelector(".hl-tree-field canvas");
    return drawn.filter(({ node }) => node.parent !== null).map(({ node, x, y, from }) => ({
        step: node.step, rank: node.rank, parent: node.parent.rank, id: node.id,
        piece: node.label.piece, log_prob: node.logProb, total: node.total, fate: node.fate,
        forced: node.forced, winner: node.winner, ends: node.ends, x, y, from,
        joined: node.joined,
    }));
}"""


def config(**settings: Any) -> DecodeConfig:
    return DecodeConfig(max_length=MAX_WRITTEN, **settings)


def tree(open_stage: Open, text: str = TEXT, settings: dict[str, Any] | None = None) -> Stage:
    page = open_stage("?" + urlencode({"view": "tree", "text": text, **(settings or {})}))
    page.unfold("tree")
    return page


def all_drawn(page: Stage) -> list[Drawn]:
    """Every candidate, unfolded and in sight."""
    page.check(".hl-tree-all input")
    page.click(".hl-tree-last")
    page.click(".hl-tree-fit")
    found: list[Drawn] = page.evaluate(DRAWN)
    return sorted(found, key=lambda one: (one["step"], one["rank"]))


def differences(found: list[Drawn], search: Search) -> list[str]:
    """What the picture has otherwise than the search."""
    wrong = []
    expected = [(t, c) for t, step in enumerate(search.steps) for c in range(len(step))]
    if [(one["step"], one["rank"]) for one in found] != expected:
        wrong.append("other candidates")
    place = {(one["step"], one["rank"]): one for one in found}
    for one in found:
        step, c = search.steps[one["step"]], one["rank"]
        own = {
            "parent": int(step.parents[c]),
            "id": int(step.token_ids[c]),
            "piece": step.pieces[c],
            "log_prob": pytest.approx(float(step.log_probs[c]), abs=1e-5),
            "total": pytest.approx(float(step.totals[c]), abs=1e-5),
            "fate": step.fates[c],
            "forced": bool(step.forced[c]),
        }
        wrong += [f"{name} of {one['step']}.{c}" for name in own if one[name] != own[name]]
        if one["step"] > 0:  # its line begins where its parent stands
            parent = place[one["step"] - 1, own["parent"]]
            if one["from"] != {"x": parent["x"], "y": parent["y"]}:
                wrong.append(f"line of {one['step']}.{c}")
    spots = {(one["x"], one["y"]) for one in found}
    if len(spots) != len(found):
        wrong.append("candidates on one another")
    ends = {one["ends"]: one for one in found if one["ends"] is not None}
    for i, hypothesis in enumerate(search.hypotheses):
        if (ends[i]["step"], ends[i]["rank"]) != (len(hypothesis.path) - 1, hypothesis.path[-1]):
            wrong.append(f"end of hypothesis {i}")
    winner = [(one["step"], one["rank"]) for one in found if one["winner"]]
    if winner != list(enumerate(search.hypotheses[0].path)):
        wrong.append("winner")
    return wrong


@each(("text", "settings"), SEARCHES, 2)
def test_the_tree_is_the_search(
    open_stage: Open, explainer: Explainer, text: str, settings: dict[str, Any]
) -> None:
    page = tree(open_stage, text, settings)
    found = all_drawn(page)
    explanation = explainer.explain(text, config(**settings))
    assert differences(found, explanation.search) == []
    # Parts of one word are joined along the hypothesis on show as they are in its strip.
    path = dict(enumerate(explanation.path))
    joined = [one["joined"] for one in found if path.get(one["step"]) == one["rank"]]
    assert joined == [label.joined for label in labels(explanation.trace.tgt_out)]
    assert page.errors == []


def test_a_planted_difference_is_seen(open_stage: Open, explainer: Explainer) -> None:
    found = all_drawn(tree(open_stage))
    search, pairs = explainer.explain(TEXT, config()).search, [*found, found[0]]
    for part in ("parent", "log_prob", "total", "fate", "from", "winner"):
        shifted = [{**one, part: other[part]} for one, other in itertools.pairwise(pairs)]
        assert differences(shifted, search), part


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def forced_by(search: Search, step: int, candidate: int) -> list[int]:
    path = search.path(step, candidate)
    return [int(search.steps[t].token_ids[c]) for t, c in enumerate(path)]


def pruned(search: Search, step: int) -> int:
    """The second best pruned candidate of a step that ends nothing."""
    one = search.steps[step]
    goes_on = [c for c, piece in enumerate(one.pieces) if piece not in ("</s>", "<pad>")]
    return [c for c in goes_on if one.fates[c] == "pruned"][1]


def strip(page: Stage, side: str) -> list[str]:
    return page.locator(f"#hl-{side} .hl-token > span").all_text_contents()


def says_prefix(page: Stage, explanation: Explanation) -> None:
    """The strip, the summary and the map's rows are those of the traced prefix."""
    trace = explanation.trace
    written = [labels(trace.tgt_in)[0].text, *(label.text for label in labels(trace.tgt_out))]
    assert strip(page, "tgt") == written
    summary = page.locator("#hl-hypotheses summary").text_content()
    assert "prefix" in summary and "pruned" in summary
    assert "prefix ends" in page.locator("#hl-story").text_content()
    choose_exhibit(page, "attention")
    page.check("#panel-attention .hl-field-view [value=map]")
    page.check("#panel-attention .hl-labels [value=writes]")
    lines = [label.line for label in labels(trace.tgt_out)]
    assert page.locator(".hl-rows text[data-at]").all_text_contents() == lines


def check_written(page: Stage, count: int) -> None:
    assert page.locator("#hl-tgt .hl-token").count() == count + 1


def test_a_click_on_a_pruned_candidate_shows_its_prefix(
    open_stage: Open, explainer: Explainer
) -> None:
    page = tree(open_stage)
    search = explainer.explain(TEXT, config()).search
    candidate = pruned(search, 1)
    place = next(one for one in all_drawn(page) if (one["step"], one["rank"]) == (1, candidate))
    page.locator(".hl-tree-field canvas").click(position=place)
    check_written(page, 2)
    says_prefix(page, explainer.explain(TEXT, config(), node=(1, candidate)))
    # Step by step tells no limit and no score of another text.
    choose_exhibit(page, "steps")
    total = f"{search.steps[1].totals[candidate]:.3f}".replace("-", "−")
    page.evaluate("headlight.page.folds.merge({ numbers: true })")
    expect(page.locator("#panel-steps")).to_contain_text(total)
    assert "limit" not in page.locator(".hl-steps-back").text_content()
    # And back to the whole hypothesis, which is number one still.
    page.click("#hl-hypotheses summary")
    page.click("#hl-hypotheses button.hl-hypothesis >> nth=0")
    check_written(page, len(search.hypotheses[0].path))
    assert page.errors == []


def living_at(search: Search, step: int) -> list[int]:
    """The candidates of a step that stand at the top of its column, from above."""
    return [c for c, fate in enumerate(search.steps[step].fates) if fate != "pruned"]


def walk_to_a_pruned_one(search: Search) -> tuple[list[str], int] | None:
    """Keys from the start to the best follower of the first candidate that was pruned, and it.

    "p" unfolds the pruned followers of where one is: they stand below those that live.
    """
    step, first_of_all = search.steps[1], living_at(search, 0)[0]
    followers = [c for c, parent in enumerate(step.parents) if parent == first_of_all]
    cut = [c for c in followers if step.fates[c] == "pruned"]
    if not cut or step.pieces[cut[0]] == "</s>":
        return None
    column = [*living_at(search, 1), *cut]
    begin = next(i for i, c in enumerate(column) if c in followers)
    downs = column.index(cut[0]) - begin
    return ["Home", "p", "ArrowRight", *["ArrowDown"] * downs], cut[0]


def test_a_pruned_candidate_is_reached_and_shown_by_keyboard(
    open_stage: Open, explainer: Explainer
) -> None:
    """The keys come one after the other, faster than the tree is drawn."""

    def walk(text: str) -> tuple[list[str], int] | None:
        return walk_to_a_pruned_one(explainer.explain(text, config()).search)

    text = first("a follower of the best first token is pruned", lambda t: walk(t) is not None)
    keys, mine = walk(text) or ([], -1)
    page = tree(open_stage, text)
    search = explainer.explain(text, config()).search
    page.locator(".hl-tree-field").focus()
    page.locator(".hl-tree-field").press(*keys)
    said = page.text_content(".hl-tree-facts")
    assert f"{mine + 1} of {len(search.steps[1])}" in said
    assert f"{search.steps[1].log_probs[mine]:.4f}".replace("-", "−") in said
    assert WORDS["tree.fate.pruned"].en in said
    page.keyboard.press("Enter")
    check_written(page, 2)
    says_prefix(page, explainer.explain(text, config(), node=(1, mine)))
    assert page.errors == []


def check_forced(page: Stage, explainer: Explainer, ids: list[int]) -> Explanation:
    """The page's search is that of Python with this prefix; its log-probs make its score."""
    explanation = explainer.explain(TEXT, config(), prefix=ids)
    found = all_drawn(page)
    assert differences(found, explanation.search) == []
    best = explanation.search.hypotheses[0]
    on_path = [one for one in found if one["winner"]]
    assert [one["id"] for one in on_path][: len(ids)] == ids
    assert [one["forced"] for one in on_path] == [t < len(ids) for t in range(len(on_path))]
    total = float(np.sum([one["log_prob"] for one in on_path], dtype=np.float64))
    score = total / config().penalty(len(best.path))
    assert score == pytest.approx(best.score, abs=1e-5)
    free = explainer.next_log_probs(TEXT, ids[:-1])
    assert on_path[len(ids) - 1]["log_prob"] == pytest.approx(float(free[ids[-1]]), abs=1e-5)
    texts = page.locator(".hl-tree-earlier tbody td").all_text_contents()
    assert texts[0] == best.text and number(texts[1]) == pytest.approx(best.score, abs=5.1e-5)
    return explanation


def test_decoding_goes_on_from_a_pruned_candidate(open_stage: Open, explainer: Explainer) -> None:
    page = tree(open_stage)
    before = explainer.explain(TEXT, config()).search
    candidate = pruned(before, 1)
    page.fill(".hl-tree-bar input[type=range]", "2")
    page.wait_for_selector(f"{LIST}:has-text('Step 2:')")
    page.locator(".hl-tree-table tbody tr").nth(candidate).click()
    check_written(page, 2)
    page.get_by_role("button", name=WORDS["tree.go_on"].en).click()
    after = check_forced(page, explainer, forced_by(before, 1, candidate)).search
    texts = page.locator(".hl-tree-earlier tbody td").all_text_contents()
    assert texts[2] == before.hypotheses[0].text
    difference = after.hypotheses[0].score - before.hypotheses[0].score
    assert number(texts[5]) == pytest.approx(difference, abs=5.1e-5)
    assert page.locator("#hl-tgt .hl-token:has(sub)").count() == 2
    page.get_by_role("button", name=WORDS["tree.let_go"].en).click()
    assert page.locator(".hl-tree-earlier").count() == 0
    assert differences(all_drawn(page), before) == []
    assert page.errors == []


def test_decoding_begins_with_typed_chinese(open_stage: Open, explainer: Explainer) -> None:
    page = tree(open_stage)
    page.fill(".hl-tree-begin input", "为什么他们")
    page.press(".hl-tree-begin input", "Enter")
    ids = explainer.tokenizer.encode_target("为什么他们").ids.tolist()
    check_forced(page, explainer, ids)
    # What cannot be is refused beside the box, and what was there stays.
    shown = strip(page, "tgt")
    page.fill(".hl-tree-begin input", "猫狗" * 90)
    page.press(".hl-tree-begin input", "Enter")
    assert "forced beginning" in page.locator(".hl-tree-begin .hl-failed").text_content()
    assert strip(page, "tgt") == shown
    assert "为什么他们" in page.locator(".hl-tree-earlier").text_content()
    assert page.errors == []


def test_the_player_plays_and_takes_the_pages_step_along(
    open_stage: Open, explainer: Explainer
) -> None:
    page = tree(open_stage)
    steps = len(explainer.explain(TEXT, config()).search.steps)
    place = page.locator(".hl-tree-bar output")
    expect(place).to_have_text(f"{steps} / {steps}")
    page.press(".hl-tree-first", "Enter")
    expect(place).to_have_text(f"1 / {steps}")
    assert {one["step"] for one in page.evaluate(DRAWN)} == {0}
    page.press(".hl-tree-forward", " ")
    expect(place).to_have_text(f"2 / {steps}")
    expect(page.locator("#hl-step")).to_contain_text("2 /")
    page.click("#hl-stepper [data-go=forward]")
    expect(place).to_have_text(f"3 / {steps}")
    # A picture never jumps: what was there stays where it was.
    page.select_option(".hl-tree-bar select", "fast")
    page.click(".hl-tree-first")
    first = {(one["step"], one["rank"]): (one["x"], one["y"]) for one in page.evaluate(DRAWN)}
    page.press(".hl-tree-field", " ")
    begun = page.evaluate("performance.now()")
    times: dict[str, float] = {}  # when each step is seen first
    while f"{steps} / {steps}" not in times:
        times.setdefault(place.text_content(), page.evaluate("performance.now()") - begun)
        page.pass_time(16)
    assert list(times) == [f"{step} / {steps}" for step in range(1, steps + 1)]
    assert list(times.values()) == pytest.approx([300 * i for i in range(steps)], abs=200)
    expect(page.locator("#panel-tree .hl-play")).to_have_text("Play the search")
    last = {(one["step"], one["rank"]): (one["x"], one["y"]) for one in page.evaluate(DRAWN)}
    assert len(last) > len(first) and all(
        last[key] == pytest.approx(spot, abs=1e-6) for key, spot in first.items()
    )
    assert page.errors == []


def test_it_stands_still_until_it_is_asked_to_play(open_stage: Open, explainer: Explainer) -> None:
    """It begins on the whole search, at the link's step; card and table name the same step."""
    steps = len(explainer.explain(TEXT, config()).search.steps)
    page = tree(open_stage, TEXT, {"step": 3})
    place = page.locator(".hl-tree-bar output")
    expect(place).to_have_text(f"{steps} / {steps}")
    page.wait_for_timeout(1500)
    expect(place).to_have_text(f"{steps} / {steps}")
    expect(page.locator("#hl-step")).to_contain_text("3 /")
    assert "Step 3:" in page.inner_text(LIST)
    assert "at step 3" in page.inner_text(".hl-tree-facts h3")
    page.focus(".hl-tree-field")
    for step in (2, 1):  # to the left: the table comes along
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".hl-tree-facts h3")).to_contain_text(f"at step {step}")
        assert f"Step {step}:" in page.inner_text(LIST)


def test_the_earlier_tree_is_walked_as_well(open_stage: Open, explainer: Explainer) -> None:
    def gone_on_with(search: Search) -> list[tuple[int, int]]:
        """Rows of the first column below the topmost, with the best living follower of each."""
        living, parents = living_at(search, 1), search.steps[1].parents
        return [
            (row, next(c for c in living if parents[c] == begun))
            for row, begun in enumerate(living_at(search, 0))
            if row > 0 and begun in parents[living]
        ]

    def searched(text: str) -> Search:
        return explainer.explain(text, config()).search

    text = first("two first tokens are gone on with", lambda t: bool(gone_on_with(searched(t))))
    before = searched(text)
    row, child = gone_on_with(before)[0]
    page = tree(open_stage, text)
    page.fill(".hl-tree-begin input", "为什么他们")
    page.press(".hl-tree-begin input", "Enter")
    page.focus(".hl-tree-small")
    for _ in range(row):
        page.keyboard.press("ArrowDown")
    second = living_at(before, 0)[row]
    facts = page.locator(".hl-tree-facts")
    expect(facts).to_contain_text(f"{second + 1} of {len(before.steps[0])}")
    expect(facts).to_contain_text(f"{before.steps[0].log_probs[second]:.4f}".replace("-", "−"))
    page.keyboard.press("ArrowRight")
    expect(facts).to_contain_text(f"{child + 1} of {len(before.steps[1])}")
    assert page.errors == []
