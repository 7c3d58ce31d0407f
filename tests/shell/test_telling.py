"""A sentence of the visitor's own opens where it says something, however it arrives.

`own.txt` has forty that are in no example. The head is the one with the lowest error on the
scoreboard; the place in each view is measured here again, from the model's own record.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from explorer import notebook
from explorer.card import FOLDER
from explorer.exchange import payload
from explorer.exchange.gloss import glossed_record
from explorer.labels import labels
from explorer.openers import load
from explorer.openers.case import Case
from explorer.publish import away
from model.explain import Explainer
from model.labs.ablation import occlusion
from model.labs.dissect import sub_layers
from model.labs.lens import lens
from model.trace import Explanation, Tokens, Trace
from tests.stage import Node, Stage, desk_of
from tests.tiers import IS_LONG, each, some

Open = Callable[..., Stage]
OWN = Path(__file__).with_name("own.txt").read_text("utf-8").splitlines()
LEAST = 1 / 3  # of what the best place says
PLACE = "headlight.page.selection.get()"
SELECTED = f"(({{ kind, layer, head, labels }}) => [kind, layer, head, labels])({PLACE})"


def best_head() -> list[Any]:
    """The head with the lowest alignment error in the file, and the label under which it has it."""
    rows = json.loads((FOLDER / "alignment.json").read_text("utf-8"))["rows"]
    heads = [row for row in rows if row["method"] == "weight" and row["head"]]
    best = min(heads, key=lambda row: float(row["aer"]))
    label = {"read": "reads", "written": "writes"}[best["row_label"]]
    return ["cross", best["layer"] - 1, best["head"] - 1, label]


# -------------------------------------------------------------------------- how a sentence arrives


def typed(page: Stage, text: str) -> Stage:
    return page.open().translate(text)


def linked(page: Stage, text: str) -> Stage:
    return page.open(f"?view=attention&text={quote(text)}&lang=zh")


def plainly_linked(page: Stage, text: str) -> Stage:
    return page.open(f"?text={quote(text)}")


def went_back(page: Stage, text: str) -> Stage:
    """From a place that was chosen in another sentence, under labels that were chosen there."""
    linked(page, text).pass_time(1_000)
    page.translate("Good morning, my friend.").choose(step=2, labels="writes", layer=2, head=2)
    page.pass_time(1_000)
    page.go_back()
    page.rest()
    return page


def reopened(page: Stage, text: str) -> Stage:
    """What the address says once the page has followed it."""
    linked(page, text).pass_time(1_000)
    return page.open(page.url.partition("/stage/")[2])


def left_a_lesson(page: Stage, text: str) -> Stage:
    linked(page, text).evaluate("headlight.page.lesson.set({ name: 'one-head', step: 0 })")
    page.evaluate("headlight.page.lesson.set({ name: null, step: 0 })")
    return page


def on_a_static_host(page: Stage, text: str) -> Stage:
    """The facts of a published folder; the replies are the same as the engine's (tests/parity)."""
    told = {
        "models": {"": {"folder": "en-zh", "bytes": 1}},
        "begin": None,
        "away": away(),
        "kept": [],
    }
    page.desk.facts = {**page.desk.facts, "published": told}
    return linked(page, text)


def from_a_file(page: Stage, text: str) -> Stage:
    linked(page, text).click("#hl-save > summary")
    sheet = page.locator("#hl-save .hl-sheet")
    page.wait_for_process(lambda: "MB" in sheet.text_content(), "saved")
    [document] = page.saved().values()
    return page.open_file(document.decode())


SERVED = (typed, linked, plainly_linked, went_back, reopened, left_a_lesson, on_a_static_host)


@pytest.fixture
def page(node: Node, explainer: Explainer) -> Iterable[Stage]:
    found = Stage(node, desk_of(explainer))
    yield found
    found.command("close")


def is_told_by_the_best_head(page: Stage, text: str) -> None:
    page.choose(exhibit="attention")
    assert page.evaluate("headlight.page.record.get().text") == text
    assert page.evaluate(SELECTED) == best_head(), text
    assert page.is_checked(f"#panel-attention .hl-labels input[value={best_head()[-1]}]")


@each("text", OWN, 1)
@pytest.mark.parametrize("arrive", [*SERVED, from_a_file])
def test_however_it_arrives_the_head_is_the_one_that_is_most_often_right(
    page: Stage, arrive: Callable[[Stage, str], Stage], text: str
) -> None:
    is_told_by_the_best_head(arrive(page, text), text)


