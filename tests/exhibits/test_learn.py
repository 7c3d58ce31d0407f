"""The heads at points of the training, against the snapshots loaded here by themselves."""

from __future__ import annotations

import base64
import io
import itertools
import unicodedata
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from explorer.words import WORDS
from model import checkpoint
from model.checkpoint import snapshots
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from model.trace import Trace
from tests.stage import Raw, Stage

Open = Callable[..., Stage]
SENTENCE = "Where is the station?"
NOTE = "without the changes made on the page"


@pytest.fixture(scope="module")
def traces(explainer: Explainer) -> dict[float, Trace]:
    """The output on show, teacher-forced through each snapshot, loaded here by itself."""
    found = explainer.explain(SENTENCE)
    ids = found.trace.tgt_out.ids.tolist()
    loaded = checkpoint.load(checkpoint.SHIPPED)
    traces = {1.0: found.trace}
    for share in snapshots.training_fractions(checkpoint.SHIPPED):
        model = snapshots.load(snapshots.path(checkpoint.SHIPPED, share), loaded.model.config)
        then = checkpoint.Checkpoint(model, loaded.tokenizer, loaded.rules, "then", None, "then")
        traces[share] = Explainer(then, "cpu").trace(SENTENCE, ids)
    return dict(sorted(traces.items()))


def learn(open_stage: Open, points: int) -> Stage:
    page = open_stage("?view=learn").translate(SENTENCE)
    page.wait_for_function(
        "(n) => document.querySelectorAll('.hl-learn-list b[data-known=true]').length === n",
        arg=points,
    )
    return page


def tiles(page: Stage) -> dict[str, list[float | None]]:
    """The brightness of each tile's pixels by the head's name; None where it is transparent."""
    images = page.locator(".hl-learn .hl-tile").evaluate_all(
        "(all) => all.map((tile) => [tile.dataset.head, tile.querySelector('img').src])"
    )
    found = {}
    for name, address in images:
        content = base64.b64decode(address.partition(",")[2])
        pixels = Image.open(io.BytesIO(content)).convert("RGBA").get_flattened_data()
        found[name] = [sum(pixel[:3]) if pixel[3] else None for pixel in pixels]
    return found


def head_of(trace: Trace, name: str) -> np.ndarray:
    kind, layer, head = name.split(".")
    weights: np.ndarray = trace.attention(kind).weights[int(layer), int(head)]  # type: ignore[arg-type]
    return weights


def follows(darkness: list[float | None], weights: np.ndarray) -> bool:
    """Whether colours get darker as weights grow, masked cells aside."""
    pairs = [(w, d) for w, d in zip(weights.ravel(), darkness, strict=True) if d is not None]
    sums = [d for _, d in sorted(pairs)]
    return all(a >= b for a, b in itertools.pairwise(sums))


@pytest.mark.long
def test_heads_are_the_snapshots(open_stage: Open, traces: dict[float, Trace]) -> None:
    page = learn(open_stage, len(traces))
    page.unfold("learn", "numbers")
    page.fill(".hl-field-at input", "0")  # the point that it opened on is asked for once more
    before = len(page.asked)
    for i, (share, trace) in enumerate(traces.items()):
        page.fill(".hl-field-at input", str(i))
        button = page.locator(".hl-learn-list button").nth(i)
        assert button.get_attribute("aria-pressed") == "true"
        page.wait_for_selector(".hl-learn .hl-heads:not([data-painting])")
        pixels = tiles(page)
        assert len(pixels) == sum(trace.attention(kind).weights[..., 0, 0].size for kind in KINDS)
        for name, darkness in pixels.items():
            assert follows(darkness, head_of(trace, name)), f"{name} at {share}"
        row = page.locator(".hl-learn-points tbody tr").nth(i).locator("td").all_text_contents()
        assert row[-2] == f"{trace.log_prob.sum():.2f}".replace("-", "−")
        assert float(row[-1].lstrip("<").rstrip(" %")) == pytest.approx(
            max(0.1, 100 * np.exp(trace.log_prob.mean())), abs=0.06
        )
        names = page.locator(".hl-learn-map figcaption").all_text_contents()
        compared = "random" if share == 1 else "trained"
        assert len(names) == 2 and names[1] == WORDS[f"learn.{compared}"].en
    other = list(traces.values())[-2]
    wrong = [
        name for name, darkness in pixels.items() if not follows(darkness, head_of(other, name))
    ]
    assert len(wrong) > len(pixels) / 2, "another checkpoint would not be noticed"
    assert page.asked[before:] == [], "asked the server for what it had"
    assert page.errors == []


def legible(text: str) -> str:
    """A text with every invisible character but the space as its code point: "U+0003 × 50"."""
    shown = []
    for one, same in itertools.groupby(text):
        count = len(list(same))
        code = f"U+{ord(one):04X}" + (f" × {count} " if count > 1 else "")
        is_seen = one == " " or unicodedata.category(one)[0] not in "CZ"
        shown.append(one * count if is_seen else code)
    return "".join(shown).rstrip()


def test_each_point_writes_its_own_translation(
    open_stage: Open, explainer: Explainer, traces: dict[float, Trace]
) -> None:
    page = learn(open_stage, len(traces))
    assert "greedily" in (page.text_content(".hl-learn-own") or "")
    shown = page.locator(".hl-learn-list b").all_text_contents()
    longest = 2 * len(traces[1].tgt_out) + 10
    for share, text in zip(traces, shown, strict=True):
        wanted = explainer.at(share).explain(
            SENTENCE, DecodeConfig(method="greedy", max_length=longest)
        )
        assert legible(wanted.search.hypotheses[0].text) == text.removesuffix(" …")
    assert shown[-1] != shown[0]
    at = "(n) => document.querySelector('.hl-field-at input').value === String(n)"
    middle = (len(traces) - 1) // 2
    page.wait_for_timeout(2000)
    assert page.evaluate(at, middle), "it plays by itself, or begins at the end"
    page.click("#panel-learn .hl-play")
    for i in range(middle + 1, len(traces)):
        page.wait_for_function(at, arg=i)
    page.wait_for_selector(f"#panel-learn .hl-play:has-text('{WORDS['learn.play'].en}')")
    page.click("#panel-learn .hl-play")
    page.wait_for_function(at, arg=0)


def test_a_further_question_that_fails_can_be_asked_again(open_stage: Open) -> None:
    """The heads are there; the curves, which are asked for after them, are not."""

    def refuse(request: Raw, reply: str) -> Raw | str:
        return {"failed": True} if request.get("question") == "curves" else reply

    page = open_stage("?view=steps")
    page.change(refuse)
    page.choose(exhibit="learn")
    page.wait_for_selector(".hl-learn-way .hl-failed")
    assert page.locator(".hl-learn .hl-plot").count() == 0
    assert page.locator(".hl-learn-map").count() > 0
    page.change(None)
    page.click(".hl-learn-way .hl-failed button")
    page.wait_for_selector(".hl-learn .hl-plot")


def test_a_modified_page_is_told_that_these_models_are_not(open_stage: Open) -> None:
    page = open_stage("?view=learn")
    assert NOTE not in page.inner_text("#panel-learn")
    page.evaluate("headlight.page.explain({ interventions: { scaling: false } })")
    page.wait_for_selector(f'#panel-learn .hl-note:has-text("{NOTE}")')
