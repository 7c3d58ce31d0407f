"""Why this word on the page, against the records of Python; and the ways that lead to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from model.labs.why.heads import HeadsOff, without_heads
from model.labs.why.split import LogitSplit, why
from tests.stage import Stage, show

Open = Callable[..., Stage]
TEXT = "The dog bit the man."
STEP = 2


@pytest.fixture(scope="module")
def found(explainer: Explainer) -> tuple[LogitSplit, HeadsOff]:
    """The written token of the step against the most likely other one."""
    explanation = explainer.explain(TEXT, DecodeConfig())
    trace = explanation.trace
    own, written = float(trace.log_prob[STEP]), int(trace.tgt_out.ids[STEP])
    ids, log_probs = trace.top_ids[STEP][:8], trace.top_log_probs[STEP][:8]
    others = [
        (abs(float(p) - own), int(i))
        for i, p in zip(ids, log_probs, strict=True)
        if int(i) != written
    ]
    split = why(explainer, explanation, STEP, min(others)[1])
    return split, without_heads(explainer, explanation, split)


def column(page: Stage, table: str, n: int) -> list[float]:
    texts = page.eval_on_selector_all(
        f".{table} tbody tr", f"(rows) => rows.map((row) => row.children[{n - 1}].textContent)"
    )
    return [float(text.replace("−", "-")) if text else float("nan") for text in texts]


def named(split: LogitSplit) -> str:
    """How the finding names the layer, or the part of no layer, that gives most."""
    most = most_given(split)
    words = {
        split.embedding: " The word just read contributes most",
        split.position: " Its place in the sentence contributes most",
        split.output_bias: " The output bias contributes most",
    }
    return (
        words[most]
        if most in words
        else f" Layer {[*split.layers].index(most) + 1} contributes most"
    )


def link_to(split: LogitSplit) -> str:
    """The view with the rival that was split off; it opens with one of another meaning."""
    return f"?text={quote(TEXT)}&view=why&step={STEP + 1}&why.rival={split.instead_of}"


def most_given(split: LogitSplit) -> float:
    """What the layer, or the part of no layer, that gives most to the token ahead brings."""
    parts = [split.embedding, split.position, split.output_bias, *split.layers]
    return float(max(parts, key=lambda part: np.sign(split.difference) * part))


def test_the_sum_on_the_page_is_the_record(
    open_stage: Open, found: tuple[LogitSplit, HeadsOff]
) -> None:
    split, off = found
    page = open_stage(link_to(split))
    page.unfold("why", "numbers")
    page.wait_for_selector(".hl-why-away")
    layers = column(page, "hl-why-layers", 3)
    wanted = [split.embedding, split.position, *split.layers, split.output_bias]
    assert layers == pytest.approx(wanted, abs=6e-5)
    n_layers, n_heads = split.cross.shape[:2]
    direct, total = (column(page, "hl-why-parts", n) for n in (4, 5))
    at = 3 + (n_layers - 1) * (2 * n_heads + 2)  # the last layer, after what is no layer
    heads = [*split.decoder_self[-1].sum(-1), *split.cross[-1].sum(-1)]
    assert direct[at : at + 2 * n_heads] == pytest.approx(heads, abs=6e-5)
    effects = [*off.effects("decoder_self")[-1], *off.effects("cross")[-1]]
    assert total[at : at + 2 * n_heads] == pytest.approx(effects, abs=2e-3)
    said = page.text_content("#panel-why [data-part=finding]") or ""
    assert said.startswith("Why “") and f"?{named(split)}" in said
    assert page.errors == []


@pytest.mark.parametrize("shown", [1, 2])
def test_what_is_given_to_a_rival_that_is_ahead_counts_against_the_written_token(
    open_stage: Open, explainer: Explainer, shown: int
) -> None:
    explanation = explainer.explain(TEXT, DecodeConfig(), shown=shown)
    trace = explanation.trace
    behind = np.flatnonzero(trace.top_ids[:, 0] != trace.tgt_out.ids)
    step = int(behind[0])
    rival = int(trace.top_ids[step, 0])
    split = why(explainer, explanation, step, rival)
    assert split.difference < 0 and most_given(split) < 0
    link = f"&hypothesis={shown + 1}&step={step + 1}&why.rival={rival}"
    page = open_stage(f"?text={quote(TEXT)}&view=why{link}")
    said = page.text_content("#panel-why [data-part=finding]") or ""
    assert named(split) in said
    ahead, other = (explainer.tokenizer.decode([i]) for i in (rival, trace.tgt_out.ids[step]))
    assert said.startswith(f"“{ahead}” was likelier here than ") and f"“{other}”" in said


def test_it_asks_about_a_word_of_another_meaning_that_came_second(open_stage: Open) -> None:
    """The likeliest behind the written one, which is ahead; a synonym tells nobody anything."""
    page = open_stage(f"?view=why&text={quote(TEXT)}")
    step = page.evaluate("headlight.page.selection.get().step")
    top = page.evaluate(f"headlight.page.record.get().steps[{step}].top")
    meanings = [((one.get("gloss") or [""])[0] or one["text"]).lower() for one in top]
    asked = page.input_value("#panel-why .hl-field-rival select")
    place = [str(one["id"]) for one in top].index(asked)
    assert place > 0 and meanings[place] != meanings[0]
    assert set(meanings[1:place]) <= {meanings[0]}
    assert page.finding("why").startswith(f"Why “{top[0].get('line', top[0]['text'])}” and not ")


def test_the_part_that_the_finding_names_stands_out_in_its_layer(open_stage: Open) -> None:
    """The head whose tokens stand below is marked too, if the finding speaks of another part."""
    kinds = set()
    for step in range(1, 6):
        page = open_stage(f"?text={quote(TEXT)}&view=why&step={step}")
        said = page.finding("why")
        leads = page.locator("#panel-why .hl-why-lead > text:first-of-type").all_text_contents()
        if head := re.search(r"head (\d·\d)", said):
            here = page.locator("#panel-why .hl-why-row.hl-here").all_text_contents()
            assert leads == [] and any(head[1] in one for one in here), (said, here)
            kinds.add("head")
        elif named := re.search(r"above all its (feed-forward|biases)", said):
            assert [one.strip() for one in leads] == [named[1]], said
            kinds.add("other")
    assert kinds == {"head", "other"}


def test_a_layer_opens_to_heads_and_a_head_to_tokens(
    open_stage: Open, found: tuple[LogitSplit, HeadsOff]
) -> None:
    split, _ = found
    page = open_stage(f"{link_to(split)}&why.layer=0")
    page.unfold("why", "numbers")
    page.locator(".hl-why-layer").nth(1).press("Enter")
    page.wait_for_selector(".hl-why-title:has-text('Inside layer 2')")
    n_heads = split.cross.shape[1]
    head = page.locator(".hl-why-head[aria-label*='cross 2·1 ']")
    head.click()
    page.wait_for_selector(".hl-why-title:has-text('cross 2·1')")
    assert column(page, "hl-why-tokens", 2) == pytest.approx(split.cross[1, 0].tolist(), abs=6e-5)
    page.wait_for_function(
        "(n) => location.search.includes('why.layer=1')"
        " && location.search.includes(`why.head=${n}`)",
        arg=n_heads,
    )


def test_why_not_leads_here_from_the_tree_and_the_bars(
    open_stage: Open, explainer: Explainer
) -> None:
    rival = int(explainer.explain(TEXT, DecodeConfig()).trace.top_ids[STEP][1])
    page = open_stage(f"?text={quote(TEXT)}&view=sampling&step={STEP + 1}")
    page.click(f".hl-sampling-bars button[data-id='{rival}']")  # not the example's own bars
    page.click("#panel-sampling .hl-why-not")
    assert page.input_value("#panel-why .hl-field-rival select") == str(rival)
    show(page, "tree")
    page.focus(".hl-tree-field")
    this = page.locator("#panel-tree .hl-why-not:has-text('Why this one?')")
    for _ in TEXT:  # back from where the search ended until it is on the text that is shown
        if this.count() > 0:
            break
        page.keyboard.press("ArrowLeft")
    this.click()
    page.wait_for_selector("#panel-why:not([hidden]) .hl-why-picture")
    assert page.errors == []