def test_a_head_that_a_link_names_is_kept(open_stage: Open) -> None:
    page = open_stage(f"?view=attention&text={quote(OWN[0])}&kind=cross&layer=3&head=3&step=2")
    assert page.evaluate(SELECTED) == ["cross", 2, 2, "writes"]
    page.translate(OWN[1])
    assert page.evaluate(SELECTED) == ["cross", 2, 2, "writes"]


def test_a_notebook_opens_it_too(explainer: Explainer, open_file: Open) -> None:
    view = notebook.show(explainer.explain(OWN[0]), "attention")
    page = open_file(view.document)
    assert page.evaluate(SELECTED) == best_head()
    is_telling(page, "attention", measures(explainer, OWN[0])["attention"])


# -------------------------------------------------------------------------- what each place says

Says = Mapping[int, float]  # by step, or by token of the source


def words(tokens: Tokens) -> list[int]:
    """The places of the tokens with a letter or a digit; if there are none, of all but special."""
    found = labels(tokens)
    usual = [i for i, one in enumerate(found) if one.kind != "special"]
    return [i for i in usual if any(c.isalnum() for c in found[i].text)] or usual


def whole(tokens: Tokens) -> list[int]:
    """Those that are a word by themselves, or all if none is."""
    found = [*labels(tokens), None]
    alone = [i for i in words(tokens) if not found[i].joined]  # type: ignore[union-attr]
    alone = [i for i in alone if (after := found[i + 1]) is None or not after.joined]
    return alone or words(tokens)


def record_of(explainer: Explainer, found: Explanation) -> dict[str, Any]:
    record: dict[str, Any] = glossed_record(payload.build(found, explainer), explainer.glossary)
    return record


def meaningful(told: Sequence[dict[str, Any]], tokens: Tokens) -> list[int]:
    """Of these the long ones (of a language without blanks all), of these those with a gloss; where
    there are none, all of the last. `told`: the tokens as labels of the record."""
    alone = whole(tokens)
    long = [i for i in alone if re.search(r"[^\W\d_]{4}|[\u3400-\u9fff]", told[i]["text"])] or alone
    return [i for i in long if told[i].get("gloss", [""])[0]] or long


def links(trace: Trace, weights: np.ndarray, rows: Tokens) -> dict[int, float]:
    """A row says the weight of its strongest cell, and more if its line is clear (one of the
    heaviest third) and crosses others."""
    columns = words(trace.src)
    read = {row: int(weights[row].argmax()) for row in words(rows)}
    told = {row: col for row, col in read.items() if col in columns}
    if not told:
        return {row: float(weights[row].max()) for row in read}
    own = {row: float(weights[row, col]) for row, col in told.items()}
    clear = sorted(own.values(), reverse=True)[math.ceil(len(own) / 3) - 1]
    crossed = {
        row: sum(own[r] for r, c in told.items() if (r - row) * (c - col) < 0)
        for row, col in told.items()
    }
    return {row: one * (1 + crossed[row] * (one >= clear)) for row, one in own.items()}


def goes_back(explainer: Explainer, found: Explanation) -> dict[int, float]:
    """The weight of looks back, in the mean of all heads, where words with a meaning are read and
    looked at, from the middle on; else earlier, else of any tokens."""
    trace, record = found.trace, record_of(explainer, found)
    mean = trace.cross.weights.astype(float).mean((0, 1))
    columns = np.array(words(trace.src))
    looks = []
    for row in mean[:, columns]:
        first, *more = np.argsort(-row, kind="stable")[:2]
        near = [int(i) for i in more if row[i] > row[first] / 3]
        looks.append([(int(columns[i]), float(row[i])) for i in (first, *near)])
    told = whole(trace.tgt_out)
    late = [step for step in told if 2 * (step + 1) >= len(mean)]
    read = meaningful(record["tgt_in"], trace.tgt_in)
    looked = meaningful(record["src"], trace.src)
    of_words = [s for s in told if s in read and all(i in looked for i, _ in looks[s])]
    both = [step for step in of_words if step in late]
    return {
        step: sum(w * v for i, w in looks[step] for one in looks[:step] for j, v in one if i < j)
        + looks[step][0][1] / 100
        for step in both or of_words or late
    }


def doubts(explainer: Explainer, trace: Trace) -> dict[int, float]:
    """The probability of the other token that a layer would have written before the right one,
    times that of the right one in the next layer."""
    found = lens(explainer, trace)
    firsts, top = found.ids[..., 0], len(found.ids) - 1
    says = {}
    for step in whole(trace.tgt_out):
        others = np.flatnonzero(firsts[:, step] != trace.tgt_out.ids[step])
        last = int(others[-1]) if len(others) else -1
        both = found.log_probs[last : last + 2, step, 0].sum()
        says[step] = float(np.exp(both)) if 0 < last < top else 0.0
    return says


