"""The scores of the tree: its sums against `transformers`, what it shows against the record."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import torch
from sentencepiece import SentencePieceProcessor

from explorer.exchange.payload import packed_search
from model import checkpoint
from model.config import DecodeConfig
from model.decoding import Rules, search
from model.explain import Explainer
from model.trace import Search
from tests.examples import first
from tests.stage import Node, Stage
from tests.tiers import each

Open = Callable[..., Stage]
LONG = (
    "I thought that the weather would be better today, but it has been raining since early this "
    "morning."
)
SENTENCES = ["Why do we work?", "I like cats. 🐱", LONG]  # the cat may come out in broken bytes
FORMS = ("average", "gnmt")
ALPHAS = (-1.0, 2.0)

# ---------------------------------------------------------------------------- transformers

SUMS = """async (given) => {
const { decodeSearch } = await module("assets/kit/payload.js");
const { entriesOf, scoreOf, ranksOf } = await module("explorer/exhibits/tree/scores.js");
return Promise.all(given.records.map(async ({ search, hypotheses }) => {
  const entries = entriesOf({ search: await decodeSearch(search), hypotheses });
  const listed = entries.filter(({ was }) => was !== null);
  const wrong = (one) => ({ ...one, length: one.length - given.shift });
  return {
    scores: listed.map((one) => String(scoreOf(wrong(one), "average", given.alpha))), // or infinite
    ids: listed.map(({ ids }) => ids),
    ranks: ranksOf(entries, "average", given.alpha).slice(0, listed.length),
    free: listed.filter(({ parts }) => parts.at(-1).free).length,
  };
}));
}"""


def packed(found: Search) -> dict[str, Any]:
    return {
        "search": packed_search(found, lambda i: {"text": str(i), "piece": str(i)}),
        "hypotheses": [
            {"text": h.text, "path": list(h.path), "finished": h.finished} for h in found.hypotheses
        ],
    }


def generated(config: DecodeConfig, rules: Rules) -> tuple[list[Search], list[list[float]]]:
    """Our searches on a random MarianMTModel, and the scores that `generate` gives for it."""
    from tests.parity import test_generate as parity

    model = parity.new_model()
    random = np.random.default_rng(3)
    src = torch.from_numpy(random.integers(1, parity.PAD, (12, 6)))
    src[:, -1] = parity.END
    mask = torch.ones_like(src)
    with torch.no_grad():
        memory = model.get_encoder()(input_ids=src, attention_mask=mask).last_hidden_state
    empty = torch.zeros((len(src), 0), dtype=torch.long)
    stepper = parity.MarianStepper(model, memory, mask, empty)
    found = search(stepper, len(src), config, rules, parity.PlainNames())
    beams = parity.beams_of(parity.theirs(model, src, config, rules), config.beam_size)
    return found, [[score for _, score in beam] for beam in beams]


@pytest.mark.parametrize("forced", [False, True], ids=["free", "forced_end"])
def test_scores_are_those_of_transformers(node: Node, forced: bool) -> None:
    pytest.importorskip("transformers")
    for alpha in (-0.5, 0.0, 0.6, 1.0, 2.0):
        check_scores(node, alpha, forced)


def check_scores(node: Node, alpha: float, forced: bool) -> None:
    from tests.parity.test_generate import FORCED, FREE, MAX_LENGTH

    config = DecodeConfig(beam_size=4, length_penalty=alpha, max_length=MAX_LENGTH)
    searches, theirs = generated(config, FORCED if forced else FREE)
    records = [packed(found) for found in searches]
    ours = node.run(SUMS, {"records": records, "alpha": alpha, "shift": 0})
    for one, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(list(map(float, one["scores"])), expected, rtol=1e-5, atol=1e-5)
        assert one["ranks"] == list(range(len(expected))), "not the search's own order"
    if forced:
        assert sum(one["free"] for one in ours) > 0, "no hypothesis was cut by a forced end"
    if alpha != 0:  # the twin: lengths without the end token
        wrong = node.run(SUMS, {"records": records, "alpha": alpha, "shift": 1})
        shifted = list(map(float, wrong[0]["scores"]))
        assert not np.allclose(shifted, theirs[0], rtol=1e-5, atol=1e-5)


# ---------------------------------------------------------------------------- the record


def finished(found: Search) -> list[tuple[list[int], float]]:
    """Ids and sums of all finished texts: the hypotheses, then those that were beaten."""
    paths = [h.path for h in found.hypotheses]
    paths += [
        found.path(t, c)
        for t, step in enumerate(found.steps)
        for c, fate in enumerate(step.fates)
        if fate == "beaten"
    ]
    return [
        (
            [int(found.steps[t].token_ids[c]) for t, c in enumerate(path)],
            float(found.steps[len(path) - 1].totals[path[-1]]),
        )
        for path in paths
    ]


def scores(found: Search, form: str, alpha: float) -> list[float]:
    base = [
        float(len(ids)) if form == "average" else (5 + len(ids)) / 6 for ids, _ in finished(found)
    ]
    return [total / b**alpha for (_, total), b in zip(finished(found), base, strict=True)]


def opened(open_stage: Open, text: str, **settings: Any) -> Stage:
    page = open_stage("?" + urlencode({"view": "tree", "text": text, **settings}))
    page.unfold("tree")
    return page


def move(page: Stage, alpha: float, form: str) -> None:
    page.check(f"#panel-tree input[value='{form}']")
    page.fill(".hl-tree-alpha input >> nth=0", str(alpha))


def shown(page: Stage) -> tuple[list[int], list[float], list[float]]:
    """Ranks, sums and scores in the table."""
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".hl-tree-scoring tbody tr")].map((row) =>
            [row.cells[0], row.cells[3], row.cells[2]].map((cell) =>
                cell.textContent.match(/[−-]?[\\d.]+/)[0]))"""
    )
    numbers = [[float(text.replace("−", "-")) for text in row] for row in rows]
    return [int(r) - 1 for r, _, _ in numbers], [n[1] for n in numbers], [n[2] for n in numbers]


def ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=lambda i: -values[i])
    return [order.index(i) for i in range(len(values))]


@each("text", SENTENCES, 1)
def test_ranks_and_scores_are_the_records(
    open_stage: Open, explainer: Explainer, text: str
) -> None:
    config = DecodeConfig(beam_size=8, length_penalty=0.6)
    found = explainer.explain(text, config).search
    page = opened(open_stage, text, beam_size=8, length_penalty=0.6)
    n = len(found.hypotheses)
    assert shown(page)[0] == list(range(n)), "at its own alpha the search's own order"
    assert shown(page)[2] == pytest.approx([h.score for h in found.hypotheses], abs=6e-5)
    assert shown(page)[1] == pytest.approx([h.log_prob for h in found.hypotheses], abs=6e-5)
    assert page.locator(".hl-tree-run").count() == 0
    if page.locator(".hl-tree-beaten input").count() > 0:
        page.check(".hl-tree-beaten input")
    asked = len(page.asked)
    for form in FORMS:
        for alpha in (-1.0, 0.0, 0.6, 1.3, 3.0):
            move(page, alpha, form)
            expected = scores(found, form, alpha)
            got = shown(page)
            assert got[2] == pytest.approx(expected, rel=1e-5, abs=6e-5)
            assert got[0] == ranks(expected)
    assert len(page.asked) == asked, "a request was sent"


def test_a_wrong_sum_would_be_noticed(open_stage: Open, explainer: Explainer) -> None:
    """The twin of the test above: the search of another alpha has other scores."""
    config = DecodeConfig(beam_size=8, length_penalty=0.6)

    def moves(text: str) -> bool:
        found = explainer.explain(text, config).search
        n = len(found.hypotheses)
        is_beaten = len(finished(found)) > n
        return is_beaten and ranks(scores(found, "average", 3.0)[:n]) != list(range(n))

    text = first("a text is beaten at beam 8, and alpha 3 ranks otherwise", moves)
    found = explainer.explain(text, config).search
    page = opened(open_stage, text, beam_size=8, length_penalty=0.6)
    n = len(found.hypotheses)
    assert shown(page)[0] == list(range(n))
    move(page, 3.0, "average")
    assert shown(page)[2] != pytest.approx(scores(found, "gnmt", 3.0)[:n], rel=1e-3)
    assert shown(page)[0] != list(range(n))
    page.check(".hl-tree-beaten input")
    assert shown(page)[0] == ranks(scores(found, "average", 3.0))


@pytest.mark.long
def test_texts_put_together_in_the_page_are_the_tokenizers(
    open_stage: Open, explainer: Explainer
) -> None:
    for text in SENTENCES:
        made = opened(open_stage, text, beam_size=8).evaluate(
            """async () => {
                const { entriesOf } = await module("explorer/exhibits/tree/scores.js");
                const { textOf } = await module("assets/kit/pieces.js");
                return entriesOf(headlight.page.record.get()).map(({ parts, ids }) =>
                    [textOf(parts.map(({ label }) => label.piece)), ids]);
            }"""
        )
        assert len(made) >= 8
        end = explainer.rules.end_id
        for written, ids in made:
            assert written == explainer.tokenizer.decode([i for i in ids if i != end])


def test_any_bytes_are_put_together_as_by_sentencepiece(node: Node) -> None:
    """Most of these are no characters; each such byte stands for itself."""
    random = np.random.default_rng(5)
    likely = ["<0xF0>", "<0x9F>", "<0x90>", "<0xB1>", "<0xE4>", "<0xBD>", "<0xA0>", "<0x41>", "我"]
    texts = [random.choice(likely, size=6).tolist() for _ in range(300)]
    texts += [[f"<0x{byte:02X}>" for byte in random.integers(0, 256, 5)] for _ in range(300)]
    peer = SentencePieceProcessor(model_file=str(checkpoint.SHIPPED / "target.spm"))
    script = "async (texts) => texts.map((await module('assets/kit/pieces.js')).textOf)"
    made = node.run(script, texts)
    assert made == [peer.decode_pieces(pieces) for pieces in texts]
    assert sum("\ufffd\ufffd" in text for text in made) > 100