def additions(explainer: Explainer, found: Explanation, layer: int) -> dict[int, float]:
    """The length of what a sub-layer adds, for the length of what it adds to."""
    parts = sub_layers(explainer.model, found.trace, "encoder", layer)
    told = meaningful(record_of(explainer, found)["src"], found.trace.src)
    norms = [[np.linalg.norm(v, axis=-1) for v in (one.output, one.before)] for one in parts]
    return {i: max(float(adds[i] / before[i]) for adds, before in norms) for i in told}


def measures(explainer: Explainer, text: str) -> dict[str, Says]:
    """How much each view says at each place of a sentence, by the view's own measure."""
    found = explainer.explain(text)
    trace = found.trace
    steps = whole(trace.tgt_out)
    kind, layer, head, label = best_head()
    rows = trace.tgt_in if label == "reads" else trace.tgt_out
    read = links(trace, trace.attention(kind).weights[layer, head], rows)
    costs = -occlusion(explainer, found).changes.min(0)
    close = {step: float(np.exp(trace.top_log_probs[step, 1])) for step in steps}
    return {
        "attention": read,
        "microscope": {row: read[row] for row in whole(rows) if row in read} or read,
        "figure": goes_back(explainer, found),
        "steps": close,
        "why": close,
        "sampling": {step: float(trace.entropy[step]) for step in steps},
        "smoothing": {step: float(np.exp(trace.log_prob[step])) for step in steps},
        "lens": doubts(explainer, trace),
        "summaries": {step: max(0.0, float(costs[step])) for step in steps},
        "stream": additions(explainer, found, layer),
    }


def is_telling(page: Stage, view: str, says: Says) -> None:
    """The place that a view opens on says at least a third of what the best one says."""
    page.choose(exhibit=view)
    place = page.evaluate(PLACE)["src" if view == "stream" else "step"]
    most = max(says.values())
    assert says.get(place, 0) >= most * LEAST, (view, place, says)


@each("text", OWN, 2)
def test_every_view_opens_where_it_says_most(page: Stage, explainer: Explainer, text: str) -> None:
    """Each in its turn: what one has found is not the choice of a visitor."""
    (arrive,) = some(SERVED, 1) if not IS_LONG else (SERVED[OWN.index(text) % len(SERVED)],)
    arrive(page, text)
    for view, says in measures(explainer, text).items():
        is_telling(page, view, says)
    assert page.errors == []


def test_the_first_screen_is_at_its_best(open_stage: Open, explainer: Explainer) -> None:
    """`/` is `?view=figure`, and opens on a step like the one that the opener was measured at."""
    stored = load(FOLDER)
    assert stored is not None
    crossed = {step for _, step in Case(explainer, stored.default, ()).crossings}
    for query in ("", "?view=figure"):
        page = open_stage(query)
        is_telling(page, "figure", goes_back(explainer, explainer.explain(stored.default)))
        step = page.evaluate(PLACE)["step"]
        (own,) = [one for one in stored.views if one.view == "figure"]
        written = labels(explainer.explain(stored.default).trace.tgt_out)
        if crossed:
            assert step in crossed and own.measured["token"] in {written[i].text for i in crossed}
        else:  # the view's own opener shows it, with another sentence
            assert own.text != stored.default and Case(explainer, own.text).crossings


def test_what_the_visitor_chose_is_kept(open_stage: Open) -> None:
    """A step in one view is the step of all, until another sentence; so is a link's."""
    page = open_stage(f"?view=lens&text={quote(OWN[0])}&step=1")
    for view in ("lens", "attention", "sampling", "why", "figure", "stream", "microscope"):
        page.choose(exhibit=view)
        assert page.evaluate(PLACE)["step"] == 0, view
    page.pass_time(1_000)
    assert "step=1" in page.url
    page.translate(OWN[1])
    page.choose(exhibit="attention")
    assert page.evaluate(PLACE)["step"] > 0
    page.pass_time(1_000)
    assert "step=" not in page.url  # who opens the link finds it again
    page.click("#hl-tgt [data-index='3']")  # the token that a row of this head has read
    page.choose(exhibit="sampling")
    assert page.evaluate(PLACE)["step"] == 3
    page.pass_time(1_000)
    assert "step=4" in page.url


def test_a_weak_row_leads_to_a_strong_one_of_the_same_sentence_first(open_stage: Open) -> None:
    page = open_stage(f"?view=attention&text={quote(OWN[0])}&step=1")
    button = page.locator("#panel-attention .hl-opener")
    assert button.inner_text() == "Show me where it matters here"
    button.click()
    assert page.evaluate("headlight.page.record.get().text") == OWN[0]
    assert button.count() == 0