def both_searches(explainer: Explainer, text: str, alpha: float) -> tuple[Search, Search]:
    """As the page begins, and with another alpha."""
    config = DecodeConfig(beam_size=4)
    other = dataclasses.replace(config, length_penalty=alpha)
    return explainer.explain(text, config).search, explainer.explain(text, other).search


@each(("text", "alpha"), [*itertools.product(SENTENCES, ALPHAS)], 1)
def test_the_search_itself_is_run_and_compared(
    open_stage: Open, explainer: Explainer, text: str, alpha: float
) -> None:
    run_and_compare(open_stage, explainer, text, alpha)


def test_a_search_that_goes_another_way_is_told(open_stage: Open, explainer: Explainer) -> None:
    """Its best was not finished before, so that the ranks alone could not foresee it."""

    def way(text: str) -> float | None:
        for alpha in ALPHAS:
            before, after = both_searches(explainer, text, alpha)
            if finished(after)[0][0] not in [ids for ids, _ in finished(before)]:
                return alpha
        return None

    text = first("the search of another alpha goes another way", lambda t: way(t) is not None)
    said = run_and_compare(open_stage, explainer, text, way(text) or 0.0)
    assert "was not in the list" in said


def run_and_compare(open_stage: Open, explainer: Explainer, text: str, alpha: float) -> str:
    before, after = both_searches(explainer, text, alpha)
    page = opened(open_stage, text)
    move(page, alpha, "average")
    page.click(".hl-tree-run")
    said = page.text_content(".hl-tree-outcome")
    best, _ = finished(after)[0]
    known = [ids for ids, _ in finished(before)]
    n = len(before.hypotheses)
    placed = ranks(scores(before, "average", alpha)[:n])
    if best not in known:
        expected = "was not in the list"
    elif known.index(best) >= n:
        expected = "dropped it: it was not"
    elif placed[known.index(best)] == 0:
        expected = "as the new ranking predicted"
    else:
        expected = f"at rank {placed[known.index(best)] + 1}"
    assert expected in said and f"“{after.hypotheses[0].text}”" in said
    assert shown(page)[2] == pytest.approx([h.score for h in after.hypotheses], rel=1e-5, abs=6e-5)
    assert page.errors == []
    return said


def test_everything_by_keyboard(open_stage: Open, explainer: Explainer) -> None:
    found = explainer.explain(LONG, DecodeConfig()).search
    page = opened(open_stage, LONG)
    page.press(".hl-tree-alpha input >> nth=0", "Home")
    assert page.is_visible(".hl-tree-run")
    assert shown(page)[2] == pytest.approx(scores(found, "average", -1)[:4], rel=1e-5, abs=6e-5)
    page.press(".hl-tree-scoring tbody tr:nth-child(3)", "Enter")
    page.wait_for_selector("#panel-tree h3:has-text('No. 3:')")
    third = found.hypotheses[2]
    assert page.locator(".hl-tree-sum tbody tr").count() == len(third.path)
    note = page.locator("#panel-tree section:has(.hl-tree-sum) .hl-note")
    formula = note.text_content().replace("−", "-")
    assert f"{third.log_prob:.4f} ÷ {len(third.path)}-1" in formula  # raised
    score = float(formula.rsplit("= ", 1)[1])
    assert score == pytest.approx(third.log_prob * len(third.path), rel=1e-5)


def test_a_hypothesis_of_the_list_has_its_own_card_and_is_asked_about(
    open_stage: Open, explainer: Explainer
) -> None:
    """The card is that of the one chosen; its "Why not" is asked where it parts from the best."""
    best, other = (h.ids for h in explainer.explain(SENTENCES[0]).search.hypotheses[:2])
    step = next(t for t, (one, two) in enumerate(zip(best, other, strict=False)) if one != two)
    page = opened(open_stage, SENTENCES[0])
    page.locator(".hl-tree-scores button").nth(1).click()
    assert "hypothesis 2 of" in page.text_content(".hl-tree-facts")
    assert page.evaluate("headlight.page.record.get().shown") == 1
    page.click(".hl-tree-acts .hl-why-not:has-text('Why not this one?')")
    page.wait_for_selector("#panel-why:not([hidden]) .hl-why-picture")
    shown = "headlight.page.record.get().shown"
    at = "headlight.page.selection.get().step"
    assert [page.evaluate(shown), page.evaluate(at)] == [0, step]
    assert page.input_value("#panel-why .hl-field-rival select") == str(other[step])
    assert page.errors == []
